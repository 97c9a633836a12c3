/** Many calls at once, as libraries ask for them (EIP-5792): what they may ask, and the errors that they get. */
import type { Config } from '../../../app/config.ts'
import { parseEthereumAddress } from '../../../ethereum/address.ts'
import { chainOf, namedChainIds, supportedChainIds } from '../../../ethereum/chains.ts'
import { isHexBytes } from '../../../ethereum/hex.ts'
import { formatQuantity } from '../../../ethereum/integer.ts'
import { isPlainObject, type Plain, type PlainObject, readPlain } from '../../../lib/plain.ts'
import { safeLink } from '../../../lib/safe-link.ts'
import { frameLimits } from '../../../protocol/frame/limits.ts'
import { listOf } from '../../external/claims.ts'
import { invalidParams, ProviderRpcError } from '../../external/provider-error.ts'
import { walletsLimits } from '../../limits.ts'
import type { EmbeddedAccount } from '../embedded-wallets.ts'
import { readChainId } from './ethereum-requests.ts'
import { notOurAccount } from './rpc-error.ts'

/** The version of the methods' parameters and results. */
export const CALLS_VERSION = '2.0.0'

/** The codes of EIP-5792. */
export const callsErrors = {
  unsupportedCapability: 5700,
  unsupportedChain: 5710,
  duplicateId: 5720,
  unknownId: 5730,
  tooLarge: 5740,
  upgradeRefused: 5750,
  notAtomic: 5760,
} as const

/** One call, as an adapter's `parse` takes it. */
export interface RequestedCall {
  readonly to?: string
  readonly data?: string
  readonly value?: string
}
/** An account that a provider opens. */
export interface ProviderAccount {
  readonly address: string
}
export interface CallsRequest<A extends ProviderAccount = EmbeddedAccount> {
  /** The app's own identifier. */
  readonly id?: string | undefined
  readonly chainId: number
  readonly account: A
  readonly calls: readonly RequestedCall[]
  /** All calls take effect or none does. */
  readonly atomicRequired: boolean
  /** The sponsor that the requester names (ERC-7677), where the wallet takes one. */
  readonly paymaster?: RequestedPaymaster | undefined
}
/** The value of the capability `paymasterService`. */
export interface RequestedPaymaster {
  readonly url: string
  /** Passed on as it is. */
  readonly context: PlainObject | undefined
  /** Whether the batch is to be sent without it where it doesn't pay. */
  readonly isOptional: boolean
}
/** Capabilities of a wallet on a chain, by name. `atomic`: whether all calls of a batch take effect or none does; `ready`: once the wallet has code. */
export interface Capabilities {
  readonly atomic: { readonly status: 'supported' | 'ready' | 'unsupported' }
  readonly [name: string]: object
}

/** Carries out batches of calls. Everything rejects with what `toProviderError` knows. */
export interface CallsHandler<A extends ProviderAccount = EmbeddedAccount> {
  /**
   * What the wallet can do on a chain.
   * @param isSending whether the user is about to use it there. For whoever only wants to know, no node that the app hasn't chosen
   *   is asked about the user, and what was found a moment ago counts.
   */
  capabilities(account: A, chainId: number, isSending: boolean): Promise<Capabilities>
  /** Resolves with the identifier once the user has approved the calls. */
  send(request: CallsRequest<A>): Promise<string>
  /** The status as `wallet_getCallsStatus` gives it; `undefined` for a batch that none of the wallets has. */
  status(id: string, wallets: readonly string[]): Promise<object | undefined>
  /** Displays a batch. Resolves with whether there is one, once it is displayed. */
  show(id: string, wallets: readonly string[]): Promise<boolean>
}

interface CallsContext<A extends ProviderAccount> {
  readonly accounts: readonly A[]
  readonly config: Config
  readonly handler: CallsHandler<A>
}

/** Whether a method is one of these. */
export const isAboutCalls = (method: string): boolean =>
  /^wallet_(sendCalls|getCallsStatus|showCallsStatus|getCapabilities)$/.test(method)

