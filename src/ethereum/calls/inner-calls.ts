/** The calls that a call makes. */

import { Arguments, numberOf } from './arguments.ts'
import type { Call } from './call.ts'
import { bySelector, findCall, type Table } from './call-table.ts'
import { decodeArguments } from './decode.ts'
import { encodeArguments } from './encode.ts'
import { parseSignature } from './signature.ts'
import { getMember, type Value } from './values.ts'

type Inner = Pick<Call, 'to' | 'data'> & {
  readonly value?: bigint | undefined
  readonly isDelegateCall?: boolean
  /** The contract calls itself as its caller, so what is the caller's moves. */
  readonly isOwn?: boolean
  /** Without it the others go on, so nobody can count on what it brings. */
  readonly mayFail?: boolean
  /** Where its data stand among the arguments. Absent where they can't be changed: packed, or signed by others. */
  readonly place?: Place
}
type Place = readonly (string | number)[]

const hexOf = (value: Value | undefined) =>
  value?.kind === 'bytes' ? value.hex : value?.kind === 'address' ? value.hex : '0x'
const isTrue = (value: Value | undefined) => value?.kind === 'bool' && value.value
const thatMayFail = (calls: readonly Inner[]): readonly Inner[] =>
  calls.map((call) => ({ ...call, mayFail: true }))
/** Calls of the same contract, in a list of bytes. */
const ownCalls = (args: Arguments, call: Call): readonly Inner[] =>
  args.list('data').map((data, at) => ({ to: call.to, data: hexOf(data), isOwn: true, place: ['data', at] }))
const listOfCalls = (args: Arguments): readonly Inner[] =>
  args.list('calls').map((item, at) => ({
    to: hexOf(getMember(item, 'target')),
    data: hexOf(getMember(item, 'data')),
    value: numberOf(getMember(item, 'value')),
    mayFail: isTrue(getMember(item, 'allowFailure')),
    place: ['calls', at, 'data'],
  }))
/** `undefined` for lists that don't fit together, which accounts take in ways of their own. */
function threeLists(args: Arguments): readonly Inner[] | undefined {
  const [targets, values, data] = ['targets', 'values', 'data'].map((name) => args.list(name))
  if (!targets || !values || data?.length !== targets.length) return undefined
  // Some accounts take an empty list for no coins at all.
  if (values.length > 0 && values.length !== targets.length) return undefined
  return targets.map((target, at) => ({
    to: hexOf(target),
    data: hexOf(data[at]),
    value: numberOf(values[at]),
    place: ['data', at],
  }))
}
const oneCall = (args: Arguments): readonly Inner[] => [
  {
    to: hexOf(args.value('target')),
    data: args.bytes('data'),
    value: args.number('value'),
    isDelegateCall: args.number('operation') !== 0n,
  },
]
const plainCall = (args: Arguments): readonly Inner[] =>
  oneCall(args).map((call) => ({ ...call, place: ['data'] }))
/** A Safe goes on without a call that has gas of its own, or a price at which its gas is paid back. */
const safeCall = (args: Arguments): readonly Inner[] =>
  args.number('safeTxGas') === 0n && args.number('gasPrice') === 0n
    ? oneCall(args)
    : thatMayFail(oneCall(args))
/** The first call of an account that a factory deploys: the account makes it while it is set up. */
function firstCall(args: Arguments): readonly Inner[] {
  const setup = parseSignature(
    'initialize(address owner,address validator,bytes[] modules,(address target,bool allowFailure,uint256 value,bytes data) first)',
  )
  const initializer = args.bytes('initializer')
  const decoded =
    setup && initializer.startsWith(setup.selector)
      ? decodeArguments(setup.parameters, initializer.slice(10))
      : undefined
  const first = decoded && new Arguments(decoded.values).value('first')
  const target = first && hexOf(getMember(first, 'target'))
  // An account without a first call has the zero address there.
  if (!first || !target || BigInt(target) === 0n) return []
  return [
    {
      to: target,
      data: hexOf(getMember(first, 'data')),
      value: numberOf(getMember(first, 'value')),
      mayFail: isTrue(getMember(first, 'allowFailure')),
    },
  ]
}
/** Operations of smart accounts, which an EntryPoint has carried out. */
const operations = (args: Arguments): readonly Inner[] =>
  args.list('ops').map((item) => ({
    to: hexOf(getMember(item, 'sender')),
    data: hexOf(getMember(item, 'callData')),
    mayFail: true,
  }))
