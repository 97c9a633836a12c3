/** What the extensions of a mint of Token-2022 make of its amounts and transfers. What isn't known is refused. */
import { maxOf } from '../lib/bigint.ts'
import { isEndOfEpoch } from './clusters.ts'
import { TOKEN_2022_SIZE, TOKEN_SIZE } from './fees.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'
import { TOKEN_2022_PROGRAM } from './programs/token-2022.ts'
import type { AccountState } from './queries.ts'
import { isScale, type TokenScale } from './token-scale.ts'
import { addressAt, extensionsIn, isWholeIn } from './token-state.ts'

/** Reasons why a transfer of a token can't be made out of a recipient and an amount alone. */
export type TokenRefusal =
  /** A program of the issuer runs with each transfer, and asks for accounts of its own. */
  | 'token-hook'
  /** The amounts that people see change with the time. */
  | 'token-interest'
  | 'token-non-transferable'
  | 'token-confidential'
  | 'token-paused'
  /** It has an extension that isn't known, or that can't be read. */
  | 'token-unknown'

/** The rules of a token. */
export interface TokenRules {
  /** `undefined`: nobody can say how its amounts are displayed. */
  readonly scale: TokenScale | undefined
  /** What is withheld from whatever arrives; `undefined`: nothing, or nobody can say it. */
  readonly transferFee?: TransferFee | undefined
  readonly refusal?: TokenRefusal | undefined
  /** The bytes of an associated account. */
  readonly accountSize: number
  /** New accounts can't take anything before the issuer allows it. */
  readonly beginsFrozen: boolean
}

/** A part of each transfer that its recipient doesn't get. */
export interface TransferFee {
  /** Hundredths of a percent. */
  readonly basisPoints: number
  /** In the units that the network moves. */
  readonly maximum: bigint
}

/** What the token program withholds from a transfer of this amount. */
export function feeOf(amount: bigint, { basisPoints, maximum }: TransferFee): bigint {
  const part = (amount * BigInt(basisPoints) + (WHOLE - 1n)) / WHOLE
  return part < maximum ? part : maximum
}
const WHOLE = 10_000n

/** The network's time. */
export interface NetworkTime {
  /** Since 1970. */
  readonly seconds: bigint
  readonly epoch: bigint
  /** The epoch that may have begun by the time at which a transaction of now lands. */
  readonly landingEpoch: bigint
}
/** Holds the network's time. */
export const CLOCK_ACCOUNT = 'SysvarC1ock11111111111111111111111111111111'
const CLOCK_PROGRAM = 'Sysvar1111111111111111111111111111111111111'
const EPOCH_AT = 16
const TIME_AT = 32

/** The network's time, as the account of its clock says it. */
export function readNetworkTime(account: AccountState | undefined): NetworkTime | undefined {
  if (account?.owner !== CLOCK_PROGRAM || account.data.length < TIME_AT + 8) return undefined
  const view = viewOf(account.data)
  const epoch = view.getBigUint64(EPOCH_AT, true)
  return {
    seconds: view.getBigInt64(TIME_AT, true),
    epoch,
    landingEpoch: isEndOfEpoch(view.getBigUint64(0, true)) ? epoch + 1n : epoch,
  }
}

const FROZEN = 2
/** Extensions that change neither amounts nor transfers: names, groups, roles, and what confidential transfers alone are about. */
const harmless: readonly number[] = [3, 4, 12, 16, 18, 19, 20, 21, 22, 23]
/** The bytes that an associated account has for an extension of its mint, with type and length. */
const accountSizes: Readonly<Record<number, number>> = { 1: 12, 9: 4, 14: 5, 26: 4 }

/**
 * Reads the rules of a mint.
 * @param time the network's; `undefined` if it isn't known
 */
