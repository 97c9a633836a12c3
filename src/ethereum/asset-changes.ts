/** What a transaction's logs say about the assets of one account: what leaves, what comes, and who may take what afterwards. */

import { decodeAbiParameters, toEventSelector } from 'viem/utils'
import { checksumAddress } from './address.ts'
import { address, bytes, readFields, readList } from './answers.ts'
import { ethereumLimits } from './limits.ts'

type Hex = `0x${string}`

export interface LogEntry {
  /** With its checksum. */
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
}
export type AssetKind = 'native' | 'erc20' | 'erc721' | 'erc1155'
export interface AssetChange {
  readonly kind: AssetKind
  /** The token's contract; `undefined` for the chain's own coin. */
  readonly token?: Hex | undefined
  /** Of ERC-721 and ERC-1155. */
  readonly id?: bigint | undefined
  /** The net amount, above zero. */
  readonly amount: bigint
  /** Who gets it, or gives it; at most eight. */
  readonly parties: readonly Hex[]
}
export interface AllowanceChange {
  /** `amount`: so many units. `token`: the one token with this id. `all`: every token of the contract. */
  readonly kind: 'amount' | 'token' | 'all'
  readonly token: Hex
  readonly spender: Hex
  /** What the spender may take afterwards. Zero: nothing any more. */
  readonly amount: bigint
  readonly id?: bigint | undefined
  readonly isUnlimited: boolean
  /** Permit2 holds the allowance, not the token. */
  readonly isPermit2: boolean
  /** Seconds since 1970, for an allowance of Permit2. */
  readonly expires?: bigint | undefined
}
export interface AssetChanges {
  readonly leaves: readonly AssetChange[]
  readonly comes: readonly AssetChange[]
  readonly allowances: readonly AllowanceChange[]
  /** `false`: there are more logs than are read. */
  readonly isComplete: boolean
}

export const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
/** Simulations log moves of the chain's own coin as transfers of a token at this address. */
export const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'
const ZERO = `0x${'0'.repeat(40)}`
/** Allowances from here on are taken for no limit. */
export const UNLIMITED = 1n << 255n
const UNLIMITED_160 = (1n << 160n) - 1n
const MOST_PARTIES = 8

const topic = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  single: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  batch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
  approval: toEventSelector('Approval(address,address,uint256)'),
  approvalForAll: toEventSelector('ApprovalForAll(address,address,bool)'),
  deposit: toEventSelector('Deposit(address,uint256)'),
  withdrawal: toEventSelector('Withdrawal(address,uint256)'),
  permit2Approval: toEventSelector('Approval(address,address,address,uint160,uint48)'),
  permit2Permit: toEventSelector('Permit(address,address,address,uint160,uint48,uint48)'),
  permit2Lockdown: toEventSelector('Lockdown(address,address,address)'),
} as const

/** Reads the logs of a receipt or of a simulated call. Throws a `NodeError` for malformed ones. */
export function readLogs(answer: unknown): { logs: readonly LogEntry[]; isComplete: boolean } {
  const entries = readList(answer, 'logs')
  const logs = entries.slice(0, ethereumLimits.logs).map((entry): LogEntry => {
    const fields = readFields(entry, 'a log')
    const topics = readList(fields.get('topics'), 'a log').slice(0, 5).map(bytes('a log', 32))
    return {
      address: address('a log')(fields.get('address')),
      topics,
      data: bytes('a log')(fields.get('data')),
    }
  })
  return { logs, isComplete: entries.length === logs.length }
}

export interface ChangeOptions {
  readonly account: string
  /** Contracts that wrap the chain's own coin: they log deposits in place of transfers. */
  readonly wrappers?: readonly string[] | undefined
  readonly isComplete?: boolean | undefined
}

export function assetChanges(logs: readonly LogEntry[], options: ChangeOptions): AssetChanges {
  const { account, wrappers = [], isComplete = true } = options
  const balances = new Balances(account)
  const allowances = new Map<string, AllowanceChange>()
  let isWhole = isComplete
  const allow = (change: AllowanceChange | undefined) => {
    if (change && change.spender !== ZERO)
      allowances.set([change.isPermit2, change.kind, change.token, change.spender, change.id].join(), change)
  }
  for (const log of logs) {
    const transfers = readTransfers(log, wrappers)
    if (transfers === 'too-many') isWhole = false
    else for (const transfer of transfers) balances.add(transfer)
    allow(readAllowance(log, account))
  }
  return { ...balances.lists(), allowances: [...allowances.values()], isComplete: isWhole }
}

