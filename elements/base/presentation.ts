import type { Run } from '../../src/dialog/surface.ts'
import { type KitError, toKitError } from '../../src/errors/kit-error.ts'
import { lazily } from '../../src/errors/lazily.ts'
import type { SceneListener, ViewHandle, ViewProps, ViewSettings } from '../view/contract.ts'

/** React and the screens, loaded when a dialog is wanted. */
export const loadView = lazily(() => import('../view.tsx'))

type Hooks = Pick<ViewProps, 'root' | 'opener' | 'onCloseRequest'> & { onFailure(error: KitError): void }

/** One run on one element, from loading the view to the last frame of its closing animation. */
export class Presentation {
  /** What went wrong, if anything: a chunk that did not load, or a screen that threw. */
  failure: KitError | undefined
  #view: ViewHandle | undefined
  #leaving: Promise<void> | undefined
  /** Ends waiting for the view. */
  #release = () => {}

  constructor(
    private current: Run,
    private readonly hooks: Hooks,
  ) {}

  /** The run that is shown now. */
  get run(): Run {
    return this.current
  }

  get leaving(): boolean {
    return this.#leaving !== undefined
  }

  /** Resolves when the dialog is visible, or when the run ended before that. */
  async open(settings: () => ViewSettings): Promise<void> {
    try {
      const { mountView } = await loadView()
      if (this.leaving) return
      await new Promise<void>((resolve, reject) => {
        let shown = false
        this.#release = resolve
        const onShown = () => {
          shown = true
          resolve()
        }
        const onCrash = (cause: unknown) => {
          reject(cause)
          if (!shown) return
          this.#fail(cause)
          this.run.stage.close()
        }
        this.#view = mountView({ ...this.hooks, ...settings(), run: this.run, onShown, onCrash })
      })
    } catch (cause) {
      throw this.#fail(cause)
    }
  }

  update(settings: ViewSettings): void {
    this.#view?.update(settings)
  }

  /** Shows the next run in the same dialog. */
  show(run: Run): void {
    this.current = run
    this.#view?.show(run)
  }

  /** Reports what is shown, now and until the function that it returns is called. */
  follow(listener: SceneListener): () => void {
    return this.#view?.follow(listener) ?? (() => {})
  }

  /** Closes the dialog with its animation and gives the focus back. */
  leave(): Promise<void> {
    this.#leaving ??= this.#leave()
    return this.#leaving
  }

  /** Ends the closing animation at once, because something else has to be shown. */
  finish(): void {
    this.#release()
    this.#view?.remove()
    this.#view = undefined
  }

  async #leave() {
    this.#release()
    const over = new Promise<void>((resolve) => {
      this.#release = resolve
    })
    await Promise.race([this.#view?.leave(), over])
    this.finish()
  }

  #fail(cause: unknown): KitError {
    if (!this.failure) {
      this.failure = toKitError(cause)
      this.hooks.onFailure(this.failure)
    }
    return this.failure
  }
}