const packedOperation =
  'address sender,uint256 nonce,bytes initCode,bytes callData,bytes32 gasLimits,uint256 preVerificationGas,bytes32 gasFees,bytes paymasterAndData,bytes signature'
const oldOperation =
  'address sender,uint256 nonce,bytes initCode,bytes callData,uint256 callGasLimit,uint256 verificationGasLimit,uint256 preVerificationGas,uint256 maxFeePerGas,uint256 maxPriorityFeePerGas,bytes paymasterAndData,bytes signature'

/** Functions that make other calls. */
export const wrappers: Table<readonly Inner[] | undefined> = {
  'multicall(bytes[] data)': ownCalls,
  'multicall(uint256 deadline,bytes[] data)': ownCalls,
  'multicall(bytes32 previous,bytes[] data)': ownCalls,
  'execute(address target,uint256 value,bytes data)': plainCall,
  'execute(address target,uint256 value,bytes data,uint8 operation)': oneCall,
  'executeBatch((address target,uint256 value,bytes data)[] calls)': listOfCalls,
  'executeBatch(address[] targets,uint256[] values,bytes[] data)': threeLists,
  'executeBatch(address[] targets,bytes[] data)': threeLists,
  'execute((address target,uint256 value,bytes data)[] calls)': listOfCalls,
  'execute(bytes32 mode,bytes execution)': executeMode,
  'aggregate((address target,bytes data)[] calls)': listOfCalls,
  'tryAggregate(bool required,(address target,bytes data)[] calls)': (args) =>
    args.flag('required') ? listOfCalls(args) : thatMayFail(listOfCalls(args)),
  'aggregate3((address target,bool allowFailure,bytes data)[] calls)': listOfCalls,
  'aggregate3Value((address target,bool allowFailure,uint256 value,bytes data)[] calls)': listOfCalls,
  'execTransaction(address target,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)':
    safeCall,
  'execTransactionFromModule(address target,uint256 value,bytes data,uint8 operation)': (args) =>
    thatMayFail(oneCall(args)),
  'deployAccount(bytes32 salt,bytes initializer)': firstCall,
  'multiSend(bytes transactions)': (args) => multiSend(args.bytes('transactions')),
  'executeUserOp(address target,uint256 value,bytes data,uint8 operation)': oneCall,
  'executeFromExecutor(bytes32 mode,bytes execution)': executeMode,
  [`handleOps((${packedOperation})[] ops,address beneficiary)`]: operations,
  [`handleOps((${oldOperation})[] ops,address beneficiary)`]: operations,
}
/**
 * How a call carries out those within it: as a list for anyone, as an account with what is its own, for several accounts, or as an account
 * that it makes.
 */
export type Shape = 'batch' | 'account' | 'safe' | 'operations' | 'deployment'

/** The shape of a call, by the name of its function; `undefined` where it carries out no others. */
export function shapeOf(call: Pick<Call, 'data'>): Shape | undefined {
  const selector = call.data.slice(0, 10)
  const [known] = bySelector(wrappers).get(selector) ?? []
  if (!known) return undefined
  const { name } = known.signature
  if (name === 'handleOps') return 'operations'
  if (name === 'deployAccount') return 'deployment'
  if (name.startsWith('execTransaction')) return 'safe'
  return name.startsWith('execute') ? 'account' : 'batch'
}

/** ERC-7579: one call packed, or a list of calls; `undefined` for other kinds, which can't be read. */
function executeMode(args: Arguments): readonly Inner[] | undefined {
  const found = callsOfMode(args)
  const isTry = args.bytes('mode').slice(4, 6) !== '00'
  return found && isTry ? thatMayFail(found) : found
}

