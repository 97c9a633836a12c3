import type { HostConfig } from '../src/config.ts'
import type { CopyOverrides } from '../src/copy/copy.ts'
import { version } from '../src/core/version.ts'
import { KitError, toKitError } from '../src/errors/kit-error.ts'
import type { Kit } from '../src/kit-api.ts'
import { lazily } from './base/lazily.ts'
import { loadView } from './base/presentation.ts'
import { SurfaceElement } from './base/surface.ts'
import { pageParsed, theOnlyApp } from './base/waits.ts'
import { App, type AppSettings, joinApp, leaveApp, type Member, onApps, onlyApp } from './page.ts'
import type { Dressing } from './view/contract.ts'

/** The kit and all that it does: fetched when somebody needs it, not before. */
const loadCreateKit = lazily(() => import('./create-kit.ts'))

/** The elements of each kit, in the order of their coming. */
const followers = new WeakMap<Kit, Set<KitElement>>()

/**
 * The base of all public elements: it finds its kit, offers itself as a surface, and tells the page what the kit does.
 *
 * Elements with the same `app-id` share one kit; one without it uses the page's only kit, also when that comes later;
 * `element.kit = kit` overrides both. The kit is loaded when a method or `open` needs it, or at once when this browser
 * remembers a session of the app.
 */
export abstract class KitElement extends SurfaceElement implements Member {
  static readonly version = version
  static override readonly rules = {
    ...SurfaceElement.rules,
    'app-id': { kind: 'text' },
    'client-id': { kind: 'text' },
    'api-url': { kind: 'text' },
    'vault-url': { kind: 'text' },
    analytics: { kind: ['on', 'off'] },
  } as const

  #given: Kit | undefined
  #app: App | undefined
  #config: HostConfig | undefined
  #copy: CopyOverrides | undefined
  /** The kit that it is attached to, and how to leave it. */
  #kit: Kit | undefined
  #off: (() => void)[] = []
  #ignoreApps: (() => void) | undefined
  /** The app or kit that was found in order, and the one for which `lk-ready` was said. */
  #checked: unknown
  #ready: unknown
  #checking = false
  #complaint: string | undefined

  /** The app's id: 25 characters. */
  get appId(): string | undefined {
    return this.readText('app-id')
  }
  set appId(value: string | undefined) {
    this.write('app-id', value)
  }
  /** The app client's id, where the app has several. */
  get clientId(): string | undefined {
    return this.readText('client-id')
  }
  set clientId(value: string | undefined) {
    this.write('client-id', value)
  }
  /** The API's base address. */
  get apiUrl(): string | undefined {
    return this.readText('api-url')
  }
  set apiUrl(value: string | undefined) {
    this.write('api-url', value)
  }
  /** The vault's base address; the API's where it isn't set. */
  get vaultUrl(): string | undefined {
    return this.readText('vault-url')
  }
  set vaultUrl(value: string | undefined) {
    this.write('vault-url', value)
  }
  /** `off`: nothing is posted to the app's analytics. */
  get analytics(): 'on' | 'off' {
    return this.readText('analytics') === 'off' ? 'off' : 'on'
  }
  set analytics(value: 'on' | 'off' | undefined) {
    this.write('analytics', value)
  }

