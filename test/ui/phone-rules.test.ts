import fc from 'fast-check'
import metadata from 'libphonenumber-js/metadata.min.json' with { type: 'json' }
import { describe, expect, it } from 'vitest'
import { listCountries, searchCountries } from '../../src/ui/fields/phone-field/countries.ts'
import {
  type Country,
  countryOf,
  edit,
  entryOf,
  formatInternational,
  moved,
  readPhone,
  textOf,
} from '../../src/ui/fields/phone-field/rules.ts'
import { counted, soak } from '../support/soak.ts'

/** Types characters one by one at the end, as a person does. */
function typing(keys: string, country: Country) {
  const seen: string[] = []
  let at = { country, text: '', caret: 0 }
  for (const key of keys) {
    const text = at.text + key
    at = edit(at.text, { country: at.country, text, caret: text.length }, 'typed')
    seen.push(at.text)
  }
  return { ...at, seen }
}

describe('readPhone', () => {
  it.each([
    ['(213) 373-4253', 'US', '+12133734253'],
    ['1 213 373 4253', 'US', '+12133734253'],
    ['0151 12345678', 'DE', '+4915112345678'],
    ['+33 6 12 34 56 78', 'US', '+33612345678'],
    ['0033 6 12 34 56 78', 'US', '+33612345678'],
    ['011 33 6 12 34 56 78', 'US', '+33612345678'],
    ['٠١٥١١٢٣٤٥٦٧٨', 'DE', '+4915112345678'],
    ['+800 1234 5678', 'US', '+80012345678'],
    ['＋81 90-1234-0007', 'DE', '+819012340007'],
    ['＋８１　９０－１２３４－０００７', 'DE', '+819012340007'],
    ['﹢81 90 1234 0007', 'DE', '+819012340007'],
    ['⁺81 90 1234 0007', 'DE', '+819012340007'],
    ['➕81 90 1234 0007', 'DE', '+819012340007'],
    ['\u200b＋81 90\u200b1234\u20600007', 'DE', '+819012340007'],
    ['+८१ ९० १२३४ ०००७', 'DE', '+819012340007'],
    ['００81 90 1234 0007', 'DE', '+819012340007'],
    ['०१५१ १२३४५६७८', 'DE', '+4915112345678'],
    ['（0151）12345678', 'DE', '+4915112345678'],
    ['090ー1234ー0007', 'JP', '+819012340007'],
    ['๐๘ ๑๒๓๔ ๕๖๗๘', 'TH', '+66812345678'],
  ] as const)('reads %s in %s', (text, country, e164) => {
    expect(readPhone(text, country)).toMatchObject({ e164 })
  })

  it.each([
    ['', 'US', 'NOT_A_NUMBER'],
    ['hello', 'US', 'NOT_A_NUMBER'],
    ['1-800-FLOWERS', 'US', 'NOT_A_NUMBER'],
    ['+', 'US', 'NOT_A_NUMBER'],
    ['+999 123 456 789', 'US', 'INVALID_COUNTRY'],
    ['5', 'US', 'TOO_SHORT'],
    ['＋', 'DE', 'NOT_A_NUMBER'],
    ['\u200b\u200e', 'DE', 'NOT_A_NUMBER'],
    ['①②③ ④⑤⑥ ½', 'DE', 'NOT_A_NUMBER'],
    ['+1', 'DE', 'TOO_SHORT'],
    ['213 373 425', 'US', 'TOO_SHORT'],
    ['213 373 42531', 'US', 'TOO_LONG'],
    ['1'.repeat(18), 'DE', 'TOO_LONG'],
    ['1'.repeat(251), 'DE', 'TOO_LONG'],
    [' '.repeat(251), 'DE', 'TOO_LONG'],
  ] as const)('refuses %j in %s', (text, country, problem) => {
    expect(readPhone(text, country)).toEqual({ problem })
  })

  it('says which country a number names', () => {
    expect(readPhone('+16045551234', 'DE')).toMatchObject({ country: 'CA' })
    expect(readPhone('+80012345678', 'DE')).toMatchObject({ country: undefined })
  })
})

describe('the country of a setting', () => {
  it.each([
    ['de', 'DE'],
    [' GB ', 'GB'],
    [undefined, 'US'],
    ['', 'US'],
    ['ZZ', 'US'],
    ['constructor', 'US'],
  ])('%j is %s', (setting, country) => expect(countryOf(setting)).toBe(country))
})

