import type { ExportColor } from '../../protocol/frame/export.ts'

/** Red, green and blue, 0 to 255, of a colour that nothing shines through. */
export type Rgb = readonly [number, number, number]
export type HostColors = Partial<Record<ExportColor, Rgb>>

/** WCAG 2.2, 1.4.3. */
const READABLE = 4.5
const black: Rgb = [0, 0, 0]
const white: Rgb = [255, 255, 255]

/**
 * The custom properties of the host's theme. Without a background nothing is set, and the sheet falls back to the
 * system's own colours. What could not be read is replaced: no theme may hide what is written here.
 */
export function themeOf(host: HostColors): Readonly<Record<string, string>> {
  const { background, accent } = host
  if (!background) return {}
  const text = inkOn(background)
  const surface =
    host.background2 && contrast(host.background2, text) >= READABLE ? host.background2 : background
  const readable = (color: Rgb | undefined) =>
    color && [background, surface].every((under) => contrast(color, under) >= READABLE) ? color : text
  const fill = accent ?? text
  const fillHover = host.accentDark ?? fill
  const onFill = host.foregroundAccent
  const ink = onFill && contrast(onFill, fill) >= READABLE ? onFill : inkOn(fill)
  const colors: Record<string, Rgb> = {
    background,
    surface,
    text,
    muted: readable(host.foreground3),
    accent: fill,
    'accent-hover': contrast(ink, fillHover) >= READABLE ? fillHover : fill,
    'on-accent': ink,
    success: readable(host.success),
  }
  return {
    'color-scheme': text === white ? 'dark' : 'light',
    ...Object.fromEntries(
      Object.entries(colors).map(([name, rgb]) => [`--${name}`, `rgb(${rgb.join(' ')})`]),
    ),
  }
}

const inkOn = (under: Rgb): Rgb => (contrast(black, under) >= contrast(white, under) ? black : white)

/** WCAG 2.2: contrast ratio of two colours. */
export function contrast(a: Rgb, b: Rgb): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}
const luminance = ([r, g, b]: Rgb) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
const linear = (channel: number) => {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
