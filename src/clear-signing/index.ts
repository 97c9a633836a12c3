/**
 * Clear signing: what a transaction or typed data does, in words of its contract's descriptor (ERC-7730) and in actions of our own.
 * Pure: no network, no clock, no words of the kit. Kit and vault use the same code on the bytes that are signed.
 */
import { parseEthereumAddress, parseWalletAddress } from '../ethereum/address.ts'
import { isHexBytes } from '../ethereum/hex.ts'
import { parseInteger } from '../ethereum/integer.ts'
import { rank } from './assess.ts'
import { createDataProvider, type DataProvider, type ProvidedData } from './data.ts'
import { describeCallIn, describeMessageIn } from './describe.ts'
import { type BatchDescription, type Description, type DescriptorSource, warning } from './description.ts'
import { createSession, type Session } from './session.ts'
import { joinSources } from './source.ts'
import { readTypedData } from './typed-data.ts'

/** What descriptions are made with. */
export interface DescribeOptions {
  /** Where descriptors come from. Their order does not matter: those with more trust are tried first. */
  readonly descriptors?: DescriptorSource | readonly DescriptorSource[]
  /** Names, tokens and chains: a provider, or data by address as the registry's fixtures have them. */
  readonly dataProvider?: DataProvider | ProvidedData
  /** Seconds since 1970. With it an allowance that lasts long is warned of. */
  readonly now?: number
}

/** A call as it will be signed. */
export interface TransactionInput {
  readonly chainId: number | bigint | string
  /** Absent for a transaction that creates a contract, which no descriptor describes. */
  readonly to?: string | null | undefined
  /** Hex of whole bytes. */
  readonly data?: string | undefined
  /** In wei. */
  readonly value?: number | bigint | string | undefined
  readonly from?: string | undefined
}

/**
 * Describes a transaction.
 *
 * @param transaction what is signed: `chainId`, `to`, `data`, `value` in wei, `from`
 * @param options `descriptors`, the sources of ERC-7730 descriptors, and `dataProvider`, names and tokens by address
 * @returns `intent`, `interpolatedIntent`, `owner` and `fields` of the descriptor that is bound to the contract; `isDescribed` is
 * `false`, and these are empty, where there is none or it does not fit. `actions` and `warnings` (the gravest first) do not depend on
 * a descriptor. `needed` lists data that were missing. It never throws: what can't be read is a warning `not-decodable`.
 * @example
 * const descriptors = createSource(readDescriptors(await (await fetch('/descriptors.json')).json(), 'registry'))
 * const usdt = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
 * const { intent, fields, warnings, needed } = describeTransaction(
 *   { chainId: 1, to: usdt, data: '0xa9059cbb…' },
 *   { descriptors, dataProvider: { tokens: { [usdt]: { symbol: 'USDT', decimals: 6 } } } },
 * )
 */
export function describeTransaction(
  transaction: TransactionInput,
  options: DescribeOptions = {},
): Description {
  return describeOne(createSessionOf(options), transaction)
}

/**
 * Describes several calls that are sent as one (EIP-5792).
 *
 * @param calls the calls, in order
 * @param options as for {@link describeTransaction}
 * @returns the description of each call, and one sentence for all of them if every call has one, joined by ' and '
 * @example
 * const { calls, interpolatedIntent } = describeBatch([
 *   { chainId: 1, to: '0xdAC17F958D2ee523a2206206994597C13D831ec7', data: '0x095ea7b3…' },
 *   { chainId: 1, to: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', value: 10n ** 15n },
 * ])
 */
export function describeBatch(
  calls: readonly TransactionInput[],
  options: DescribeOptions = {},
): BatchDescription {
  const session = createSessionOf(options)
  const described = calls.slice(0, MAX_BATCH).map((call) => describeOne(session, call))
  const sentences = described.flatMap(({ interpolatedIntent }) => interpolatedIntent ?? [])
  const isWhole = calls.length > 0 && sentences.length === calls.length
  return {
    ...(isWhole && { interpolatedIntent: sentences.join(' and ') }),
    calls: described,
    actions: described.flatMap(({ actions }) => actions),
    warnings: rank([
      ...described.flatMap(({ warnings }) => warnings),
      ...(calls.length > MAX_BATCH ? [warning('too-large', { reason: 'calls' })] : []),
    ]),
    needed: session.needed(),
  }
}

