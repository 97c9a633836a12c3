/** Follows what was sent until it is settled. Success is said by a checked receipt of ours, and by nothing else. */

import { maxOf } from '../lib/bigint.ts'
import { type Clock, TimedOut, within } from '../lib/clock.ts'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { limits } from '../lib/limits.ts'
import { catchNodeError, LIMIT_EXCEEDED, NodeError, Unreachable } from '../lib/node-errors.ts'
import { address, bytes, quantity, readFields, readList } from './answers.ts'
import { type FailureReason, failureReason } from './failure-reason.ts'
import { formatQuantity } from './integer.ts'
import { ethereumLimits } from './limits.ts'
import { assertChainId } from './prepare-transaction.ts'
import { parseReceipt, type TransactionReceipt } from './receipt.ts'
import { type ReplacementKind, replacementKind, type SignedTransaction } from './replacement.ts'
import type { Ask, ChainNode } from './rpc.ts'

export { replacementKind } from './replacement.ts'
export { deserialize } from './serialize.ts'

type Hex = `0x${string}`

export interface SentTransaction {
  readonly hash: Hex
  readonly transaction: SignedTransaction
}

export type TransactionStatus =
  /** It waits. `wasReorganised`: it had been mined in a block that the network gave up. */
  | { readonly status: 'pending'; readonly hash: Hex; readonly wasReorganised: boolean }
  | {
      readonly status: 'confirmed'
      readonly hash: Hex
      readonly receipt: TransactionReceipt
      /** Blocks that hold it or follow it. */
      readonly confirmations: number
    }
  | {
      readonly status: 'failed'
      readonly hash: Hex
      readonly receipt: TransactionReceipt
      readonly confirmations: number
      readonly reason: FailureReason
    }
  /** Another transaction took its nonce. If it is ours, its own `confirmed` or `failed` follows. */
  | {
      readonly status: 'replaced'
      readonly hash: Hex
      /** `undefined` where it can't be found any more. */
      readonly by: Hex | undefined
      readonly kind: ReplacementKind
    }
  /** The node has forgotten it, and its nonce is free: it can be sent again under the same nonce, and only under that. */
  | { readonly status: 'dropped'; readonly hash: Hex }
  /** No result within the time limit. It is followed all the same, and can still be mined. */
  | { readonly status: 'unknown'; readonly hash: Hex }

export interface TrackOptions {
  readonly clock: Clock
  readonly signal?: AbortSignal | undefined
  /** How many blocks a confirmed transaction is followed for, in case its block is replaced. */
  readonly depth?: number
}

/**
 * Reports each change of what was sent, beginning with the present status. Ends when the transaction is so deep that it stays, when
 * another one has finally taken its nonce, or when the signal is aborted. Errors of the node never end it.
 * @param sent the transactions of one nonce, the first one before those that replace it
 */
export async function* track(
  node: ChainNode,
  sent: readonly SentTransaction[],
  { clock, signal, depth = ethereumLimits.trackDepth }: TrackOptions,
): AsyncGenerator<TransactionStatus, void, void> {
  const follower = new Follower(node, sent, clock)
  let last = ''
  let interval: number = ethereumLimits.trackInterval
  try {
    for (;;) {
      for (const status of await follower.poll(signal)) {
        const key = keyOf(status)
        if (key === last) continue
        last = key
        yield status
        if (signal?.aborted) return
        if ('confirmations' in status && status.confirmations >= depth) return
      }
      if (follower.isSettled) return
      const wait = follower.isLate ? ethereumLimits.trackIdleInterval : interval
      await clock.sleep(wait, signal)
      interval = Math.min(interval * 1.5, ethereumLimits.trackSlowInterval)
    }
  } catch (cause) {
    if (!signal?.aborted) throw cause
  }
}

/**
 * Follows a transaction whose bytes another wallet has signed and sent: first until the node knows it, and then as {@link track} does.
 */
export async function* trackByHash(
  node: ChainNode,
  { hash, from, chainId }: { hash: Hex; from: string; chainId: number },
  options: TrackOptions,
): AsyncGenerator<TransactionStatus, void, void> {
  const { clock, signal } = options
  const start = clock.now()
  let interval: number = ethereumLimits.trackInterval
  let isLate = false
  try {
    for (;;) {
      const transaction = await findTransaction(node, { hash, from, chainId, clock, signal })
      if (transaction) return yield* track(node, [{ hash, transaction }], options)
      if (!isLate && clock.now() - start >= ethereumLimits.trackTime) {
        isLate = true
        yield { status: 'unknown', hash }
      }
      await clock.sleep(isLate ? ethereumLimits.trackIdleInterval : interval, signal)
      interval = Math.min(interval * 1.5, ethereumLimits.trackSlowInterval)
    }
  } catch (cause) {
    if (!signal?.aborted) throw cause
  }
}

