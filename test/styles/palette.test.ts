import { describe, expect, it } from 'vitest'
import { contrast, derivePalette, luminance, type Scheme, type TokenName } from '../../styles/palette.ts'

const schemes: readonly Scheme[] = ['light', 'dark']
/** Eight steps of each channel. */
const steps = [0, 36, 73, 109, 146, 182, 219, 255]
const grid = steps.flatMap((r) =>
  steps.flatMap((g) =>
    steps.map((b) => `#${[r, g, b].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`),
  ),
)

/** Pairs of colours and backgrounds, and the contrast that each needs. */
type Row = readonly [colours: readonly TokenName[], grounds: readonly TokenName[], ratio: number]
const rows: readonly Row[] = [
  [['text'], ['surface', 'surface-sunken', 'fill-pressed'], 4.5],
  [['text-muted'], ['surface', 'fill-hover', 'fill-pressed'], 4.5],
  [['text-faint'], ['surface', 'fill-hover'], 4.5],
  [['on-accent'], ['accent', 'accent-hover', 'accent-pressed'], 4.5],
  [['accent-text'], ['surface', 'accent-subtle'], 4.5],
  [['success-text'], ['surface', 'success-subtle'], 4.5],
  [['warning-text'], ['surface', 'warning-subtle'], 4.5],
  [['danger-text'], ['surface', 'danger-subtle'], 4.5],
  [['on-danger'], ['danger-solid', 'danger-solid-hover', 'danger-solid-pressed'], 4.5],
  [['text'], ['accent-subtle', 'success-subtle', 'warning-subtle', 'danger-subtle'], 4.5],
  [['border-strong'], ['surface', 'surface-sunken'], 3],
  [['focus'], ['surface', 'surface-sunken'], 3],
  [['success', 'warning', 'danger'], ['surface'], 3],
]

const ratio = (a: string, b: string) => contrast({ luminance: luminance(a) }, { luminance: luminance(b) })
/** The largest distance of two colours in one channel. */
const distance = (a: string, b: string) =>
  Math.max(
    ...[1, 3, 5].map((at) =>
      Math.abs(Number.parseInt(a.slice(at, at + 2), 16) - Number.parseInt(b.slice(at, at + 2), 16)),
    ),
  )

describe('contrast over a grid of accents', () => {
  it('has 512 accents', () => expect(new Set(grid).size).toBe(512))

  for (const scheme of schemes)
    it(`holds in every row, ${scheme}`, () => {
      const failures: string[] = []
      for (const accent of grid) {
        const palette = derivePalette(accent, scheme)
        for (const [colours, grounds, needed] of rows)
          for (const colour of colours)
            for (const ground of grounds) {
              const found = ratio(palette[colour], palette[ground])
              if (found < needed) failures.push(`${accent}: ${colour} on ${ground} is ${found.toFixed(2)}`)
            }
        const edge = palette['accent-edge'] === 'transparent' ? palette.accent : palette['accent-edge']
        if (ratio(edge, palette.surface) < 3) failures.push(`${accent}: melts into the surface`)
      }
      expect(failures).toEqual([])
    })
})

