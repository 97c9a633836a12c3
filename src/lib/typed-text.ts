/** Reads typed and pasted text. The patterns are built when first needed: browsers take long to read those with Unicode classes. */

interface Patterns {
  readonly invisible: RegExp
  readonly unseen: RegExp
  readonly digits: RegExp
  readonly digit: RegExp
}
let patterns: Patterns | undefined
function load(): Patterns {
  // Ignorable and format characters, controls and the blank Braille cell: chats and PDF files add them to copied text.
  const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]`
  patterns ??= {
    invisible: new RegExp(`(?!\\s)${invisible}`, 'gu'),
    unseen: new RegExp(`^(\\s|${invisible})$`, 'u'),
    digits: /\p{Nd}/gu,
    digit: /^\p{Nd}$/u,
  }
  return patterns
}

/** Drops white space and invisible characters at both ends of a text. */
export function trimInvisible(text: string): string {
  if (text === '') return text
  const { unseen } = load()
  let from = 0
  let to = text.length
  for (; from < to; from += width(text, from)) if (!unseen.test(characterAt(text, from))) break
  for (; to > from; to -= width(text, to - 1)) if (!unseen.test(characterAt(text, to - 1))) break
  return text.slice(from, to)
}

/**
 * Drops what programs add around a copied text: white space, controls, marks of direction and order. Joiners, selectors and tags
 * stay, for they may belong to the text's first or last character.
 */
export const trimCopied = (text: string): string => text.replace(COPIED_BEFORE, '').replace(COPIED_AFTER, '')
const COPIED = String.raw`[\s\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800]`
const COPIED_BEFORE = new RegExp(`^${COPIED}+`)
const COPIED_AFTER = new RegExp(`${COPIED}+$`)

/** The whole character to which a code unit belongs: its surrogate may stand on either side. */
const characterAt = (text: string, at: number) =>
  String.fromCodePoint(text.codePointAt(isLowSurrogate(text, at) ? at - 1 : at) ?? 0)
const width = (text: string, at: number) => characterAt(text, at).length
const isLowSurrogate = (text: string, at: number) =>
  at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800

/** Drops invisible characters anywhere in a text; white space stays. */
export const dropInvisible = (text: string): string =>
  text === '' ? text : text.replace(load().invisible, '')

/** Normalizes a text (NFKC) and writes the decimal digits of every script as ASCII digits. */
export const asciiDigits = (text: string): string =>
  text === '' ? text : text.normalize('NFKC').replace(load().digits, asciiDigit)

/** A phone number in ASCII digits and signs, whichever input method or program has written it. */
export const plainPhone = (text: string): string =>
  dropInvisible(asciiDigits(text).replaceAll('➕', '+')).trim()

/** A code in ASCII digits. */
export const plainCode = (text: string): string => trimInvisible(asciiDigits(text))

function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  if (point < 0x80) return digit
  // Unicode keeps the ten digits of a script in a row. Rows that touch begin at a multiple of ten.
  let before = 0
  while (load().digit.test(String.fromCodePoint(point - before - 1))) before++
  return String(before % 10)
}
