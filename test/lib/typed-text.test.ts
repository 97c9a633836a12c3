import { describe, expect, it } from 'vitest'
import { readPhoneNumber } from '../../demo/backend/codes/phone-number.ts'
import { normaliseEmail } from '../../demo/backend/lib/email-address.ts'
import { asciiDigits, dropInvisible, plainPhone, trimInvisible } from '../../src/lib/typed-text.ts'
import { limit } from '../support/limit.ts'

describe('typed text', () => {
  it('digits: the decimal digits of every script become ASCII digits', () => {
    let rows = 0
    for (let point = 0; point < 0x110000; point++) {
      if (!/^\p{Nd}$/u.test(String.fromCodePoint(point))) continue
      const row = Array.from({ length: 10 }, (_, more) => String.fromCodePoint(point + more)).join('')
      expect(asciiDigits(row), point.toString(16)).toBe('0123456789')
      rows++
      point += 9
    }
    expect(rows).toBeGreaterThan(60)
  })

  it('ends: white space and invisible characters go, surrogate pairs stay whole', () => {
    expect(trimInvisible('\u{e0020}\u200b 😀 a\u200bb 😀\u{e0020}\n')).toBe('😀 a\u200bb 😀')
    for (const nothing of ['', ' ', '\u200b', '\u{e0001}', '\ufeff\u2060\u00ad', '\u3164\u2800'])
      expect(trimInvisible(nothing)).toBe('')
    expect(trimInvisible('\ud83d')).toBe('\ud83d')
  })

  it('ends: a million characters of either kind are read at once', () => {
    const begun = performance.now()
    trimInvisible(`a${' '.repeat(1_000_000)}b`)
    trimInvisible('\u200b'.repeat(1_000_000))
    dropInvisible('\u200b a'.repeat(300_000))
    expect(performance.now() - begun).toBeLessThan(limit(5_000))
  })

  it.each([
    '＋81 90-1234-0007',
    '﹢81 90 1234 0007',
    '⁺81 90 1234 0007',
    '➕81 90 1234 0007',
    '+८१ ९० १२३४ ०००७',
    '\u200b+81\u200b90 1234 0007',
    '+８１（９０）１２３４－０００７',
  ])('server: reads the number %j', (text) => {
    expect(readPhoneNumber(text)?.e164).toBe('+819012340007')
    expect(readPhoneNumber(plainPhone(text))?.e164).toBe('+819012340007')
  })

  it.each([
    '\u200bada@example.com',
    'ada@example.com\u200b',
    '\u2060\ufeffAda@Example.com\u00ad ',
    '\u202aada@example.com\u202c',
  ])('server: stores the address %j without what is around it', (text) =>
    expect(normaliseEmail(text)).toBe('ada@example.com'),
  )

  it('server: an address with an invisible character inside is none', () => {
    expect(normaliseEmail('a\u200bda@example.com')).toBeUndefined()
    expect(normaliseEmail(`${' '.repeat(1_000)}ada@example.com`)).toBeUndefined()
  })
})
