/**
 * Derives a theme from one accent colour, in OKLCH. A colour outside sRGB loses chroma and keeps its
 * lightness and hue. Every pair of text and background keeps its contrast for every accent; a test walks a
 * grid of them.
 */
export type Scheme = 'light' | 'dark'
type Tone = 'success' | 'warning' | 'danger'
export type TokenName =
  | `surface${'' | '-sunken' | '-raised'}`
  | `fill-${'hover' | 'pressed'}`
  | `border${'' | '-strong'}`
  | `text${'' | '-muted' | '-faint'}`
  | `accent${'' | '-hover' | '-pressed' | '-edge' | '-subtle' | '-text'}`
  | `on-${'accent' | 'danger'}`
  | 'focus'
  | `${Tone}${'' | '-text' | '-subtle'}`
  | `danger-solid${'' | '-hover' | '-pressed'}`
  | 'scrim'

export const defaultAccent = '#4F56E0'

type Channels = readonly [red: number, green: number, blue: number]

/** A colour of sRGB, with channels from 0 to 255. Most are only tried, so nothing but their luminance is worked out at once. */
class Colour {
  /** WCAG relative luminance. */
  readonly luminance: number

  constructor(private readonly channels: Channels) {
    const [r, g, b] = channels
    this.luminance = 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b)
  }

  get hex(): string {
    const [r, g, b] = this.channels
    return `#${(0x1000000 + r * 65536 + g * 256 + b).toString(16).slice(1).toUpperCase()}`
  }
}
type Lch = readonly [lightness: number, chroma: number, hue: number]

const white = new Colour([255, 255, 255])
const ink = new Colour([11, 11, 15])
const step = 0.0025
const tones: readonly [Tone, chroma: number, hue: number][] = [
  ['success', 0.14, 152],
  ['warning', 0.13, 70],
  ['danger', 0.19, 25],
]

/**
 * Derives all colours of a scheme from an accent such as `#4F56E0`; anything but a hex colour gives the
 * default.
 */
export function derivePalette(accent: string, scheme: Scheme): Record<TokenName, string> {
  const light = scheme === 'light'
  const brand = toLch(accent)
  const grey = brand[1] < 0.02
  const n = grey ? 0 : 0.006
  const away = light ? -1 : 1
  const neutral = (l: number, c: number) => colour(l, c * n, brand[2])

  const surface = light ? white : neutral(0.205, 1.4)
  const sunken = light ? neutral(0.975, 0.6) : neutral(0.165, 1.2)
  const raised = light ? white : neutral(0.245, 1.5)
  const hover = light ? neutral(0.955, 0.7) : neutral(0.265, 1.6)
  const surfaces = [surface, sunken, raised]
  const texts = light ? [surface, sunken, hover] : [surface, raised, hover]

  // A grey that would vanish into the surface flips to ink or white.
  const own: Lch =
    grey && contrast(colour(...brand), surface) < 3 ? [light ? 0.22 : 0.965, brand[1], brand[2]] : brand
  const { fill, onFill, l } = solveFill(own)
  const melts = contrast(fill, surface) < 3
  const shift = (under: number, over: number) => {
    const moved = onFill === white ? l - under : l + 0.055 > 1 ? l - over : l + over
    // Black has no darker shade to show hovering.
    return colour(moved < 0 ? l + 0.15 + under : moved, own[1], own[2]).hex
  }
  const subtle = colour(light ? 0.965 : 0.27, Math.min(own[1], light ? 0.022 : 0.045), own[2])

  const palette: Partial<Record<TokenName, string>> = {
    surface: surface.hex,
    'surface-sunken': sunken.hex,
    'surface-raised': raised.hex,
    'fill-hover': hover.hex,
    'fill-pressed': (light ? neutral(0.925, 0.9) : neutral(0.3, 1.7)).hex,
    border: (light ? neutral(0.9, 0.9) : neutral(0.315, 1.7)).hex,
    'border-strong': solve([light ? 0.75 : 0.4, (light ? 1.5 : 2) * n, brand[2]], away, 3.1, surfaces).hex,
    text: (light ? neutral(0.22, 2) : neutral(0.965, 0.6)).hex,
    'text-muted': solve([light ? 0.65 : 0.55, 2 * n, brand[2]], away, light ? 5.2 : 5.6, texts).hex,
    'text-faint': solve([light ? 0.7 : 0.5, 2 * n, brand[2]], away, 4.6, texts).hex,
    accent: fill.hex,
    'accent-hover': shift(0.035, 0.03),
    'accent-pressed': shift(0.07, 0.055),
    'on-accent': onFill.hex,
    'accent-edge': melts ? solve(own, away, 3.1, surfaces).hex : 'transparent',
    'accent-subtle': subtle.hex,
    'accent-text': solve(own, away, 4.6, [...texts, sunken, subtle]).hex,
    focus: solve(own, away, 3.1, surfaces).hex,
    'danger-solid': '#D73337',
    'danger-solid-hover': '#CB242D',
    'danger-solid-pressed': '#BF1024',
    'on-danger': white.hex,
    scrim: light ? 'rgb(12 13 18/.45)' : 'rgb(0 0 0/.62)',
  }
  for (const [tone, chroma, hue] of tones) {
    const fill = colour(light ? 0.965 : 0.26, light ? 0.025 : 0.045, hue)
    palette[tone] = solve([light ? 0.8 : 0.6, chroma, hue], away, 3.1, [...surfaces, fill]).hex
    palette[`${tone}-text`] = solve([light ? 0.8 : 0.66, chroma, hue], away, 4.6, [...texts, fill]).hex
    palette[`${tone}-subtle`] = fill.hex
  }
  return palette as Record<TokenName, string>
}

