/** Names of ENS. The normalization of names is large, so this is loaded where an app has turned names on. */

import { namehash, normalize, packetToBytes, toCoinType } from 'viem/ens'
import { bytesToHex, decodeAbiParameters, encodeFunctionData } from 'viem/utils'
import { catchNodeError, NodeError } from '../lib/node-errors.ts'
import { parseEthereumAddress } from './address.ts'
import { bytes, unusable } from './answers.ts'
import { failureReason, revertData } from './failure-reason.ts'
import { assertChainId } from './prepare-transaction.ts'
import type { Ask, ChainNode } from './rpc.ts'

type Hex = `0x${string}`

export type ResolvedName =
  | {
      readonly kind: 'resolved'
      /** As ENS writes it. */
      readonly name: string
      readonly address: string
      /** `false`: the owner has named an address for Ethereum alone, and it may be a contract that is only there. */
      readonly isForChain: boolean
    }
  | {
      readonly kind: 'unresolved'
      /** `elsewhere`: the name is kept outside of the chain, which isn't asked. */
      readonly reason: 'invalid-name' | 'unknown-name' | 'no-address' | 'elsewhere'
    }

const REGISTRY = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'
const ZERO = `0x${'0'.repeat(40)}`
/** `OffchainLookup` of EIP-3668: the answer is at a server of the name's owner, which would learn who asks. */
const OFFCHAIN = '0x556f1830'
/** Of `resolve(bytes,bytes)` (ENSIP-10). */
const EXTENDED_RESOLVER = '0x9061b923'
const abi = [
  { type: 'function', name: 'resolver', inputs: [{ type: 'bytes32' }], outputs: [], stateMutability: 'view' },
  { type: 'function', name: 'addr', inputs: [{ type: 'bytes32' }], outputs: [], stateMutability: 'view' },
  {
    type: 'function',
    name: 'addr',
    inputs: [{ type: 'bytes32' }, { type: 'uint256' }],
    outputs: [],
    stateMutability: 'view',
  },
  {
    type: 'function',
    name: 'resolve',
    inputs: [{ type: 'bytes' }, { type: 'bytes' }],
    outputs: [],
    stateMutability: 'view',
  },
  {
    type: 'function',
    name: 'supportsInterface',
    inputs: [{ type: 'bytes4' }],
    outputs: [],
    stateMutability: 'view',
  },
] as const

/**
 * Asks ENS which address a name stands for. Throws a `NodeError` for an answer that can't be used, or `Unreachable`.
 * @param node of Ethereum itself, where the names are
 * @param typed exactly as the user has typed it: every character decides which name it is (ENSIP-15)
 * @param chainId of the chain on which something is sent
 */
export async function resolveName(
  node: ChainNode,
  typed: string,
  { chainId, signal }: { chainId: number; signal?: AbortSignal | undefined },
): Promise<ResolvedName> {
  const name = normalized(typed)
  if (name === undefined) return { kind: 'unresolved', reason: 'invalid-name' }
  await assertChainId(node, 1, signal)
  const ask: Ask = (method, params = []) => node.ask(method, params, { signal })
  const found = await findResolver(ask, name)
  if (found === undefined) return { kind: 'unresolved', reason: 'unknown-name' }
  const hash = namehash(name)
  const [forChain, forEthereum] = await Promise.all([
    chainId === 1
      ? undefined
      : found.ask(encodeFunctionData({ abi, functionName: 'addr', args: [hash, toCoinType(chainId)] })),
    found.ask(encodeFunctionData({ abi, functionName: 'addr', args: [hash] })),
  ])
  const own = readBytesAddress(forChain)
  // The address for this chain may be another one, and is kept where nobody looks.
  if (forChain === 'elsewhere') return { kind: 'unresolved', reason: 'elsewhere' }
  const address = own ?? readAddress(forEthereum)
  if (address) return { kind: 'resolved', name, address, isForChain: chainId === 1 || own !== undefined }
  return { kind: 'unresolved', reason: forEthereum === 'elsewhere' ? 'elsewhere' : 'no-address' }
}

