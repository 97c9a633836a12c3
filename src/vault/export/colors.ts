import { exportColors } from '../../protocol/frame/export.ts'
import type { ExportRequest } from './request.ts'
import type { HostColors, Rgb } from './theme.ts'

/** Any notation of a colour, and nothing that reaches for something else: no `var()`, no `url()`, no keyword of a cascade. */
const COLOR =
  /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\([a-z\d\s.,%/+#()-]{1,96}\))$/i
const OUTSIDE = /var|env|attr|url|current|inherit|initial|unset|revert|transparent/i

/** The host's colours as numbers; what is no colour, or can be seen through, is left out. */
export function readColors(given: ExportRequest['colors'], page: Document): HostColors {
  const canvas = page.createElement('canvas')
  canvas.width = canvas.height = 1
  const paint = canvas.getContext('2d', { willReadFrequently: true })
  const read = (text: string): Rgb | undefined => {
    if (!paint || !COLOR.test(text) || OUTSIDE.test(text) || !CSS.supports('color', text)) return undefined
    paint.clearRect(0, 0, 1, 1)
    paint.fillStyle = text
    paint.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0, alpha = 0] = paint.getImageData(0, 0, 1, 1).data
    return alpha === 255 ? [r, g, b] : undefined
  }
  const found: HostColors = {}
  for (const name of exportColors) {
    const color = read(given[name] ?? '')
    if (color) found[name] = color
  }
  return found
}