export async function answerCalls<A extends ProviderAccount>(
  cx: CallsContext<A>,
  method: string,
  params: unknown,
): Promise<unknown> {
  if (method === 'wallet_sendCalls')
    return { id: await cx.handler.send(await readSendCalls(cx, method, params)) }
  if (method === 'wallet_getCapabilities') return capabilitiesOf(cx, method, params)
  const id = readId(paramsOf(method, params, 1)[0])
  if (id === undefined) throw invalidParams(method, { params })
  const wallets = cx.accounts.map(({ address }) => address)
  if (method === 'wallet_getCallsStatus') {
    const status = await cx.handler.status(id, wallets)
    if (!status) throw unknownBatch()
    return status
  }
  if (!(await cx.handler.show(id, wallets))) throw unknownBatch()
  return null
}

const unknownBatch = () => new ProviderRpcError(callsErrors.unknownId, 'There is no batch with this id')

/** Reads `wallet_sendCalls` strictly, and refuses what the wallet can't do before anybody is asked. */
async function readSendCalls<A extends ProviderAccount>(
  cx: CallsContext<A>,
  method: string,
  params: unknown,
): Promise<CallsRequest<A>> {
  const [first] = paramsOf(method, params, 1)
  const raw = readPlain(first, MOST_READ)
  if (!isPlainObject(raw) || raw.version !== CALLS_VERSION || typeof raw.atomicRequired !== 'boolean')
    throw invalidParams(method, { params })
  const id = raw.id === undefined || raw.id === null ? undefined : readId(raw.id)
  const chainId = readChainId(raw.chainId)
  const calls = Array.isArray(raw.calls) && raw.calls.length > 0 ? raw.calls : undefined
  if ((id === undefined && (raw.id ?? undefined) !== undefined) || chainId === undefined || !calls)
    throw invalidParams(method, { params })
  const read = calls.map((call) => readCall(call))
  const wanted = [
    raw.capabilities,
    ...calls.map((call) => (isPlainObject(call) ? call.capabilities : undefined)),
  ]
  const capabilities = wanted.map(readCapabilities)
  if (!isComplete(read) || !isComplete(capabilities)) throw invalidParams(method, { params })
  const account = readAccount(cx, method, raw.from ?? undefined)
  if (!chainOf(cx.config, chainId))
    throw new ProviderRpcError(callsErrors.unsupportedChain, `Chain ID ${chainId} is not supported`)
  const own = await cx.handler.capabilities(account, chainId, true)
  if (raw.atomicRequired && own.atomic.status === 'unsupported')
    throw new ProviderRpcError(callsErrors.notAtomic, 'The wallet does not carry out calls atomically')
  const missing = capabilities.flat().find(([name, isOptional]) => !isOptional && !isSupported(own, name))
  if (missing)
    throw new ProviderRpcError(
      callsErrors.unsupportedCapability,
      `The capability ${missing[0].slice(0, 64)} is not supported`,
    )
  if (calls.length > frameLimits.batchCalls || JSON.stringify(read).length > walletsLimits.batchSize)
    throw tooLarge()
  const paymaster = isSupported(own, PAYMASTER) ? readPaymaster(raw.capabilities) : undefined
  if (paymaster === 'unreadable') throw invalidParams(method, { params })
  const { atomicRequired } = raw
  return { id, chainId, account, calls: read, atomicRequired, ...(paymaster && { paymaster }) }
}

/** ERC-7677. */
export const PAYMASTER = 'paymasterService'
const PAYMASTER_URL = 2_048

/** The sponsor that a batch names; `undefined` where it names none. */
function readPaymaster(capabilities: Plain | undefined): RequestedPaymaster | 'unreadable' | undefined {
  const wanted = isPlainObject(capabilities) ? capabilities[PAYMASTER] : undefined
  if (!isPlainObject(wanted)) return undefined
  const { url, context, optional } = wanted
  const isReadable =
    typeof url === 'string' &&
    url.length <= PAYMASTER_URL &&
    safeLink(url) !== undefined &&
    (context === undefined || context === null || isPlainObject(context))
  if (!isReadable) return 'unreadable'
  return { url, context: isPlainObject(context) ? context : undefined, isOptional: optional === true }
}

const tooLarge = () =>
  new ProviderRpcError(
    callsErrors.tooLarge,
    `A batch has at most ${frameLimits.batchCalls} calls, and ${walletsLimits.batchSize} characters`,
  )

