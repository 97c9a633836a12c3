/** What a description needs beside the request: names, tokens, chains. Plain data, or functions over data that are here already. */
import { isAddress } from '../ethereum/calls/values.ts'

export interface Token {
  readonly symbol: string
  readonly decimals: number
  readonly name?: string | undefined
}
export interface NativeCurrency {
  readonly symbol: string
  readonly decimals: number
}
export interface ChainInfo {
  readonly name: string
  readonly nativeCurrency: NativeCurrency
}
/** What an address is known to be; see the `types` of the format `addressName`. */
export type AddressKind = 'wallet' | 'eoa' | 'contract' | 'token' | 'collection'

/**
 * What is known beside the request. It answers at once: in the vault all of it comes in one answer of its own server. A description
 * lists what it lacked (`needed`), so ask for that, and describe again. Addresses are given in lower case; `undefined` means unknown.
 */
export interface DataProvider {
  token?(chainId: number, address: string): Token | undefined
  /** A name that the user or the wallet has given to an address. */
  addressName?(chainId: number, address: string): string | undefined
  /** The name in ENS, checked in both directions. */
  ensName?(chainId: number, address: string): string | undefined
  nftCollectionName?(chainId: number, address: string): string | undefined
  /** Unix time in seconds. */
  blockTimestamp?(chainId: number, height: bigint): number | undefined
  chain?(chainId: number): ChainInfo | undefined
  /** The contract to which a proxy passes its calls, or whose code an account has delegated to (EIP-7702). */
  implementation?(chainId: number, address: string): string | undefined
  /** Who has created a contract, and the event that says so. */
  creation?(chainId: number, address: string): Creation | undefined
  /** What the wallet has of a token, and how many there are: whether an allowance reaches all of it. */
  tokenFigures?(chainId: number, address: string): TokenFigures | undefined
  /** What an address is; an empty list where nobody knows. */
  addressKinds?(chainId: number, address: string): readonly AddressKind[] | undefined
}
/** In the token's smallest units. */
export interface TokenFigures {
  readonly balance: bigint
  readonly supply?: bigint | undefined
}
export interface Creation {
  readonly factory: string
  /** The signature of the event, such as `ProxyCreation(address,address)`. */
  readonly event: string
}

/** Something that a description lacked. */
export type Need =
  | {
      readonly kind:
        | 'token'
        | 'tokenFigures'
        | 'addressName'
        | 'nftCollectionName'
        | 'implementation'
        | 'creation'
      readonly chainId: number
      readonly address: string
    }
  | { readonly kind: 'descriptor'; readonly chainId: number; readonly address: string }
  | { readonly kind: 'blockTimestamp'; readonly chainId: number; readonly height: string }
  | { readonly kind: 'chain'; readonly chainId: number }

/**
 * Data by address, as the fixtures of the ERC-7730 registry have them (`dataProvider`). A key is an address, which counts for every
 * chain, or `eip155:<chain>:<address>`, which counts for that chain and before the other.
 */
export interface ProvidedData {
  readonly tokens?: Readonly<Record<string, Token>>
  readonly addressNames?: Readonly<Record<string, string>>
  readonly ensNames?: Readonly<Record<string, string>>
  readonly nftCollectionNames?: Readonly<Record<string, string>>
  /** By block height. */
  readonly blockTimestamps?: Readonly<Record<string, number>>
  /** By chain id. */
  readonly chains?: Readonly<Record<string, ChainInfo>>
  readonly implementations?: Readonly<Record<string, string>>
  readonly creations?: Readonly<Record<string, Creation>>
  readonly addressKinds?: Readonly<Record<string, readonly AddressKind[]>>
  readonly tokenFigures?: Readonly<Record<string, TokenFigures>>
}

const KEY = /^(eip155:\d+:)?0x[0-9a-f]{40}$/i

/** Makes a provider of data by address. What is not of its type counts as unknown. */
export function createDataProvider(data: ProvidedData = {}): DataProvider {
  const lookUp = <T>(
    table: Readonly<Record<string, T>> | undefined,
    isValid: (value: unknown) => boolean,
  ): ((chainId: number, address: string) => T | undefined) => {
    const entries = new Map<string, T>()
    if (typeof table === 'object' && table !== null)
      for (const [key, value] of Object.entries(table))
        if (KEY.test(key) && isValid(value)) entries.set(key.toLowerCase(), value)
    return (chainId, address) => entries.get(`eip155:${chainId}:${address}`) ?? entries.get(address)
  }
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const timestamps = new Map(Object.entries(data.blockTimestamps ?? {}))
  const chains = new Map(Object.entries(data.chains ?? {}))
  return {
    token: lookUp(data.tokens, isToken),
    addressName: lookUp(data.addressNames, isText),
    ensName: lookUp(data.ensNames, isText),
    nftCollectionName: lookUp(data.nftCollectionNames, isText),
    blockTimestamp: (_, height) => timestamps.get(String(height)),
    chain: (chainId) => chains.get(String(chainId)),
    implementation: lookUp(data.implementations, isAddress),
    creation: lookUp(data.creations, isCreation),
    addressKinds: lookUp(data.addressKinds, isKinds),
    tokenFigures: lookUp(data.tokenFigures, isFigures),
  }
}

/** Whether something is a token's metadata as a contract may give them. */
export function isToken(value: unknown): value is Token {
  const { symbol, decimals } = (value ?? {}) as Partial<Token>
  return (
    typeof symbol === 'string' &&
    symbol !== '' &&
    Number.isInteger(decimals) &&
    (decimals as number) >= 0 &&
    (decimals as number) <= 255
  )
}
/** Whether something is what a provider may say of a contract's making. */
export function isCreation(value: unknown): value is Creation {
  const { factory, event } = (value ?? {}) as Partial<Creation>
  return isAddress(factory) && typeof event === 'string'
}

const kinds: readonly unknown[] = ['wallet', 'eoa', 'contract', 'token', 'collection'] satisfies AddressKind[]
export const isKinds = (value: unknown): value is readonly AddressKind[] =>
  Array.isArray(value) && value.every((each) => kinds.includes(each))

export function isFigures(value: unknown): value is TokenFigures {
  const { balance, supply } = (value ?? {}) as Partial<TokenFigures>
  return typeof balance === 'bigint' && (supply === undefined || typeof supply === 'bigint')
}
