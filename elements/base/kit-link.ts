import { KitError, toKitError } from '../../src/errors/kit-error.ts'
import { lazily } from '../../src/errors/lazily.ts'
import type { Kit } from '../../src/kit/api.ts'
import type { User } from '../../src/protocol/user.ts'
import { sessionKey } from '../../src/session/keys.ts'
import { App, joinApp, leaveApp, type Member, onlyApp } from '../page.ts'
import { isAwaited } from './arrival.ts'
import { warnOnce } from './host.ts'
import { theOnlyApp } from './only-app.ts'
import { pageParsed } from './waits.ts'

/** What a link needs from its element, and what it does to it. */
export interface Linked extends Member {
  readonly isConnected: boolean
  readonly appId: string | undefined
  readonly apiUrl: string | undefined
  /** Starts following a kit; returns the function that stops. */
  follow(kit: Kit): (() => void)[]
  /** Reports a failure that the page may want to know about. */
  report(error: KitError): void
  /** Announces that the element can act. */
  announceReady(): void
  showSignedIn(yes: boolean): void
  /** Says who is logged in, whenever that may have changed; never before {@link announceReady}. */
  announceUser(user: User | null): void
}

type CreateKitModule = typeof import('../create-kit.ts')
let expected: Promise<CreateKitModule> | undefined

/**
 * The kit's file, which the page asked for before this one had arrived. Browsers answer imports in the order in which
 * they were asked: another one would wait until React is evaluated, and the app's settings with it.
 */
export function expectKit(kit: Promise<CreateKitModule>): void {
  expected = kit
}

/** The kit and its dependencies, loaded when somebody needs them. What was expected and failed is asked for anew. */
const loadCreateKit = lazily(() => {
  const kit = expected ?? import('../create-kit.ts')
  expected = undefined
  return kit
})

/** When there may be a session that this page doesn't know of yet. */
const heard = ['storage', 'online'] as const

/** Finds the kit of an element and keeps hold of it. */
export class KitLink {
  /** Set by the page; overrides the app id. */
  given: Kit | undefined
  #app: App | undefined
  #followed: Kit | undefined
  #off: (() => void)[] = []
  /** The kit for which the settings were found correct and `lk-ready` was fired. */
  #checked: App | Kit | undefined
  #greeted: App | Kit | undefined
  #checking = false
  #complaint: string | undefined

  constructor(private readonly element: Linked) {}

  /** The kit, once it is loaded. */
  get kit(): Kit | undefined {
    return this.given ?? this.#app?.kit
  }
  get target(): App | Kit | undefined {
    return this.given ?? this.#app
  }

  /** Another tab has logged in, or what kept this one from following it is over: there is a session to restore now. */
  readonly #hear = ({ type, key }: Event & Partial<StorageEvent>) => {
    const app = this.#app
    if (!app || app.kit || (type === 'storage' && key !== sessionKey(app.appId, 'token'))) return
    if (app.hasAnything()) this.use().catch(() => {})
  }

  /** Finds the app that the element belongs to now. Returns whether that changed the kit. */
  join(): boolean {
    const { appId } = this.element
    const app = this.given ? undefined : appId ? joinApp(appId, this.element) : this.#unnamed()
    if (this.#app && this.#app !== app) leaveApp(this.#app, this.element)
    this.#app = app
    for (const type of heard) window.addEventListener(type, this.#hear)
    return this.#follow(this.kit)
  }

  /** Lets go of everything while the element is not in the page. */
  leave(): void {
    if (this.#app) leaveApp(this.#app, this.element)
    for (const type of heard) window.removeEventListener(type, this.#hear)
    this.#follow(undefined)
  }

  /** The kit, loaded if necessary. Rejects with a `KitError`, which is also reported to the page. */
  async use(): Promise<Kit> {
    try {
      if (!this.element.isConnected)
        throw new KitError('invalid_configuration', 'The element is not connected')
      this.join()
      const kit = this.given ?? (await this.#load())
      this.#follow(kit)
      this.#checked = this.target
      this.#sync(false)
      return kit
    } catch (cause) {
      const error = toKitError(cause)
      this.element.report(error)
      throw error
    }
  }

  /**
   * Checks once whether the element can act, says so or why not, and restores what this browser remembers of
   * the app. Rejects where that fails and somebody who has come back waits for it; the page has been told.
   */
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
    if (!target) this.#warnWithoutApp()
    if (!this.element.isConnected || !target || this.#checked === target) return
    if (target instanceof App && !target.isSetUp()) return this.#complain(target)
    this.#complaint = undefined
    this.#checked = target
    if (this.kit) this.#sync()
    else if (this.#app?.hasAnything())
      await this.use().catch((error: KitError) => {
        if (isAwaited(this.#app?.appId)) throw error
      })
    else this.#announceReady()
  }

  /** Says once what is wrong with the settings: the kit knows. */
  async #complain(app: App) {
    const problem = await this.#load().then(() => undefined, toKitError)
    if (!problem || !this.element.isConnected || this.target !== app || app.isSetUp()) return
    if (problem.details !== this.#complaint) this.element.report(problem)
    this.#complaint = problem.details
    warnOnce(problem.message)
  }

  /** A later script may still name the app. */
  #warnWithoutApp() {
    theOnlyApp().catch(({ message }: KitError) => {
      if (this.element.isConnected && !this.target) warnOnce(message)
    })
  }

  /** Without an id it is the page's only app, unless an address shows that the id was forgotten. */
  #unnamed(): App | undefined {
    if (!this.element.apiUrl) return onlyApp()
    return this.#app?.appId === '' ? this.#app : new App('')
  }

  async #load(): Promise<Kit> {
    const app = this.#app ?? (await theOnlyApp())
    if (app.kit) return app.kit
    const { createKit } = await loadCreateKit()
    return app.kit ?? createKit(app.options())
  }

  #follow(kit: Kit | undefined): boolean {
    if (kit === this.#followed) return false
    for (const off of this.#off) off()
    this.#followed = kit
    this.#off = kit
      ? [
          kit.state.subscribe(() => this.#sync(false)),
          ...this.element.follow(kit),
          kit.on('user', () => this.#sync()),
        ]
      : []
    this.#sync()
    return true
  }

  /**
   * Mirrors the kit's state on the element.
   * @param isTold whether the kit has told of its user, which after a login comes later than the state
   */
  #sync(isTold = true) {
    const state = this.#followed?.state.get()
    this.element.showSignedIn(state?.authenticated ?? false)
    if (!state?.ready) return
    const isNew = this.#announceReady()
    if ((isTold || isNew) && this.#greeted && this.#greeted === this.#checked)
      this.element.announceUser(state.user)
  }

  /** Returns whether the page didn't know it. */
  #announceReady(): boolean {
    if (!this.#checked || this.#greeted === this.#checked) return false
    this.#greeted = this.#checked
    this.element.announceReady()
    return true
  }
}
