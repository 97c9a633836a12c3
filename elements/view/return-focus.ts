import { focusedElement } from '../base/focus.ts'

/** Gives the focus back to the element that had it, unless the page has moved it meanwhile. */
export function returnFocus(opener: Element | null, dialog: Element): void {
  const now = focusedElement(dialog.ownerDocument)
  const idle = !now || now === dialog.ownerDocument.body || dialog.contains(now) || now.contains(dialog)
  if (!idle || !opener?.isConnected) return
  ;(opener as Element & Partial<HTMLOrSVGElement>).focus?.({ preventScroll: true })
}
