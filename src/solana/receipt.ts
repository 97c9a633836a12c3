import type { BalanceChange, BalanceChanges } from './balance-changes.ts'
import { LAMPORT_DECIMALS } from './clusters.ts'
import { readFailure, type TransactionFailure, withRaiser } from './failures.ts'
import type { DecodedMessage } from './message.ts'
import { listOf, natural, recordOf, textOf, unreadable } from './queries.ts'
import type { RpcOptions, SolanaRpc } from './rpc.ts'

/** What has become of a transaction, from the network's own record. */
export interface SolanaReceipt {
  readonly signature: string
  readonly slot: bigint
  /** Seconds since the epoch. */
  readonly time: number | undefined
  /** In lamports, paid by the first account. */
  readonly fee: bigint
  readonly units: bigint | undefined
  readonly failure: TransactionFailure | undefined
  readonly logs: readonly string[]
  /** For the wallet, without the fee. */
  readonly out: readonly BalanceChange[]
  readonly in: readonly BalanceChange[]
}
/** A balance that has changed otherwise than the review had said. */
export interface BalanceDifference {
  /** `undefined`: lamports. */
  readonly mint: string | undefined
  /** What comes is positive, what leaves is negative. */
  readonly expected: bigint
  readonly actual: bigint
}

/** Fetches the receipt; `undefined` while the node has none. Throws like {@link SolanaRpc.ask}. */
export async function getReceipt(
  rpc: SolanaRpc,
  signature: string,
  { wallet, message, signal }: RpcOptions & { wallet: string; message: DecodedMessage },
): Promise<SolanaReceipt | undefined> {
  const config = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const answer = await rpc.ask('getTransaction', [signature, config], { signal })
  return answer === null || answer === undefined ? undefined : readReceipt(answer, signature, wallet, message)
}

function readReceipt(
  answer: unknown,
  signature: string,
  wallet: string,
  message: DecodedMessage,
): SolanaReceipt {
  const { slot, blockTime, meta } = recordOf(answer)
  const details = recordOf(meta)
  const { err, fee, preBalances, postBalances, logMessages, computeUnitsConsumed: units } = details
  const before = listOf(preBalances).map(natural)
  const after = listOf(postBalances).map(natural)
  if (before.length !== message.accounts.length || after.length !== before.length) throw unreadable()
  const paid = natural(fee)

  const sums = new Map<string | undefined, { amount: bigint; decimals: number | undefined }>()
  const own = message.accounts.findIndex(({ address }) => address === wallet)
  const lamports = own < 0 ? 0n : (after[own] ?? 0n) - (before[own] ?? 0n) + (own === 0 ? paid : 0n)
  sums.set(undefined, { amount: lamports, decimals: LAMPORT_DECIMALS })
  for (const [list, sign] of [
    [details.preTokenBalances, -1n],
    [details.postTokenBalances, 1n],
  ] as const)
    for (const each of listOf(list ?? [])) {
      const { owner, mint, uiTokenAmount } = recordOf(each)
      if (owner !== wallet) continue
      const { amount, decimals } = recordOf(uiTokenAmount)
      const name = textOf(mint)
      const sum = (sums.get(name)?.amount ?? 0n) + sign * natural(amount)
      sums.set(name, { amount: sum, decimals: Number(natural(decimals)) })
    }
  const changes = [...sums].map(([mint, rest]) => ({ mint, ...rest }))
  const logs = listOf(logMessages ?? []).map(textOf)
  return {
    signature,
    slot: natural(slot),
    time: typeof blockTime === 'number' ? blockTime : undefined,
    fee: paid,
    units: units === undefined || units === null ? undefined : natural(units),
    failure: err === null || err === undefined ? undefined : withRaiser(readFailure(err, message), logs),
    logs,
    out: changes.filter(({ amount }) => amount < 0n).map((each) => ({ ...each, amount: -each.amount })),
    in: changes.filter(({ amount }) => amount > 0n),
  }
}

/** Compares a receipt with what the review showed. Empty if the network did what was said. */
export function compareReceipt(
  expected: Pick<BalanceChanges, 'in' | 'out'>,
  receipt: Pick<SolanaReceipt, 'in' | 'out'>,
): readonly BalanceDifference[] {
  const sum = (changes: Pick<BalanceChanges, 'in' | 'out'>, mint: string | undefined) => {
    const total = (list: readonly BalanceChange[]) =>
      // A receipt says what the wallet itself has; what leaves its other accounts is no part of that.
      list.reduce(
        (all, each) => (each.mint === mint && each.account === undefined ? all + each.amount : all),
        0n,
      )
    return total(changes.in) - total(changes.out)
  }
  const mints = new Set(
    [...expected.in, ...expected.out, ...receipt.in, ...receipt.out].map((each) => each.mint),
  )
  return [...mints]
    .map((mint) => ({ mint, expected: sum(expected, mint), actual: sum(receipt, mint) }))
    .filter(({ expected: said, actual }) => said !== actual)
}
