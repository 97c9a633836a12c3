import type { HostConfig } from '../src/app/config.ts'
import type { CopyOverrides } from '../src/copy/copy.ts'
import type { Surface } from '../src/dialog/surface.ts'
import type { KitError } from '../src/errors/kit-error.ts'
import type { Kit } from '../src/kit/api.ts'
import { version } from '../src/lib/version.ts'
import type { User } from '../src/protocol/user.ts'
import { text } from './base/host.ts'
import { KitLink } from './base/kit-link.ts'
import { expectDialog } from './base/preloading.ts'
import { loadView } from './base/presentation.ts'
import { busyElement, SurfaceElement } from './base/surface.ts'
import { type AppSettings, onApps } from './page.ts'
import type { ViewSettings } from './view/contract.ts'

/** The elements of each kit, in the order in which they joined. */
const followers = new WeakMap<Kit, Set<KitElement>>()

/**
 * The base of all public elements: it finds its kit, offers itself as a surface, and tells the page what the kit does.
 *
 * Elements with the same `app-id` share one kit; one without it uses the page's only kit, also when that comes later;
 * `element.kit = kit` overrides both. The kit is loaded when a method or `open` needs it, or at once when this browser
 * remembers a session of the app.
 *
 * @attr {string} app-id - The app's id, 25 characters; elements with the same id share one sign-in
 * @attr {string} api-url - Base address of the API; https, or http on localhost
 * @attr {string} client-id - The app client's id, where the app has several
 * @attr {string} vault-url - Base address of the vault; the API's where it isn't set
 * @attr {boolean} open - Whether the dialog is on screen; set it to open, remove it to close
 * @attr {boolean} inline - Stands in the page instead of over it, without a close button
 * @attr {'auto'|'light'|'dark'} theme - The app's own theme where it isn't set
 * @attr {string} accent - A CSS hex colour, from which the whole theme is derived
 * @attr {string} lang - The language; the nearest ancestor's where it isn't set
 * @attr {'ltr'|'rtl'} dir - The direction of writing; the page's where it isn't set
 * @attr {string} preload - Loads the dialog ahead of need: without a value when the page is idle, with a CSS selector when somebody points at what it matches or focuses it
 * @attr {'on'|'off'} analytics - `off`: nothing is posted to the app's analytics
 *
 * @fires {CustomEvent} lk-ready - The element can act: its settings are correct, and a session that this browser remembers is restored or given up
 * @fires {CustomEvent<{ intent: string }>} lk-open - The dialog is on screen; not when the page set `open` itself
 * @fires {CustomEvent<{ reason: 'escape' | 'backdrop' | 'button' }>} lk-close-request - Somebody wants to close it; `preventDefault()` keeps it open
 * @fires {CustomEvent<{ completed: boolean, code?: string }>} lk-close - The dialog is gone; not when the page took `open` away itself
 * @fires {CustomEvent<{ screen: string, from: string | null }>} lk-step - A screen is shown: names only
 * @fires {CustomEvent<{ code: string, message: string, retryable: boolean }>} lk-error - A failure that the page may want to log
 *
 * @cssState open - The dialog is on screen
 * @cssState busy - An answer of the person is being worked on
 * @cssState signed-in - Somebody is logged in
 *
 * @csspart dialog - The panel
 * @csspart header - Its back and close buttons
 * @csspart title - The screen's heading
 * @csspart body - What scrolls between header and footer
 * @csspart footer - The next step and what stands under it
 * @csspart row - A row that is chosen, or that shows something
 * @csspart row-icon - The icon of a row
 * @csspart button - Buttons
 * @csspart button-primary - The next step, besides `button`
 * @csspart button-danger - A step that can't be taken back, besides `button`
 * @csspart field - A labelled field
 * @csspart input - Its input
 * @csspart code-box - One box of a code
 * @csspart chip - A small mark in a row
 * @csspart banner - A notice
 * @csspart address - A wallet address
 * @csspart menu - The list of countries
 * @csspart qr - The card of a QR code
 *
 * @cssproperty --lk-surface - The panel
 * @cssproperty --lk-surface-sunken - Previews, wells, code boxes at rest
 * @cssproperty --lk-surface-raised - Menus and cards on the panel
 * @cssproperty --lk-fill-hover - Rows and ghost buttons under the pointer
 * @cssproperty --lk-fill-pressed - The same when pressed
 * @cssproperty --lk-border - Rows, cards, separators: decoration
 * @cssproperty --lk-border-strong - Edges of inputs and boxes
 * @cssproperty --lk-text - Text
 * @cssproperty --lk-text-muted - Descriptions, labels, icons
 * @cssproperty --lk-text-faint - Placeholders, hints, legal lines
 * @cssproperty --lk-accent - The primary button and what is selected; as a hex colour the whole theme follows, as from `accent`
 * @cssproperty --lk-accent-hover - The same under the pointer
 * @cssproperty --lk-accent-pressed - The same when pressed
 * @cssproperty --lk-accent-edge - Its outline where it melts into the surface
 * @cssproperty --lk-accent-subtle - Accent chips, a selected row
 * @cssproperty --lk-accent-text - Links and accent icons
 * @cssproperty --lk-on-accent - Text on the accent
 * @cssproperty --lk-focus - The focus ring
 * @cssproperty --lk-success - Icon of a success
 * @cssproperty --lk-success-text - Its text
 * @cssproperty --lk-success-subtle - Its fill
 * @cssproperty --lk-warning - Icon of a warning
 * @cssproperty --lk-warning-text - Its text
 * @cssproperty --lk-warning-subtle - Its fill
 * @cssproperty --lk-danger - Icon of a danger
 * @cssproperty --lk-danger-text - Its text
 * @cssproperty --lk-danger-subtle - Its fill
 * @cssproperty --lk-danger-solid - The danger button
 * @cssproperty --lk-danger-solid-hover - The same under the pointer
 * @cssproperty --lk-danger-solid-pressed - The same when pressed
 * @cssproperty --lk-on-danger - Its text
 * @cssproperty --lk-scrim - Behind the panel
 * @cssproperty --lk-shadow-1 - Resting controls
 * @cssproperty --lk-shadow-2 - Menus
 * @cssproperty --lk-shadow-3 - The panel
 * @cssproperty --lk-radius - A factor for all radii: 0 square, 1 ours, 1.5 soft
 * @cssproperty --lk-font - The font of all text
 * @cssproperty --lk-text-scale - A factor for all text sizes
 */
