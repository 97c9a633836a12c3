import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { plainPhone } from '../../../src/lib/typed-text.ts'
import { Refusal } from '../lib/refusal.ts'
import type { App } from '../settings/app.ts'

/** Longer text is no number. */
const MOST_CHARACTERS = 250

export interface PhoneNumber {
  /** E.164: the one form in which a number is stored and compared. */
  e164: string
  /** The countries (ISO 3166) that it may belong to; several share a calling code, and some codes are of no country. */
  countries: readonly string[]
  /** Sending to it costs extra, paid to its owner. */
  premium: boolean
}

/**
 * Reads a number in international form, however it is spaced. Returns `undefined` for what is none, or has a length
 * that does not exist in its country.
 */
export function readPhoneNumber(text: string): PhoneNumber | undefined {
  if (text.length > MOST_CHARACTERS) return undefined
  const plain = plainPhone(text)
  if (!plain.startsWith('+')) return undefined
  const number = parsePhoneNumberFromString(plain, { extract: false })
  if (!number?.isPossible() || number.ext) return undefined
  const countries = number.country ? [number.country] : number.getPossibleCountries()
  return { e164: number.number, countries, premium: number.getType() === 'PREMIUM_RATE' }
}

/**
 * Sending costs money, and more where fraudsters own the number: what can't be placed is not sent to.
 * @throws Refusal `not_supported`
 */
export function requireSendable({ smsRegions }: App, { countries, premium }: PhoneNumber): void {
  const placed = countries.length > 0 && countries.every((country) => smsRegions?.includes(country))
  if (premium || (smsRegions && !placed))
    throw new Refusal('not_supported', 'SMS authentication from this region is not available.')
}
