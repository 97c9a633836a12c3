/** All that a call does, as far as its bytes say: tokens that move, who may take some, and the calls inside of batches. */

import { checksumAddress } from './address.ts'
import { decodeCall } from './call-decoder.ts'
import { isMultiSend, readInnerCalls, withInnerData } from './calls/inner-calls.ts'
import { MAX_CALL_DEPTH, MAX_CALLS } from './calls/limits.ts'
import { exactDecoder } from './exact-abi.ts'
import type { TokenAction } from './token-action.ts'

type Action =
  | TokenAction
  /** Coins of the chain go to somebody. */
  | { readonly action: 'send'; readonly party: string; readonly amount: bigint }
  | {
      readonly action: 'mint'
      readonly contract?: string | undefined
      /** The one who gets it; `undefined`: the caller. */
      readonly party?: string | undefined
      readonly amount?: bigint | undefined
      readonly token?: bigint | undefined
      /** By the call alone nobody can tell whether the number is an amount or names a token. */
      readonly amountOrToken?: bigint | undefined
      readonly items?: readonly TokenItem[] | undefined
    }
  | {
      readonly action: 'batchTransfer'
      readonly contract?: string | undefined
      readonly from: string
      readonly party: string
      readonly items: readonly TokenItem[]
    }
  /** A contract is created from the bytes. */
  | { readonly action: 'deploy' }
  | {
      readonly action: 'unknown'
      readonly contract?: string | undefined
      readonly selector?: string | undefined
    }
export type CallAction = Action & {
  /** The contract that carries it out with what is its own, such as a smart account. `undefined`: the wallet itself. */
  readonly by?: string | undefined
}
export interface TokenItem {
  readonly token: bigint
  readonly amount: bigint
}

export interface CallActions {
  /** In the order in which they are carried out. */
  readonly actions: readonly CallAction[]
  /** Whether they stand inside of a batch, a multicall or the call of a smart account. */
  readonly isBatch: boolean
  /** Whatever is called with data, in the order of the calls. */
  readonly contracts: readonly string[]
  /** `false`: more calls are nested than are followed, and some are missing here. */
  readonly isComplete: boolean
}

interface Call {
  readonly to?: string | undefined
  readonly value: bigint
  readonly data: string
  readonly by?: string | undefined
  /** The account as which the called code runs, where it is a delegate call. */
  readonly runsAs?: string | undefined
  /** That code is none that is known to make calls alone. */
  readonly isForeign?: boolean | undefined
}
type OpenableCall = Pick<Call, 'data' | 'by' | 'runsAs'> & { readonly to: string }
interface Walk {
  readonly actions: CallAction[]
  readonly contracts: Set<string>
  left: number
  isBatch: boolean
  isComplete: boolean
}

/** Reads the actions of a transaction. Nothing here is taken from anywhere but its bytes. */
export function readActions(call: Call): CallActions {
  // Beside the call itself, as many as are reviewed.
  const walk: Walk = {
    actions: [],
    contracts: new Set(),
    left: MAX_CALLS + 1,
    isBatch: false,
    isComplete: true,
  }
  follow(call, 0, walk)
  const { actions, contracts, isBatch, isComplete } = walk
  return { actions, contracts: [...contracts], isBatch, isComplete }
}

function follow({ to, value, data, by, runsAs, isForeign }: Call, depth: number, walk: Walk): void {
  if (walk.left === 0) {
    walk.isComplete = false
    return
  }
  walk.left--
  const add = (action: Action) => walk.actions.push({ ...action, ...(by && { by }) })
  if (to === undefined) {
    add({ action: 'deploy' })
    return
  }
  if (value > 0n) add({ action: 'send', party: to, amount: value })
  if (data !== '0x' || isForeign) walk.contracts.add(to)
  if (isForeign) add({ action: 'unknown', contract: to, ...selectorOf(data) })
  else if (data === '0x') {
    if (value === 0n) add({ action: 'send', party: to, amount: 0n })
    return
  }
  const nested = openCall({ to, data, by, runsAs })?.calls
  if (nested) {
    walk.isBatch = true
    if (depth >= MAX_CALL_DEPTH) {
      walk.isComplete = false
      return
    }
    for (const inner of nested) follow(inner, depth + 1, walk)
  } else if (!isForeign)
    add(readTokenCall(data, to) ?? { action: 'unknown', contract: to, ...selectorOf(data) })
}

