/** The element that has the focus, through nested shadow roots: each root only names its host. */
export function focusedElement(within: DocumentOrShadowRoot): Element | null {
  let element = within.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
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
