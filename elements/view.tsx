/** The React world of an element: loaded when the first dialog is wanted. */
import r2wc from '@r2wc/react-to-web-component'
import type { ReactNode } from 'react'
import { startTransition, useSyncExternalStore } from 'react'
import { createStore, type Readable } from '../src/lib/store.ts'
import { rebuildStyles } from '../styles/cache.ts'
import { keepCloseListeners } from './view/close-listeners.ts'
import { contain } from './view/containment.ts'
import type { ViewHandle, ViewProps } from './view/contract.ts'
import { returnFocus } from './view/return-focus.ts'
import { followScenes } from './view/scenes.ts'
import { View } from './view/view.tsx'

type Props = ViewProps & { onGone: (() => void) | undefined }

/** If the first screen takes longer than this, an empty panel is shown meanwhile. */
const spinnerDelay = 300

/** Leaving has its own time limit, because a hidden page runs no animations. */
const longestLeave = 600

/** What r2wc mounts. It hands over the element, whose properties are objects that no attribute could carry. */
function Mounted({ container }: { container: { readonly props: Readable<Props> } }): ReactNode {
  const { subscribe, get } = container.props
  return <View {...useSyncExternalStore(subscribe, get)} />
}

interface MountingElement extends HTMLElement {
  connectedCallback(): void
  disconnectedCallback(): void
}
/** r2wc creates the React root in the element and unmounts it; attributes and properties are the public classes' business. */
const Mounting = r2wc(Mounted, { props: [] }) as new () => MountingElement

/** Shows one run in the root of the element that it belongs to. */
class ViewElement extends Mounting {
  readonly props
  #focused: HTMLElement | undefined

  constructor(given: Props) {
    super()
    this.props = createStore(given)
    contain(this, () => !this.props.get().inline)
    this.addEventListener('focusin', ({ target }) => {
      this.#focused = target as HTMLElement
    })
  }

  give(changes: Partial<Props>): void {
    this.props.set({ ...this.props.get(), ...changes })
  }

  override connectedCallback(): void {
    // So that React draws the first screen in short tasks, between which the page can still answer its user.
    startTransition(() => super.connectedCallback())
    for (const dialog of this.querySelectorAll('dialog')) this.#reopen(dialog)
  }

  /** A move takes an element out and puts it back at once: only what stays away is unmounted. */
  override disconnectedCallback(): void {
    queueMicrotask(() => {
      if (!this.isConnected) super.disconnectedCallback()
    })
  }

  adoptedCallback(): void {
    rebuildStyles(this.props.get().root)
  }

  connectedMoveCallback(): void {}

  /** A dialog that was removed is no longer modal, although its attribute says that it is open. */
  #reopen(dialog: HTMLDialogElement) {
    if (!dialog.open) return
    const focused = this.#focused
    dialog.removeAttribute('open')
    dialog.showModal()
    focused?.focus({ preventScroll: true })
  }
}

/** The random part keeps it apart from other bundles on the page. */
const tag = `lk-view-${Math.random().toString(36).slice(2)}`

/** Shows a run in a root. */
export function mountView(given: ViewProps): ViewHandle {
  if (!customElements.get(tag)) customElements.define(tag, ViewElement)
  const view = new ViewElement({ ...given, onGone: undefined })
  view.setAttribute('data-view', '')
  const stopWaiting = whenWanted(given.run.stage.scene, () => given.root.append(view))
  const { host } = given.root
  const letGo = keepCloseListeners(host as HTMLElement)
  return {
    update: (settings) => view.give(settings),
    show: (run) => view.give({ run }),
    follow: (listener) => followScenes(view.props.get().run, listener),
    leave() {
      if (!view.querySelector('dialog[open]')) return Promise.resolve()
      return new Promise((resolve) => {
        view.give({ onGone: resolve })
        setTimeout(resolve, longestLeave)
      })
    },
    remove() {
      stopWaiting()
      view.remove()
      returnFocus(given.opener, host)
      // The end is told in this very task.
      setTimeout(letGo)
    },
  }
}

/**
 * Calls `show` when there is a screen, or when it takes long to come: until then React would draw nothing, and draw again
 * once there is something. Returns the function that stops waiting.
 */
function whenWanted(scene: Readable<unknown>, show: () => void): () => void {
  const begin = () => {
    stop()
    show()
  }
  const timer = setTimeout(begin, spinnerDelay)
  const ignore = scene.subscribe(() => scene.get() && begin())
  const stop = () => {
    clearTimeout(timer)
    ignore()
  }
  if (scene.get()) begin()
  return stop
}
