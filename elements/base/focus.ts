/** The element that has the focus, through nested shadow roots: each root only names its host. */
export function focusedElement(within: DocumentOrShadowRoot): Element | null {
  let element = within.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}

/** Gives the focus back to the element that had it, unless the page has moved it meanwhile. */
export function returnFocus(opener: Element | null, dialog: Element): void {
  const now = focusedElement(dialog.ownerDocument)
  const idle = !now || now === dialog.ownerDocument.body || dialog.contains(now) || now.contains(dialog)
  if (!idle || !opener?.isConnected) return
  ;(opener as Element & Partial<HTMLOrSVGElement>).focus?.({ preventScroll: true })
}

/**
 * The language that applies to an element: the nearest ancestor's, through nested roots, or the document's.
 */
export function languageOf(element: Element): string | undefined {
  for (let each: Element | null = element; each; each = parentThroughRoots(each)) {
    const lang = each.getAttribute('lang')
    if (lang) return lang
  }
  return undefined
}

function parentThroughRoots(element: Element): Element | null {
  return element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null
}