function normalized(name: string): string | undefined {
  try {
    return normalize(name)
  } catch {
    return undefined
  }
}

/** Asks a resolver for a record; `elsewhere`: it is kept outside of the chain. */
type AskResolver = (record: Hex) => Promise<Hex | 'elsewhere' | undefined>

/**
 * The resolver of a name: its own, or the nearest one above it that answers for names below (ENSIP-10). `undefined` where there is
 * none, so that nobody has the name.
 */
async function findResolver(ask: Ask, name: string): Promise<{ readonly ask: AskResolver } | undefined> {
  const labels = name.split('.')
  for (let above = 0; above < Math.min(labels.length, MOST_LABELS); above++) {
    const hash = namehash(labels.slice(above).join('.'))
    const answer = await call(
      ask,
      REGISTRY,
      encodeFunctionData({ abi, functionName: 'resolver', args: [hash] }),
    )
    // Without the registry nothing is known of any name.
    if (answer === undefined || !isWord(answer)) throw unusable('the resolver of a name')
    const resolver = readAddress(answer)
    if (resolver === undefined) continue
    const support = await call(
      ask,
      resolver,
      encodeFunctionData({ abi, functionName: 'supportsInterface', args: [EXTENDED_RESOLVER] }),
    )
    if (support !== undefined && /^0x0{63}1$/.test(support))
      return { ask: (record) => askExtended(ask, resolver, { name, record }) }
    return above === 0 ? { ask: (record) => call(ask, resolver, record) } : undefined
  }
  return undefined
}
/** More than any name has that the registry could know. */
const MOST_LABELS = 32

/** A resolver that answers for other names as well is told which one is meant. */
async function askExtended(
  ask: Ask,
  resolver: string,
  { name, record }: { name: string; record: Hex },
): Promise<Hex | 'elsewhere' | undefined> {
  const args = [bytesToHex(packetToBytes(name)), record] as const
  const answer = await call(ask, resolver, encodeFunctionData({ abi, functionName: 'resolve', args }))
  if (answer === undefined || answer === 'elsewhere') return answer
  try {
    return decodeAbiParameters([{ type: 'bytes' }], answer)[0]
  } catch {
    return undefined
  }
}

/** `undefined`: the contract has reverted. Any other refusal of the node says nothing about the name, and is thrown. */
async function call(ask: Ask, to: string, data: Hex): Promise<Hex | 'elsewhere' | undefined> {
  const answer = await catchNodeError(ask('eth_call', [{ to, data }, 'latest']))
  if (!(answer instanceof NodeError)) return bytes('the address of a name')(answer)
  // Some nodes name the error in their words alone.
  const isOffchain =
    revertData(answer.data)?.toLowerCase().startsWith(OFFCHAIN) || answer.message.includes(OFFCHAIN)
  if (isOffchain) return 'elsewhere'
  if (failureReason(answer).kind === 'reverted') return undefined
  throw answer
}

const isWord = (result: Hex | 'elsewhere') => /^0x[0-9a-f]{64}$/.test(result)

function readAddress(result: Hex | 'elsewhere' | undefined): string | undefined {
  if (result === undefined || !/^0x0{24}[0-9a-f]{40}$/.test(result)) return undefined
  const address = parseEthereumAddress(`0x${result.slice(26)}`)
  return address === ZERO ? undefined : address
}

/** Addresses of other chains are bytes of any length. */
function readBytesAddress(result: Hex | 'elsewhere' | undefined): string | undefined {
  if (result === undefined || result === 'elsewhere' || result.length > 2 + 64 * 4) return undefined
  try {
    const [value] = decodeAbiParameters([{ type: 'bytes' }], result)
    const address = parseEthereumAddress(value)
    return address === ZERO ? undefined : address
  } catch {
    return undefined
  }
}
