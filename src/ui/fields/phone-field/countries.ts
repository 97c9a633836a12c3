import { getCountries } from 'libphonenumber-js/min'
import { asciiDigits } from '../../../lib/typed-text.ts'
import { type Country, callingCode } from './rules.ts'

/** One row of the picker. */
export interface CountryRow {
  readonly code: Country
  readonly name: string
  readonly callingCode: string
  /** Comes before the others. */
  readonly popular: boolean
}

/**
 * All countries by their names in a language, in its order.
 * @param language a BCP 47 tag; an unknown one counts as English
 * @param popular codes that come before the rest; unknown ones are left out
 */
export function listCountries(language: string, popular: readonly string[]): readonly CountryRow[] {
  const known = supported(language)
  const names = new Intl.DisplayNames(known, { type: 'region' })
  const { compare } = new Intl.Collator(known)
  const rows = getCountries()
    .map((code) => ({ code, name: names.of(code) ?? code, callingCode: callingCode(code), popular: false }))
    .sort((one, other) => compare(one.name, other.name))
  const first = [...new Set(popular)].flatMap((code) => rows.filter((row) => row.code === code))
  return [...first.map((row) => ({ ...row, popular: true })), ...rows.filter((row) => !first.includes(row))]
}

function supported(language: string): string {
  try {
    return Intl.DisplayNames.supportedLocalesOf(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/**
 * The rows that match a search: by a word of the name, by the code, or by the beginning of the calling code.
 */
export function searchCountries(rows: readonly CountryRow[], query: string): readonly CountryRow[] {
  const term = plain(query)
  if (!term) return rows
  const digits = /^\+?\s*(\d+)$/.exec(term)?.[1]
  if (digits) {
    const found = rows.filter((row) => row.callingCode.startsWith(digits))
    return [...found].sort((one, other) => one.callingCode.length - other.callingCode.length)
  }
  const rank = ({ code, name }: CountryRow) => {
    const own = plain(name)
    if (code.toLowerCase() === term) return 0
    if (own.startsWith(term)) return 1
    return own.includes(` ${term}`) || own.includes(`-${term}`) ? 2 : 3
  }
  return rows.filter((row) => rank(row) < 3).sort((one, other) => rank(one) - rank(other))
}

/** Without case, accents and repeated spaces. */
const plain = (text: string) =>
  asciiDigits(text)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s(),.’']+/g, ' ')
    .trim()
