import {
  AsYouType,
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  ParseError,
  parseIncompletePhoneNumber,
  parsePhoneNumberWithError,
  validatePhoneNumberLength,
} from 'libphonenumber-js/min'
import { asciiDigits, dropInvisible } from '../../../lib/typed-text.ts'
import { fieldLimits } from '../limits.ts'

/** Two capital letters of ISO 3166. */
export type Country = CountryCode
/** Why a text is no phone number. */
export type PhoneProblem = 'NOT_A_NUMBER' | 'INVALID_COUNTRY' | 'TOO_SHORT' | 'TOO_LONG'
/** A number that can be dialled from anywhere, or why the text is none. */
export type Reading = { e164: string; country: Country | undefined } | { problem: PhoneProblem }
/** The text of the field, and the country that its button shows. */
export interface Entry {
  readonly country: Country
  readonly text: string
}
/** An entry after a change, with the caret's position. */
export interface Edited extends Entry {
  readonly caret: number
}

/** The country of a setting such as `de`; the United States if it names none. */
export function countryOf(setting: string | undefined): Country {
  const code = setting?.trim().toUpperCase() ?? ''
  return isSupportedCountry(code) ? code : 'US'
}

/** Such as `49`, without a plus. */
export const callingCode = (country: Country): string => getCountryCallingCode(country)

/** Reads input as a number of `country`, unless it begins with another calling code. */
export function readPhone(text: string, country: Country): Reading {
  if (text.length > fieldLimits.phoneInputLength) return { problem: 'TOO_LONG' }
  const plain = plainText(text).trim()
  const read = readAs(plain, country)
  // The usual prefix for dialling abroad, even if the chosen country uses another one.
  const abroad = 'problem' in read && plain.startsWith('00') && readAs(plain.replace('00', '+'), country)
  return abroad && 'e164' in abroad ? abroad : read
}

function readAs(plain: string, country: Country): Reading {
  const wrong = validatePhoneNumberLength(plain, country)
  // Between two valid lengths, where neither 'too short' nor 'too long' is true.
  if (wrong) return { problem: wrong === 'INVALID_LENGTH' ? 'NOT_A_NUMBER' : wrong }
  try {
    const number = parsePhoneNumberWithError(plain, country)
    return { e164: number.number, country: number.country }
  } catch (cause) {
    if (!(cause instanceof ParseError)) throw cause
    return { problem: isProblem(cause.message) ? cause.message : 'NOT_A_NUMBER' }
  }
}

const problems: readonly PhoneProblem[] = ['NOT_A_NUMBER', 'INVALID_COUNTRY', 'TOO_SHORT', 'TOO_LONG']
const isProblem = (word: string): word is PhoneProblem => (problems as readonly string[]).includes(word)

/** A number in international format, such as `+49 1512 3456789`; text that is none stays as it is. */
export function formatInternational(e164: string): string {
  try {
    return parsePhoneNumberWithError(e164).formatInternational()
  } catch (cause) {
    if (cause instanceof ParseError) return e164
    throw cause
  }
}

/** How a stored text, with or without a calling code, appears in the field. */
export function entryOf(given: string, country: Country): Entry {
  const value = plainText(given)
  const international = value.trim().startsWith('+')
  if (!international) return { country, text: format(value, country) }
  const { country: found, national } = split(value, country)
  return found ? { country: found, text: format(national, found) } : { country, text: format(value, country) }
}

/** An entry as one text from which {@link entryOf} restores it. */
export function textOf({ country, text }: Entry): string {
  const plain = plainText(text).trim()
  return plain === '' || plain.startsWith('+') ? text : `+${callingCode(country)} ${text}`
}

/**
 * Formats what was typed, and finds the caret's position in the result.
 * @param before the text before this change
 * @param how `back` and `forward` for the two delete keys, `whole` for what was not typed key by key
 */
