import { lastOf } from './base/host.ts'
import type { KitElement } from './element.ts'
import type { ElementOf, EventsFrom, Properties, Tag } from './types.ts'

/** What {@link elementRef} gives to an element: properties, and listeners by the name of their event. */
export type RefProps<T extends Tag> = Properties<T> & {
  [Name in keyof EventsFrom<T> & string as `on${Name}`]?: (event: EventsFrom<T>[Name]) => void
}

/**
 * Gives an element its properties and listeners through a `ref`, for pages that are rendered on a server: while React
 * hydrates them, it sets neither on custom elements. By then the element may have been there for a while, so listeners
 * are told what it has said: that it is ready, and who is logged in. Returns the ref, whose result takes the listeners off
 * again.
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

/** What still holds when it has been said. */
const lasting = ['lk-ready', 'lk-user']
/** What listeners that came by a ref have heard. */
const heard = new WeakSet<Event>()

function give(element: KitElement, name: string, value: unknown): () => void {
  if (!name.startsWith('onlk-')) {
    Reflect.set(element, name, value)
    return () => {}
  }
  const type = name.slice(2)
  let listening = true
  const hear = (event: Event) => {
    heard.add(event)
    ;(value as EventListener)(event)
  }
  element.addEventListener(type, hear)
  // Later, because React may take a ref away and give it again at once.
  queueMicrotask(() => {
    const last = lasting.includes(type) && lastOf(element, type)
    if (listening && last && !heard.has(last)) hear(last)
  })
  return () => {
    listening = false
    element.removeEventListener(type, hear)
  }
}