/** By chain. A chain that the app doesn't have is left out, and '0x0' stands for all of them. */
async function capabilitiesOf<A extends ProviderAccount>(
  cx: CallsContext<A>,
  method: string,
  params: unknown,
): Promise<Readonly<Record<string, object>>> {
  const [address, chains] = paramsOf(method, params, 2)
  const account = readAccount(cx, method, address)
  const known = supportedChainIds(cx.config)
  if (chains === undefined || chains === null)
    return byChain(
      namedChainIds(cx.config).map((id) => [formatQuantity(id), cx.handler.capabilities(account, id, false)]),
    )
  const list = listOf(chains, MOST_CHAINS)
  if (!list?.every((each) => each === ALL_CHAINS || readChainId(each) !== undefined))
    throw invalidParams(method, { params })
  return byChain(
    list.flatMap((each): [string, Promise<Capabilities>][] => {
      const chainId = each === ALL_CHAINS ? known[0] : readChainId(each)
      if (chainId === undefined || !chainOf(cx.config, chainId)) return []
      return [[String(each), cx.handler.capabilities(account, chainId, false)]]
    }),
  )
}

const byChain = async (list: readonly (readonly [string, Promise<Capabilities>])[]) =>
  Object.fromEntries(await Promise.all(list.map(async ([chain, found]) => [chain, await found] as const)))

/** Characters of a request that are read at all. */
const MOST_READ = 16_000_000
const ALL_CHAINS = '0x0'
const MOST_CHAINS = 256

/** A capability of the wallet that a request may ask for. */
const isSupported = (own: Capabilities, name: string): boolean =>
  Object.hasOwn(own, name) && (own[name] as { readonly supported?: unknown }).supported === true

function paramsOf(method: string, params: unknown, most: number): readonly unknown[] {
  const list = listOf(params, most + 1)
  if (!list || list.length === 0 || list.length > most) throw invalidParams(method, { params })
  return list
}

/** An identifier of at most so many bytes; one in hex has a byte for two digits. */
function readId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const size = isHexBytes(value) ? value.length / 2 - 1 : new TextEncoder().encode(value).length
  return size <= walletsLimits.batchIdBytes ? value : undefined
}

/** The named account, or the active one. */
function readAccount<A extends ProviderAccount>(
  { accounts }: CallsContext<A>,
  method: string,
  value: unknown,
): A {
  const [active] = accounts
  const address = value === undefined ? active?.address : parseEthereumAddress(value)
  if (!address) throw invalidParams(method)
  const account = accounts.find((each) => each.address.toLowerCase() === address.toLowerCase())
  if (!account) throw notOurAccount()
  return account
}

const fields = ['to', 'data', 'value', 'capabilities']
const QUANTITY = /^0x[\da-f]{1,64}$/i

/** `undefined` for a call with a field that might mean something to the chain, and for one without a recipient or data. */
function readCall(call: Plain): RequestedCall | undefined {
  if (!isPlainObject(call) || Object.keys(call).some((name) => !fields.includes(name))) return undefined
  const { to = null, data = null, value = null } = call
  const isValid =
    (to === null || parseEthereumAddress(to) !== undefined) &&
    (data === null || isHexBytes(data)) &&
    (value === null || (typeof value === 'string' && QUANTITY.test(value))) &&
    (to !== null || (data !== null && data !== '0x'))
  if (!isValid) return undefined
  return {
    ...(to !== null && { to: String(to) }),
    ...(data !== null && { data: String(data) }),
    ...(value !== null && { value: String(value) }),
  }
}

/** Each capability that is asked for, and whether the wallet may do without it. */
function readCapabilities(
  value: Plain | undefined,
): readonly (readonly [name: string, isOptional: boolean])[] | undefined {
  if (value === undefined || value === null) return []
  if (!isPlainObject(value)) return undefined
  const list = Object.entries(value).map(([name, wanted]) =>
    isPlainObject(wanted) && ['boolean', 'undefined'].includes(typeof wanted.optional)
      ? ([name, wanted.optional === true] as const)
      : undefined,
  )
  return isComplete(list) ? list : undefined
}

const isComplete = <T>(list: readonly (T | undefined)[]): list is readonly T[] =>
  list.every((each) => each !== undefined)
