/** Templates of Vue 3: `import type {} from 'latchkey/vue'`. */
import type { EmitFn, HTMLAttributes, ReservedProps } from 'vue'
import type { Attributes, ElementOf, EventsFrom, Properties, Tag } from '../types.ts'

type Emits<T extends Tag> = { [Name in keyof EventsFrom<T>]: (event: EventsFrom<T>[Name]) => void }
type Elements = {
  [T in Tag]: new () => {
    /** Only for the type checker: the elements don't have it. */
    $props: HTMLAttributes & ReservedProps & Attributes & Properties<T>
    $emit: EmitFn<Emits<T>>
    $el: ElementOf<T>
  }
}
declare module 'vue' {
  interface GlobalComponents extends Elements {}
}
