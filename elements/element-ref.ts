import type { KitElement } from './element.ts'
import type { ElementOf, EventsFrom, Properties, Tag } from './types.ts'

/** What {@link elementRef} gives to an element: properties, and listeners by the name of their event. */
export type RefProps<T extends Tag> = Properties<T> & {
  [Name in keyof EventsFrom<T> & string as `on${Name}`]?: (event: EventsFrom<T>[Name]) => void
}

/**
 * Gives an element its properties and listeners through a `ref`, for pages that are rendered on a server: while React
 * hydrates them, it sets neither on custom elements. Returns the ref, whose result takes the listeners off again.
 */
export function elementRef<T extends Tag>(props: RefProps<T>) {
  return (element: ElementOf<T> | null): (() => void) | undefined => {
    if (!element) return undefined
    const off = Object.entries(props).map(([name, value]) => give(element, name, value))
    return () => {
      for (const stop of off) stop()
    }
  }
}

function give(element: KitElement, name: string, value: unknown): () => void {
  if (!name.startsWith('onlk-')) {
    Reflect.set(element, name, value)
    return () => {}
  }
  const listener = value as EventListener
  element.addEventListener(name.slice(2), listener)
  return () => element.removeEventListener(name.slice(2), listener)
}
