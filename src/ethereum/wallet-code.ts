/**
 * Code at a wallet's own address (EIP-7702): the contracts whose code an app allows there, and the authorizations that a wallet signs for
 * them. Kit and vault hold them against the same rules.
 */
import { InvalidRequest } from '../lib/invalid-request.ts'
import { isPlainObject, type Plain } from '../lib/plain.ts'
import { parseEthereumAddress } from './address.ts'
import { isHexBytes } from './hex.ts'
import type { Authorization } from './newer-types.ts'
import type { ChainNode } from './rpc.ts'

type Hex = `0x${string}`

/** A contract whose code an app allows at its users' own addresses. */
export interface Delegate {
  /** `undefined`: on every chain. */
  readonly chainId?: number | undefined
  readonly address: Hex
  /** For users. */
  readonly name: string
  /** The contract lets the wallet itself call `executeBatch((address,uint256,bytes)[])`. */
  readonly executesBatches: boolean
}

/** The delegate of apps that name none: the one of EntryPoint 0.8, which has no owner and no upgrade. */
export const simple7702Account: Delegate = {
  address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B',
  name: 'Simple7702Account',
  executesBatches: true,
}

/** An authorization of the zero address takes the code back. */
export const NO_CODE: Hex = `0x${'0'.repeat(40)}`
const DELEGATED = '0xef0100'
/** Gas that an authorization costs beside what the transaction does. */
export const AUTHORIZATION_GAS = 25_000n
const MOST_DELEGATES = 32
const MOST_NAME = 64

/**
 * Reads the delegates of an app's settings. Absent settings mean {@link simple7702Account} alone; settings that can't be read allow none.
 */
export function readDelegates(value: Plain | undefined): readonly Delegate[] {
  if (value === undefined || value === null) return [simple7702Account]
  if (!Array.isArray(value) || value.length > MOST_DELEGATES) return []
  const list = value.map(readDelegate)
  return list.every((each) => each !== undefined) ? list : []
}

function readDelegate(value: Plain): Delegate | undefined {
  if (!isPlainObject(value)) return undefined
  const { chainId, address, name, executesBatches } = value
  const contract = parseEthereumAddress(address)
  const isChain = chainId === undefined || (typeof chainId === 'number' && Number.isSafeInteger(chainId))
  if (!contract || contract === NO_CODE || !isChain || (chainId ?? 1) < 1) return undefined
  if (typeof name !== 'string' || name === '' || name.length > MOST_NAME) return undefined
  return {
    ...(chainId !== undefined && { chainId }),
    address: contract as Hex,
    name,
    executesBatches: executesBatches === true,
  }
}

/** The delegates of one chain. */
export const delegatesOn = (delegates: readonly Delegate[], chainId: number): readonly Delegate[] =>
  delegates.filter((each) => each.chainId === undefined || each.chainId === chainId)

/** A delegate that the app allows on a chain; `undefined` for any other contract. */
export const findDelegate = (
  delegates: readonly Delegate[],
  chainId: number,
  address: string,
): Delegate | undefined =>
  delegatesOn(delegates, chainId).find((each) => each.address.toLowerCase() === address.toLowerCase())

/** An authorization as a wallet signs it. */
export interface CodeAuthorization {
  readonly chainId: number
  /** The zero address takes the code back. */
  readonly address: Hex
  readonly nonce: bigint
}

/**
 * Asserts that a wallet may sign an authorization: for one chain, and for the code of a contract that the app allows there, or for none.
 * @throws InvalidRequest
 */
export function assertAllowedCode(
  { chainId, address }: Pick<Authorization, 'chainId' | 'address'>,
  delegates: readonly Delegate[],
): void {
  if (chainId === 0n)
    throw new InvalidRequest('An authorization for chain 0 is valid on every chain, so it is not signed')
  if (address !== NO_CODE && !findDelegate(delegates, Number(chainId), address))
    throw new InvalidRequest(
      `The app does not allow the code of ${address} at its users' addresses on chain ${chainId}`,
    )
}

/** Fields of a transaction that decide about its authorizations. */
interface Authorizing {
  readonly chainId: number
  readonly to?: string | undefined
  readonly nonce?: bigint | undefined
  readonly authorizationList?: readonly Authorization[] | undefined
}

/**
 * Asserts that the authorizations of a transaction are the one of the wallet that sends it, yet to be signed, for an allowed contract on
 * the transaction's own chain. Its nonce follows that of the transaction, which counts first.
 * @throws InvalidRequest
 */
export function assertOwnAuthorization(
  { chainId, to, nonce, authorizationList }: Authorizing,
  delegates: readonly Delegate[],
): void {
  if (!authorizationList) return
  const [own, ...others] = authorizationList
  if (!own || others.length > 0)
    throw new InvalidRequest('A transaction has one authorization, which is that of the wallet itself')
  if (own.signature)
    throw new InvalidRequest('An authorization that is signed already may be of another account')
  assertAllowedCode(own, delegates)
  if (own.chainId !== BigInt(chainId))
    throw new InvalidRequest('The authorization is for another chain than its transaction')
  if (to === undefined) throw new InvalidRequest('A transaction with an authorization has a recipient')
  if (nonce !== undefined && own.nonce !== undefined && own.nonce !== nonce + 1n)
    throw new InvalidRequest('The nonce of the authorization does not follow that of its transaction')
}

/** The authorizations of a transaction, with the nonce that follows the transaction's where they name none. */
export const withNonce = (
  list: readonly Authorization[] | undefined,
  nonce: bigint,
): readonly Authorization[] | undefined => list?.map((each) => ({ ...each, nonce: each.nonce ?? nonce + 1n }))

/** The delegate that a transaction's own authorization names: `none` takes the code back; `undefined`: it has no authorization. */
export function newCodeOf({
  authorizationList,
}: Pick<Authorizing, 'authorizationList'>): Hex | 'none' | undefined {
  const [own] = authorizationList ?? []
  if (!own) return undefined
  return own.address === NO_CODE ? 'none' : own.address
}

/** State in which a node tries a transaction as if its authorization, which is yet to be signed, had been taken. */
export function stateAfterAuthorization({
  from,
  authorizationList,
}: Pick<Authorizing, 'authorizationList'> & { readonly from: string }):
  | Readonly<Record<string, object>>
  | undefined {
  const code = newCodeOf({ authorizationList })
  if (code === undefined) return undefined
  return { [from]: { code: code === 'none' ? '0x' : `${DELEGATED}${code.slice(2).toLowerCase()}` } }
}

/** The contract whose code an address has by EIP-7702; `undefined` for any other code, and for none. */
export function delegateOfCode(code: unknown): Hex | undefined {
  if (!isHexBytes(code) || code.length !== DELEGATED.length + 40) return undefined
  if (!code.toLowerCase().startsWith(DELEGATED)) return undefined
  return parseEthereumAddress(`0x${code.slice(DELEGATED.length).toLowerCase()}`) as Hex | undefined
}

/** Reads the contract whose code a wallet has. Throws a `NodeError` or `Unreachable`. */
export async function readWalletCode(
  node: ChainNode,
  wallet: string,
  signal?: AbortSignal,
): Promise<Hex | undefined> {
  return delegateOfCode(await node.ask('eth_getCode', [wallet, 'latest'], { signal }))
}

/** The contract whose code a wallet has, with the name by which users know it where the app allows it. */
export function toWalletCode(
  delegates: readonly Delegate[],
  chainId: number,
  delegate: string,
): { readonly delegate: string; readonly name?: string } {
  const name = findDelegate(delegates, chainId, delegate)?.name
  return { delegate, ...(name !== undefined && { name }) }
}