describe('values of look.md', () => {
  const light: Partial<Record<TokenName, string>> = {
    surface: '#FFFFFF',
    'surface-sunken': '#F6F7F9',
    'surface-raised': '#FFFFFF',
    'fill-hover': '#EFF0F3',
    'fill-pressed': '#E5E6EA',
    border: '#DDDEE2',
    'border-strong': '#8A8C92',
    text: '#191A20',
    'text-muted': '#61636A',
    'text-faint': '#696B73',
    accent: '#4F56E0',
    'accent-hover': '#474AD4',
    'accent-pressed': '#3E3FC8',
    'accent-subtle': '#F0F3FF',
    'accent-text': '#4F56E0',
    focus: '#4F56E0',
    success: '#339E5B',
    'success-text': '#007D3E',
    'success-subtle': '#E8F9EB',
    warning: '#BE7C1C',
    'warning-text': '#975F00',
    'warning-subtle': '#FFF1E2',
    danger: '#EE5552',
    'danger-text': '#CA3134',
    'danger-subtle': '#FFEFEE',
    'danger-solid': '#D73337',
    'danger-solid-hover': '#CB242D',
  }
  const dark: Partial<Record<TokenName, string>> = {
    surface: '#16171B',
    'surface-sunken': '#0D0E12',
    'surface-raised': '#1F2025',
    'fill-hover': '#24252A',
    'fill-pressed': '#2C2D33',
    border: '#303137',
    'border-strong': '#6A6C74',
    text: '#F3F3F6',
    'text-muted': '#9B9DA5',
    'text-faint': '#8B8D95',
    accent: '#4F56E0',
    'accent-subtle': '#20243C',
    'accent-text': '#7282FF',
    focus: '#535CE6',
    success: '#2A9754',
    'success-text': '#41AA66',
    'success-subtle': '#112A19',
    warning: '#B17000',
    'warning-text': '#C48225',
    'warning-subtle': '#322009',
    danger: '#DB4241',
    'danger-text': '#F35955',
    'danger-subtle': '#371B19',
  }
  it.each([
    ['light', light],
    ['dark', dark],
  ] as const)('the default accent, %s', (scheme, expected) => {
    const palette = derivePalette('#4F56E0', scheme)
    for (const [token, colour] of Object.entries(expected))
      expect([
        token,
        distance(palette[token as TokenName], colour) <= 2 || palette[token as TokenName],
      ]).toEqual([token, true])
  })

  it.each([
    ['#FFD400', '#FFD400', '#FFD400', '#816A00', '#FFD400'],
    ['#12A594', '#12A594', '#12A594', '#007A6D', '#12A594'],
    ['#E5484D', '#D63941', '#D63941', '#CB2D38', '#F45759'],
    ['#FF5A1F', '#FF5A1F', '#FF5A1F', '#C43B00', '#FF5A1F'],
    ['#1DB954', '#1DB954', '#1DB954', '#007D33', '#1DB954'],
    ['#000000', '#000000', '#F3F3F3', '#000000', '#F3F3F3'],
    ['#FFFFFF', '#1B1B1B', '#FFFFFF', '#1B1B1B', '#FFFFFF'],
  ])('%s', (accent, fillLight, fillDark, textLight, textDark) => {
    const [inLight, inDark] = [derivePalette(accent, 'light'), derivePalette(accent, 'dark')]
    expect(distance(inLight.accent, fillLight)).toBeLessThanOrEqual(2)
    expect(distance(inDark.accent, fillDark)).toBeLessThanOrEqual(2)
    expect(distance(inLight['accent-text'], textLight)).toBeLessThanOrEqual(2)
    expect(distance(inDark['accent-text'], textDark)).toBeLessThanOrEqual(2)
  })

  it('draws an edge only where the fill melts into the surface', () => {
    expect(distance(derivePalette('#FFD400', 'light')['accent-edge'], '#A78A00')).toBeLessThanOrEqual(2)
    expect(derivePalette('#FFD400', 'dark')['accent-edge']).toBe('transparent')
    expect(derivePalette('#4F56E0', 'light')['accent-edge']).toBe('transparent')
  })
})

describe('derivePalette', () => {
  it('moves hover and pressed away from the text on the fill', () => {
    for (const accent of ['#4F56E0', '#FFD400', '#000000', '#FFFFFF'])
      for (const scheme of schemes) {
        const palette = derivePalette(accent, scheme)
        expect(palette['accent-hover']).not.toBe(palette.accent)
        expect(palette['accent-pressed']).not.toBe(palette['accent-hover'])
      }
  })

  it('reads short hex colours, and takes the default for anything else', () => {
    expect(derivePalette('#fd0', 'light')).toEqual(derivePalette('#FFDD00', 'light'))
    for (const wrong of ['', 'red', '#12', 'url(x)', '#12345G', '#4F56E0;color:red'])
      expect(derivePalette(wrong, 'light')).toEqual(derivePalette('#4F56E0', 'light'))
  })
})
