/** All that a call does, as far as its bytes say: tokens that move, who may take some, and the calls inside of batches. */

import { checksumAddress } from './address.ts'
import { decodeCall } from './call-decoder.ts'
import { exactDecoder } from './exact-abi.ts'
import { ethereumLimits } from './limits.ts'
import type { TokenAction } from './token-action.ts'

type Address = `0x${string}`

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
  /** `false`: more calls are nested than are followed, and some are missing here. */
  readonly isComplete: boolean
}

interface Call {
  readonly to?: string | undefined
  readonly value: bigint
  readonly data: string
  readonly by?: string | undefined
}
interface Walk {
  readonly actions: CallAction[]
  left: number
  isBatch: boolean
  isComplete: boolean
}

/** Reads the actions of a transaction. Nothing here is taken from anywhere but its bytes. */
export function readActions(call: Call): CallActions {
  const walk: Walk = { actions: [], left: ethereumLimits.callCount, isBatch: false, isComplete: true }
  follow(call, 0, walk)
  const { actions, isBatch, isComplete } = walk
  return { actions, isBatch, isComplete }
}

function follow({ to, value, data, by }: Call, depth: number, walk: Walk): void {
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
  if (data === '0x') {
    if (value === 0n) add({ action: 'send', party: to, amount: 0n })
    return
  }
  const nested = innerCalls(data, to)
  if (nested) {
    walk.isBatch = true
    if (depth >= ethereumLimits.callDepth) {
      walk.isComplete = false
      return
    }
    // A multicall runs as its caller, everything else as the contract.
    for (const inner of nested) follow({ by, ...inner }, depth + 1, walk)
    return
  }
  add(
    readTokenCall(data, to) ?? {
      action: 'unknown',
      contract: to,
      ...(data.length >= 10 && { selector: data.slice(0, 10) }),
    },
  )
}

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

type Opener = (args: Args, contract: string) => readonly Call[] | undefined
/** The arguments with other data for the call of this number. */
type Closer = (args: Args, index: number, data: string) => Args
interface Wrapper {
  readonly open: Opener
  /** Absent where the data are signed by others, or packed in a way of their own. */
  readonly close?: Closer
}

const replaceAt = (list: unknown, at: number, change: (old: unknown) => unknown): Args =>
  (list as Args).map((each, index) => (index === at ? change(each) : each))

/** The contract calls itself, with the same coins. */
const ownCalls = (at: number): Wrapper => ({
  open: (args, contract) =>
    (args[at] as readonly string[]).map((data) => ({ to: contract, value: 0n, data })),
  close: (args, index, data) => replaceAt(args, at, (list) => replaceAt(list, index, () => data)),
})
const oneCall: Wrapper = {
  open: ([to, value, data]) => [{ to: to as Address, value: value as bigint, data: data as string }],
  close: ([to, value], _, data) => [to, value, data],
}
const structs = (at: number, names: { to: string; data: string; value?: string }): Wrapper => ({
  open: (args) =>
    (args[at] as readonly Record<string, unknown>[]).map((struct) => ({
      to: struct[names.to] as Address,
      value: names.value ? (struct[names.value] as bigint) : 0n,
      data: struct[names.data] as string,
    })),
  close: (args, index, data) =>
    replaceAt(args, at, (list) =>
      replaceAt(list, index, (struct) => ({ ...(struct as object), [names.data]: data })),
    ),
})
const lists: Wrapper = {
  open: openLists,
  close: (args, index, data) =>
    replaceAt(args, args.length - 1, (list) => replaceAt(list, index, () => data)),
}
const target = { to: 'target', data: 'callData' }