/** `undefined` while the node doesn't know it, can't be asked, or knows one of another wallet. */
async function findTransaction(
  node: ChainNode,
  {
    hash,
    from,
    chainId,
    clock,
    signal,
  }: { hash: Hex; from: string; chainId: number; clock: Clock; signal: AbortSignal | undefined },
): Promise<SignedTransaction | undefined> {
  try {
    return await within(
      clock,
      limits.requestTimeout,
      async (own) => {
        await assertChainId(node, chainId, own)
        const answer = await node.ask('eth_getTransactionByHash', [hash], { signal: own, retries: false })
        if (answer === null || answer === undefined) return undefined
        const found = readTransaction(answer)
        if (found.hash !== hash || found.from !== from) return undefined
        const fields = readFields(answer, 'a transaction')
        const amount = (name: string) => quantity('a transaction')(fields.get(name))
        const maxFeePerGas = fields.get('maxFeePerGas') ?? undefined
        return {
          chainId,
          ...found,
          gasLimit: amount('gas'),
          ...(maxFeePerGas === undefined
            ? { type: 0 as const, gasPrice: amount('gasPrice') }
            : {
                type: found.authorizationList ? (4 as const) : (2 as const),
                maxFeePerGas: amount('maxFeePerGas'),
                maxPriorityFeePerGas: amount('maxPriorityFeePerGas'),
              }),
        }
      },
      signal,
    )
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof NodeError || cause instanceof Unreachable || cause instanceof TimedOut)
      return undefined
    throw cause
  }
}

const keyOf = (status: TransactionStatus): string => {
  const { hash, status: name } = status
  const more = 'receipt' in status ? [status.receipt.blockHash, status.confirmations] : []
  return [
    name,
    hash,
    ...more,
    'by' in status && status.by,
    'wasReorganised' in status && status.wasReorganised,
  ].join()
}

/** What one round of questions has found. */
type Finding =
  | {
      readonly is: 'mined'
      readonly sent: SentTransaction
      readonly receipt: TransactionReceipt
      confirmations: number
    }
  | { readonly is: 'taken' }
  | { readonly is: 'waiting' }
  | { readonly is: 'absent' }

class Follower {
  #node: ChainNode
  #sent: readonly SentTransaction[]
  #first: SentTransaction
  #clock: Clock
  #start: number
  #isOurChain = false
  #wasMined = false
  #wasReorganised = false
  #absent = 0
  #taken = 0
  #replacedBy: { readonly by: Hex | undefined; readonly kind: ReplacementKind } | undefined
  #reasons = new Map<Hex, FailureReason>()
  #last: TransactionStatus | undefined

  constructor(node: ChainNode, sent: readonly SentTransaction[], clock: Clock) {
    const [first] = sent
    if (!first) throw new InvalidRequest('There is no transaction to follow')
    const { from, nonce, chainId } = first.transaction
    const isSame = ({ transaction }: SentTransaction) =>
      transaction.from === from && transaction.nonce === nonce && transaction.chainId === chainId
    if (!sent.every(isSame)) throw new InvalidRequest('The transactions do not share wallet, chain and nonce')
    this.#node = node
    this.#sent = sent
    this.#first = first
    this.#clock = clock
    this.#start = clock.now()
  }

  get isLate(): boolean {
    return this.#clock.now() - this.#start >= ethereumLimits.trackTime
  }

  /** Whether another transaction has had the nonce for so long that it stays so. */
  get isSettled(): boolean {
    return this.#taken >= ethereumLimits.trackDepth
  }

