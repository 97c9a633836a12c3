/** Templates of Svelte 5: `import type {} from 'latchkey/svelte'`. */
import type { HTMLAttributes } from 'svelte/elements'
import type { ElementOf, Props, Tag } from '../types.ts'

type Elements = {
  [T in Tag]: Props<T> & HTMLAttributes<ElementOf<T>>
}
declare module 'svelte/elements' {
  interface SvelteHTMLElements extends Elements {}
}