/** Functions that carry out other calls. Names of struct fields serve the decoder alone. */
const openers: Readonly<Record<string, { readonly abi: string } & Wrapper>> = Object.fromEntries(
  (
    [
      ['multicall(bytes[])', ownCalls(0)],
      ['multicall(uint256,bytes[])', ownCalls(1)],
      ['multicall(bytes32,bytes[])', ownCalls(1)],
      ['execute(address,uint256,bytes)', oneCall],
      ['executeBatch(address[],uint256[],bytes[])', lists],
      [
        'executeBatch((address target,uint256 value,bytes callData)[])',
        structs(0, { ...target, value: 'value' }),
      ],
      ['executeBatch(address[],bytes[])', lists],
      ['execute((address target,uint256 value,bytes callData)[])', structs(0, { ...target, value: 'value' })],
      ['aggregate((address target,bytes callData)[])', structs(0, target)],
      ['tryAggregate(bool,(address target,bytes callData)[])', structs(1, target)],
      ['aggregate3((address target,bool allowFailure,bytes callData)[])', structs(0, target)],
      [
        'aggregate3Value((address target,bool allowFailure,uint256 value,bytes callData)[])',
        structs(0, { ...target, value: 'value' }),
      ],
      [
        'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
        { open: safeCall },
      ],
      ['multiSend(bytes)', { open: ([packed]) => packedCalls(packed as string) }],
    ] as const satisfies readonly (readonly [string, Wrapper])[]
  ).map(([abi, wrapper]) => [
    abi.replace(/ (target|value|callData|allowFailure)/g, ''),
    { abi: `function ${abi}`, ...wrapper },
  ]),
)
const decodeOpener = exactDecoder(Object.values(openers).map(({ abi }) => abi))

const innerCalls = (data: string, contract: string): readonly Call[] | undefined =>
  openCall(data, contract)?.calls

/** The calls within a call. */
export interface OpenedCall {
  readonly calls: readonly Call[]
  /** The whole with other data for the call of this number. Absent where they can't be changed without breaking the whole. */
  readonly replace?: ((index: number, data: string) => `0x${string}`) | undefined
}

/** Opens a call that carries out others; `undefined` for any other call. */
export function openCall(data: string, contract: string): OpenedCall | undefined {
  const call = decodeOpener(data)
  const opener = call && openers[call.signature]
  const inner = call && opener?.open(call.args, contract)
  // An empty batch says nothing of what its contract does.
  if (!call || !inner?.length) return undefined
  const isOwn = call.signature.startsWith('multicall(')
  const { close } = opener ?? {}
  const { args, encode } = call
  return {
    calls: isOwn ? inner : inner.map((each) => ({ ...each, by: contract })),
    ...(close && { replace: (index, changed) => encode(close(args, index, changed)) }),
  }
}

function openLists(args: Args): readonly Call[] | undefined {
  const targets = args[0] as readonly string[]
  const datas = args[args.length - 1] as readonly string[]
  const values = args.length === 3 ? (args[1] as readonly bigint[]) : undefined
  // Some accounts take an empty list for no coins at all.
  const hasValues = values !== undefined && values.length > 0
  if (targets.length !== datas.length || (hasValues && values.length !== targets.length)) return undefined
  return targets.map((to, at) => ({
    to,
    value: (hasValues && values[at]) || 0n,
    data: datas[at] ?? '0x',
  }))
}

/** A call by a Safe. One that also pays a refund does more than its inner call says, so it stays unknown. */
function safeCall([to, value, data, operation, , , gasPrice]: Args): readonly Call[] | undefined {
  if (gasPrice !== 0n) return undefined
  return operation === 0
    ? [{ to: to as Address, value: value as bigint, data: data as string }]
    : safeDelegate(data as string)
}

/** A Safe lends its own storage to the called contract, which is harmless for `multiSend` alone. */
function safeDelegate(data: string): readonly Call[] | undefined {
  const call = decodeOpener(data)
  return call?.signature === 'multiSend(bytes)' ? packedCalls(call.args[0] as string) : undefined
}

/** Safe's packed calls: operation (1 byte), address (20), value (32), length (32), data. */
function packedCalls(packed: string): readonly Call[] | undefined {
  const calls: Call[] = []
  let at = 2
  while (at < packed.length) {
    if (packed.length < at + 170 || packed.slice(at, at + 2) !== '00') return undefined
    const length = BigInt(`0x${packed.slice(at + 106, at + 170)}`)
    const end = at + 170 + Number(length) * 2
    if (length > BigInt(packed.length) || end > packed.length) return undefined
    calls.push({
      to: checksumAddress(packed.slice(at + 2, at + 42)),
      value: BigInt(`0x${packed.slice(at + 42, at + 106)}`),
      data: `0x${packed.slice(at + 170, end)}`,
    })
    at = end
  }
  return calls
}
