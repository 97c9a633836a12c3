import type { EmotionCache } from '@emotion/cache'

/** What Emotion gives the constructor of a sheet, for its cache and for each `Global`. */
export interface SheetOptions {
  key: string
  container: Node
  nonce?: string | undefined
  speedy?: boolean | undefined
}

/** The sheets of each shadow root, in the order of their making. */
const sheets = new WeakMap<ShadowRoot, Set<AdoptedSheet>>()
/** Tells what we put into a root from what others adopted there. */
const ours = new WeakSet<CSSStyleSheet>()

/**
 * Emotion's sheet, written into a constructed style sheet that the shadow root adopts instead of into `<style>`
 * elements: a strict `style-src` asks for no nonce. `Global` makes its own one through `cache.sheet.constructor`.
 */
export class AdoptedSheet {
  readonly key: string
  readonly container: Node
  readonly nonce: string | undefined
  readonly isSpeedy = true
  /** Emotion looks here for its elements; there are none. */
  readonly tags: HTMLStyleElement[] = []
  before: Element | null = null
  css: CSSStyleSheet | undefined
  #rules: string[] = []

  constructor({ key, container, nonce }: SheetOptions) {
    this.key = key
    this.container = container
    this.nonce = nonce
  }

  /** Whether it belongs to a `Global`: Emotion says so in the key. */
  get global(): boolean {
    return this.key.endsWith('-global')
  }

  insert(rule: string): void {
    this.#rules.push(rule)
    if (this.css) append(this.css, rule)
    else this.#adopt()
  }

  /** Rules rendered on a server arrive as elements; nothing renders us there. */
  hydrate(): void {}

  flush(): void {
    this.#rules = []
    this.css = undefined
    const root = this.container as ShadowRoot
    if (sheets.get(root)?.delete(this)) arrange(root)
  }

  /** Makes the sheet anew for the document that the root is in now: a constructed sheet belongs to one document. */
  rebuild(): void {
    const view = this.container.ownerDocument?.defaultView
    if (!view) return
    this.css = new view.CSSStyleSheet()
    ours.add(this.css)
    for (const rule of this.#rules) append(this.css, rule)
  }

  #adopt() {
    const root = this.container as ShadowRoot
    const all = sheets.get(root) ?? new Set()
    sheets.set(root, all.add(this))
    this.rebuild()
    arrange(root)
  }
}

/** A sheet of ours where Emotion's types want its own class, whose private members nobody uses. */
export function emotionSheet(options: SheetOptions): EmotionCache['sheet'] {
  return new AdoptedSheet(options) as unknown as EmotionCache['sheet']
}

/** After a shadow root was adopted by another document, which empties its list of sheets. */
export function rebuildSheets(root: ShadowRoot): void {
  for (const sheet of sheets.get(root) ?? []) sheet.rebuild()
  arrange(root)
}

/** Others' sheets first, then those of `Global`, then the components': what is more particular wins. */
function arrange(root: ShadowRoot) {
  const mine = [...(sheets.get(root) ?? [])].sort((a, b) => Number(b.global) - Number(a.global))
  const others = root.adoptedStyleSheets.filter((css) => !ours.has(css))
  root.adoptedStyleSheets = [...others, ...mine.flatMap((sheet) => sheet.css ?? [])]
}

/** One rule that the browser doesn't know (a vendor's selector, a newer at-rule) must not cost the others. */
function append(css: CSSStyleSheet, rule: string) {
  try {
    css.insertRule(rule, css.cssRules.length)
  } catch {}
}
