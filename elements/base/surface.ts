import type { CopyOverrides } from '../../src/copy/copy.ts'
import { isClosable } from '../../src/dialog/closable.ts'
import type { Run, RunEnd, Surface } from '../../src/dialog/surface.ts'
import type { ErrorCode } from '../../src/errors/codes.ts'
import { KitError, toKitError } from '../../src/errors/kit-error.ts'
import { isNotLoaded } from '../../src/errors/lazily.ts'
import type { CloseReason } from '../events.ts'
import type { ViewSettings } from '../view/contract.ts'
import { focusedElement } from './focus.ts'
import { type AttributeRule, HostElement, text, warnOnce } from './host.ts'
import { adoptHostSheet } from './host-sheet.ts'
import { loadView, Presentation } from './presentation.ts'
import { onAbort, unlessAborted } from './waits.ts'

/** Why a second request is refused while the first one is under way. */
export const busyElement = (): KitError => new KitError('flow_in_progress', 'This element is busy')

const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** How long a run survives the removal of its element, for pages that take an element out and put it back. */
const removalGrace = 500

/** A failure is reported once, however many elements hear of it. */
const reported = new WeakSet<KitError>()

/** An element that shows runs: it opens and closes the dialog and tells the page about it. */
export abstract class SurfaceElement extends HostElement implements Surface {
  static override readonly rules: Readonly<Record<string, AttributeRule>> = {
    open: { kind: 'flag', reflect: true },
    inline: { kind: 'flag', reflect: true },
    theme: { kind: themes, reflect: true },
    accent: text,
    lang: text,
  }

  #shown: Presentation | undefined
  #presented = new WeakMap<Run, Presentation>()
  #unfollow = () => {}
  /** Each aborts a method call of the element that has not ended. */
  readonly #works = new Set<AbortController>()
  /** The latest condition that the first of them waits for. */
  #blocker: Promise<void> | undefined
  /** Settles when all calls have ended. */
  #before: Promise<void> | undefined
  #failure: KitError | undefined
  #opener: Element | null = null
  #removal: ReturnType<typeof setTimeout> | undefined
  /**
   * `open` as we last set it. A different value means that the page changed it, and needs no event for that.
   */
  #open = false
  #openedByPage = false
  #closedByPage = false

  /** Whether the dialog is on screen. Setting it opens or closes it. */
  get open(): boolean {
    return this.readFlag('open')
  }
  set open(value: boolean) {
    this.write('open', value)
  }

  /** Shows the screens in the page instead of over it, without a close button. */
  get inline(): boolean {
    return this.readFlag('inline')
  }
  set inline(value: boolean) {
    this.write('inline', value)
  }

  /** Unless set, the app's own theme applies. */
  get theme(): Theme {
    return this.#theme ?? 'auto'
  }
  set theme(value: Theme | undefined) {
    this.write('theme', value)
  }

  /** A CSS hex colour from which the whole theme is derived. */
  get accent(): string | undefined {
    return this.readText('accent')
  }
  set accent(value: string | undefined) {
    this.write('accent', value)
  }

  /**
   * Identifies the element among those of the page, also after a reload: by its id, or by its position among
   * its kind.
   */
  get name(): string {
    const like = (this.getRootNode() as ParentNode).querySelectorAll(this.localName)
    return `${this.localName}#${this.id || [...like].indexOf(this)}`
  }

