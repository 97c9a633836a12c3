/** Fees that a user chooses in the vault's review, out of the levels that the vault's own server names. */
import { feeSpeeds } from '../../../ethereum/fees.ts'
import type { CompleteTransaction, TransactionRequest } from '../../../ethereum/transaction.ts'
import type { EditableFees, OwnFees, TransactionPreview } from '../../../signing/preview.ts'
import type { NetworkFee } from '../../../solana/fees.ts'
import type { ServerPreview } from '../../server/preview.ts'

/**
 * The fees of a preview, as far as they can be chosen. `undefined` where the server names no levels of the transaction's type.
 * @param brought the request as the page has brought it
 * @param beside what the chain takes for layer 1
 */
export function toEditableFees(
  transaction: CompleteTransaction,
  brought: TransactionRequest,
  { prepared }: ServerPreview,
  beside: bigint,
): EditableFees | undefined {
  const { gasLimit } = transaction
  const levels = prepared?.levels
  const own = feesOf(transaction)
  if (!levels || !feeSpeeds.every((speed) => isSameKind(levels[speed], own))) return undefined
  const distinct = feeSpeeds.filter((speed) => speed === 'usual' || !isSame(levels[speed], levels.usual))
  return {
    chosen:
      distinct.find((speed) => isSame(levels[speed], own)) ??
      (isSame(feesOf(brought), own) ? 'asked' : 'own'),
    levels: distinct.map((speed) => ({
      speed,
      fee: gasLimit * mostPerGas(levels[speed]) + beside,
      perGas: levels[speed],
    })),
    own,
  }
}

/**
 * The priority fees of a Solana transaction, as far as they can be chosen. `undefined` where the server names none.
 * @param fee of the bytes that are reviewed
 */
export function toEditablePriority(
  { total, priority }: Pick<NetworkFee, 'total' | 'priority'>,
  { prepared }: ServerPreview,
): EditableFees | undefined {
  const levels = prepared?.levels
  if (!levels) return undefined
  const named = feeSpeeds.flatMap((speed) => {
    const perGas = levels[speed]
    return 'priority' in perGas ? [{ speed, perGas, fee: total - priority + perGas.priority }] : []
  })
  const usual = named.find(({ speed }) => speed === 'usual')
  if (named.length < feeSpeeds.length || !usual) return undefined
  const distinct = named.filter((each) => each === usual || each.fee !== usual.fee)
  return {
    chosen: distinct.find(({ perGas }) => perGas.priority === priority)?.speed ?? 'asked',
    levels: distinct,
    own: { priority },
  }
}

/** The fees per gas of an answer; `undefined` for one that chooses no fees, or none that were displayed. */
export function chosenFees(answer: object, { fees }: TransactionPreview): OwnFees | undefined {
  const { edited } = answer as { readonly edited?: { readonly fees?: unknown } }
  const chosen = edited?.fees
  if (!fees || chosen === undefined) return undefined
  if (typeof chosen === 'string') return fees.levels.find(({ speed }) => speed === chosen)?.perGas
  const given = Object.entries(fees.own).map(([name]) => [name, (chosen as Record<string, unknown>)[name]])
  return given.every(([, amount]) => typeof amount === 'bigint')
    ? (Object.fromEntries(given) as unknown as OwnFees)
    : undefined
}

const feesOf = ({ gasPrice, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n }: TransactionRequest): OwnFees =>
  gasPrice === undefined ? { maxFeePerGas, maxPriorityFeePerGas } : { gasPrice }

const mostPerGas = (fees: OwnFees) =>
  'gasPrice' in fees ? fees.gasPrice : 'maxFeePerGas' in fees ? fees.maxFeePerGas : 0n

const isSameKind = (one: OwnFees, other: OwnFees) =>
  Object.keys(one).sort().join() === Object.keys(other).sort().join()

const isSame = (one: OwnFees, other: OwnFees) =>
  mostPerGas(one) === mostPerGas(other) && tipOf(one) === tipOf(other)
const tipOf = (fees: OwnFees) => ('maxPriorityFeePerGas' in fees ? fees.maxPriorityFeePerGas : 0n)
