/**
 * Text that comes from descriptors, tokens, names and messages. Characters that are invisible, or reorder the text around
 * them, are replaced by a mark that can be read. Two different texts never look the same afterwards.
 */

/** As in src/ui/text/visible-marks.ts, line feeds and tabs too: a value is one line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}\u2800]/u
/** Brackets of a mark. An opening one in the text itself is replaced as well, so that no text can forge a mark. */
const OPEN = '⟦'
const CLOSE = '⟧'
/** Most texts have nothing but these. */
const PLAIN = /^[\x20-\x7e]*$/

/** The text with a mark such as `⟦U+202E⟧` in place of each unseen character. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text
  let result = ''
  for (const character of text) result += isUnseen(character) ? markOf(character) : character
  return result
}

/** Whether a text has characters that {@link visibleText} would replace. */
export const hasUnseen = (text: string): boolean => !PLAIN.test(text) && Array.from(text).some(isUnseen)

/** The visible text, cut to a length. */
export function shortText(text: string, length: number): string {
  // A mark is up to ten times as long as its character; cutting first bounds the work on a text without end.
  const visible = visibleText(text.slice(0, length + 1))
  return visible.length > length ? `${visible.slice(0, length - 1)}…` : visible
}

const isUnseen = (character: string): boolean => character === OPEN || UNSEEN.test(character)

const markOf = (character: string): string =>
  `${OPEN}U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}${CLOSE}`
