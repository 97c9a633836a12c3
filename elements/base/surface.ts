import type { Run, RunEnd, Surface } from '../../src/core/surface.ts'
import type { ErrorCode } from '../../src/errors/codes.ts'
import { KitError, toKitError } from '../../src/errors/kit-error.ts'
import type { CloseReason } from '../events.ts'
import type { Dressing } from '../view/contract.ts'
import { focusedElement, languageOf } from './focus.ts'
import { type AttributeRule, HostElement, warnOnce } from './host.ts'
import { wearHostSheet } from './host-sheet.ts'
import { loadView, Presentation } from './presentation.ts'
import { followScenes } from './scenes.ts'
import { onAbort, unlessAborted } from './waits.ts'

const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** How long a run outlives the removal of its element, for pages that take an element out and put it back. */
const removalGrace = 500

/** One failure is told once, however many elements hear of it. */
const reported = new WeakSet<KitError>()

/** An element on which runs appear: it opens and closes the dialog, and tells the page of it. */
export abstract class SurfaceElement extends HostElement implements Surface {
  static override readonly rules: Readonly<Record<string, AttributeRule>> = {
    open: { kind: 'flag', reflect: true },
    inline: { kind: 'flag', reflect: true },
    theme: { kind: themes, reflect: true },
    accent: { kind: 'text' },
    lang: { kind: 'text' },
  }

  #shown: Presentation | undefined
  #presented = new WeakMap<Run, Presentation>()
  #unfollow = () => {}
  /** What a method of the element is doing, from the call on. */
  #work: AbortController | undefined
  /** Settles when the latest of that is over. */
  #before: Promise<void> | undefined
  #failure: KitError | undefined
  #opener: Element | null = null
  #removal: ReturnType<typeof setTimeout> | undefined
  /** `open` as we last set it: when it differs, the page did. It needn't be told what it did itself. */
  #open = false
  #openedByPage = false
  #closedByPage = false

  /** Whether the dialog is on screen. Setting it opens and closes it. */
  get open(): boolean {
    return this.readFlag('open')
  }
  set open(value: boolean) {
    this.write('open', value)
  }

  /** Stands in the page instead of over it, without a close button. */
  get inline(): boolean {
    return this.readFlag('inline')
  }
  set inline(value: boolean) {
    this.write('inline', value)
  }

  /** Where it isn't set, the app's own theme counts. */
  get theme(): Theme {
    return this.#theme ?? 'auto'
  }
  set theme(value: Theme | undefined) {
    this.write('theme', value)
  }

  /** A CSS hex colour, from which the whole theme is derived. */
  get accent(): string | undefined {
    return this.readText('accent')
  }
  set accent(value: string | undefined) {
    this.write('accent', value)
  }

  /** Tells it from the others of the page, also after a reload: by its id, or by its place among its like. */
  get name(): string {
    const like = (this.getRootNode() as ParentNode).querySelectorAll(this.localName)
    return `${this.localName}#${this.id || [...like].indexOf(this)}`
  }

