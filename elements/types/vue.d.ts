/** Templates of Vue 3: `import type {} from 'latchkey/vue'`. */
import type { EmitFn, HTMLAttributes, ReservedProps } from 'vue'
import type { Attributes, ElementOf, EventsFrom, Properties, Tag } from '../types.ts'

type Emits<T extends Tag> = { [Name in keyof EventsFrom<T>]: (event: EventsFrom<T>[Name]) => void }
/** The same handlers as props, so that an element may have nothing but a handler under `strictTemplates`. */
type Handlers<T extends Tag> = {
  [Name in keyof EventsFrom<T> & string as `on${Capitalize<Camel<Name>>}`]?: (
    event: EventsFrom<T>[Name],
  ) => void
}
type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name
type Elements = {
  // What a template's ref holds is the element itself.
  [T in Tag]: new () => ElementOf<T> & {
    /** Only for the type checker: the elements don't have it. */
    $props: HTMLAttributes & ReservedProps & Attributes & Properties<T> & Handlers<T>
    $emit: EmitFn<Emits<T>>
    $el: ElementOf<T>
  }
}
declare module 'vue' {
  interface GlobalComponents extends Elements {}
}
