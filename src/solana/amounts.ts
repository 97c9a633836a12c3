import { LAMPORT_DECIMALS } from './clusters.ts'

/** Decimals of SOL that a fee or a balance shows; less is `<0.001`. */
const SHOWN_DECIMALS = 3

/**
 * Writes lamports as SOL, rounded down to three decimals, for a quick look; what a user signs shows every digit elsewhere.
 * An amount too small for that is `<0.001`.
 */
export function formatSolBriefly(lamports: bigint): string {
  const unit = 10n ** BigInt(LAMPORT_DECIMALS - SHOWN_DECIMALS)
  const size = lamports < 0n ? -lamports : lamports
  const sign = lamports < 0n ? '-' : ''
  if (size > 0n && size < unit) return `${sign}<0.001`
  const thousandths = size / unit
  const whole = thousandths / 1_000n
  const rest = String(thousandths % 1_000n)
    .padStart(SHOWN_DECIMALS, '0')
    .replace(/0+$/, '')
  return `${sign}${whole}${rest && `.${rest}`}`
}