function callsOfMode(args: Arguments): readonly Inner[] | undefined {
  const kind = args.bytes('mode').slice(2, 4)
  const execution = args.bytes('execution').slice(2)
  if (kind === '00' && execution.length >= 104)
    return [
      {
        to: `0x${execution.slice(0, 40)}`,
        value: BigInt(`0x${execution.slice(40, 104)}`),
        data: `0x${execution.slice(104)}`,
      },
    ]
  if (kind === 'ff' && execution.length >= 40)
    return [{ to: `0x${execution.slice(0, 40)}`, data: `0x${execution.slice(40)}`, isDelegateCall: true }]
  const list = parseSignature('batch((address target,uint256 value,bytes data)[] calls)')
  const decoded = kind === '01' && list ? decodeArguments(list.parameters, execution) : undefined
  return decoded && listOfCalls(new Arguments(decoded.values)).map(({ place: _, ...call }) => call)
}

/** Safe's packed list: operation, address, value, length, data; `undefined` if it is cut off. */
function multiSend(transactions: string): readonly Inner[] | undefined {
  const found: Inner[] = []
  let at = 2
  while (at < transactions.length) {
    const header = transactions.slice(at, at + 170)
    if (header.length < 170) return undefined
    const length = BigInt(`0x${header.slice(106, 170)}`)
    const end = BigInt(at + 170) + 2n * length
    if (end > BigInt(transactions.length)) return undefined
    found.push({
      isDelegateCall: header.slice(0, 2) === '01',
      to: `0x${header.slice(2, 42)}`,
      value: BigInt(`0x${header.slice(42, 106)}`),
      data: `0x${transactions.slice(at + 170, Number(end))}`,
    })
    at = Number(end)
  }
  return found
}

/** A call within another. */
export interface NestedCall extends Call {
  readonly isDelegateCall: boolean
  readonly mayFail: boolean
  readonly place?: Place | undefined
}

/** The calls that a call makes, where its function says so. */
export function readInnerCalls(call: Call): readonly NestedCall[] {
  const found = findCall(wrappers, call)
  // What bytes behind the arguments mean, nobody knows, so nothing before them is changed.
  const isWhole = found?.trailing === '0x'
  const inner = found?.read(new Arguments(found.values), call, undefined) ?? []
  return inner.map(({ to, data, value, isDelegateCall = false, isOwn, mayFail = false, place }) => ({
    to,
    data,
    value,
    from: isOwn ? call.from : (call.runsAs ?? call.to),
    isDelegateCall,
    mayFail,
    ...(isDelegateCall && { runsAs: call.runsAs ?? call.to }),
    ...(place && isWhole && { place }),
  }))
}

/** The data of a call with other ones for a call within it, which has a place among its arguments. */
export function withInnerData({ data }: Pick<Call, 'data'>, place: Place, inner: string): string {
  const found = findCall(wrappers, { data })
  if (!found) return data
  const { signature, values } = found
  const changed = replaceAt(values, place, inner)
  if (changed.kind !== 'struct') return data
  return `${signature.selector}${encodeArguments(signature.parameters, changed)}`
}

function replaceAt(value: Value, [step, ...rest]: Place, hex: string): Value {
  if (step === undefined) return value.kind === 'bytes' ? { ...value, hex } : value
  if (value.kind !== 'list' && value.kind !== 'struct') return value
  const index = typeof step === 'number' ? step : value.kind === 'struct' ? value.names.indexOf(step) : -1
  return {
    ...value,
    items: value.items.map((item, at) => (at === index ? replaceAt(item, rest, hex) : item)),
  }
}

/** Safe's own contracts that make a list of calls, versions 1.3.0 to 1.5.0. They run as a part of the Safe, and do nothing else. */
const multiSends = new Set([
  '0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761',
  '0x998739bfdaadde7c933b942a68053933098f9eda',
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
  '0x218543288004cd07832472d464648173c77d7eb7',
  '0xa83c336b20401af773b6219ba5027174338d1836',
])
const MULTI_SEND = '0x8d80ff0a'

/** Whether code that runs as a part of the account does nothing but make the calls that are listed. */
export const isMultiSend = ({ to, data }: Pick<Call, 'to' | 'data'>): boolean =>
  multiSends.has(to) && data.startsWith(MULTI_SEND)
