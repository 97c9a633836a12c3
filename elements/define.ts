import { warnOnce } from './base/host.ts'

export interface DefineOptions {
  /** Goes before every tag: `acme-` gives `<acme-login-modal>`. */
  prefix?: string
}
/** A class that can become an element. */
export interface ElementClass {
  new (): HTMLElement
  readonly tag: string
  readonly version: string
}

/** A class can be registered once; further tags take a subclass. */
const registered = new WeakSet<ElementClass>()

/**
 * Registers an element under its tag. On a server it does nothing; where the tag is taken it leaves it as it is, and
 * says so if it was another version. It never throws.
 */
export function defineElement(element: ElementClass, { prefix = '' }: DefineOptions = {}): void {
  const registry = globalThis.customElements
  if (!registry) return
  const tag = prefix + element.tag
  const present = registry.get(tag) as Partial<ElementClass> | undefined
  if (present) {
    if (present.version !== element.version)
      warnOnce(
        `<${tag}> is already defined by version ${present.version ?? 'unknown'}; ${element.version} stays away`,
      )
    return
  }
  try {
    registry.define(tag, registered.has(element) ? class extends element {} : element)
    registered.add(element)
  } catch (cause) {
    warnOnce(`<${tag}> can't be defined: ${cause}`)
  }
}
