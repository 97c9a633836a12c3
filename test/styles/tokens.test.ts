import { describe, expect, it } from 'vitest'
import { derivePalette } from '../../styles/palette.ts'
import { color, media, radius, text, themeVariables } from '../../styles/tokens.ts'

describe('themeVariables', () => {
  const light = derivePalette('#12A594', 'light')
  const dark = derivePalette('#12A594', 'dark')

  it('gives each token the value of the host, and the derived one where the host has none', () => {
    const theme = themeVariables({ accent: '#12A594', theme: 'light' })
    for (const [token, value] of Object.entries(light).filter(
      ([token]) => !/^accent-(hover|pressed)$/.test(token),
    ))
      expect(theme[`--_${token}`]).toBe(`var(--lk-${token},${value})`)
    for (const token of ['accent-hover', 'accent-pressed'] as const)
      expect(theme[`--_${token}`]).toBe(`var(--lk-${token},var(--_${token}-mix,${light[token]}))`)
    expect(color('accent')).toBe('var(--_accent)')
  })

  it('follows the system in auto, and nobody else', () => {
    const auto = themeVariables({ accent: '#12A594', theme: 'auto' })
    expect(auto['--_surface']).toContain(light.surface)
    expect(auto[media.dark]).toMatchObject({
      '--_surface': `var(--lk-surface,${dark.surface})`,
      colorScheme: 'dark',
    })
    for (const theme of ['light', 'dark'] as const)
      expect(themeVariables({ theme })[media.dark]).toBeUndefined()
  })

  it('takes system colours where colours are forced, after the scheme', () => {
    const theme = themeVariables({ theme: 'auto' })
    expect(theme[media.forced]).toMatchObject({ '--_surface': 'Canvas', '--_focus': 'Highlight' })
    expect(Object.keys(theme).indexOf(media.forced)).toBeGreaterThan(Object.keys(theme).indexOf(media.dark))
  })

  it('strengthens edges, quiet text and the focus ring for more contrast, after the scheme and before forced colours', () => {
    const theme = themeVariables({ theme: 'auto' })
    const order = Object.keys(theme).filter((key) => key.startsWith('@media'))
    expect(order).toEqual([media.dark, media.contrast, media.forced])
    const rules = theme[media.contrast] as Record<string, string>
    for (const token of ['border', 'border-strong', 'text-muted', 'text-faint', 'accent-text', 'focus'])
      expect(rules[`--_${token}`]).toContain('var(--_text)')
    expect(rules['--_ring']).toBe('3px')
  })
})

it('lets the host scale text and radii', () => {
  expect(text('input').fontSize).toBe('calc(16px*var(--lk-text-scale,1))')
  expect(radius(12)).toBe('calc(12px*var(--lk-radius,1))')
})