/**
 * The accent itself where white is readable on it, at most 0.08 darker; else with ink, lightened if
 * necessary.
 */
function solveFill([l, c, h]: Lch): { fill: Colour; onFill: Colour; l: number } {
  const at = (lightness: number) => ({ fill: colour(lightness, c, h), l: lightness })
  const down = firstStep(0.08, 0, (by) => contrast(at(l - by).fill, white) >= 4.6)
  if (down !== undefined) return { ...at(l - down), onFill: white }
  const up = firstStep(1 - l, 0, (by) => contrast(at(l + by).fill, ink) >= 4.6) ?? 0
  return { ...at(l + up), onFill: ink }
}

/** The first colour on the way from `start` that has `ratio` on every background. */
function solve([l, c, h]: Lch, way: 1 | -1, ratio: number, grounds: readonly Colour[]): Colour {
  const at = (by: number) => colour(l + way * by, c, h)
  const end = way > 0 ? 1 - l : l
  const by = firstStep(end, way * (lightnessFor(way, ratio, grounds) - l), (distance) => {
    const found = at(distance)
    return grounds.every((ground) => contrast(found, ground) >= ratio)
  })
  return by === undefined ? colour(l + way * end, 0, h) : at(by)
}

/** About the lightness at which a colour begins to have `ratio` on every background: exact for greys, near for others. */
function lightnessFor(way: 1 | -1, ratio: number, grounds: readonly Colour[]): number {
  const limits = grounds.map(({ luminance }) => (luminance + 0.05) * ratio ** way - 0.05)
  return Math.cbrt(way > 0 ? Math.max(...limits) : Math.min(...limits))
}

/**
 * The smallest multiple of the step, up to `end`, at which a condition begins to hold. Each try costs a colour, so it is
 * looked for from a guess, in growing strides until it is enclosed, then by bisection.
 */
function firstStep(end: number, guess: number, holds: (distance: number) => boolean): number | undefined {
  const last = Math.round(end / step)
  let before = -1
  let from = last + 1
  let next = Math.min(last, Math.max(0, Math.round(guess / step)))
  for (let stride = 1; from - before > 1; stride *= 2) {
    if (holds(next * step)) from = next
    else before = next
    next = (before + from) >> 1
    if (before < 0) next = Math.max(from - stride, next)
    if (from > last) next = Math.min(before + stride, next)
  }
  return from > last ? undefined : from * step
}

/** WCAG 2 contrast of two colours. */
export function contrast(a: Pick<Colour, 'luminance'>, b: Pick<Colour, 'luminance'>): number {
  const [one, other] = [a.luminance + 0.05, b.luminance + 0.05]
  return one > other ? one / other : other / one
}

function colour(l: number, c: number, h: number): Colour {
  const angle = (h * Math.PI) / 180
  const [x, y] = [Math.cos(angle), Math.sin(angle)]
  let rgb = toRgb(l, c * x, c * y)
  if (!inside(rgb)) {
    let low = 0
    let high = c
    for (let i = 0; i < 12; i++) {
      const middle = (low + high) / 2
      if (inside(toRgb(l, middle * x, middle * y))) low = middle
      else high = middle
    }
    rgb = toRgb(l, low * x, low * y)
  }
  const [r, g, b] = rgb
  return new Colour([toChannel(r), toChannel(g), toChannel(b)])
}

/** WCAG relative luminance of `#RRGGBB`. */
export const luminance = (hex: string): number => new Colour(channelsOf(hex)).luminance

const inside = ([r, g, b]: Channels) =>
  r > -1e-4 && r < 1.0001 && g > -1e-4 && g < 1.0001 && b > -1e-4 && b < 1.0001

/** From OKLab to linear light. */
function toRgb(l: number, a: number, b: number): Channels {
  const x = (l + 0.396338 * a + 0.215804 * b) ** 3
  const y = (l - 0.105561 * a - 0.063854 * b) ** 3
  const z = (l - 0.089484 * a - 1.291486 * b) ** 3
  return [
    4.076742 * x - 3.307712 * y + 0.23097 * z,
    -1.268438 * x + 2.609757 * y - 0.341319 * z,
    -0.004196 * x - 0.703419 * y + 1.707615 * z,
  ]
}

function toChannel(light: number): number {
  const v = Math.min(1, Math.max(0, light))
  return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055))
}

function toLinear(channel: number): number {
  const v = channel / 255
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
}

function channelsOf(hex: string): Channels {
  const rgb = Number.parseInt(hex.slice(1), 16)
  return [rgb >> 16, (rgb >> 8) & 255, rgb & 255]
}

function toLch(hex: string): Lch {
  const long = hex.trim().replace(/^#(\w)(\w)(\w)$/, '#$1$1$2$2$3$3')
  const channels = channelsOf(/^#[\da-f]{6}$/i.test(long) ? long : defaultAccent)
  const [r = 0, g = 0, b = 0] = channels.map(toLinear)
  const x = Math.cbrt(0.412221 * r + 0.536333 * g + 0.051446 * b)
  const y = Math.cbrt(0.211903 * r + 0.6807 * g + 0.107397 * b)
  const z = Math.cbrt(0.088302 * r + 0.281719 * g + 0.629979 * b)
  const a = 1.977998 * x - 2.428592 * y + 0.450594 * z
  const c = 0.025904 * x + 0.782772 * y - 0.808676 * z
  return [
    0.210454 * x + 0.793618 * y - 0.004072 * z,
    Math.hypot(a, c),
    ((Math.atan2(c, a) * 180) / Math.PI + 360) % 360,
  ]
}
