import { KitError, toKitError } from '../../src/errors/kit-error.ts'
import { lazily } from '../../src/errors/lazily.ts'
import type { Kit } from '../../src/kit-api.ts'
import { sessionKey } from '../../src/session/keys.ts'
import { App, joinApp, leaveApp, type Member, onlyApp } from '../page.ts'
import { pageParsed, theOnlyApp } from './waits.ts'

/** What a link asks of its element, and does to it. */
export interface Linked extends Member {
  readonly isConnected: boolean
  readonly appId: string | undefined
  readonly apiUrl: string | undefined
  /** Starts to follow a kit; gives back what stops that. */
  follow(kit: Kit): (() => void)[]
  /** A failure that a page may want to know. */
  complain(error: KitError): void
  /** The element can act. */
  greet(): void
  showSignedIn(yes: boolean): void
}

/** The kit and all that it does: fetched when somebody needs it, not before. */
const loadCreateKit = lazily(() => import('../create-kit.ts'))

/** How an element finds its kit and holds on to it. */
export class KitLink {
  /** Set by the page: overrides the app id. */
  given: Kit | undefined
  #app: App | undefined
  #followed: Kit | undefined
  #off: (() => void)[] = []
  /** What was found in order, and what the page was told to be ready. */
  #checked: App | Kit | undefined
  #greeted: App | Kit | undefined
  #checking = false
  #complaint: string | undefined
  #hearing = false

  constructor(private readonly element: Linked) {}

  /** The kit, once it is there. */
  get kit(): Kit | undefined {
    return this.given ?? this.#app?.kit
  }
  get target(): App | Kit | undefined {
    return this.given ?? this.#app
  }

  /** Another tab has logged in: this page, which had nothing to restore, now has. */
  readonly #hearOtherTab = ({ key, newValue }: StorageEvent) => {
    const app = this.#app
    if (app && !app.kit && newValue !== null && key === sessionKey(app.appId, 'token'))
      this.use().catch(() => {})
  }

  /** Finds the app that the element belongs to now. Whether that brought another kit. */
  join(): boolean {
    const { appId } = this.element
    const app = this.given ? undefined : appId ? joinApp(appId, this.element) : this.#unnamed()
    if (this.#app && this.#app !== app) leaveApp(this.#app, this.element)
    this.#app = app
    if (!this.#hearing) window.addEventListener('storage', this.#hearOtherTab)
    this.#hearing = true
    return this.#follow(this.kit)
  }

  /** Lets go of everything, as long as the element is off the page. */
  leave(): void {
    if (this.#app) leaveApp(this.#app, this.element)
    window.removeEventListener('storage', this.#hearOtherTab)
    this.#hearing = false
    this.#follow(undefined)
  }

  /** The kit, loaded if it must be. Rejects with a `KitError`, of which the page is told. */
  async use(): Promise<Kit> {
    try {
      if (!this.element.isConnected)
        throw new KitError('invalid_configuration', 'The element is not in a document')
      this.join()
      const kit = this.given ?? (await this.#load())
      this.#follow(kit)
      this.#checked = this.target
      this.#sync()
      return kit
    } catch (cause) {
      const error = toKitError(cause)
      this.element.complain(error)
      throw error
    }
  }

  /** Looks once whether the element can act, says so or why not, and takes up what this browser remembers of the app. */
  async check(): Promise<void> {
    if (this.#checking) return
    if (this.#checked === this.target) {
      if (!this.kit && this.#app?.followsHost()) await this.use().catch(() => {})
      return
    }
    this.#checking = true
    await pageParsed()
    this.#checking = false
    const { target } = this
    if (!this.element.isConnected || !target || this.#checked === target) return
    const problem = target instanceof App ? target.problem() : undefined
    if (problem) {
      if (problem.message !== this.#complaint) this.element.complain(problem)
      this.#complaint = problem.message
      return
    }
    this.#complaint = undefined
    this.#checked = target
    if (this.kit) this.#sync()
    else if (this.#app?.hasAnything()) await this.use().catch(() => {})
    else this.#greet()
  }

  /** Without an id: the page's only app, unless an address shows that the id was forgotten. */
  #unnamed(): App | undefined {
    if (!this.element.apiUrl) return onlyApp()
    return this.#app?.appId === '' ? this.#app : new App('')
  }

  async #load(): Promise<Kit> {
    const app = this.#app ?? (await theOnlyApp())
    if (app.kit) return app.kit
    const problem = app.problem()
    if (problem) throw problem
    const { createKit } = await loadCreateKit()
    return app.kit ?? createKit(app.options())
  }

  #follow(kit: Kit | undefined): boolean {
    if (kit === this.#followed) return false
    for (const off of this.#off) off()
    this.#followed = kit
    this.#off = kit ? [kit.state.subscribe(() => this.#sync()), ...this.element.follow(kit)] : []
    this.#sync()
    return true
  }

  /** Shows what the kit's state is. */
  #sync() {
    const state = this.#followed?.state.get()
    this.element.showSignedIn(state?.authenticated ?? false)
    if (state?.ready) this.#greet()
  }

  #greet() {
    if (!this.#checked || this.#greeted === this.#checked) return
    this.#greeted = this.#checked
    this.element.greet()
  }
}
