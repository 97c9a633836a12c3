/** How far the vault follows the theme of a page. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { followedColours, followedFont } from '../../../src/vault/approval/theme.ts'
import { contrast, derivePalette, luminance, type Scheme, type TokenName } from '../../../styles/palette.ts'
import { sans } from '../../../styles/scale.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const schemes = ['light', 'dark'] as const
/** The colours that a page of that accent sends. */
const pageOf = (accent: string, theme: Scheme) =>
  Object.fromEntries(
    Object.entries(derivePalette(accent, theme)).filter(([, colour]) => /^#[\da-f]{6}$/i.test(colour)),
  )
const ratio = (one: string, other: string) =>
  contrast({ luminance: luminance(one) }, { luminance: luminance(other) })

describe('the colours of a page', () => {
  test('are all followed where they are derived from any accent', () => {
    fc.assert(
      fc.property(hex, fc.constantFrom(...schemes), (accent, theme) => {
        const colours = pageOf(accent, theme)
        expect(Object.fromEntries(followedColours({ theme, accent, colours }))).toEqual(colours)
      }),
      { numRuns: 60 },
    )
  })

  test('are followed where the page has set readable ones itself', () => {
    const colours = { surface: '#fff8e7', text: '#201000', accent: '#004d40', 'border-strong': '#aa9977' }
    const followed = followedColours({ theme: 'light', accent: '#004d40', colours })
    expect(Object.fromEntries(followed)).toEqual(colours)
  })

  test('never hide a word, whatever they are', () => {
    const names = Object.keys(derivePalette('', 'light')) as TokenName[]
    const colours = fc.dictionary(fc.constantFrom(...names), hex, { noNullPrototype: true })
    const pairs: [TokenName, TokenName][] = [
      ['text', 'surface'],
      ['text', 'surface-sunken'],
      ['text', 'warning-subtle'],
      ['text', 'danger-subtle'],
      ['text-muted', 'surface'],
      ['text-faint', 'surface'],
      ['danger-text', 'surface'],
      ['on-accent', 'accent'],
      ['on-accent', 'accent-hover'],
      ['on-danger', 'danger-solid'],
    ]
    fc.assert(
      fc.property(hex, fc.constantFrom(...schemes), colours, (accent, theme, given) => {
        const shown = {
          ...derivePalette(accent, theme),
          ...Object.fromEntries(followedColours({ theme, accent, colours: given })),
        }
        for (const [words, ground] of pairs)
          expect(ratio(shown[words], shown[ground]), `${words} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })

  test('that are no part of a theme are left out', () => {
    const colours = { 'text-scale': '#000000', toString: '#000000', 'url(x)': '#000000' }
    expect(followedColours({ theme: 'light', colours }).size).toBe(0)
  })
})

describe('the font of a page', () => {
  test('is followed where every system has it or one like it, and is ours otherwise', () => {
    expect(followedFont({ fonts: ['Georgia', 'serif'] })).toBe(`Georgia,serif,${sans}`)
    expect(followedFont({ fonts: ['Brand Sans', 'Helvetica Neue', 'sans-serif'] })).toBe(
      `"Helvetica Neue",sans-serif,${sans}`,
    )
    expect(followedFont({})).toBe(sans)
  })

  test('is no font whose letters are pictures, and no style of another kind', () => {
    for (const name of ['Wingdings', 'Webdings', 'Symbol', 'x;color:red', 'url(x)', 'var(--x)', ''])
      expect(followedFont({ fonts: [name] })).toBe(sans)
  })
})
