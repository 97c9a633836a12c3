/** The React world of an element: loaded when the first dialog is wanted. */
import r2wc from '@r2wc/react-to-web-component'
import type { ComponentType } from 'react'
import { sheetOf } from '../styles/sheet.ts'
import { contain } from './view/containment.ts'
import type { ViewHandle, ViewProps } from './view/contract.ts'
import { View } from './view/view.tsx'

/** Where the wrapper keeps its affairs. */
const props = Symbol.for('r2wc.props')
const render = Symbol.for('r2wc.render')
const context = Symbol.for('r2wc.context')
type Props = ViewProps & { onGone: (() => void) | undefined }
interface Wrapper extends HTMLElement {
  [props]: Props & { container?: HTMLElement }
  [context]?: unknown
  [render](): void
  connectedCallback(): void
  disconnectedCallback(): void
}
const Wrapper = r2wc(View as ComponentType<Props & { container?: HTMLElement }>, {
  props: [],
}) as unknown as new () => Wrapper

/** The way out has its own end, for a page that is hidden and whose animations stand still. */
const longestLeave = 600

/** Mounts the view into the root of the element that shows it. Objects go to it as they are, never as attributes. */
class ViewElement extends Wrapper {
  #focused: HTMLElement | undefined

  constructor(given: Props) {
    super()
    Object.assign(this[props], given)
    contain(this, () => !this[props].inline)
    this.addEventListener('focusin', ({ target }) => {
      this.#focused = target as HTMLElement
    })
  }

  give(changes: Partial<Props>): void {
    Object.assign(this[props], changes)
    if (this[context]) this[render]()
  }

  override connectedCallback(): void {
    if (this[context]) for (const dialog of this.querySelectorAll('dialog')) this.#reopen(dialog)
    else super.connectedCallback()
  }

  /** A move takes an element out and puts it back at once: only what stays away is unmounted. */
  override disconnectedCallback(): void {
    queueMicrotask(() => {
      if (!this.isConnected) super.disconnectedCallback()
    })
  }

  adoptedCallback(): void {
    sheetOf(this[props].root).rebuild()
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
