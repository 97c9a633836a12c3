import type { CSSObject } from '@emotion/react'
import type { TokenName } from './palette.ts'
import { motion, panel, type Radius, type TextStyle, type } from './scale.ts'

export type { TokenName } from './palette.ts'
export { mono, motion } from './scale.ts'

/**
 * How a host themes the kit. Components read private properties (`--_accent`), which the theme sets to
 * `var(--lk-accent, <derived>)`. So any `--lk-<token>` that the host sets, on the element or above it, wins
 * over the derived value without `!important`, whatever the order of the sheets. Hosts can set the accent
 * (all colours follow, contrast included), single tokens, or parts. Also read: `--lk-radius` (factor for all
 * radii), `--lk-font`, `--lk-text-scale`.
 */
export const property = (name: string): string => `--_${name}`

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
  /** A line of a drawer, or of the vault's frame, holds few words, because the text is large. */
  tight: '@container (width<16em)',
} as const
