import { createBuiltInSource, describeTypedData } from '../../clear-signing/index.ts'
import { type ChainOptions, chainOf } from '../../ethereum/chains.ts'
import { decodePermit } from '../../ethereum/permit-decoder.ts'
import type { TokenAction } from '../../ethereum/token-action.ts'
import type { TypedData, TypedDataField } from '../../ethereum/typed-data.ts'
import { wrappedMessage } from '../../ethereum/wrapped-message.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { concernOf } from '../../lib/message-concern.ts'
import { assertSignInMatchesOrigin } from '../../lib/sign-in-text.ts'
import { type Knowledge, toAction, toDescribed, toWarnings } from '../description.ts'
import type { Action, Warning } from '../preview.ts'
import type { SignTypedDataProps } from './sign-typed-data.tsx'

/** Where typed data is shown. */
export interface TypedDataPlace extends Knowledge {
  readonly chains: ChainOptions
  /** The host page's. */
  readonly origin: string
  /** The address of the wallet that signs. */
  readonly wallet: string
  /** The chain that the wallet is on, if somebody says so. */
  readonly chainId?: number | undefined
}

/**
 * The preview of typed data. Throws an {@link InvalidRequest} where it is for another chain than the wallet's, where it wraps
 * something that nobody can read, and for a sign-in at another site within.
 */
export function previewTypedData(
  { chains, origin, chainId: active, ...place }: TypedDataPlace,
  typed: TypedData,
): Pick<
  SignTypedDataProps,
  'domain' | 'primaryType' | 'fields' | 'permit' | 'actions' | 'warnings' | 'held' | 'givesKey'
> {
  const { domain, primaryType, fields } = typed
  const { chainId, ...named } = domain
  if (chainId !== undefined && active !== undefined && chainId !== BigInt(active))
    throw new InvalidRequest(`Provided chainId "${chainId}" must match the active chainId "${active}"`)
  assertOneChain(typed)
  const held = readWrapped(typed, origin)
  const chain =
    chainId === undefined ? undefined : (chainOf(chains, Number(chainId))?.name ?? String(chainId))
  const permit = decodePermit(typed)
  const { actions, warnings } = readActions(typed, place, permit)
  return {
    domain: { ...named, ...(chain !== undefined && { chain }) },
    primaryType,
    fields,
    ...(permit && { permit }),
    ...(actions.length > 0 && { actions }),
    ...(warnings.length > 0 && { warnings }),
    ...(held !== undefined && { held }),
    ...(textsOf(typed).some((text) => concernOf(text, origin) === 'key') && { givesKey: true }),
  }
}

/** What else typed data does, by its shape or by its descriptor: a permit for one token is judged by itself. */
function readActions(
  { data: typed, domain: { contract } }: TypedData,
  { wallet, data = {}, descriptors = [] }: Omit<TypedDataPlace, 'chains' | 'origin' | 'chainId'>,
  permit: TokenAction | undefined,
): { actions: readonly Action[]; warnings: readonly Warning[] } {
  const description = describeTypedData(typed, {
    from: wallet,
    dataProvider: data,
    descriptors: [createBuiltInSource(data), ...descriptors],
  })
  const described = toDescribed(description, contract)
  const own = description.actions.filter(({ kind }) => !permit || kind !== 'allowance').map(toAction)
  return {
    actions: [...(described && !permit ? [described] : []), ...own],
    warnings: toWarnings(description, permit ? [permit.party] : []),
  }
}

/** The text that typed data wraps for a smart account. */
function readWrapped(typed: TypedData, origin: string): string | undefined {
  const wrapped = wrappedMessage(typed)
  if (wrapped === 'unreadable') throw new InvalidRequest("The typed data wraps a message that can't be read")
  if (wrapped) assertSignInMatchesOrigin(wrapped.text, origin)
  for (const text of textsOf(typed)) assertSignInMatchesOrigin(text, origin)
  return wrapped?.text
}

/** Typed data within that of a smart account (ERC-7739) names the account's chain among its fields. */
function assertOneChain({ domain, primaryType, fields }: TypedData): void {
  const inner = fields.find(({ name }) => name === 'chainId')
  if (primaryType !== 'TypedDataSign' || typeof inner?.value !== 'string') return
  if (domain.chainId !== undefined && BigInt(inner.value) !== domain.chainId)
    throw new InvalidRequest('The typed data names two chains')
}

/** All texts of typed data, and its own name. */
const textsOf = ({ domain, primaryType, fields }: TypedData): string[] => [
  ...[domain.name, primaryType].filter((text) => text !== undefined),
  ...fields.flatMap(stringsOf),
]
const stringsOf = ({ type, value }: TypedDataField): string[] =>
  typeof value === 'string' ? (type === 'string' ? [value] : []) : value.flatMap(stringsOf)