export abstract class KitElement extends SurfaceElement {
  static readonly version: string = version
  static override readonly rules = {
    ...SurfaceElement.rules,
    'app-id': text,
    'client-id': text,
    'api-url': text,
    'vault-url': text,
    analytics: { kind: ['on', 'off'] },
    preload: text,
  } as const

  #config: HostConfig | undefined
  #copy: CopyOverrides | undefined
  #ignoreApps: (() => void) | undefined
  #link = this.#linked()
  #asked: Promise<unknown> | undefined
  /** The `preload` that is being followed. */
  #expected: string | undefined

  /** The app's id: 25 characters. */
  get appId(): string | undefined {
    return this.readText('app-id')
  }
  set appId(value: string | undefined) {
    this.write('app-id', value)
  }
  /** The app client's id, if the app has several. */
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
  /** The vault's base address; defaults to the API's. */
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

  /**
   * Loads the dialog ahead of need: `''` when the page is idle, a CSS selector when somebody points at an element that it
   * matches or moves the focus there.
   */
  get preload(): string | undefined {
    return this.readText('preload')
  }
  set preload(value: string | boolean | undefined) {
    this.write('preload', value === true ? '' : value === false ? undefined : value)
  }

  /** The app's configuration on this page. Never written into the markup. */
  get config(): HostConfig | undefined {
    return this.#config
  }
  set config(value: HostConfig | undefined) {
    this.#config = value ?? undefined
    this.requestUpdate('config')
  }
  /** Words that replace ours, by key. */
  override get copy(): CopyOverrides | undefined {
    return this.#copy
  }
  override set copy(value: CopyOverrides | undefined) {
    this.#copy = value ?? undefined
    this.requestUpdate('copy')
  }
  /** The kit, once it is loaded. Setting it overrides `app-id`. */
  get kit(): Kit | undefined {
    return this.#link.kit
  }
  set kit(value: Kit | undefined) {
    this.#link.given = value ?? undefined
    this.requestUpdate('kit')
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#ignoreApps ??= onApps(() => this.requestUpdate())
    this.addEventListener('pointerenter', this.#expect, { once: true })
    this.addEventListener('focusin', this.#expect, { once: true })
  }

  /**
   * Loads what a dialog needs, for a page that knows that somebody is about to ask for it. Resolves when everything is
   * there; rejects with a `KitError` when a part can't be loaded or the app is not set up correctly.
   */
  async load(): Promise<void> {
    await Promise.all([this.use(), loadView()])
  }

  protected override updated(changes: ReadonlySet<string>): void {
    const another = this.#link.join()
    if (!another && (changes.has('config') || changes.has('copy')) && this.kit) this.#configure(this.kit)
    super.updated(changes)
    this.#expectLater(this.preload)
    this.#link.check().catch((error: KitError) => this.tellIfNotLoaded(error))
  }

  protected override removed(): void {
    super.removed()
    this.#ignoreApps?.()
    this.#ignoreApps = undefined
    this.#expectLater(undefined)
    this.#link.leave()
  }

  /**
   * The kit of this element, loaded if necessary. Rejects with a `KitError`, which is also reported to the
   * page.
   */
  protected use(): Promise<Kit> {
    return this.#link.use()
  }

  /**
   * Runs the element's one task on its own surface. A second caller joins a running one, unless each call is
   * a task of its own (`shared` is false): then it is refused with `flow_in_progress`, or waits for its turn where the kit has a queue
   * for it (`queued`).
   */
  protected ask<T>(
    work: (kit: Kit, place: { signal: AbortSignal; surface: Surface }) => Promise<T>,
    signal: AbortSignal | undefined,
    shared: boolean | 'queued' = true,
  ): Promise<T> {
    const isQueued = shared === 'queued'
    if (this.#asked && !this.ending && !shared) return Promise.reject(busyElement())
    if (!this.#asked || this.ending || isQueued) {
      const asked = this.begin(
        this.use(),
        (kit, own) => work(kit, { signal: own, surface: this }),
        signal,
        isQueued,
      ).finally(() => {
        if (this.#asked === asked) this.#asked = undefined
      })
      this.#asked = asked
    }
    return this.join(this.#asked as Promise<T>, signal)
  }

  /** Tells the page who is logged in, if the element is about that; called whenever it may have changed. */
  protected announceUser(_user: User | null): void {}

  /** Forwards events of a kit to the page; returns the functions that stop it. */
  protected abstract listen(kit: Kit): (() => void)[]

  protected override viewSettings(): ViewSettings {
    return { ...this.ownViewSettings, kit: this.kit as Kit }
  }

  /** The element as its link sees it; none of this is public. */
  #linked(): KitLink {
    const element = this
    return new KitLink({
      get isConnected() {
        return element.isConnected
      },
      get appId() {
        return element.appId
      },
      get apiUrl() {
        return element.apiUrl
      },
      settings: () => this.#settings(),
      follow: (kit) => this.#follow(kit),
      report: (error) => this.report(error),
      announceReady: () => void this.emit('lk-ready'),
      showSignedIn: (yes) => this.markState('signed-in', yes),
      announceUser: (user) => this.announceUser(user),
    })
  }

  #settings(): AppSettings {
    return {
      apiUrl: this.apiUrl,
      clientId: this.clientId,
      vaultUrl: this.vaultUrl,
      config: this.config,
      copy: this.copy,
      analytics: this.analytics === 'off' ? false : undefined,
    }
  }

  #follow(kit: Kit): (() => void)[] {
    const all = followers.get(kit) ?? new Set()
    followers.set(kit, all.add(this))
    // One element reports for all of them: the one where something is going on.
    const reporter = () => [...all].find((each) => each.engaged) ?? [...all][0]
    const onError = (error: KitError) => {
      if (this === reporter()) this.report(error)
    }
    this.#configure(kit)
    return [() => all.delete(this), kit.attach(this), kit.on('error', onError), ...this.listen(kit)]
  }

  #configure(kit: Kit) {
    const config = this.#config && { config: this.#config }
    const copy = this.#copy && { copy: this.#copy }
    if (config || copy) kit.configure({ ...config, ...copy })
  }

  #expectLater(preload: string | undefined) {
    if (preload === this.#expected) return
    this.#expected = preload
    expectDialog(this, preload)
  }

  /** The pointer is over the element, or the focus has moved into it. */
  #expect = () => {
    if (this.#link.target) this.load().catch(() => {})
  }
}
