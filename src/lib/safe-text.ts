/** Words of foreign contracts, before they are displayed. */
import { dropInvisible } from './typed-text.ts'

/** Characters of a symbol or name that are displayed. */
export const safeTextLimits = { symbol: 11, name: 60, plain: 300 } as const

/** Foreign words on one line, shortened. */
export const plainText = (text: string): string =>
  dropInvisible(text.slice(0, safeTextLimits.plain * 4))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, safeTextLimits.plain)

/** Whether a contract's word can be shown as it is: short, on one line, in one direction, and without markup. */
export function isSafeText(text: string, most: number): boolean {
  return (
    Array.from(text).length <= most && plainText(text) === text && !/[<>\p{M}\p{Cn}\p{Co}\uFFFD]/u.test(text)
  )
}

/** Scripts that are written together, and have no letter that looks like one of another of them. */
const TOGETHER =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}A-Za-z]*$/u
/** A script with letters that look like those of the Latin one, and a letter of it that doesn't. */
const DISTINCT = [
  /^(?=.*[БГДЖЗИЙЛПФЦЧШЩЪЫЬЭЮЯбвгджзийклмнптфцчшщъыьэюя])[\u0410-\u044f\p{Script=Common}]*$/u,
  /^(?=.*[ΓΔΘΛΞΠΣΦΨΩβδεζηθλμξπσςφψω])[\u0391-\u03a9\u03b1-\u03c9\p{Script=Common}]*$/u,
  ...['Arabic', 'Hebrew', 'Thai', 'Devanagari', 'Bengali', 'Tamil', 'Georgian', 'Ethiopic'].map(
    (script) => new RegExp(`^[\\p{Script=${script}}\\p{Script=Common}]*$`, 'u'),
  ),
]
/** Letters and digits that stand for others, or look like them, in the script that all others have in common. */
const STAND_INS = /[^\P{N}0-9]|[^\P{Script=Common}\P{L}ー]/u

/**
 * Whether a contract's symbol can be shown as it is: it can be taken for no other, as `USDС` with a letter of another alphabet or in
 * full width could be.
 */
export function isSafeSymbol(symbol: string): boolean {
  if (symbol === '' || !isSafeText(symbol, safeTextLimits.symbol)) return false
  if (symbol.normalize('NFKC') !== symbol || STAND_INS.test(symbol)) return false
  return TOGETHER.test(symbol) || DISTINCT.some((script) => script.test(symbol))
}