interface Transfer {
  readonly kind: AssetKind
  readonly token?: Hex | undefined
  readonly id?: bigint | undefined
  readonly amount: bigint
  readonly from: Hex
  readonly to: Hex
}

class Balances {
  #account: string
  #byAsset = new Map<
    string,
    { asset: Omit<Transfer, 'from' | 'to' | 'amount'>; net: bigint; moves: Transfer[] }
  >()

  constructor(account: string) {
    this.#account = account
  }

  add(transfer: Transfer): void {
    const { kind, token, id, amount, from, to } = transfer
    const isFrom = from === this.#account
    if (isFrom === (to === this.#account) || amount === 0n) return
    const key = [kind, token, id].join()
    const entry = this.#byAsset.get(key) ?? { asset: { kind, token, id }, net: 0n, moves: [] }
    entry.net += isFrom ? -amount : amount
    entry.moves.push(transfer)
    this.#byAsset.set(key, entry)
  }

  lists(): Pick<AssetChanges, 'leaves' | 'comes'> {
    const leaves: AssetChange[] = []
    const comes: AssetChange[] = []
    for (const { asset, net, moves } of this.#byAsset.values()) {
      if (net === 0n) continue
      const isLeaving = net < 0n
      const parties = moves.flatMap(({ from, to }) => {
        const isOut = from === this.#account
        return isOut === isLeaving ? [isOut ? to : from] : []
      })
      const change = {
        ...asset,
        amount: isLeaving ? -net : net,
        parties: [...new Set(parties)].slice(0, MOST_PARTIES),
      }
      if (isLeaving) leaves.push(change)
      else comes.push(change)
    }
    return { leaves, comes }
  }
}

const NONE: readonly Transfer[] = []

function readTransfers(
  { address: token, topics, data }: LogEntry,
  wrappers: readonly string[],
): readonly Transfer[] | 'too-many' {
  const [event] = topics
  const [one, two, three] = topics.slice(1).map(wordAddress)
  const amount = wordNumber(data)
  switch (event) {
    case topic.transfer:
      if (!one || !two) return NONE
      if (topics.length === 4 && data === '0x')
        return [{ kind: 'erc721', token, id: BigInt(topics[3] ?? 0), amount: 1n, from: one, to: two }]
      if (topics.length !== 3 || amount === undefined) return NONE
      return token === NATIVE
        ? [{ kind: 'native', amount, from: one, to: two }]
        : [{ kind: 'erc20', token, amount, from: one, to: two }]
    case topic.single:
    case topic.batch: {
      if (topics.length !== 4 || !two || !three) return NONE
      const items = event === topic.single ? singleItem(data) : batchItems(data)
      if (items === 'too-many') return items
      return items.map(([id, number]) => ({
        kind: 'erc1155',
        token,
        id,
        amount: number,
        from: two,
        to: three,
      }))
    }
    case topic.deposit:
    case topic.withdrawal: {
      if (topics.length !== 2 || !one || amount === undefined || !wrappers.includes(token)) return NONE
      const ends = event === topic.deposit ? { from: token, to: one } : { from: one, to: token }
      return [{ kind: 'erc20', token, amount, ...ends }]
    }
    default:
      return NONE
  }
}

function singleItem(data: Hex): readonly (readonly [bigint, bigint])[] {
  const [id, amount] = words(data, 2) ?? []
  return id === undefined || amount === undefined ? [] : [[id, amount]]
}

function batchItems(data: Hex): readonly (readonly [bigint, bigint])[] | 'too-many' {
  if (data.length > 2 + 64 * 2 * (ethereumLimits.logs + 2)) return 'too-many'
  try {
    const [ids, amounts] = decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], data)
    return ids.length === amounts.length ? ids.map((id, at) => [id, amounts[at] ?? 0n] as const) : []
  } catch {
    return []
  }
}

