import * as v from 'valibot'
import type { Address, Hex } from 'viem'
import type { RateLimits } from '../limits.ts'
import { askOutside } from '../outside-json.ts'
import { Unavailable } from '../refusal.ts'

/** The chain on which fids are registered. */
export interface FarcasterChain {
  /** The fid that an address owns. @throws Unavailable */
  fidOf(address: Address): Promise<bigint | undefined>
  /**
   * Whether an address signed a text (EIP-191): with its key, or as a contract wallet (EIP-1271, and ERC-6492 for one
   * that is not deployed yet), which the chain must be asked about. @throws Unavailable
   */
  signed(address: Address, message: string, signature: Hex): Promise<boolean>
}

const idRegistry = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
const OPTIMISM = '0xa'
/** What JSON-RPC calls an execution that ended in a refusal of the contract. */
const REVERTED = 3

const hex = v.custom<Hex>((value) => typeof value === 'string' && /^0x[\da-f]*$/i.test(value))
const answer = v.union([
  v.object({ result: hex }),
  v.object({ error: v.object({ code: v.number(), message: v.string() }) }),
])

/** @param deps.url a JSON-RPC node of Optimism */
export function createFarcasterChain(deps: { url: string; limits: RateLimits }): FarcasterChain {
  const { url, limits } = deps
  const down = (cause?: unknown) =>
    new Unavailable('The registry of Farcaster could not be asked. Please try again.', { cause })
  let right = false

  /** `undefined`: the contract refused. */
  async function rpc(method: string, params: unknown[]): Promise<Hex | undefined> {
    const { body } = await askOutside('The registry of Farcaster', url, {
      json: { jsonrpc: '2.0', id: 1, method, params },
      timeout: limits.outsideTimeout,
      most: limits.outsideAnswerSize,
    })
    const parsed = v.safeParse(answer, body)
    if (!parsed.success) throw down()
    if ('result' in parsed.output) return parsed.output.result
    const { code, message } = parsed.output.error
    if (code === REVERTED || /revert/i.test(message)) return undefined
    throw down(new Error(message))
  }

  async function call(to: Address | undefined, data: Hex): Promise<Hex | undefined> {
    // A node of another chain would find other owners.
    right ||= (await rpc('eth_chainId', [])) === OPTIMISM
    if (!right) throw down(new Error('This is not a node of Optimism'))
    return rpc('eth_call', [{ ...(to && { to }), data }, 'latest'])
  }

  return {
    async fidOf(address) {
      const { decodeFunctionResult, encodeFunctionData, parseAbi } = await import('viem')
      const abi = parseAbi(['function idOf(address owner) view returns (uint256 fid)'])
      const data = await call(idRegistry, encodeFunctionData({ abi, functionName: 'idOf', args: [address] }))
      if (data === undefined || data.length !== 66) throw down()
      return decodeFunctionResult({ abi, functionName: 'idOf', data }) || undefined
    },

    async signed(address, message, signature) {
      const viem = await import('viem')
      const signer = await viem.recoverMessageAddress({ message, signature }).catch(() => undefined)
      if (signer && viem.isAddressEqual(signer, address)) return true
      const data = viem.encodeDeployData({
        abi: viem.erc6492SignatureValidatorAbi,
        bytecode: viem.erc6492SignatureValidatorByteCode,
        args: [address, viem.hashMessage(message), signature],
      })
      const verdict = await call(undefined, data)
      return verdict !== undefined && /^0x0*1$/.test(verdict)
    },
  }
}