  /** The app's configuration on this page. Never shown in the markup. */
  get config(): HostConfig | undefined {
    return this.#config
  }
  set config(value: HostConfig | undefined) {
    this.#config = value ?? undefined
    this.requestUpdate('config')
  }
  /** Words that replace ours, by key. */
  get copy(): CopyOverrides | undefined {
    return this.#copy
  }
  set copy(value: CopyOverrides | undefined) {
    this.#copy = value ?? undefined
    this.requestUpdate('copy')
  }
  /** The kit, once it is loaded. Setting one overrides `app-id`. */
  get kit(): Kit | undefined {
    return this.#given ?? this.#app?.kit
  }
  set kit(value: Kit | undefined) {
    this.#given = value ?? undefined
    this.requestUpdate('kit')
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#ignoreApps ??= onApps(() => this.requestUpdate())
    this.addEventListener('pointerenter', this.#expect, { once: true })
    this.addEventListener('focusin', this.#expect, { once: true })
  }

  /** What this element says about its app. */
  settings(): AppSettings {
    return {
      apiUrl: this.apiUrl,
      clientId: this.clientId,
      vaultUrl: this.vaultUrl,
      config: this.config,
      copy: this.copy,
      analytics: this.analytics === 'off' ? false : undefined,
    }
  }

  /** Loads what a dialog needs, for a page that knows that somebody is about to ask for it. */
  async preload(): Promise<void> {
    await Promise.all([this.use(), loadView()])
  }

  protected override updated(changes: ReadonlySet<string>): void {
    const before = this.#kit
    this.#join()
    if (before === this.#kit && (changes.has('config') || changes.has('copy'))) this.#configure()
    super.updated(changes)
    void this.#check()
  }

  protected override removed(): void {
    super.removed()
    this.#ignoreApps?.()
    this.#ignoreApps = undefined
    if (this.#app) leaveApp(this.#app, this)
    this.#app = undefined
    this.#follow(undefined)
  }

  /** The kit of this element, loaded if it must be. Rejects with a `KitError`, of which the page is told. */
  protected async use(): Promise<Kit> {
    try {
      if (!this.isConnected) throw new KitError('invalid_configuration', 'The element is not in a document')
      this.#join()
      const kit = this.#given ?? (await this.#load())
      this.#follow(kit)
      this.#checked = this.#target
      this.#sync()
      return kit
    } catch (cause) {
      const error = toKitError(cause)
      this.report(error)
      throw error
    }
  }

  /** Forwards events of a kit to the page; returns what stops it. */
  protected abstract listen(kit: Kit): (() => void)[]

  protected override dressing(): Dressing {
    return { ...this.ownDressing, kit: this.kit as Kit }
  }

  async #load(): Promise<Kit> {
    const app = this.#app ?? (await theOnlyApp())
    if (app.kit) return app.kit
    const problem = app.problem()
    if (problem) throw problem
    const { createKit } = await loadCreateKit()
    return app.kit ?? createKit(app.options())
  }

  /** Finds the app that the element belongs to now. */
  #join() {
    const app = this.#given ? undefined : this.appId ? joinApp(this.appId, this) : this.#unnamed()
    if (this.#app && this.#app !== app) leaveApp(this.#app, this)
    this.#app = app
    this.#follow(this.kit)
  }

  /** Without an id: the page's only app, unless an address shows that the id was forgotten. */
  #unnamed(): App | undefined {
    if (!this.apiUrl) return onlyApp()
    return this.#app?.appId === '' ? this.#app : new App('')
  }

  #follow(kit: Kit | undefined) {
    if (kit === this.#kit) return
    for (const off of this.#off) off()
    if (this.#kit) followers.get(this.#kit)?.delete(this)
    this.#kit = kit
    this.#off = []
    if (kit) {
      const all = followers.get(kit) ?? new Set()
      followers.set(kit, all.add(this))
      const speak = (error: KitError) => {
        if (this === ([...all].find((each) => each.engaged) ?? [...all][0])) this.report(error)
      }
      const { state } = kit
      this.#off = [
        kit.attach(this),
        kit.on('error', speak),
        state.subscribe(() => this.#sync()),
        ...this.listen(kit),
      ]
      this.#configure()
    }
    this.#sync()
  }

  #configure() {
    const config = this.#config && { config: this.#config }
    const copy = this.#copy && { copy: this.#copy }
    if (config || copy) this.#kit?.configure({ ...config, ...copy })
  }

  /** Shows the page what the kit's state is. */
  #sync() {
    const state = this.#kit?.state.get()
    this.markState('signed-in', state?.authenticated ?? false)
    if (state?.ready) this.#greet()
  }

  #greet() {
    if (!this.#checked || this.#ready === this.#checked) return
    this.#ready = this.#checked
    this.emit('lk-ready')
  }

  /** Looks once whether the element can act, says so or why not, and restores a session that this browser remembers. */
  async #check() {
    if (this.#checking || this.#checked === this.#target) return
    this.#checking = true
    await pageParsed()
    this.#checking = false
    const target = this.#target
    if (!this.isConnected || !target || this.#checked === target) return
    const problem = target instanceof App ? target.problem() : undefined
    if (problem) {
      if (problem.message !== this.#complaint) this.report(problem)
      this.#complaint = problem.message
      return
    }
    this.#complaint = undefined
    this.#checked = target
    if (this.kit) this.#sync()
    else if (this.#app?.hasSession()) await this.use().catch(() => {})
    else this.#greet()
  }

  get #target(): App | Kit | undefined {
    return this.#given ?? this.#app
  }

  /** Somebody points at it or has moved the focus into it. */
  #expect = () => {
    if (this.#target) this.preload().catch(() => {})
  }
}