function readAllowance(log: LogEntry, account: string): AllowanceChange | undefined {
  const { address: token, topics, data } = log
  const [event] = topics
  const [owner, spender, third] = topics.slice(1).map(wordAddress)
  if (token === PERMIT2) return permit2Allowance(log, account)
  if (owner !== account || !spender) return undefined
  const amount = wordNumber(data)
  if (event === topic.approvalForAll && topics.length === 3 && (amount === 0n || amount === 1n))
    return { kind: 'all', token, spender, amount, isUnlimited: amount === 1n, isPermit2: false }
  if (event !== topic.approval) return undefined
  if (topics.length === 4 && data === '0x' && (third || topics[3]))
    return {
      kind: 'token',
      token,
      spender,
      amount: 1n,
      id: BigInt(topics[3] ?? 0),
      isUnlimited: false,
      isPermit2: false,
    }
  if (topics.length !== 3 || amount === undefined) return undefined
  return { kind: 'amount', token, spender, amount, isUnlimited: amount >= UNLIMITED, isPermit2: false }
}

function permit2Allowance({ topics, data }: LogEntry, account: string): AllowanceChange | undefined {
  const [event] = topics
  const [owner, token, spender] = topics.slice(1).map(wordAddress)
  if (owner !== account) return undefined
  if (event === topic.permit2Lockdown) {
    const [lockedToken, locked] = words(data, 2)?.map(numberAddress) ?? []
    return lockedToken && locked
      ? {
          kind: 'amount',
          token: lockedToken,
          spender: locked,
          amount: 0n,
          isUnlimited: false,
          isPermit2: true,
        }
      : undefined
  }
  const read =
    event === topic.permit2Approval
      ? words(data, 2)
      : event === topic.permit2Permit
        ? words(data, 3)
        : undefined
  const [amount, expires] = read ?? []
  if (!token || !spender || amount === undefined || amount > UNLIMITED_160) return undefined
  return {
    kind: 'amount',
    token,
    spender,
    amount,
    isUnlimited: amount === UNLIMITED_160,
    isPermit2: true,
    expires,
  }
}

/** An address in a word, with its checksum; `undefined` if anything stands before it. */
function wordAddress(word: Hex): Hex | undefined {
  return /^0x0{24}/.test(word) ? (checksumAddress(word.slice(26)) as Hex) : undefined
}
const numberAddress = (value: bigint) => wordAddress(`0x${value.toString(16).padStart(64, '0')}`)
const wordNumber = (data: Hex): bigint | undefined => words(data, 1)?.[0]

function words(data: Hex, count: number): readonly bigint[] | undefined {
  if (data.length !== 2 + 64 * count) return undefined
  return Array.from({ length: count }, (_, at) => BigInt(`0x${data.slice(2 + at * 64, 66 + at * 64)}`))
}

/** A place where a receipt differs from what was shown. */
export interface Difference {
  readonly list: 'leaves' | 'comes' | 'allowances'
  readonly token?: Hex | undefined
  readonly id?: bigint | undefined
  readonly spender?: Hex | undefined
  /** Zero: it was not shown at all. */
  readonly shown: bigint
  /** Zero: it did not happen. */
  readonly actual: bigint
}

/**
 * Compares the logs of a receipt with what was shown. Moves of the chain's own coin are in no receipt, so they are left out.
 * @returns no differences: it happened as shown
 */
export function compareChanges(shown: AssetChanges, actual: AssetChanges): readonly Difference[] {
  const assets = (list: 'leaves' | 'comes') =>
    differences(
      shown[list].filter(({ kind }) => kind !== 'native'),
      actual[list],
      ({ kind, token, id }) => [kind, token, id].join(),
      ({ token, id }) => ({ list, token, id }),
    )
  return [
    ...assets('leaves'),
    ...assets('comes'),
    ...differences(
      shown.allowances,
      actual.allowances,
      ({ kind, token, spender, id, isPermit2 }) => [kind, token, spender, id, isPermit2].join(),
      ({ token, spender, id }) => ({ list: 'allowances', token, spender, id }),
    ),
  ]
}

function differences<T extends { readonly amount: bigint }>(
  shown: readonly T[],
  actual: readonly T[],
  keyOf: (entry: T) => string,
  name: (entry: T) => Omit<Difference, 'shown' | 'actual'>,
): Difference[] {
  const found = new Map(actual.map((entry) => [keyOf(entry), entry]))
  const missing = shown.flatMap((entry) => {
    const key = keyOf(entry)
    const amount = found.get(key)?.amount ?? 0n
    found.delete(key)
    return amount === entry.amount ? [] : [{ ...name(entry), shown: entry.amount, actual: amount }]
  })
  const added = [...found.values()].map((entry) => ({ ...name(entry), shown: 0n, actual: entry.amount }))
  return [...missing, ...added]
}
