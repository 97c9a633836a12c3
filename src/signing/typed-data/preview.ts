import { createBuiltInSource, type Description, describeTypedData } from '../../clear-signing/index.ts'
import { type ChainOptions, chainOf } from '../../ethereum/chains.ts'
import type { GivenAllowance } from '../../ethereum/edit-allowance.ts'
import { decodePermit } from '../../ethereum/permit-decoder.ts'
import type { TokenAction } from '../../ethereum/token-action.ts'
import type { TypedData, TypedDataField } from '../../ethereum/typed-data.ts'
import { wrappedMessage } from '../../ethereum/wrapped-message.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { concernOf } from '../../lib/message-concern.ts'
import { assertSignInMatchesOrigin } from '../../lib/sign-in-text.ts'
import { type FindTokenFacts, withFacts } from '../allowances.ts'
import { type Knowledge, missingIn, toAction, toDescribed, toWarnings } from '../description.ts'
import { readEffects } from '../effects.ts'
import { type Action, type Asset, type EditableAllowance, isOpaque, type Warning } from '../preview.ts'
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
  /** Figures of the tokens that a permit is of. */
  readonly findFacts?: FindTokenFacts | undefined
  /** Seconds since 1970, once they are known: a permit that lasts long is warned of. */
  readonly now?: bigint | undefined
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
  | 'domain'
  | 'primaryType'
  | 'fields'
  | 'permit'
  | 'permitAsset'
  | 'actions'
  | 'coin'
  | 'warnings'
  | 'held'
  | 'givesKey'
> {
  const { domain, primaryType, fields } = typed
  const { chainId, ...named } = domain
  if (chainId !== undefined && active !== undefined && chainId !== BigInt(active))
    throw new InvalidRequest(`Provided chainId "${chainId}" must match the active chainId "${active}"`)
  assertOneChain(typed)
  const held = readWrapped(typed, origin)
  const network = chainId === undefined ? undefined : chainOf(chains, Number(chainId))
  const chain = chainId === undefined ? undefined : (network?.name ?? String(chainId))
  const coin: Asset = { symbol: network?.nativeCurrency.symbol ?? '', decimals: 18 }
  const decoded = decodePermit(typed)
  const { findFacts } = place
  const { call: permit, asset: permitAsset } = decoded
    ? { asset: undefined, ...withFacts(decoded, findFacts) }
    : { call: undefined, asset: undefined }
  const { actions, warnings } = readActions(typed, place, permit, held !== undefined)
  return {
    domain: { ...named, ...(chain !== undefined && { chain }) },
    primaryType,
    fields,
    ...(permit && { permit }),
    ...(permitAsset && { permitAsset }),
    ...(actions.length > 0 && { actions, coin }),
    ...(warnings.length > 0 && { warnings }),
    ...(held !== undefined && { held }),
    ...(textsOf(typed).some((text) => concernOf(text, origin) === 'key') && { givesKey: true }),
  }
}

/** What else typed data does, by its shape or by its descriptor: a permit for one token is judged by itself. */
function readActions(
  { data: typed, domain: { contract } }: TypedData,
  {
    wallet,
    data = {},
    descriptors = [],
    findFacts,
    now,
  }: Omit<TypedDataPlace, 'chains' | 'origin' | 'chainId'>,
  permit: TokenAction | undefined,
  hasText: boolean,
): { actions: readonly Action[]; warnings: readonly Warning[] } {
  const description = describeTypedData(typed, {
    from: wallet,
    dataProvider: data,
    descriptors: [createBuiltInSource(data), ...descriptors],
    ...(now !== undefined && { now: Number(now) }),
  })
  const described = toDescribed(description, contract)
  const itself = description.own.filter(({ kind }) => !permit || kind !== 'allowance').map(toAction)
  const hasWords = described !== undefined && !permit
  const within = description.within.flatMap(
    (call) => readEffects({ ...call, isDisplayed: call.isDisplayed && hasWords }, wallet).actions,
  )
  const own = [...itself, ...within].map((action) =>
    action.kind === 'token'
      ? { ...action, ...withFacts(action.call, findFacts), ...transferredAsset(action.call, findFacts) }
      : action,
  )
  return {
    actions: [...(hasWords ? [described] : []), ...own],
    warnings: [
      ...toWarnings(description, {
        judged: permit ? [permit.party] : [],
        isRead: hasText || permit !== undefined || itself.length > 0,
      }),
      // A call within it is no better described than one by itself.
      ...(hasUndescribed(description) || [...(described ? [described] : []), ...within].some(isOpaque)
        ? [{ code: 'undescribed', severity: 'warning' } as const]
        : []),
    ],
  }
}

/** Whether nobody has described one of the calls within it, whatever displays its bytes. */
const hasUndescribed = ({ within }: Pick<Description, 'within'>): boolean =>
  within.some(({ description }) => {
    const isRead = description.own.length > 0 || description.within.length > 0
    const own = toWarnings(description, { isRead })
    return own.some(({ code }) => code === 'undescribed') || hasUndescribed(description)
  })

/** The token of a signed transfer (EIP-3009), so that its amount is displayed as a payment. */
function transferredAsset(
  { action, contract, amount }: TokenAction,
  findFacts: FindTokenFacts | undefined,
): { asset?: Asset } {
  const facts = action === 'transfer' && amount !== undefined && contract ? findFacts?.(contract) : undefined
  return facts?.symbol === undefined || facts.decimals === undefined
    ? {}
    : { asset: { symbol: facts.symbol, decimals: facts.decimals } }
}

/** Contracts and tokens of which more has to be known for the words of typed data. */
export const missingForTypedData = (
  { data: typed }: TypedData,
  { wallet, data = {}, descriptors = [] }: Pick<TypedDataPlace, 'wallet' | 'data' | 'descriptors'>,
): ReturnType<typeof missingIn> =>
  missingIn(
    describeTypedData(typed, {
      from: wallet,
      dataProvider: data,
      descriptors: [createBuiltInSource(data), ...descriptors],
    }),
  )

/**
 * What the user may choose of a permit, or why nothing.
 * @param permits all allowances of the permit that have amounts
 * @param isEditable the requester takes a permit that was lowered
 */
export function permitProps(
  permit: TokenAction | undefined,
  permits: readonly GivenAllowance[],
  allowances: readonly EditableAllowance[],
  isEditable = false,
): Pick<SignTypedDataProps, 'allowances' | 'allowanceNote'> {
  if (allowances.length > 0) return { allowances }
  if (permits.length > 0) return isEditable ? {} : { allowanceNote: 'sentAlong' }
  const isAmountless = permit?.action === 'approve' && permit.unlimited && permit.amount === undefined
  return isAmountless ? { allowanceNote: 'noAmount' } : {}
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
