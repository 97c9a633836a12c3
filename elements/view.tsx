/** The React world of an element: loaded when the first dialog is wanted. */
import { createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { sheetOf } from '../styles/sheet.ts'
import { contain } from './view/containment.ts'
import type { ViewHandle, ViewProps } from './view/contract.ts'
import { View } from './view/view.tsx'

type Props = ViewProps & { onGone: (() => void) | undefined }

/** The way out has its own end, for a page that is hidden and whose animations stand still. */
const longestLeave = 600

/**
 * Mounts the view into the root of the element that shows it. Objects go to it as they are, never as attributes. A few
 * lines of our own rather than a wrapper for any component, whose ways with attributes no dialog here uses: they stand
 * before the first screen.
 */
class ViewElement extends HTMLElement {
  #react: Root | undefined
  #focused: HTMLElement | undefined

  constructor(private readonly props: Props) {
    super()
    contain(this, () => !this.props.inline)
    this.addEventListener('focusin', ({ target }) => {
      this.#focused = target as HTMLElement
    })
  }

  give(changes: Partial<Props>): void {
    Object.assign(this.props, changes)
    this.#react?.render(createElement(View, { ...this.props }))
  }

  connectedCallback(): void {
    if (this.#react) for (const dialog of this.querySelectorAll('dialog')) this.#reopen(dialog)
    else this.#react = createRoot(this)
    this.give({})
  }

  /** A move takes an element out and puts it back at once: only what stays away is unmounted. */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return
      this.#react?.unmount()
      this.#react = undefined
    })
  }

  adoptedCallback(): void {
    sheetOf(this.props.root).rebuild()
  }

  connectedMoveCallback(): void {}

  /** A dialog that was taken out is no modal one any more, though its attribute says that it is open. */
  #reopen(dialog: HTMLDialogElement) {
    if (!dialog.open) return
    const focused = this.#focused
    dialog.removeAttribute('open')
    dialog.showModal()
    focused?.focus({ preventScroll: true })
  }
}

/** No other bundle on the page has this tag. */
const tag = `lk-view-${Math.random().toString(36).slice(2)}`

/** Shows a run in a root. */
export function mountView(given: ViewProps): ViewHandle {
  if (!customElements.get(tag)) customElements.define(tag, ViewElement)
  const view = new ViewElement({ ...given, onGone: undefined })
  view.setAttribute('data-view', '')
  given.root.append(view)
  return {
    update: (dressing) => view.give(dressing),
    leave() {
      if (!view.querySelector('dialog[open]')) return Promise.resolve()
      return new Promise((resolve) => {
        view.give({ onGone: resolve })
        setTimeout(resolve, longestLeave)
      })
    },
    remove() {
      view.remove()
    },
  }
}