describe('typing', () => {
  it('groups as it goes, and never puts a digit away', () => {
    expect(typing('2133734253', 'US').seen.slice(2)).toEqual([
      ...['(213)', '(213) 3', '(213) 37', '(213) 373', '(213) 373-4', '(213) 373-42'],
      ...['(213) 373-425', '(213) 373-4253'],
    ])
    expect(typing('15112345678', 'DE').text).toBe('1511 2345678')
    expect(typing('015112345678', 'DE').text).toBe('01511 2345678')
    expect(typing('612345678', 'FR').text).toBe('6 12 34 56 78')
  })

  it('shows the country that a calling code names as soon as it does', () => {
    expect(typing('+4', 'US').country).toBe('US')
    expect(typing('+49', 'US').country).toBe('DE')
    expect(typing('+44', 'US').country).toBe('GB')
    expect(typing('+1604555123', 'DE').country).toBe('US')
    expect(typing('+16045551234', 'DE').country).toBe('CA')
    expect(typing('+491511', 'US')).toMatchObject({ country: 'DE', text: '+49 1511' })
  })

  it('takes the main country of a calling code that several share', () => {
    for (const [code, [main = '']] of Object.entries(metadata.country_calling_codes))
      if (String(main) !== '001') expect([code, typing(`+${code}`, 'DE').country]).toEqual([code, main])
  })

  it('keeps the caret after the digit that was typed', () => {
    const text = '(213) 9373-425'
    expect(edit('(213) 373-425', { country: 'US', text, caret: 7 }, 'typed')).toEqual({
      country: 'US',
      text: '(213) 937-3425',
      caret: 7,
    })
    const early = edit('213', { country: 'US', text: '92(13)', caret: 1 }, 'typed')
    expect(early.text.slice(0, early.caret)).toMatch(/9$/)
  })

  it('takes a digit along when only a bracket was deleted', () => {
    expect(edit('(213)', { country: 'US', text: '(213', caret: 4 }, 'back')).toMatchObject({
      text: '21',
      caret: 2,
    })
    expect(edit('(213) 373', { country: 'US', text: '(213)373', caret: 5 }, 'forward')).toMatchObject({
      text: '(213) 73',
    })
    expect(edit('(', { country: 'US', text: '', caret: 0 }, 'back')).toMatchObject({ text: '', caret: 0 })
  })

  it('leaves alone what is no number, so that it can be refused with words', () => {
    expect(edit('', { country: 'US', text: 'ada@x', caret: 2 }, 'typed')).toEqual({
      country: 'US',
      text: 'ada@x',
      caret: 2,
    })
  })
})

describe('pasting', () => {
  const paste = (text: string, country: Country = 'US') =>
    edit('', { country, text, caret: text.length }, 'whole')
  it.each([
    ['+49 151 12345678', 'DE', '1511 2345678'],
    ['0049 (151) 123-456-78', 'DE', '1511 2345678'],
    ['+1 604 555 1234', 'CA', '(604) 555-1234'],
    ['\u202a+44 7400 123456\u202c', 'GB', '7400 123456'],
    ['213.373.4253', 'US', '(213) 373-4253'],
    ['＋81 90-1234-0007', 'JP', '90 1234 0007'],
    ['＋４９ １５１ １２３４５６７８', 'DE', '1511 2345678'],
    ['+८१ ९० १२३४ ०००७', 'JP', '90 1234 0007'],
    ['\u200b\ufeff+44 7400\u200b123456', 'GB', '7400 123456'],
  ])('%j becomes %s %s', (text, country, national) => {
    expect(paste(text)).toEqual({ country, text: national, caret: national.length })
  })

  it('phone: a full-width plus that is typed counts, and the caret stays behind it', () => {
    expect(typing('＋８１', 'DE')).toMatchObject({ country: 'JP', text: '+81', caret: 3 })
    expect(entryOf('＋81 90-1234-0007', 'DE')).toMatchObject({ country: 'JP' })
    expect(textOf({ country: 'DE', text: '＋81 90' })).toBe('＋81 90')
    expect(moved({ country: 'JP', text: '＋81 90' }, 'DE').text.replace(/\D/g, '')).toBe('90')
  })

  it('leaves a number of no country as it is', () => {
    expect(paste('+80012345678')).toMatchObject({ country: 'US', text: '+800 1234 5678' })
  })
})

