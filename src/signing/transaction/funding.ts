/** Funding in the middle of a review. The kit brings it: the room of funding is built on this one. */
import { isTurnedBack } from '../../dialog/stage.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { within } from '../../lib/clock.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import { signingLimits } from '../limits.ts'
import type { TransactionPreview } from '../preview.ts'

/** Funds that a wallet lacks for a transaction. */
export interface Shortage {
  /** Contract or mint; `undefined` for the network's own coin. */
  readonly token?: string | undefined
  /** In smallest units; `undefined` where only the fact is known. */
  readonly missing?: bigint | undefined
}

/** The app's offer to fund one wallet on one network. */
export interface FundingOffer {
  /** Says if some method brings what is missing. */
  covers(shortage: Shortage): boolean
  /**
   * Has the user fund the wallet. Resolves when they come back, whether or not anything has come.
   * @throws Closed when the user leaves it without the way back
   */
  add(cx: WalletFlow, shortage: Shortage): Promise<void>
}

export interface TransactionFunding {
  /** Loads the offer; `undefined` where the app has none for this wallet and network. */
  load(): Promise<FundingOffer | undefined>
}

/** Loads an offer, without which a review displays all the same: one that is late or can't be loaded is none. */
export async function loadOffer(
  { clock }: Pick<WalletFlow, 'clock'>,
  funding: TransactionFunding | undefined,
  signal: AbortSignal,
): Promise<FundingOffer | undefined> {
  if (!funding) return undefined
  try {
    return await within(clock, signingLimits.fundingWait, () => funding.load(), signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** Funds that the wallet of a preview lacks: its coin first, which also pays the fee of what is about a token. */
export function shortageOf(preview: TransactionPreview): Shortage | undefined {
  const { isUnderfunded, missing = 0n, total, balance, tokenShortage } = preview
  if (!isUnderfunded) return tokenShortage && { token: tokenShortage.token, missing: tokenShortage.missing }
  // The total has its fee rounded up, as it is displayed.
  const difference = total !== undefined && balance !== undefined ? total - balance : 0n
  const most = difference > missing ? difference : missing
  return most > 0n ? { missing: most } : {}
}

/**
 * Leads the user into funding and back. A failure is reported, and leads back as well: what is missing is displayed there.
 * @throws Closed when the user closes the dialog
 */
export async function addFunds(
  cx: WalletFlow,
  offer: FundingOffer | undefined,
  shortage: Shortage,
): Promise<void> {
  try {
    await offer?.add(cx, shortage)
  } catch (cause) {
    cx.stage.signal.throwIfAborted()
    if (!isTurnedBack(cause)) cx.report(toKitError(cause))
  }
}
