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
