import { warnOnce } from './base/host.ts'

export interface DefineOptions {
  /** Prepended to every tag: `acme-` gives `<acme-login-modal>`. */
  prefix?: string
}
/** A class that can be defined as an element. */
export interface ElementClass {
  new (): HTMLElement
  readonly tag: string
  readonly version: string
}

/** A class can be registered only once; further tags get a subclass. */
const registered = new WeakSet<ElementClass>()

/**
 * Registers an element under its tag. Does nothing on a server. A tag that is taken stays as it is, with a
 * warning if it is another version. Never throws.
 */
export function defineElement(element: ElementClass, { prefix = '' }: DefineOptions = {}): void {
  const registry = globalThis.customElements
  if (!registry) return
  const tag = prefix + element.tag
  const present = registry.get(tag) as Partial<ElementClass> | undefined
  if (present) {
    if (present.version !== element.version)
      warnOnce(`<${tag}> is of version ${present.version}, not of ${element.version}`)
    return
  }
  try {
    registry.define(tag, registered.has(element) ? class extends element {} : element)
    registered.add(element)
  } catch (cause) {
    warnOnce(`<${tag}> can't be defined: ${cause}`)
  }
}
