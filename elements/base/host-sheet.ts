/**
 * The element has no box of its own and inherits no text styles from the page; its dialog is in the top
 * layer. It needs `!important` because a page's rule for `*` beats an element's own sheet. With `inline` it
 * is a block that the page may lay out.
 */
const rules = `:host{all:initial;display:block}:host(:not([inline])){display:contents!important}:host([hidden]){display:none!important}
[data-view]{display:contents}
[popover]{font:16px system-ui;padding:16px;border:1px solid;border-radius:16px}`

/** A constructed sheet belongs to one document, so there is one per window, shared by all its elements. */
const sheets = new WeakMap<Window, CSSStyleSheet>()

/** Adopts the element's own sheet in its root, for the document it is in now. */
export function adoptHostSheet(root: ShadowRoot): void {
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