/**
 * Describes typed data (EIP-712).
 *
 * @param typedData an object with `types`, `primaryType`, `domain` and `message`, or its JSON text
 * @param options as for {@link describeTransaction}; `from` is the wallet that signs
 * @returns as for {@link describeTransaction}. A descriptor applies if the hash of the message's type, its chain and contract, and its
 * domain fit. It never throws: what can't be read is a warning `not-decodable`.
 * @example
 * const { intent, fields, actions } = describeTypedData(
 *   {
 *     domain: { name: 'Harbor', chainId: 1 },
 *     types: { Vote: [{ name: 'proposal', type: 'uint256' }] },
 *     primaryType: 'Vote',
 *     message: { proposal: 12 },
 *   },
 *   { from: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' },
 * )
 */
export function describeTypedData(
  typedData: unknown,
  options: DescribeOptions & { readonly from?: string | undefined } = {},
): Description {
  const read = readTypedData(typedData)
  if (!read) return unreadable
  return describeMessageIn(createSessionOf(options), read, parseWalletAddress(options.from)?.toLowerCase())
}

/** Calls of one batch. */
const MAX_BATCH = 256
const unreadable: Description = {
  isDescribed: false,
  intent: '',
  owner: '',
  fields: [],
  trailing: '0x',
  calls: [],
  within: [],
  own: [],
  actions: [],
  warnings: [warning('not-decodable')],
  needed: [],
}

function describeOne(
  session: Session,
  { chainId, to, data = '0x', value, from }: TransactionInput,
): Description {
  const chain = parseInteger(chainId)
  const amount = value === undefined || value === null ? 0n : parseInteger(value)
  const callee = to === undefined || to === null ? undefined : parseWalletAddress(to)?.toLowerCase()
  if (chain === undefined || chain <= 0n || chain > BigInt(Number.MAX_SAFE_INTEGER)) return unreadable
  if (amount === undefined || amount < 0n || !isHexBytes(data)) return unreadable
  if (to === undefined || to === null) return { ...unreadable, warnings: [warning('contract-creation')] }
  if (!callee) return unreadable
  const hasWrongChecksum = parseEthereumAddress(to) === undefined
  const description = describeCallIn(
    session,
    {
      chainId: Number(chain),
      to: callee,
      data: data.toLowerCase(),
      value: amount,
      from: parseWalletAddress(from)?.toLowerCase(),
    },
    0,
  )
  if (!hasWrongChecksum) return description
  return { ...description, warnings: rank([...description.warnings, warning('invalid-checksum')]) }
}

function createSessionOf({ descriptors = [], dataProvider = {}, now }: DescribeOptions): Session {
  const isProvider = Object.values(dataProvider).some((each) => typeof each === 'function')
  const provider = isProvider
    ? (dataProvider as DataProvider)
    : createDataProvider(dataProvider as ProvidedData)
  return createSession(joinSources([descriptors].flat()), provider, now)
}

export { PERMIT2 } from '../ethereum/calls/arguments.ts'
export { rawText, type Value } from '../ethereum/calls/values.ts'
export type {
  Action,
  Allowance,
  Control,
  Delegation,
  Operator,
  Order,
  OrderItem,
  Refund,
  Revocation,
  SafeTransaction,
  Transfer,
  UserOperation,
} from './actions/action.ts'
export { authorizationAction } from './actions/messages.ts'
export { assess, rank } from './assess.ts'
export { createBuiltInSource } from './built-in.ts'
export {
  type AddressKind,
  type ChainInfo,
  type Creation,
  createDataProvider,
  type DataProvider,
  type NativeCurrency,
  type Need,
  type ProvidedData,
  type Token,
  type TokenFigures,
} from './data.ts'
export type {
  Auditor,
  BatchDescription,
  CallWithin,
  Candidate,
  DescribedField,
  Description,
  DescriptionWarning,
  DescriptorReference,
  DescriptorSource,
  FieldGroup,
  Format,
  GraveCode,
  Origin,
  Severity,
  WarningCode,
} from './description.ts'
export {
  type Descriptor,
  DescriptorError,
  type DescriptorProblem,
  mergeIncludes,
  readDescriptor,
} from './descriptor.ts'
export {
  knownAuditors,
  type LoadedRegistry,
  loadRegistry,
  type PackedRegistry,
  type Selection,
  selectDescriptors,
} from './registry.ts'
export { createSource, joinSources, readDescriptors } from './source.ts'
export { hasUnseen, shortText, visibleText } from './text.ts'
export { hashMessageType } from './typed-data.ts'
export { saysNothing, type Unsaid, unsaidIn } from './unsaid.ts'
