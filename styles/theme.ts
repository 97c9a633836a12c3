import { defaultAccent, derivePalette, type Scheme } from './palette.ts'
import { sans } from './scale.ts'
import { color, media, property } from './tokens.ts'

export interface ThemeOptions {
  /** A CSS hex colour; ours if it isn't one. */
  accent?: string | undefined
  theme: 'auto' | 'light' | 'dark'
}

/**
 * The rules of a theme for the root element of a shadow tree: an end to all styles that the page would hand down, and the custom
 * properties (see {@link property}). `derived`: the accent comes from the page's `--lk-accent`, which then stands for the whole
 * theme and for no single colour.
 */
export function themeRules(
  selector: string,
  { accent = defaultAccent, theme, derived }: ThemeOptions & { derived?: boolean },
): string[] {
  const rule = (declarations: string, pseudo = '') => `${selector}${pseudo}{${declarations}}`
  const within = (condition: string, declarations: string) => `${condition}{${rule(declarations)}}`
  const own = [
    'all:initial;display:contents',
    ...(derived ? ['--lk-accent:initial'] : []),
    ...Object.entries(shades).map(([token, mix]) => `${shadeOf(token)}:${mix}`),
    scheme(accent, theme === 'dark' ? 'dark' : 'light'),
    `font-family:var(--lk-font,${sans})`,
  ]
  return [
    rule(own.join(';')),
    ...(theme === 'auto' ? [within(media.dark, scheme(accent, 'dark'))] : []),
    within(media.contrast, moreContrast),
    within(media.forced, forcedColours),
    rule('--_lead:2px;--_track:0', ':is(:lang(ar),:lang(fa),:lang(ur))'),
  ]
}

const shadows: Record<Scheme, readonly string[]> = {
  light: [
    '0 1px 2px rgb(0 0 0/.06)',
    '0 1px 3px rgb(0 0 0/.08),0 6px 16px rgb(0 0 0/.1)',
    '0 8px 24px -8px rgb(0 0 0/.16),0 24px 64px -12px rgb(0 0 0/.28)',
  ],
  dark: [
    'inset 0 1px 0 rgb(255 255 255/.05)',
    `0 8px 20px rgb(0 0 0/.45),0 0 0 1px ${color('border')}`,
    `0 24px 64px rgb(0 0 0/.6),0 0 0 1px ${color('border')}`,
  ],
}

/** Shades of a fill that the host set itself; without one they are invalid, and the derived shades apply. */
const shades: Record<string, string> = {
  'accent-hover': 'color-mix(in oklab,var(--lk-accent),#000 8%)',
  'accent-pressed': 'color-mix(in oklab,var(--lk-accent),#000 16%)',
}
const shadeOf = (token: string) => property(`${token}-mix`)

function scheme(accent: string, name: Scheme): string {
  const values: [string, string][] = Object.entries(derivePalette(accent, name))
  shadows[name].forEach((value, i) => {
    values.push([`shadow-${i + 1}`, value])
  })
  const resolved = values.map(([token, value]) => {
    const own = shades[token] ? `var(${shadeOf(token)},${value})` : value
    return `${property(token)}:var(--lk-${token},${own})`
  })
  return [`color-scheme:${name}`, ...resolved].join(';')
}

/** Declarations for the tokens that have the same value. */
const named = (tokens: Record<string, string>): string =>
  Object.entries(tokens)
    .flatMap(([value, names]) => names.split(' ').map((name) => `${property(name)}:${value}`))
    .join(';')

/**
 * For a person who asks for more contrast: what is quiet comes nearer to the text, and a fill without an edge gets one.
 * Mixed from the colour of the text and a grey, so that it holds for both schemes, and for those of a host.
 */
const moreContrast = named({
  'color-mix(in oklab,var(--_text),#888 50%)': 'border border-strong',
  'var(--_text)': 'text-muted text-faint accent-text focus',
  'var(--_border)': 'edge',
  '3px': 'ring',
})

/**
 * Fills vanish by themselves with forced colours; these rules reach what the browser does not force, such as
 * strokes.
 */
const forcedColours = named({
  Canvas: 'surface surface-sunken surface-raised fill-hover fill-pressed',
  CanvasText: 'text text-muted text-faint border border-strong success warning danger',
  ButtonFace: 'accent accent-hover accent-pressed danger-solid danger-solid-hover danger-solid-pressed',
  ButtonText: 'on-accent on-danger accent-edge',
  Highlight: 'focus',
  LinkText: 'accent-text',
})
