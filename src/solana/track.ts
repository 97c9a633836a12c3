import { base64 } from '@scure/base'
import type { Clock } from '../lib/clock.ts'
import { NodeError, Unreachable } from '../lib/node-errors.ts'
import { formatBase58 } from './base58.ts'
import { readFailure, type TransactionFailure } from './failures.ts'
import type { DecodedMessage } from './message.ts'
import type { TransactionLife } from './prepare.ts'
import { getAccounts, getProgress, getStatus, listOf, lookUpStatus, recordOf, textOf } from './queries.ts'
import type { SolanaRpc } from './rpc.ts'
import type { SignedTransaction } from './submit.ts'

export type TransactionStatus =
  /** The network may have it. */
  | { readonly status: 'sent' }
  | { readonly status: 'confirmed' | 'finalized'; readonly slot: bigint }
  | {
      readonly status: 'failed'
      readonly slot: bigint
      readonly failure: TransactionFailure
      readonly logs: readonly string[]
    }
  /** It can't land any more, so the same may be signed anew. */
  | { readonly status: 'expired' }
  /** The time is up, and nobody can say what has become of it: nothing may be signed in its place. */
  | { readonly status: 'unknown' }

/** Milliseconds between two looks at a transaction, from one resending to the next, and until nobody waits any more. */
const LOOK_EVERY = 1_000
const RESEND_EVERY = 4_000
const WAIT_AT_MOST = 180_000

export interface TrackOptions {
  readonly transaction: SignedTransaction
  readonly message: DecodedMessage
  readonly life: TransactionLife
  /** The last status that matters; those before it are reported as well. */
  readonly until?: 'confirmed' | 'finalized' | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Follows a transaction that was sent, and sends the same bytes again while no node has seen it. Each status is reported
 * once; a transaction that a fork has dropped is `sent` again. It always ends: with the last status, with `failed`,
 * `expired` or `unknown`, or by throwing the signal's reason.
 */
export async function* track(
  { rpc, clock }: { rpc: SolanaRpc; clock: Clock },
  { transaction, message, life, until = 'finalized', signal }: TrackOptions,
): AsyncGenerator<TransactionStatus, void, void> {
  const { signature } = transaction
  const end = clock.now() + WAIT_AT_MOST
  let resendAt = clock.now() + RESEND_EVERY
  let last: TransactionStatus['status'] = 'sent'
  yield { status: 'sent' }
  // Counts the looks too, in case the clock is set back.
  for (let look = 0; look < WAIT_AT_MOST / LOOK_EVERY && clock.now() < end; look++) {
    signal?.throwIfAborted()
    const found = await orNothing(getStatus(rpc, signature, { signal, withHistory: look === 0 }), signal)
    if (found.answer?.error !== undefined && found.answer.error !== null) {
      const logs = await logsOf(rpc, signature, signal)
      const failure = readFailure(found.answer.error, message)
      yield { status: 'failed', slot: found.answer.slot, failure, logs }
      return
    }
    const status = found.answer?.commitment
    if (found.answer && (status === 'confirmed' || status === 'finalized')) {
      if (status !== last) yield { status, slot: found.answer.slot }
      if (status === until || status === 'finalized') return
      last = status
    } else if (!found.answer && found.hasAnswer) {
      if (last !== 'sent') yield { status: 'sent' }
      last = 'sent'
      if (await isOver(rpc, signature, life, signal)) {
        yield { status: 'expired' }
        return
      }
      if (clock.now() >= resendAt) {
        resendAt = clock.now() + RESEND_EVERY
        await resend(rpc, transaction, signal)
      }
    }
    await clock.sleep(LOOK_EVERY, signal)
  }
  yield { status: 'unknown' }
}

/**
 * Whether a transaction that no node knows can't land any more. It may have landed in the last block that could hold it,
 * and the node that is asked next may be behind: so one counts that has looked as far as its life has lasted.
 */
async function isOver(
  rpc: SolanaRpc,
  signature: string,
  life: TransactionLife,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { answer: end } = await orNothing(endOf(rpc, life, signal), signal)
  if (!end) return false
  const withHistory = await orNothing(lookUpStatus(rpc, signature, { signal, withHistory: true }), signal)
  const { answer } =
    withHistory.hasAnswer || !end.isRecent
      ? withHistory
      : await orNothing(lookUpStatus(rpc, signature, { signal }), signal)
  return answer !== undefined && answer.status === undefined && answer.slot >= end.slot
}

/** Blocks that every node remembers the transactions of. */
const REMEMBERED = 100n

/** A slot by which the life of a transaction is over; `undefined` if it is not. */
async function endOf(
  rpc: SolanaRpc,
  life: TransactionLife,
  signal: AbortSignal | undefined,
): Promise<{ slot: bigint; isRecent: boolean } | undefined> {
  if (life.kind === 'blockhash') {
    const { slot, blockHeight } = await getProgress(rpc, { signal })
    const past = blockHeight - life.lastValidBlockHeight
    return past > 0n ? { slot, isRecent: past <= REMEMBERED } : undefined
  }
  const { slot, accounts } = await getAccounts(rpc, [life.account], { signal })
  const isUsed = readNonce(accounts.get(life.account)?.data) !== life.value
  return isUsed ? { slot, isRecent: false } : undefined
}

/** After a version, a state and an authority. */
const NONCE_AT = 40
const readNonce = (data: Uint8Array | undefined): string | undefined =>
  data && data.length >= NONCE_AT + 32 ? formatBase58(data.slice(NONCE_AT, NONCE_AT + 32)) : undefined

async function resend(
  rpc: SolanaRpc,
  { bytes }: SignedTransaction,
  signal: AbortSignal | undefined,
): Promise<void> {
  const config = { encoding: 'base64', skipPreflight: true, maxRetries: 0 }
  await orNothing(rpc.ask('sendTransaction', [base64.encode(bytes), config], { signal }), signal)
}

async function logsOf(
  rpc: SolanaRpc,
  signature: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const config = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const { answer } = await orNothing(
    rpc.ask('getTransaction', [signature, config], { signal }).then((value) => {
      if (value === null) return []
      const { logMessages } = recordOf(recordOf(value).meta)
      return listOf(logMessages ?? []).map(textOf)
    }),
    signal,
  )
  return answer ?? []
}

/** A look that got lost is followed by another one. */
async function orNothing<T>(
  answer: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<{ answer: T | undefined; hasAnswer: boolean }> {
  try {
    return { answer: await answer, hasAnswer: true }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof NodeError || cause instanceof Unreachable)
      return { answer: undefined, hasAnswer: false }
    throw cause
  }
}
