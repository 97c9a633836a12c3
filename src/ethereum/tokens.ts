/** Metadata and balances of ERC-20 tokens, read from the token's own contract. All of it is a foreign party's claim. */

import { decodeAbiParameters } from 'viem/utils'
import { catchNodeError, NodeError } from '../lib/node-errors.ts'
import { isSafeSymbol, isSafeText, safeTextLimits } from '../lib/safe-text.ts'
import { bytes } from './answers.ts'
import { ethereumLimits } from './limits.ts'
import type { ChainNode } from './rpc.ts'

export interface TokenMetadata {
  readonly address: string
  readonly symbol: string
  readonly decimals: number
  /** `undefined` for a contract without a name, and for a name that isn't safe to show. */
  readonly name?: string | undefined
}
export interface Token extends TokenMetadata {
  readonly kind: 'token'
  /** In the smallest unit; `undefined` without an owner. */
  readonly balance?: bigint | undefined
}
/** Amounts of such a token are shown as raw numbers, with its address. */
export interface UnknownToken {
  readonly kind: 'unknown'
  readonly address: string
  /** `no-token`: the contract has no decimals or no symbol. `unsafe`: it has some that would mislead. */
  readonly reason: 'no-token' | 'unsafe'
  readonly balance?: bigint | undefined
}

/** Selectors of ERC-20. */
export const erc20Selectors = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  balanceOf: '0x70a08231',
  totalSupply: '0x18160ddd',
  allowance: '0xdd62ed3e',
} as const

/**
 * Reads a token by parallel calls. Throws a `NodeError` for an answer that no node gives, or `Unreachable`; a contract that refuses, or
 * says what can't be shown, is an unknown token.
 * @param owner whose balance is read as well
 */
export async function readToken(
  node: ChainNode,
  address: string,
  { owner, signal }: { owner?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Token | UnknownToken> {
  const call = async (data: string) => {
    const answer = await catchNodeError(node.ask('eth_call', [{ to: address, data }, 'latest'], { signal }))
    return answer instanceof NodeError ? undefined : bytes('the result of a call')(answer)
  }
  const [name, symbol, decimals, balance] = await Promise.all([
    call(erc20Selectors.name),
    call(erc20Selectors.symbol),
    call(erc20Selectors.decimals),
    owner === undefined ? undefined : call(balanceOfData(owner)),
  ])
  const found = readMetadata(address, { name, symbol, decimals })
  const amount = balance === undefined ? undefined : readUint(balance)
  return { ...found, ...(amount !== undefined && { balance: amount }) }
}

export const allowanceData = (owner: string, spender: string): `0x${string}` =>
  `${erc20Selectors.allowance}${addressWord(owner)}${addressWord(spender)}`
export const balanceOfData = (owner: string): `0x${string}` =>
  `${erc20Selectors.balanceOf}${addressWord(owner)}`
export const addressWord = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0')

/** @param results what the contract returned for its name, symbol and decimals; `undefined` where it refused */
export function readMetadata(
  address: string,
  results: Readonly<Record<'name' | 'symbol' | 'decimals', `0x${string}` | undefined>>,
): Token | UnknownToken {
  const decimals = results.decimals && readUint(results.decimals)
  const symbol = results.symbol && readText(results.symbol)
  if (decimals === undefined || !symbol) return { kind: 'unknown', address, reason: 'no-token' }
  if (decimals > BigInt(ethereumLimits.tokenDecimals) || !isSafeSymbol(symbol))
    return { kind: 'unknown', address, reason: 'unsafe' }
  const name = results.name && readText(results.name)
  const hasName = name && isSafeText(name, safeTextLimits.name)
  return { kind: 'token', address, symbol, decimals: Number(decimals), ...(hasName && { name }) }
}

/** A number of 32 bytes; `undefined` for anything else. */
export const readUint = (result: `0x${string}`): bigint | undefined =>
  result.length === 66 ? BigInt(result) : undefined

/** A string, or the 32 bytes in which some old tokens have theirs. `undefined` if it is none. */
export function readText(result: `0x${string}`): string | undefined {
  // A longer text could never be shown, and decoding it takes time.
  if (result.length > 2 + 2 * 1_024) return undefined
  try {
    if (result.length !== 66) return decodeAbiParameters([{ type: 'string' }], result)[0]
    const [, used = ''] = /^0x((?:[0-9a-f]{2})*?)(?:00)*$/.exec(result) ?? []
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(used.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)),
    )
  } catch {
    return undefined
  }
}
