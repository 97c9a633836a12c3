import * as v from 'valibot'
import type { Address, Hex } from 'viem'
import { createChainRpc } from './rpc.ts'

/** A JSON-RPC node, as far as it is believed: its answers have an end, a size and a form, and it is of the right chain. */
export interface ChainNode {
  /** What a contract answers; `undefined` when it refuses. @throws Unavailable */
  call(to: Address, data: Hex): Promise<Hex | undefined>
  /**
   * Whether an address signed a text (EIP-191): with its key, or as a contract wallet (EIP-1271, and ERC-6492 for one
   * that is not deployed yet), which the chain is asked about. @throws Unavailable when the chain could not say
   */
  signed(address: Address, message: string, signature: Hex): Promise<boolean>
  /** The same for a contract wallet alone. @throws Unavailable */
  contractSigned(address: Address, message: string, signature: Hex): Promise<boolean>
}

/** What JSON-RPC calls an execution that ended in a refusal of the contract. */
const REVERTED = 3
/** Half of the order of secp256k1: of the two signatures that fit, a wallet makes the one below (EIP-2). */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const hex = v.custom<Hex>((value) => typeof value === 'string' && /^0x[\da-f]*$/i.test(value))

/** @param deps.what how the chain is called in the text of an error */
export function createChainNode(deps: Parameters<typeof createChainRpc>[0]): ChainNode {
  const { ask: asking, deadline, down } = createChainRpc(deps)

  /** `undefined`: the contract refused. */
  async function ask(method: string, params: unknown, until: number): Promise<Hex | undefined> {
    const said = await asking(method, params, until)
    if ('result' in said) {
      if (!v.is(hex, said.result)) throw down(new Error('It sent an unexpected answer'))
      return said.result
    }
    const { code, message } = said.error
    if (code === REVERTED || /revert/i.test(message)) return undefined
    throw down(new Error(message))
  }

  async function contractSigned(address: Address, message: string, signature: Hex): Promise<boolean> {
    const { createPublicClient, custom } = await import('viem')
    const until = deadline()
    let outage: unknown
    const client = createPublicClient({
      // A contract must not send this server to addresses of its choice.
      ccipRead: false,
      transport: custom(
        {
          async request({ method, params }) {
            const result = await ask(method, params, until).catch((cause) => {
              outage = cause
              throw cause
            })
            if (result === undefined) throw { code: REVERTED, message: 'execution reverted' }
            return result
          },
        },
        { retryCount: 0 },
      ),
    })
    const verdict = await client.verifyMessage({ address, message, signature }).catch(() => false)
    // To viem a node that fails and a contract that refuses are the same.
    if (outage !== undefined) throw outage
    return verdict
  }

  return {
    call: (to, data) => ask('eth_call', [{ to, data }, 'latest'], deadline()),
    contractSigned,
    async signed(address, message, signature) {
      const key = await keySigned(address, message, signature)
      return key === 'other' ? contractSigned(address, message, signature) : key === 'yes'
    },
  }
}

/**
 * Whether an address signed a text with its key. `malleable`: it did, but not so: somebody turned the signature over
 * into the other one that fits.
 */
export async function keySigned(
  address: Address,
  message: string,
  signature: Hex,
): Promise<'yes' | 'malleable' | 'other'> {
  if (!/^0x[\da-f]{130}$/i.test(signature)) return 'other'
  const { isAddressEqual, recoverMessageAddress } = await import('viem')
  const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
  if (!signer || !isAddressEqual(signer, address)) return 'other'
  return BigInt(`0x${signature.slice(66, 130)}`) > HALF_ORDER ? 'malleable' : 'yes'
}
