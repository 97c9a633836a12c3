/** What became of the digits after a change of the input. */
export interface Typed {
  digits: string
  /** Something other than a digit was typed; the digits are as before. */
  refused: boolean
  /** All digits are there, and they differ from before. */
  complete: boolean
}

interface Before {
  digits: string
  length: number
  /** The digits are those of a failed try: new input starts a new one. */
  spent?: boolean
}

/**
 * What a code becomes when its input's text changes to `raw`: typed at the end, deleted, pasted or filled in.
 * Spaces and dashes are skipped, Arabic and full-width digits count, and a whole code replaces what was
 * there.
 */
export function typedCode(raw: string, { digits: before, length, spent = false }: Before): Typed {
  const text = (codeIn(asciiDigits(raw), length) ?? asciiDigits(raw)).replace(
    /[\s\u200B-\u200F\u2060\uFEFF\p{Pd}]/gu,
    '',
  )
  if (/\D/.test(text)) return { digits: before, refused: true, complete: false }
  const added = text.startsWith(before) ? text.slice(before.length) : undefined
  const digits = next(text, added, { digits: before, length, spent }).slice(0, length)
  return { digits, refused: false, complete: digits.length === length && (spent || digits !== before) }
}

/** The code of a message that was pasted as a whole, such as 'Your code is 123 456', if there is just one in it. */
function codeIn(text: string, length: number): string | undefined {
  if (!/\p{L}/u.test(text)) return undefined
  const codes = text.match(
    new RegExp(`(?<![\\d.,])\\d(?:[\\s\\p{Pd}]?\\d){${length - 1}}(?![\\d]|[.,]\\d)`, 'gu'),
  )
  return codes?.length === 1 ? codes[0] : undefined
}

function next(text: string, added: string | undefined, { digits, length, spent }: Before): string {
  if (spent) return text.length < digits.length ? '' : (added ?? text)
  // A whole code pasted after some digits replaces them.
  return added !== undefined && added.length >= length ? added : text
}

const asciiDigits = (text: string) =>
  text.normalize('NFKC').replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 15))