  override connectedCallback(): void {
    clearTimeout(this.#removal)
    adoptHostSheet(this.#root)
    super.connectedCallback()
  }

  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (!this.isConnected) this.removed()
    })
  }

  adoptedCallback(): void {
    adoptHostSheet(this.#root)
  }

  /** A move that keeps state (`moveBefore`) is not a removal. */
  connectedMoveCallback(): void {}

  /** Ends the current run as if the person had closed the dialog. */
  close(): void {
    for (const each of [...this.#works]) each.abort(this.#exit())
    if (this.presenting) this.#shown?.run.stage.close()
  }

  async present(run: Run): Promise<void> {
    if (this.presenting) throw busyElement()
    // An element that was removed in the middle of a run may come back; otherwise the run ends soon.
    if (!this.isConnected && this.#works.size === 0)
      throw new KitError('invalid_configuration', 'The element is not connected')
    this.#shown?.finish()
    this.#closedByPage = false
    this.#failure = undefined
    const hooks = {
      root: this.#root,
      opener: this.#opener ?? focusedElement(this.ownerDocument),
      onCloseRequest: (reason: CloseReason) => this.#requestClose(shown.run, reason),
      onFailure: (error: KitError) => this.#fail(error),
    }
    const shown: Presentation = new Presentation(run, hooks)
    this.#shown = shown
    this.#bind(run, shown)
    try {
      await shown.open(() => this.viewSettings())
    } catch (cause) {
      // The next run may have taken the dialog by now, and nobody would see it.
      if (shown.run !== run) shown.run.stage.close()
      throw cause
    }
    if (this.open !== this.#open) this.#obey()
    if (shown.leaving || shown.run.stage.signal.aborted) return
    this.#mark(true)
    if (!this.#openedByPage) this.emit('lk-open', { intent: run.intent })
    this.#follow(shown)
  }

  replace(ended: Run, next: Run): boolean {
    const shown = this.#presented.get(ended)
    if (!shown || shown !== this.#shown || shown.leaving) return false
    this.#presented.delete(ended)
    shown.show(next)
    this.#bind(next, shown)
    this.#follow(shown)
    return true
  }

  #bind(run: Run, shown: Presentation): void {
    this.#presented.set(run, shown)
    const leave = () => shown.run === run && void this.#leave(shown)
    run.stage.signal.addEventListener('abort', leave, { once: true })
  }

  #follow(shown: Presentation): void {
    this.#unfollow()
    this.#unfollow = shown.follow({
      busy: (yes) => this.markState('busy', yes),
      step: (screen, from) => void this.emit('lk-step', { screen, from }),
    })
  }

  async dismiss(run: Run, end: RunEnd): Promise<void> {
    const shown = this.#presented.get(run)
    if (!shown) return
    this.#presented.delete(run)
    const quiet = this.#closedByPage
    this.#closedByPage = false
    await this.#leave(shown)
    if (this.#shown === shown) this.#shown = undefined
    if (!quiet) this.emit('lk-close', shown.failure ? { completed: false, code: shown.failure.code } : end)
  }

  protected override updated(changes: ReadonlySet<string>): void {
    if (this.open !== this.#open) this.#obey()
    if (changes.size > 0 && this.presenting) this.#shown?.update(this.viewSettings())
  }

  /** The code with which a method rejects when it is ended from outside. */
  protected get exitCode(): ErrorCode {
    return 'exited_auth_flow'
  }
  /** Words that replace ours. */
  abstract readonly copy: CopyOverrides | undefined
  /** What setting `open` starts, if anything. */
  protected abstract start(): Promise<unknown> | undefined
  /** What the dialog is rendered with. */
  protected abstract viewSettings(): ViewSettings

  protected get ownViewSettings(): Omit<ViewSettings, 'kit'> {
    return { inline: this.inline, theme: this.#theme, accent: this.accent }
  }

  protected get presenting(): boolean {
    return this.#shown !== undefined && !this.#shown.leaving
  }
  /** Whether a person or a script is waiting for something here. */
  protected get engaged(): boolean {
    return this.presenting || this.#works.size > 0
  }

  /** Whether the current run is already ending, so that a new one has to wait for it. */
  protected get ending(): boolean {
    const works = [...this.#works]
    return works.length > 0 && (works.every(({ signal }) => signal.aborted) || this.#shown?.leaving === true)
  }

  /**
   * Runs what a method of the element promises. {@link close} ends it, even before there is a dialog.
   * @param isQueued whether it may begin while other calls are under way, because the kit asks the user one after the other
   */
  protected begin<Ready, T>(
    prepared: Promise<Ready>,
    work: (ready: Ready, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
    isQueued = false,
  ): Promise<T> {
    loadView().catch(() => {})
    const joins = isQueued && this.engaged && !this.ending
    if (this.#shown?.leaving) {
      this.#shown.finish()
      this.#shown = undefined
    }
    const own = new AbortController()
    const unlink = onAbort(signal, () => own.abort(this.#exit()))
    this.#works.add(own)
    if (!joins) {
      this.#failure = undefined
      this.#opener = focusedElement(this.ownerDocument)
    }
    if (!joins) this.#blocker = this.#before
    // Calls that join come behind the first one.
    const before = this.#blocker
    const result = (async () => {
      try {
        const [ready] = await unlessAborted(Promise.all([prepared, before]), own.signal)
        return await work(ready, own.signal)
      } catch (cause) {
        const error = this.#failure ?? toKitError(cause)
        if (!this.#failure) this.tellIfNotLoaded(error)
        if (error.code !== this.exitCode) this.report(error)
        throw error
      } finally {
        unlink()
        this.#rest(own)
      }
    })()
    this.#before = Promise.allSettled([this.#before, result]).then(() => {})
    return result
  }

  /** The same promise for another caller, who may leave earlier. */
  protected join<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const joined = new AbortController()
    const unlink = onAbort(signal, () => joined.abort(this.#exit()))
    const result = unlessAborted(work, joined.signal)
    // Caught here too, because a page that only listens to events doesn't handle the promise.
    result.then(unlink, unlink)
    return result
  }

  protected report(error: KitError): void {
    if (reported.has(error)) return
    reported.add(error)
    this.emit('lk-error', { code: error.code, message: error.message, retryable: error.retryable })
  }

  /**
   * Where what draws a dialog can't be loaded, the element says so itself, without React: one plain line. The page, or
   * the next dialog, takes it away.
   */
  protected tellIfNotLoaded(error: KitError): void {
    if (!isNotLoaded(error)) return
    const line = document.createElement('p')
    line.role = 'alert'
    line.popover = 'auto'
    line.textContent = this.copy?.['login.notLoaded'] ?? error.shortMessage
    this.#root.append(line)
    // A browser without popovers shows it where the element stands.
    line.showPopover?.()
  }

  /** The element was removed and did not come back at once. */
  protected removed(): void {
    if (!this.engaged) return
    clearTimeout(this.#removal)
    this.#removal = setTimeout(() => this.close(), removalGrace)
  }

  get #root(): ShadowRoot {
    return this.shadowRoot as ShadowRoot
  }

  get #theme(): Theme | undefined {
    return themes.find((each) => each === this.readText('theme'))
  }

  #exit(): KitError {
    return new KitError(this.exitCode, 'The dialog was closed')
  }

  #fail(error: KitError) {
    this.#failure = error
    this.tellIfNotLoaded(error)
    this.report(error)
  }

  #rest(own: AbortController) {
    this.#works.delete(own)
    if (this.#works.size > 0) return
    this.#opener = null
    if (this.presenting) return
    this.#openedByPage = false
    this.#mark(false)
  }

  #mark(open: boolean) {
    this.#open = open
    this.open = open
    this.markState('open', open)
    if (!open) this.markState('busy', false)
  }

  /** The page has set or removed `open`. */
  #obey() {
    this.#open = this.open
    if (!this.open && this.engaged) {
      this.#closedByPage = true
      this.close()
    } else if (this.open && (!this.engaged || this.ending)) {
      const work = this.start()
      if (!work) {
        warnOnce(`<${this.localName}> ignores "open": call its method`)
        return this.#mark(false)
      }
      this.#openedByPage = true
      work.catch(() => {})
    }
  }

  #requestClose(run: Run, reason: CloseReason) {
    const scene = run.stage.scene.get()
    // Whether it may be closed can change while the same screen is shown.
    if (scene && !isClosable(scene)) return
    if (this.presenting && this.emit('lk-close-request', { reason }, true)) run.stage.close()
  }

  #leave(shown: Presentation): Promise<void> {
    if (this.#shown === shown && !shown.leaving) this.#unfollow()
    const gone = shown.leave()
    if (this.#shown === shown) this.#mark(false)
    return gone
  }
}