  override connectedCallback(): void {
    clearTimeout(this.#removal)
    wearHostSheet(this.#root)
    super.connectedCallback()
  }

  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (!this.isConnected) this.removed()
    })
  }

  adoptedCallback(): void {
    wearHostSheet(this.#root)
  }

  /** A move that keeps state (`moveBefore`) is no removal. */
  connectedMoveCallback(): void {}

  /** Ends what is going on, as the person's closing does. */
  close(): void {
    this.#work?.abort(this.#exit())
    if (this.presenting) this.#shown?.run.stage.close()
  }

  async present(run: Run): Promise<void> {
    if (this.presenting) throw new KitError('flow_in_progress', 'Another dialog is open here')
    // One that has been taken out in the middle of something may come back, or ends it soon.
    if (!this.isConnected && !this.#work)
      throw new KitError('invalid_configuration', 'The element is not in a document')
    this.#shown?.finish()
    this.#closedByPage = false
    const hooks = {
      root: this.#root,
      onCloseRequest: (reason: CloseReason) => this.#requestClose(run, reason),
      onFailure: (error: KitError) => this.#fail(error),
    }
    const shown = new Presentation(run, hooks, this.#opener ?? focusedElement(this.ownerDocument))
    this.#shown = shown
    this.#presented.set(run, shown)
    run.stage.signal.addEventListener('abort', () => this.#leave(shown), { once: true })
    await shown.open(() => this.dressing())
    if (this.open !== this.#open) this.#obey()
    if (shown.leaving || run.stage.signal.aborted) return
    this.#mark(true)
    if (!this.#openedByPage) this.emit('lk-open', { intent: run.intent })
    this.#unfollow = followScenes(run, {
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
    if (changes.size > 0 && this.presenting) this.#shown?.update(this.dressing())
  }

  /** What a method rejects with when it is ended from outside. */
  protected get exitCode(): ErrorCode {
    return 'exited_auth_flow'
  }
  /** What setting `open` starts, if there is such a thing. */
  protected abstract start(): Promise<unknown> | undefined
  /** What the dialog is drawn with. */
  protected abstract dressing(): Dressing

  protected get ownDressing(): Omit<Dressing, 'kit'> {
    return { inline: this.inline, theme: this.#theme, accent: this.accent, lang: languageOf(this) }
  }

  protected get presenting(): boolean {
    return this.#shown !== undefined && !this.#shown.leaving
  }
  /** Whether a person or a script is waiting for something here. */
  protected get engaged(): boolean {
    return this.presenting || this.#work !== undefined
  }

  /** Whether what is going on is already on its way out: what comes now comes after it. */
  protected get ending(): boolean {
    return this.#work !== undefined && (this.#work.signal.aborted || this.#shown?.leaving === true)
  }

  /** Does what a method of the element promises. {@link close} ends it, also while there is no dialog yet. */
  protected begin<Ready, T>(
    prepared: Promise<Ready>,
    work: (ready: Ready, signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    loadView().catch(() => {})
    if (this.#shown?.leaving) {
      this.#shown.finish()
      this.#shown = undefined
    }
    const own = new AbortController()
    const unlink = onAbort(signal, () => own.abort(this.#exit()))
    this.#work = own
    this.#failure = undefined
    this.#opener = focusedElement(this.ownerDocument)
    const before = this.#before
    const result = (async () => {
      try {
        const [ready] = await unlessAborted(Promise.all([prepared, before]), own.signal)
        return await work(ready, own.signal)
      } catch (cause) {
        const error = this.#failure ?? toKitError(cause)
        if (error.code !== this.exitCode) this.report(error)
        throw error
      } finally {
        unlink()
        if (this.#work === own) this.#rest()
      }
    })()
    this.#before = result.then(
      () => {},
      () => {},
    )
    return result
  }

  /** The same promise for somebody else, who may leave earlier. */
  protected join<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const joined = new AbortController()
    const unlink = onAbort(signal, () => joined.abort(this.#exit()))
    const result = unlessAborted(work, joined.signal)
    // Caught here as well: whoever only listens to the events need not.
    result.then(unlink, unlink)
    return result
  }

  protected report(error: KitError): void {
    if (reported.has(error)) return
    reported.add(error)
    this.emit('lk-error', { code: error.code, message: error.message, retryable: error.retryable })
  }

  /** The element left the page and did not come back at once. */
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
    this.report(error)
  }

  #rest() {
    this.#work = undefined
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

  /** The page has set `open`, or taken it away. */
  #obey() {
    this.#open = this.open
    if (!this.open && this.engaged) {
      this.#closedByPage = true
      this.close()
    } else if (this.open && (!this.engaged || this.ending)) {
      const work = this.start()
      if (!work) {
        warnOnce(`setting "open" on <${this.localName}> starts nothing: call its method`)
        return this.#mark(false)
      }
      this.#openedByPage = true
      work.catch(() => {})
    }
  }

  #requestClose(run: Run, reason: CloseReason) {
    if (this.presenting && this.emit('lk-close-request', { reason }, true)) run.stage.close()
  }

  #leave(shown: Presentation): Promise<void> {
    if (this.#shown === shown && !shown.leaving) this.#unfollow()
    const gone = shown.leave()
    if (this.#shown === shown) this.#mark(false)
    return gone
  }
}