const selectorOf = (data: string): { readonly selector?: string } =>
  data.length >= 10 ? { selector: data.slice(0, 10) } : {}

type Args = readonly unknown[]
type MoreReader = (args: Args, contract: string) => Action | undefined

const mintFor =
  (names: { party?: number; amount?: number; token?: number; amountOrToken?: number } = {}): MoreReader =>
  (args, contract) => {
    const found = Object.entries(names).map(([name, at]) => [name, args[at]])
    return { action: 'mint', contract, ...Object.fromEntries(found) }
  }
const mintOne = mintFor({ party: 0, token: 1 })

/** Functions beside those of `decodeCall`. */
const more: Readonly<Record<string, MoreReader>> = {
  'mint()': mintFor(),
  'mint(uint256)': mintFor({ amount: 0 }),
  'mint(address)': mintFor({ party: 0 }),
  'mint(address,uint256)': mintFor({ party: 0, amountOrToken: 1 }),
  'mint(address,uint256,uint256,bytes)': mintFor({ party: 0, token: 1, amount: 2 }),
  'mintBatch(address,uint256[],uint256[],bytes)'([party, tokens, amounts], contract) {
    const items = itemsOf(tokens, amounts)
    return items && { action: 'mint', contract, party: party as string, items }
  },
  'safeMint(address)': mintFor({ party: 0 }),
  'safeMint(address,uint256)': mintOne,
  'safeMint(address,uint256,bytes)': mintOne,
  'batchMint(uint256)': mintFor({ amount: 0 }),
  'batchMint(address,uint256)': mintFor({ party: 0, amount: 1 }),
  'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)'(
    [from, party, tokens, amounts],
    contract,
  ) {
    const items = itemsOf(tokens, amounts)
    return items && { action: 'batchTransfer', contract, from: from as string, party: party as string, items }
  },
}
const decodeMore = exactDecoder(Object.keys(more).map((signature) => `function ${signature}`))

/**
 * What a call that carries out no others does with tokens, as far as its bytes say it in the one way in which they are written;
 * `undefined` for any other.
 */
export const readTokenCall = (data: string, contract: string): CallAction | undefined =>
  decodeCall(data, contract) ?? readMore(data, contract)

function readMore(data: string, contract: string): Action | undefined {
  const call = decodeMore(data)
  return call && more[call.signature]?.(call.args, contract)
}

function itemsOf(tokens: unknown, amounts: unknown): readonly TokenItem[] | undefined {
  const ids = tokens as readonly bigint[]
  const figures = amounts as readonly bigint[]
  if (ids.length !== figures.length || ids.length === 0) return undefined
  return ids.map((token, at) => ({ token, amount: figures[at] ?? 0n }))
}

/** The calls within a call. */
export interface OpenedCall {
  readonly calls: readonly Call[]
  /** The whole with other data for the call of this number. Absent where one can't be changed without breaking the whole. */
  readonly replace?: ((index: number, data: string) => `0x${string}`) | undefined
}

/**
 * Opens a call that carries out others; `undefined` for any other call. Who makes it is `by`: what it makes as its caller is made by the same.
 */
export function openCall({ to, data, by, runsAs }: OpenableCall): OpenedCall | undefined {
  const lower = data.toLowerCase()
  const inner = readInnerCalls({
    to: to.toLowerCase(),
    data: lower,
    value: 0n,
    from: by?.toLowerCase(),
    ...(runsAs !== undefined && { runsAs: runsAs.toLowerCase() }),
  })
  // An empty batch says nothing of what its contract does.
  if (inner.length === 0) return undefined
  const checksum = (hex: string) => checksumAddress(hex.slice(2))
  const places = inner.flatMap(({ place }) => (place ? [place] : []))
  return {
    calls: inner.map((call) => ({
      to: checksum(call.to),
      value: call.value ?? 0n,
      data: call.data,
      ...(call.from && { by: checksum(call.from) }),
      ...(call.runsAs && { runsAs: checksum(call.runsAs) }),
      // Code that runs as the account may do anything with it, but for Safe's own, which only makes calls.
      ...(call.isDelegateCall && !isMultiSend(call) && { isForeign: true }),
    })),
    ...(places.length === inner.length && {
      replace: (index, changed) =>
        withInnerData({ data: lower }, places[index] ?? [], changed) as `0x${string}`,
    }),
  }
}