export function readTokenRules(
  { owner, data }: Pick<AccountState, 'owner' | 'data'>,
  time: NetworkTime | undefined,
): TokenRules {
  if (owner !== TOKEN_2022_PROGRAM) return { scale: 1, accountSize: TOKEN_SIZE, beginsFrozen: false }
  const extensions = extensionsIn(data)
  const isWhole = isWholeIn(data)
  let scale: TokenScale | undefined = isWhole ? 1 : undefined
  let transferFee: TransferFee | undefined
  let beginsFrozen = false
  let refusal: TokenRefusal | undefined = isWhole ? undefined : 'token-unknown'
  /** What one extension says of amounts is undone by another that isn't known. */
  const scaleBy = (by: TokenScale | undefined) => {
    scale = scale === undefined ? undefined : by
  }
  const refuse = (reason: TokenRefusal) => {
    refusal ??= reason
  }
  for (const { type, data: content } of extensions) {
    if (type === SCALED) {
      const multiplier = multiplierOf(content, time)
      scaleBy(multiplier)
      if (multiplier === undefined) refuse('token-unknown')
    } else if (type === INTEREST) {
      scaleBy(interestOf(content, time))
      refuse('token-interest')
    } else if (type === TRANSFER_FEE) {
      transferFee = transferFeeOf(content, time)
      if (!transferFee) refuse('token-unknown')
    } else if (type === HOOK) {
      // Without a program nothing runs, and the issuer may name one later.
      if (content.length !== 64) refuse('token-unknown')
      else if (addressAt(content, 32) !== SYSTEM_PROGRAM) refuse('token-hook')
    } else if (type === PAUSABLE) {
      if (content.length !== 33) refuse('token-unknown')
      else if (content[32] !== 0) refuse('token-paused')
    } else if (type === NON_TRANSFERABLE) refuse('token-non-transferable')
    else if (type === CONFIDENTIAL_MINT) refuse('token-confidential')
    else if (type === DEFAULT_STATE) beginsFrozen = content[0] === FROZEN
    else if (!harmless.includes(type)) {
      // It may be about amounts as well.
      scaleBy(undefined)
      refuse('token-unknown')
    }
  }
  const added = extensions.reduce((sum, { type }) => sum + (accountSizes[type] ?? 0), 0)
  return { scale, transferFee, refusal, accountSize: TOKEN_2022_SIZE + added, beginsFrozen }
}

const TRANSFER_FEE = 1
const DEFAULT_STATE = 6
const NON_TRANSFERABLE = 9
const INTEREST = 10
const HOOK = 14
const CONFIDENTIAL_MINT = 24
const SCALED = 25
const PAUSABLE = 26

const viewOf = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength)

/** An authority, the multiplier, and from when on which other one takes its place. */
function multiplierOf(content: Uint8Array, time: NetworkTime | undefined): TokenScale | undefined {
  if (content.length !== 56) return undefined
  const view = viewOf(content)
  const now = view.getFloat64(32, true)
  const from = view.getBigInt64(40, true)
  const next = view.getFloat64(48, true)
  if (now === next || from <= 0n) return scaleOf(next)
  return time && scaleOf(time.seconds >= from ? next : now)
}

const scaleOf = (value: number): TokenScale | undefined => (isScale(value) ? value : undefined)

/** Two authorities and the sum that was withheld; then the fee until an epoch, and the one from then on: each epoch, maximum and rate. */
function transferFeeOf(content: Uint8Array, time: NetworkTime | undefined): TransferFee | undefined {
  if (content.length !== 108) return undefined
  const view = viewOf(content)
  const feeAt = (at: number) => ({
    from: view.getBigUint64(at, true),
    maximum: view.getBigUint64(at + 8, true),
    basisPoints: view.getUint16(at + 16, true),
  })
  const [older, newer] = [feeAt(72), feeAt(90)]
  const isSame = older.maximum === newer.maximum && older.basisPoints === newer.basisPoints
  if (!isSame && !time) return undefined
  const { from: _, ...fee } = isSame || (time && time.epoch >= newer.from) ? newer : older
  if (!isSame && time && time.epoch < newer.from && time.landingEpoch >= newer.from)
    // It may be either by then: whichever takes more.
    return asFee({
      basisPoints: Math.max(older.basisPoints, newer.basisPoints),
      maximum: maxOf(older.maximum, newer.maximum),
    })
  return asFee(fee)
}

const asFee = (fee: TransferFee): TransferFee | undefined => (fee.basisPoints <= 10_000 ? fee : undefined)

/** Seconds of a year, and parts of a rate, as the token program has them. */
const INTEREST_PARTS = 31_556_736 * 10_000

/** Only displayed: it is another one in the next second. */
function interestOf(content: Uint8Array, time: NetworkTime | undefined): TokenScale | undefined {
  if (content.length !== 52 || !time) return undefined
  const view = viewOf(content)
  const began = view.getBigInt64(32, true)
  const before = view.getInt16(40, true)
  const updated = view.getBigInt64(42, true)
  const rate = view.getInt16(50, true)
  const grown = before * Number(updated - began) + rate * Number(time.seconds - updated)
  return scaleOf(Math.exp(grown / INTEREST_PARTS))
}
