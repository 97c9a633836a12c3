import type { SerializedStyles } from '@emotion/react'

/** The class that carries the rules of some styles. */
export const classOf = ({ name }: SerializedStyles) => `lk-${name}`

/**
 * The rules of one shadow root, in a constructed style sheet that the root adopts: a strict `style-src` asks for no
 * nonce, as it would for `<style>` elements.
 */
export class RootSheet {
  #root: ShadowRoot
  #css: CSSStyleSheet | undefined
  /** By name, in the order of their coming. */
  #rules = new Map<string, string>()

  constructor(root: ShadowRoot) {
    this.#root = root
  }

  /** Adds the rule of a class, unless it is there, and the keyframes that it names. */
  add(styles: SerializedStyles): void {
    if (this.#rules.has(styles.name)) return
    this.#insert(styles.name, `.${classOf(styles)}{${styles.styles}}`)
    for (let frames = styles.next; frames; frames = frames.next) this.#insert(frames.name, frames.styles)
  }

  /** Makes the sheet for the document that the root is in now: a constructed one belongs to one document. */
  rebuild(): void {
    const view = this.#root.ownerDocument.defaultView
    if (!view) return
    const others = this.#root.adoptedStyleSheets.filter((css) => css !== this.#css)
    this.#css = new view.CSSStyleSheet()
    this.#css.replaceSync([...this.#rules.values()].join(''))
    this.#root.adoptedStyleSheets = [...others, this.#css]
  }

  #insert(name: string, rule: string) {
    this.#rules.set(name, rule)
    if (this.#css) this.#css.insertRule(rule, this.#css.cssRules.length)
    else this.rebuild()
  }
}

const sheets = new WeakMap<ShadowRoot, RootSheet>()

/** The sheet of a root lives as long as the root: what is opened again finds its rules there. */
export function sheetOf(root: ShadowRoot): RootSheet {
  const sheet = sheets.get(root) ?? new RootSheet(root)
  sheets.set(root, sheet)
  return sheet
}
