import { feeConcern } from '../lib/fee-concern.ts'
import { InvalidRequest } from '../lib/invalid-request.ts'
import type { SolanaAction } from './actions.ts'
import type { BalanceChanges } from './balance-changes.ts'
import { parseBase58 } from './base58.ts'
import { decodeActions } from './decode.ts'
import { readEffects } from './effects.ts'
import type { TokenShortage } from './failures.ts'
import { networkFee, newAccounts, type SolanaCost, solanaFeeLimits } from './fees.ts'
import { areEqual, type DecodedMessage, decodeMessage } from './message.ts'
import type { TokenFigures } from './token-figures.ts'
import { withTokenFacts } from './token-state.ts'
import {
  assess,
  explains,
  type Gain,
  judgedEffects,
  type SolanaWarning,
  type WarningContext,
} from './warnings.ts'

/** What a review displays of a transaction. Whatever needs a node's answer is absent until there is one. */
export interface SolanaReview {
  readonly wallet: string
  readonly actions: readonly SolanaAction[]
  readonly warnings: readonly SolanaWarning[]
  /** The address that pays the fee, if it isn't the wallet. */
  readonly sponsor: string | undefined
  readonly cost: Pick<SolanaCost, 'fee' | 'isPayer' | 'sent'> &
    Partial<Pick<SolanaCost, 'rent' | 'deposits' | 'total' | 'balanceBefore' | 'shortage'>>
  readonly balanceChanges?: BalanceChanges | undefined
  /** Token metadata from nodes, by mint. */
  readonly tokens?: Readonly<Record<string, TokenFigures>> | undefined
  /** The token that the wallet has too little of. */
  readonly tokenShortage?: TokenShortage | undefined
}

/** What a trial run has shown, where there was one. */
export interface Trial extends Pick<WarningContext, 'isTried' | 'isWaiting' | 'now' | 'epoch'> {
  /** Whoever may take or control what afterwards. */
  readonly gained?: readonly Gain[] | undefined
}

/**
 * Reviews a message by its own bytes alone, before any node has answered, or where none is believed. Throws an `InvalidRequest`
 * for a fee that nobody means.
 */
export function reviewMessage(
  message: DecodedMessage,
  wallet: string,
  { isTried, isWaiting, now, epoch, gained = [] }: Trial = {},
): SolanaReview {
  const actions = withTokenFacts(decodeActions(message), new Map())
  const fee = networkFee(message, actions, undefined)
  const isPayer = message.payer === wallet
  const bare = readEffects(actions, { wallet, now, epoch })
  const isExplained = gained.every((each) => explains(bare, each))
  const context = { wallet, now, epoch, isWaiting, isTried: isTried === true && isExplained }
  const { sent, kept, stored } = judgedEffects(actions, context).effects
  const concern = isPayer ? feeConcern(fee.total, sent, solanaFeeLimits) : undefined
  const created = newAccounts(actions, wallet)
  // Only a network says what an account of tokens costs.
  const rent = created.some(({ lamports }) => lamports === undefined) ? undefined : kept + stored
  return {
    wallet,
    actions,
    warnings: assess(message, actions, { ...context, feeConcern: concern }),
    sponsor: isPayer ? undefined : message.payer,
    cost: {
      fee,
      isPayer,
      sent,
      ...(rent !== undefined && { rent, total: sent + rent + (isPayer ? fee.total : 0n) }),
    },
  }
}

/**
 * Reads bytes that a wallet is asked to sign as a message: `undefined` if they are no transaction of any form. Throws an
 * {@link InvalidRequest} for a transaction that needs no signature of the wallet, and for bytes that another program could read
 * as a transaction of the wallet.
 */
export function readSignableMessage(bytes: Uint8Array, wallet: string): DecodedMessage | undefined {
  let message: DecodedMessage
  try {
    message = decodeMessage(bytes)
  } catch (cause) {
    if (!(cause instanceof InvalidRequest) || namesAccount(bytes, wallet)) throw cause
    return undefined
  }
  if (!message.signers.includes(wallet))
    throw new InvalidRequest(`Transaction does not contain public key ${wallet}`)
  return message
}

const KEY_SIZE = 32
const HEADER_SIZE = 3
/** The first byte of a message of version 0; higher ones begin messages of later versions, and no text of UTF-8 up to 0xbf. */
const VERSION_0 = 0x80
const LAST_CONTINUATION = 0xbf

/** Whether bytes hold the wallet's key where a message has its accounts, however the rest is written. */
function namesAccount(bytes: Uint8Array, wallet: string): boolean {
  const key = parseBase58(wallet, KEY_SIZE)
  if (!key) return false
  const [first = 0] = bytes
  const isKeyAt = (at: number) => areEqual(bytes.subarray(at, at + KEY_SIZE), key)
  // The accounts of a later version are at another place.
  if (first > VERSION_0 && first <= LAST_CONTINUATION) return bytes.some((_, at) => isKeyAt(at))
  let at = (first === VERSION_0 ? 1 : 0) + HEADER_SIZE
  let count = 0
  for (let shift = 0; at < bytes.length; shift += 7) {
    const byte = bytes[at++] ?? 0
    count += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  for (let index = 0; index < count && at < bytes.length; index++, at += KEY_SIZE)
    if (isKeyAt(at)) return true
  return false
}
