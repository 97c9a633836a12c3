import { describe, expect, it } from 'vitest'
import { derivePalette } from '../../styles/palette.ts'
import { themeRules } from '../../styles/theme.ts'
import { media } from '../../styles/tokens.ts'

describe('themeRules', () => {
  const light = derivePalette('#12A594', 'light')
  const dark = derivePalette('#12A594', 'dark')
  const conditions = (rules: readonly string[]) =>
    rules.filter((rule) => rule.startsWith('@')).map((rule) => rule.slice(0, rule.indexOf('{')))
  const under = (rules: readonly string[], condition: string) =>
    rules.find((rule) => rule.startsWith(condition)) ?? ''

  it('gives each token the value of the host, and the derived one where the host has none', () => {
    const [own] = themeRules('.a', { accent: '#12A594', theme: 'light' })
    for (const [token, value] of Object.entries(light).filter(
      ([token]) => !/^accent-(hover|pressed)$/.test(token),
    ))
      expect(own).toContain(`;--_${token}:var(--lk-${token},${value});`)
    for (const token of ['accent-hover', 'accent-pressed'] as const)
      expect(own).toContain(`;--_${token}:var(--lk-${token},var(--_${token}-mix,${light[token]}));`)
  })

  it('follows the system in auto, and nobody else', () => {
    const auto = themeRules('.a', { accent: '#12A594', theme: 'auto' })
    expect(auto[0]).toContain(`--_surface:var(--lk-surface,${light.surface})`)
    const inDark = under(auto, media.dark)
    expect(inDark).toContain(`--_surface:var(--lk-surface,${dark.surface})`)
    expect(inDark).toContain('color-scheme:dark')
    for (const theme of ['light', 'dark'] as const)
      expect(conditions(themeRules('.a', { theme }))).not.toContain(media.dark)
  })

  it('takes the accent of the page for the whole theme, and then for no single colour', () => {
    expect(themeRules('.a', { theme: 'light', derived: true })[0]).toContain('--lk-accent:initial')
    expect(themeRules('.a', { theme: 'light' })[0]).not.toContain('--lk-accent:initial')
  })

  it('takes system colours where colours are forced', () => {
    const forced = under(themeRules('.a', { theme: 'auto' }), media.forced)
    expect(forced).toContain('--_surface:Canvas')
    expect(forced).toContain('--_focus:Highlight')
  })

  it('strengthens edges, quiet text and the focus ring for more contrast, after the scheme and before forced colours', () => {
    const rules = themeRules('.a', { theme: 'auto' })
    expect(conditions(rules)).toEqual([media.dark, media.contrast, media.forced])
    const stronger = under(rules, media.contrast)
    for (const token of ['border', 'border-strong', 'text-muted', 'text-faint', 'accent-text', 'focus'])
      expect(stronger).toMatch(new RegExp(`--_${token}:[^;]*var\\(--_text\\)`))
    expect(stronger).toContain('--_ring:3px')
  })
})