describe('an entry', () => {
  it('comes back from the text that stands for it, also while it is incomplete', () => {
    for (const [keys, country] of [
      ['2133734253', 'US'],
      ['151', 'DE'],
      ['0612', 'FR'],
      ['', 'DE'],
    ] as const) {
      const { text } = typing(keys, country)
      const again = entryOf(textOf({ country, text }), country)
      expect(readPhone(again.text, again.country)).toEqual(readPhone(text, country))
      expect(again.country).toBe(country)
    }
    expect(entryOf('+4915112345678', 'US')).toEqual({ country: 'DE', text: '1511 2345678' })
    expect(entryOf('02133734253', 'US')).toMatchObject({ country: 'US' })
  })

  it('keeps its digits when another country is chosen', () => {
    expect(moved({ country: 'US', text: '(213) 373-42' }, 'DE').text.replace(/\D/g, '')).toBe('21337342')
    expect(moved({ country: 'US', text: '+49 151 234' }, 'FR').text.replace(/\D/g, '')).toBe('151234')
    expect(moved({ country: 'US', text: 'hello' }, 'FR')).toEqual({ country: 'FR', text: 'hello' })
  })

  it('is written for other countries with its calling code', () => {
    expect(formatInternational('+4915112345678')).toBe('+49 1511 2345678')
    expect(formatInternational('nothing')).toBe('nothing')
  })
})

describe('any text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc.stringMatching(/^[+0-9 ()/.-]{0,40}$/),
  )
  const country = fc.constantFrom<Country>('US', 'DE', 'AR', 'IT', 'BJ', 'AC')
  const how = fc.constantFrom('typed', 'back', 'forward', 'whole')

  const edits = soak(200, 3_000)

  it(`is read and edited without a surprise ${counted(edits)} times: a known answer, a caret inside the text, no digit made up`, () => {
    fc.assert(
      fc.property(text, text, country, how, fc.nat(), (before, now, country, how, place) => {
        const read = readPhone(now, country)
        if ('e164' in read) expect(read.e164).toMatch(/^\+\d{3,20}$/)
        const edited = edit(before, { country, text: now, caret: place % (now.length + 1) }, how)
        expect(edited.caret).toBeGreaterThanOrEqual(0)
        expect(edited.caret).toBeLessThanOrEqual(edited.text.length)
        const settled = edit(edited.text, { ...edited, caret: edited.text.length }, 'typed')
        expect(settled.text).toBe(edited.text)
      }),
      { numRuns: edits },
    )
  })

  it('has the caret inside of the text where the characters around it become one', () => {
    const letters = '\u{11099}\u{110ba}'
    expect(edit('', { country: 'US', text: letters, caret: 3 }, 'typed')).toMatchObject({ caret: 2 })
  })
})

describe('the list of countries', () => {
  const all = listCountries('en', ['DE', 'US', 'QQ', 'DE'])
  it('names every country once, the popular ones first', () => {
    expect(all.slice(0, 3).map(({ code, popular }) => [code, popular])).toEqual([
      ['DE', true],
      ['US', true],
      ['AF', false],
    ])
    expect(new Set(all.map(({ code }) => code)).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(240)
    expect(all.every(({ name, callingCode }) => name.length > 1 && /^\d{1,3}$/.test(callingCode))).toBe(true)
  })

  it('is in the language of the page, and in English where that is no language', () => {
    expect(listCountries('de', ['DE'])[0]?.name).toBe('Deutschland')
    expect(listCountries('not a tag!', ['DE'])[0]?.name).toBe('Germany')
  })

  it.each([
    ['germ', 'DE'],
    ['DE', 'DE'],
    ['+49', 'DE'],
    ['49', 'DE'],
    ['+1', 'US'],
    ['cote d', 'CI'],
    ['CÔTE', 'CI'],
    ['kingdom', 'GB'],
    ['bissau', 'GW'],
  ])('is searched: %s finds %s first', (query, code) => {
    expect(searchCountries(all, query)[0]?.code).toBe(code)
  })

  it('may find nothing', () => {
    expect(searchCountries(all, 'atlantis')).toEqual([])
    expect(searchCountries(all, '+0')).toEqual([])
    expect(searchCountries(all, '  ')).toBe(all)
  })
})
