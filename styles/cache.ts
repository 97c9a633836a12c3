import createCache, { type EmotionCache } from '@emotion/cache'
import { StyleSheet } from '@emotion/sheet'

/** The word before the hash in every class name. */
const key = 'lk'

/**
 * Emotion's sheet, writing to a constructed style sheet that a shadow root adopts: a strict `style-src` asks for no
 * nonce, as it would for the `<style>` elements that Emotion writes to otherwise.
 */
class AdoptedSheet extends StyleSheet {
  readonly #root: ShadowRoot
  readonly #rules: string[] = []
  #css: CSSStyleSheet | undefined

  constructor(root: ShadowRoot) {
    super({ key, container: root, speedy: true })
    this.#root = root
  }

  override insert(rule: string): void {
    this.#rules.push(rule)
    this.ctr++
    if (this.#css) insertInto(this.#css, rule)
    else this.rebuild()
  }

  override flush(): void {
    this.#root.adoptedStyleSheets = this.#others()
    this.#rules.length = 0
    this.#css = undefined
    this.ctr = 0
  }

  /** No server has written styles into a shadow root, so there is nothing to take over. */
  override hydrate(): void {}

  /** Makes the style sheet for the document that the root is in now: a constructed one belongs to one document. */
  rebuild(): void {
    const view = this.#root.ownerDocument.defaultView
    if (!view) return
    const css = new view.CSSStyleSheet()
    for (const rule of this.#rules) insertInto(css, rule)
    this.#root.adoptedStyleSheets = [...this.#others(), css]
    this.#css = css
  }

  #others() {
    return this.#root.adoptedStyleSheets.filter((css) => css !== this.#css)
  }
}

/** A browser refuses a rule whose selector it does not know; Emotion's own sheet leaves such a rule out as well. */
function insertInto(css: CSSStyleSheet, rule: string) {
  try {
    css.insertRule(rule, css.cssRules.length)
  } catch (cause) {
    // Not by `instanceof`: the root may have come into another window, whose classes are others.
    if ((cause as Partial<Error>).name !== 'SyntaxError') throw cause
  }
}

interface Rooted {
  readonly cache: EmotionCache
  readonly sheet: AdoptedSheet
  /** The themes that the root has had, each with its class. */
  readonly themes: Map<string, string>
}
const caches = new WeakMap<ShadowRoot, Rooted>()

/** The cache of a root lives as long as the root: a dialog that is opened again finds its rules there. */
function rootedIn(root: ShadowRoot): Rooted {
  const known = caches.get(root)
  if (known) return known
  // Without plugins Emotion adds no vendor prefixes, which no browser that has adopted style sheets needs.
  const cache = createCache({ key, container: root, stylisPlugins: [] })
  const sheet = new AdoptedSheet(root)
  cache.sheet = sheet
  const rooted = { cache, sheet, themes: new Map<string, string>() }
  caches.set(root, rooted)
  return rooted
}

/** The Emotion cache that writes to a shadow root. */
export const cacheOf = (root: ShadowRoot): EmotionCache => rootedIn(root).cache

/**
 * The class of a theme in a root, which has its rules from the first call on. They are many and written once, so they go to the
 * sheet as they are, and not through Emotion's parser.
 */
export function themeClass(
  root: ShadowRoot,
  theme: string,
  rulesFor: (className: string) => readonly string[],
): string {
  const { sheet, themes } = rootedIn(root)
  let name = themes.get(theme)
  if (!name) {
    name = `${key}-theme-${themes.size}`
    themes.set(theme, name)
    for (const rule of rulesFor(name)) sheet.insert(rule)
  }
  return name
}

/** To be called when a root has come into another document: the styles that it has so far come along. */
export const rebuildStyles = (root: ShadowRoot): void => rootedIn(root).sheet.rebuild()
