/** The element that has the focus, through nested shadow roots: each root only names its host. */
export function focusedElement(within: DocumentOrShadowRoot): Element | null {
  let element = within.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  return element
}
