import type { Details } from '../events.ts'

export interface AttributeRule {
  /**
   * How the attribute's text becomes a value: by presence, as text, or as one of these, the first being the
   * default.
   */
  kind: 'flag' | 'text' | readonly string[]
  /** Whether setting the property also sets the attribute. */
  reflect?: boolean
}
/** The rule of an attribute that is text. */
export const text = { kind: 'text' } as const satisfies AttributeRule

type Value = string | boolean | undefined

const fired = Symbol()
/** The last event of a name that an element has fired: for listeners that come later. */
export const lastOf = (element: HostElement, name: string): CustomEvent | undefined => element[fired][name]

/** There is no HTMLElement on a server, where importing this must still work. */
const Base = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement)

/**
 * What any page may expect of a custom element: attributes and properties (also those set before the
 * definition), batched updates, one open shadow root, states, and events that leave it. It knows nothing
 * about kits.
 */
export abstract class HostElement extends Base {
  static readonly rules: Readonly<Record<string, AttributeRule>> = {}
  static get observedAttributes(): string[] {
    // biome-ignore lint/complexity/noThisInStatic: a subclass has rules of its own
    return Object.keys(this.rules)
  }

  readonly [fired]: Record<string, CustomEvent> = {}
  #values = new Map<string, Value>()
  #changes = new Set<string>()
  #queued = false
  #internals: ElementInternals | undefined

  constructor() {
    super()
    this.attachShadow({ mode: 'open' })
  }

  connectedCallback(): void {
    upgradeProperties(this)
    this.requestUpdate()
  }

  attributeChangedCallback(name: string, _before: string | null, text: string | null): void {
    this.#store(name, text)
  }

  /** Called in a microtask after a batch of changes and after each connection; never while disconnected. */
  protected abstract updated(changes: ReadonlySet<string>): void

  protected readText(name: string): string | undefined {
    const value = this.#values.get(name)
    return typeof value === 'string' ? value : undefined
  }
  protected readFlag(name: string): boolean {
    return this.#values.get(name) === true
  }

  /** Sets the value of an attribute the way its property does. */
  protected write(name: string, given: unknown): void {
    const { kind, reflect } = this.#rule(name)
    const absent = kind === 'flag' ? !given : given === undefined || given === null
    this.#store(name, absent ? null : String(given))
    if (!reflect) return
    const value = this.#values.get(name)
    if (typeof value !== 'string') this.toggleAttribute(name, value === true)
    else if (this.getAttribute(name) !== value) this.setAttribute(name, value)
  }

  protected requestUpdate(name?: string): void {
    if (name) this.#changes.add(name)
    if (this.#queued) return
    this.#queued = true
    queueMicrotask(() => {
      this.#queued = false
      if (!this.isConnected) return
      const changes = this.#changes
      this.#changes = new Set()
      this.updated(changes)
    })
  }

  /**
   * Fires an event. A listener that throws can't break the element: the exception goes to `window.onerror`. From an
   * element that was taken out no event reaches the page, and frameworks have removed their listeners from it, so the
   * document is told as well.
   */
  protected emit<Name extends keyof Details>(
    name: Name,
    ...[detail, cancelable]: Details[Name] extends undefined
      ? []
      : [detail: Details[Name], cancelable?: boolean]
  ): boolean {
    const options = { detail, bubbles: true, composed: true, cancelable: cancelable ?? false }
    const event = new CustomEvent(name, options)
    this[fired][name] = event
    const accepted = this.dispatchEvent(event)
    if (!this.isConnected) this.ownerDocument.dispatchEvent(new CustomEvent(name, options))
    return accepted
  }

  /** Sets `:state(name)`. */
  protected markState(name: string, on: boolean): void {
    try {
      this.#internals ??= this.attachInternals()
      if (on) this.#internals.states.add(name)
      else this.#internals.states.delete(name)
    } catch {
      // The browser has no custom states, or only their early form, which required two dashes.
    }
  }

  #rule(name: string): AttributeRule {
    return (this.constructor as typeof HostElement).rules[name] ?? text
  }

  #store(name: string, text: string | null) {
    const value = this.#parse(name, text)
    if (Object.is(value, this.#values.get(name))) return
    this.#values.set(name, value)
    this.requestUpdate(name)
  }

  #parse(name: string, text: string | null): Value {
    const { kind } = this.#rule(name)
    if (kind === 'flag') return text !== null
    if (text === null || kind === 'text' || kind.includes(text)) return text ?? undefined
    warnOnce(`${name}="${text}" is none of ${kind.join(', ')}`)
    return undefined
  }
}

/**
 * Frameworks may set properties before the definition is loaded. Those hide the accessors and have to be set
 * again.
 */
function upgradeProperties(element: HostElement) {
  for (const [name, value] of Object.entries(element)) {
    if (!(name in Object.getPrototypeOf(element))) continue
    Reflect.deleteProperty(element, name)
    // Does nothing where there is only a getter.
    Reflect.set(element, name, value)
  }
}

const warned = new Set<string>()
/** Warns the page's developer, once per message. */
export function warnOnce(message: string): void {
  if (warned.has(message)) return
  warned.add(message)
  console.warn(`[latchkey] ${message}`)
}
