/** JSX for React 19: `import type {} from 'latchkey/react'`. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { ElementOf, Props, Tag } from '../types.ts'

type Elements = {
  [T in Tag]: Props<T> & DetailedHTMLProps<HTMLAttributes<ElementOf<T>>, ElementOf<T>>
}
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Elements {}
  }
}
