import { create } from 'qrcode/lib/core/qrcode.js'
import { outline } from './outline.ts'

export interface QrCode {
  /** Modules on each side. */
  readonly size: number
  /** One for each dark module, line by line. */
  readonly dark: ArrayLike<number>
  /** All dark modules as the data of one SVG path, one unit to a module. */
  readonly path: string
}

/**
 * The QR code of a text, error correction Q.
 * @param atLeast modules on each side; a short text gets a larger code than it needs
 * @throws Error when the text is longer than any code holds
 */
export function qrCode(text: string, atLeast = 0): QrCode {
  const fitting = create(text, { errorCorrectionLevel: 'Q' })
  // A code of version n has 17 + 4n modules on each side.
  const version = Math.ceil((atLeast - 17) / 4)
  const { modules } =
    version > fitting.version ? create(text, { errorCorrectionLevel: 'Q', version }) : fitting
  return { size: modules.size, dark: modules.data, path: outline(modules.data, modules.size) }
}
