/** Names of ENS. The normalization of names is large, so this is loaded where an app has turned names on. */

import { namehash, normalize, toCoinType } from 'viem/ens'
import { decodeAbiParameters, encodeFunctionData } from 'viem/utils'
import { catchNodeError, NodeError } from '../lib/node-errors.ts'
import { parseEthereumAddress } from './address.ts'
import { bytes } from './answers.ts'
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
/** `OffchainLookup` of EIP-3668. */
const OFFCHAIN = '0x556f1830'
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
] as const

/**
 * Asks ENS which address a name stands for. Throws a `NodeError` for an answer that can't be used, or `Unreachable`.
 * @param node of Ethereum itself, where the names are
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
  const hash = namehash(name)
  const resolver = readAddress(
    await call(ask, REGISTRY, encodeFunctionData({ abi, functionName: 'resolver', args: [hash] })),
  )
  if (resolver === undefined) return { kind: 'unresolved', reason: 'unknown-name' }
  const [forChain, forEthereum] = await Promise.all([
    chainId === 1
      ? undefined
      : call(
          ask,
          resolver,
          encodeFunctionData({ abi, functionName: 'addr', args: [hash, toCoinType(chainId)] }),
        ),
    call(ask, resolver, encodeFunctionData({ abi, functionName: 'addr', args: [hash] })),
  ])
  const own = readBytesAddress(forChain)
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

async function call(ask: Ask, to: string, data: Hex): Promise<Hex | 'elsewhere' | undefined> {
  const answer = await catchNodeError(ask('eth_call', [{ to, data }, 'latest']))
  if (!(answer instanceof NodeError)) return bytes('the address of a name')(answer)
  return String(answer.data).startsWith(OFFCHAIN) ? 'elsewhere' : undefined
}

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