export function edit(
  before: string,
  typed: { country: Country; text: string; caret: number },
  how: 'typed' | 'back' | 'forward' | 'whole',
): Edited {
  const { country } = typed
  const whole = plainText(typed.text)
  // Characters before and after the caret may have become one.
  const caret = Math.min(plainText(typed.text.slice(0, typed.caret)).length, whole.length)
  const now = { country, text: whole, caret }
  // Not a number, so nothing to format: it stays, and is refused with words.
  if (FOREIGN.test(now.text)) return now
  const pasted = how === 'whole' && /^(\+|0)/.test(now.text.trim()) && readPhone(now.text, country)
  if (pasted && 'e164' in pasted) {
    const entry = entryOf(pasted.e164, country)
    return { ...entry, caret: entry.text.length }
  }
  let kept = significant(now.text)
  let place = significant(now.text.slice(0, now.caret)).length
  // Only a bracket or a space was deleted, which would reappear at once, so its neighbour is deleted with it.
  if ((how === 'back' || how === 'forward') && kept === significant(before)) {
    const at = how === 'back' ? place - 1 : place
    if (at >= 0) kept = kept.slice(0, at) + kept.slice(at + 1)
    place = Math.max(0, how === 'back' ? place - 1 : place)
  }
  const text = format(kept, country)
  const found = kept.startsWith('+') ? split(kept, country).country : undefined
  return {
    country: found ?? country,
    text,
    caret: now.caret >= now.text.length ? text.length : placeOf(text, place),
  }
}

/** The same number in another country: its calling code is replaced. */
export function moved({ country, text: given }: Entry, to: Country): Entry {
  const text = plainText(given)
  const { national } = text.trim().startsWith('+') ? split(text, country) : { national: text }
  return { country: to, text: FOREIGN.test(text) ? text : format(national, to) }
}

/** A text in ASCII digits and ordinary signs, however its input method writes them, without invisible characters. */
const plainText = (text: string) => dropInvisible(asciiDigits(text).replaceAll('➕', '+'))
/** Anything that no spelling of a number contains. */
const FOREIGN = /[^\d\s+().\-/‐-―−ー]/

/** The digits, in ASCII, with a leading plus if there is one. */
const significant = (text: string): string => parseIncompletePhoneNumber(text)

/** The position in a formatted text after so many of its digits. */
function placeOf(text: string, digits: number): number {
  let place = 0
  for (let seen = 0; seen < digits && place < text.length; place++)
    if (/[+\d]/.test(text[place] ?? '')) seen++
  return place
}

/** Formats as far as possible. Input without its national prefix is grouped as in international format. */
function format(text: string, country: Country): string {
  if (FOREIGN.test(text)) return text
  const chars = significant(text)
  if (chars.startsWith('+')) return new AsYouType().input(chars)
  const national = new AsYouType(country).input(chars)
  if (national !== chars) return national
  const prefix = `+${callingCode(country)}`
  const international = new AsYouType().input(prefix + chars)
  const grouped = international.startsWith(`${prefix} `) ? international.slice(prefix.length + 1) : chars
  return significant(grouped) === chars ? grouped : chars
}

/** Which country an international text names so far, and what follows its calling code. */
function split(text: string, chosen: Country): { country: Country | undefined; national: string } {
  const chars = significant(text)
  const reader = new AsYouType()
  reader.input(chars)
  const code = reader.getCallingCode()
  if (code === undefined) return { country: undefined, national: chars.replace('+', '') }
  const shared = callingCode(chosen) === code ? chosen : main[code]
  return { country: reader.getCountry() ?? shared, national: chars.slice(code.length + 1) }
}

/** Of the countries that share a calling code, the default until a number names another. */
const main: Readonly<Record<string, Country>> = {
  1: 'US',
  7: 'RU',
  39: 'IT',
  44: 'GB',
  47: 'NO',
  61: 'AU',
  212: 'MA',
  262: 'RE',
  290: 'SH',
  358: 'FI',
  590: 'GP',
  599: 'CW',
}
