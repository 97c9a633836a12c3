import { asciiDigits, dropInvisible } from '../../../lib/typed-text.ts'

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
 * Spaces and dashes are skipped, digits of every script count, and a whole code replaces what was there.
 */
export function typedCode(raw: string, { digits: before, length, spent = false }: Before): Typed {
  const plain = dropInvisible(asciiDigits(raw))
  const pasted = plain.startsWith(before) ? plain.slice(before.length) : plain
  const [code, ...others] = new Set(
    [codesIn(pasted, length), codesIn(plain, length)].find((each) => each.length > 0),
  )
  const text = others.length === 0 && code ? code : skip(plain)
  if (/\D/.test(text)) return { digits: before, refused: true, complete: false }
  const added = text.startsWith(before) ? text.slice(before.length) : undefined
  const digits = next(text, added, { digits: before, length, spent }).slice(0, length)
  return { digits, refused: false, complete: digits.length === length && (spent || digits !== before) }
}

const skip = (text: string) => text.replace(/[\s\p{Pd}]/gu, '')

/** The codes of a message that was pasted as a whole, such as 'Your code is 123 456'. Many messages name theirs twice. */
function codesIn(text: string, length: number): readonly string[] {
  if (!/\D/.test(skip(text))) return []
  const codes = text.match(
    new RegExp(`(?<![\\d.,+])\\d(?:[\\s\\p{Pd}]?\\d){${length - 1}}(?![\\d]|[.,]\\d)`, 'gu'),
  )
  return codes?.map(skip) ?? []
}

function next(text: string, added: string | undefined, { digits, length, spent }: Before): string {
  if (spent) return text.length < digits.length ? '' : (added ?? text)
  // A whole code pasted after some digits replaces them.
  return added !== undefined && added.length >= length ? added : text
}