  async poll(signal: AbortSignal | undefined): Promise<readonly TransactionStatus[]> {
    try {
      return await within(this.#clock, limits.requestTimeout, (own) => this.#round(own), signal)
    } catch (cause) {
      signal?.throwIfAborted()
      if (!(cause instanceof NodeError || cause instanceof Unreachable || cause instanceof TimedOut))
        throw cause
      // Nothing is known that was not known before.
      return this.isLate && (this.#last === undefined || this.#last.status === 'pending')
        ? this.#remember([{ status: 'unknown', hash: this.#first.hash }])
        : []
    }
  }

  async #round(signal: AbortSignal): Promise<readonly TransactionStatus[]> {
    const ask: Ask = (method, params = []) => this.#node.ask(method, params, { signal, retries: false })
    if (!this.#isOurChain) await assertChainId(this.#node, this.#first.transaction.chainId, signal)
    this.#isOurChain = true
    const finding = await this.#look(ask)
    this.#absent = finding.is === 'absent' ? this.#absent + 1 : 0
    this.#taken = finding.is === 'taken' ? this.#taken + 1 : 0
    if (finding.is === 'mined') return this.#remember(await this.#mined(finding, ask))
    if (this.#wasMined) {
      this.#wasMined = false
      this.#wasReorganised = true
      this.#replacedBy = undefined
    }
    if (finding.is === 'taken') return this.#remember(await this.#replaced(ask))
    return this.#remember([this.#waiting()])
  }

  #remember(statuses: readonly TransactionStatus[]): readonly TransactionStatus[] {
    this.#last = statuses.at(-1) ?? this.#last
    return statuses
  }

  async #look(ask: Ask): Promise<Finding> {
    const { from, nonce } = this.#first.transaction
    // The count is asked first: a transaction that is mined in between has a receipt then.
    const counted = await ask('eth_getTransactionCount', [from, 'latest']).then(quantity('a nonce'))
    const receipts = await Promise.all(this.#sent.map((sent) => this.#receiptOf(sent, ask)))
    const at = receipts.findIndex((receipt) => receipt !== undefined)
    const [sent, receipt] = [this.#sent[at], receipts[at]]
    if (sent && receipt) {
      const confirmations = await confirmationsOf(receipt, ask)
      // A block that isn't the network's holds nothing.
      return confirmations === undefined ? { is: 'waiting' } : { is: 'mined', sent, receipt, confirmations }
    }
    if (counted > nonce) return { is: 'taken' }
    const known = await Promise.all(this.#sent.map(({ hash }) => isKnown(hash, { from, nonce }, ask)))
    if (known.includes(true)) return { is: 'waiting' }
    const pending = await ask('eth_getTransactionCount', [from, 'pending']).then(quantity('a nonce'))
    return { is: pending > nonce ? 'waiting' : 'absent' }
  }

  async #receiptOf(
    { hash, transaction }: SentTransaction,
    ask: Ask,
  ): Promise<TransactionReceipt | undefined> {
    const answer = await ask('eth_getTransactionReceipt', [hash])
    if (answer === null || answer === undefined) return undefined
    const { from, to, gasLimit, gasPrice, maxFeePerGas = gasPrice } = transaction
    return parseReceipt(answer, { hashes: [hash], from, to, gasLimit, maxFeePerGas })
  }

  async #mined(
    { sent, receipt, confirmations }: Extract<Finding, { is: 'mined' }>,
    ask: Ask,
  ): Promise<readonly TransactionStatus[]> {
    const isFirstTime = !this.#wasMined
    this.#wasMined = true
    const { hash, transaction } = sent
    const replaced: readonly TransactionStatus[] =
      isFirstTime && sent !== this.#first
        ? [
            {
              status: 'replaced',
              hash: this.#first.hash,
              by: hash,
              kind: replacementKind(this.#first.transaction, transaction),
            },
          ]
        : []
    if (receipt.status === 'success')
      return [...replaced, { status: 'confirmed', hash, receipt, confirmations }]
    const reason = this.#reasons.get(receipt.blockHash) ?? (await revertReason(sent, receipt, ask))
    this.#reasons.set(receipt.blockHash, reason)
    return [...replaced, { status: 'failed', hash, receipt, confirmations, reason }]
  }

  /** The nonce is used, and none of ours has a receipt: nodes that lag behind get another round before that is said. */
  async #replaced(ask: Ask): Promise<readonly TransactionStatus[]> {
    if (this.#taken < 2) return []
    const { hash, transaction } = this.#first
    this.#replacedBy ??= await findReplacement(transaction, ask)
    return [{ status: 'replaced', hash, ...this.#replacedBy }]
  }

  #waiting(): TransactionStatus {
    const { hash } = this.#first
    const isOld = this.#clock.now() - this.#start >= ethereumLimits.dropTime
    if (this.#absent >= ethereumLimits.dropPolls && isOld) return { status: 'dropped', hash }
    if (this.isLate) return { status: 'unknown', hash }
    return { status: 'pending', hash, wasReorganised: this.#wasReorganised }
  }
}

const EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** How many blocks hold a transaction or follow it; `undefined` if the network has another block in that place. */
async function confirmationsOf(receipt: TransactionReceipt, ask: Ask): Promise<number | undefined> {
  const [block, latest] = await Promise.all([
    catchNodeError(ask('eth_getBlockByNumber', [formatQuantity(receipt.blockNumber), false])),
    ask('eth_blockNumber').then(quantity('a block number', EXACT)),
  ])
  if (block instanceof NodeError && block.code !== LIMIT_EXCEEDED) throw block
  // Some chains have blocks that are too large to be read; the transaction itself names its block as well.
  const isThere =
    block instanceof NodeError ? await isInBlock(receipt, ask) : holdsTransaction(block, receipt)
  return isThere ? Number(maxOf(1n, latest - receipt.blockNumber + 1n)) : undefined
}

function holdsTransaction(answer: unknown, { blockHash, transactionHash }: TransactionReceipt): boolean {
  if (answer === null || answer === undefined) return false
  const block = readFields(answer, 'a block')
  const hash = bytes('a block', 32)(block.get('hash'))
  const hashes = readList(block.get('transactions'), 'a block')
  return hash === blockHash && hashes.some((each) => String(each).toLowerCase() === transactionHash)
}

async function isInBlock(
  { blockHash, blockNumber, transactionHash }: TransactionReceipt,
  ask: Ask,
): Promise<boolean> {
  const answer = await ask('eth_getTransactionByHash', [transactionHash])
  if (answer === null || answer === undefined) return false
  const found = readFields(answer, 'a transaction')
  const [hash, block] = ['hash', 'blockHash'].map((name) => bytes('a transaction', 32)(found.get(name)))
  const number = quantity('a transaction', EXACT)(found.get('blockNumber'))
  return hash === transactionHash && block === blockHash && number === blockNumber
}

async function isKnown(
  hash: Hex,
  { from, nonce }: Pick<SignedTransaction, 'from' | 'nonce'>,
  ask: Ask,
): Promise<boolean> {
  const answer = await ask('eth_getTransactionByHash', [hash])
  if (answer === null || answer === undefined) return false
  const found = readTransaction(answer)
  return found.hash === hash.toLowerCase() && found.from === from && found.nonce === nonce
}

function readTransaction(answer: unknown) {
  const what = 'a transaction'
  const fields = readFields(answer, what)
  const to = fields.get('to') ?? undefined
  return {
    hash: bytes(what, 32)(fields.get('hash')),
    from: address(what)(fields.get('from')),
    nonce: quantity(what, EXACT)(fields.get('nonce')),
    to: to === undefined ? undefined : address(what)(to),
    value: quantity(what)(fields.get('value')),
    data: bytes(what)(fields.get('input') ?? fields.get('data')),
    ...readAuthorizations(fields.get('authorizationList')),
  }
}

/** The contract of a transaction's first authorization. The others are of other accounts. */
function readAuthorizations(value: unknown): Pick<SignedTransaction, 'authorizationList'> {
  const [first] = Array.isArray(value) ? value : []
  if (first === undefined) return {}
  const own = readFields(first, 'an authorization')
  const contract = address('an authorization')(own.get('address'))
  return {
    authorizationList: [{ address: contract, chainId: quantity('an authorization')(own.get('chainId')) }],
  }
}

/**
 * Finds the transaction that has taken a nonce: the block is searched by halves, as far as nodes remember counts.
 */
async function findReplacement(
  transaction: SignedTransaction,
  ask: Ask,
): Promise<{ by: Hex | undefined; kind: ReplacementKind }> {
  const { from, nonce } = transaction
  try {
    const latest = await ask('eth_blockNumber').then(quantity('a block number', EXACT))
    const isTaken = async (block: bigint) =>
      (await ask('eth_getTransactionCount', [from, formatQuantity(block)]).then(quantity('a nonce'))) > nonce
    let free = maxOf(-1n, latest - BigInt(ethereumLimits.replacementBlocks))
    let taken = latest
    if (free >= 0n && (await isTaken(free))) return { by: undefined, kind: 'other' }
    while (taken - free > 1n) {
      const middle = (free + taken) / 2n
      if (await isTaken(middle)) taken = middle
      else free = middle
    }
    const block = readFields(await ask('eth_getBlockByNumber', [formatQuantity(taken), true]), 'a block')
    for (const each of readList(block.get('transactions'), 'a block')) {
      const fields = readFields(each, 'a transaction')
      if (String(fields.get('from')).toLowerCase() !== from.toLowerCase()) continue
      const found = readTransaction(each)
      if (found.nonce === nonce) return { by: found.hash, kind: replacementKind(transaction, found) }
    }
  } catch (cause) {
    if (!(cause instanceof NodeError)) throw cause
  }
  return { by: undefined, kind: 'other' }
}

/** Why a mined transaction failed. Its receipt doesn't say, so the call is repeated on its block. */
async function revertReason(
  { transaction }: SentTransaction,
  { blockNumber, gasUsed }: TransactionReceipt,
  ask: Ask,
): Promise<FailureReason> {
  const { from, to, value, data, gasLimit } = transaction
  if (gasUsed === gasLimit) return { kind: 'out-of-gas' }
  const call = { from, ...(to && { to }), value: formatQuantity(value), data, gas: formatQuantity(gasLimit) }
  const answer = await catchNodeError(ask('eth_call', [call, formatQuantity(blockNumber)]))
  const reason = answer instanceof NodeError ? failureReason(answer) : undefined
  return reason?.kind === 'reverted' || reason?.kind === 'out-of-gas' ? reason : { kind: 'reverted' }
}
