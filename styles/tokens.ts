import type { CSSObject } from '@emotion/react'
import { defaultAccent, derivePalette, type Scheme, type TokenName } from './palette.ts'
import { motion, panel, type Radius, sans, type TextStyle, type } from './scale.ts'

export type { TokenName } from './palette.ts'
export { mono, motion } from './scale.ts'

/**
 * How a host themes the kit. Components read private properties (`--_accent`), which the theme sets to
 * `var(--lk-accent, <derived>)`. So any `--lk-<token>` that the host sets, on the element or above it, wins
 * over the derived value without `!important`, whatever the order of the sheets. Hosts can set the accent
 * (all colours follow, contrast included), single tokens, or parts. Also read: `--lk-radius` (factor for all
 * radii), `--lk-font`, `--lk-text-scale`.
 */
const property = (name: string) => `--_${name}`

/** The colour of a token. */
export const color = (name: TokenName) => `var(${property(name)})`
/** An elevation: 1 resting control, 2 menu, 3 panel. */
export const shadow = (step: 1 | 2 | 3) => `var(${property(`shadow-${step}`)})`
/** A radius of the scale, times the host's factor. */
export const radius = (step: Radius) => `calc(${step}px*var(--lk-radius,1))`
/** A transition of the given properties at the speed of hover and press. */
export const quick = (...names: string[]) =>
  names.map((name) => `${name} ${motion.fast} ${motion.ease}`).join()

/** A text style. Sizes follow the host's text scale; Arabic script gets no tracking and more line height. */
export function text(style: TextStyle): CSSObject {
  const [size, line, fontWeight, tracking] = type[style]
  return {
    fontSize: `calc(${size}px*var(--lk-text-scale,1))`,
    lineHeight: `calc(${line}px*var(--lk-text-scale,1) + var(--_lead,0px))`,
    fontWeight,
    letterSpacing: `calc(${tracking}em*var(--_track,1))`,
  }
}

export const tabular: CSSObject = { fontVariantNumeric: 'tabular-nums' }
/** Codes, addresses, hashes and typed data are left to right whatever surrounds them. */
export const isolated: CSSObject = { direction: 'ltr', unicodeBidi: 'isolate' }

/** The outline of what has the focus. */
export const ring = `var(--_ring,2px) solid ${color('focus')}`
/** The focus ring. `offset` is negative inside lists and fields, whose edges would cut it off. */
export const focusRing = (offset = 2): CSSObject => ({
  '&:focus-visible': { outline: ring, outlineOffset: offset },
})

/** For assistive technology only. */
export const hidden: CSSObject = {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
}

export const media = {
  /** Only for pointers that can hover: a touch would leave the hover style behind. */
  hover: '@media (hover:hover) and (pointer:fine)',
  coarse: '@media (pointer:coarse)',
  reduced: '@media (prefers-reduced-motion:reduce)',
  forced: '@media (forced-colors:active)',
  contrast: '@media (prefers-contrast:more)',
  dark: '@media (prefers-color-scheme:dark)',
  drawer: `@media (max-width:${panel.drawerUpTo}px)`,
  /** A line of the panel holds few words, because the text is large. */
  tight: '@container (width<16em)',
} as const

export interface ThemeOptions {
  /** A CSS hex colour; ours if it isn't one. */
  accent?: string | undefined
  theme: 'auto' | 'light' | 'dark'
}

/**
 * The custom properties of a theme, to be set on the root element of a shadow tree (see {@link property}).
 */
export function themeVariables({ accent = defaultAccent, theme }: ThemeOptions): CSSObject {
  return {
    ...Object.fromEntries(Object.entries(shades).map(([token, mix]) => [shadeOf(token), mix])),
    ...scheme(accent, theme === 'dark' ? 'dark' : 'light'),
    ...(theme === 'auto' && { [media.dark]: scheme(accent, 'dark') }),
    [media.contrast]: moreContrast,
    [media.forced]: forcedColours,
    fontFamily: `var(--lk-font,${sans})`,
    '&:lang(ar),&:lang(fa),&:lang(ur)': { '--_lead': '2px', '--_track': 0 },
  }
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
const resolve = (token: string, value: string) =>
  `var(--lk-${token},${shades[token] ? `var(${shadeOf(token)},${value})` : value})`

function scheme(accent: string, name: Scheme): CSSObject {
  const values: [string, string][] = Object.entries(derivePalette(accent, name))
  shadows[name].forEach((value, i) => {
    values.push([`shadow-${i + 1}`, value])
  })
  return {
    colorScheme: name,
    ...Object.fromEntries(values.map(([token, value]) => [property(token), resolve(token, value)])),
  }
}

/** The properties of the tokens that have the same value. */
const named = (tokens: Record<string, string>): CSSObject =>
  Object.fromEntries(
    Object.entries(tokens).flatMap(([value, names]) =>
      names.split(' ').map((name) => [property(name), value]),
    ),
  )
/**
 * For a person who asks for more contrast: what is quiet comes nearer to the text, and a fill without an edge gets one.
 * Mixed from the colour of the text and a grey, so that it holds for both schemes, and for those of a host.
 */
const moreContrast = named({
  'color-mix(in oklab,var(--_text),#888 50%)': 'border border-strong',
  'color-mix(in oklab,var(--_text),#888 15%)': 'text-muted text-faint',
  'var(--_text)': 'accent-text focus',
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
