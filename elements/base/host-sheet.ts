/**
 * The element itself has no box and hands no text styles of the page down; its dialog is in the top layer. Without
 * `!important` a page that styles `*` would hide it, since an element's own sheet is weaker than the page's. Where it
 * stands in the page (`inline`) it is a block that the page may lay out.
 */
const rules = `
:host { all: initial; display: block }
:host(:not([inline])) { display: contents !important }
:host([hidden]) { display: none !important }
[data-view] { display: contents }
`

/** A constructed sheet belongs to one document: there is one for each window, shared by all elements in it. */
const sheets = new WeakMap<Window, CSSStyleSheet>()

/** Puts the element's own sheet on its root, for the document that it is in now. */
export function wearHostSheet(root: ShadowRoot): void {
  const view = root.ownerDocument.defaultView
  if (!view) return
  let sheet = sheets.get(view)
  if (!sheet) {
    sheet = new view.CSSStyleSheet()
    sheet.replaceSync(rules)
    sheets.set(view, sheet)
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [sheet, ...root.adoptedStyleSheets]
}
