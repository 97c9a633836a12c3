import {
  createPublicClient,
  HttpRequestError,
  http,
  isAddressEqual,
  recoverMessageAddress,
  TimeoutError,
} from 'viem'
import type { Config } from '../../../app/config.ts'
import { KitError } from '../../../errors/kit-error.ts'
import { rpcUrlOf } from '../../../ethereum/chains.ts'
import { limits } from '../../../lib/limits.ts'
import { chainDisconnectedError } from '../provider-error.ts'

/** Asks the chain's node what a wallet elsewhere need not be asked. */
export async function requestNode(
  config: Config,
  chainId: number,
  request: { method: string; params?: unknown },
): Promise<unknown> {
  try {
    return await nodeOf(config, chainId).request(request as never)
  } catch (cause) {
    // Without an answer there is no number either, which libraries would go by.
    if (cause instanceof HttpRequestError || cause instanceof TimeoutError)
      throw chainDisconnectedError(cause)
    throw cause
  }
}

/**
 * Whether a signature is that account's: by its key, or, for a contract, by its chain. Throws
 * `network_unavailable` if only the chain could tell and doesn't.
 */
export async function isSignedBy(
  config: Config,
  {
    address,
    chainId,
    data,
    signature,
  }: { address: string; chainId: number; data: string; signature: string },
): Promise<boolean> {
  const signed = {
    address: address as `0x${string}`,
    message: { raw: data as `0x${string}` },
    signature: signature as `0x${string}`,
  }
  const byKey = await recoverMessageAddress(signed).catch(() => undefined)
  if (byKey && isAddressEqual(byKey, signed.address)) return true
  const node = nodeOf(config, chainId)
  try {
    await node.request({ method: 'eth_chainId' })
  } catch (cause) {
    throw new KitError('network_unavailable', 'The signature could not be checked', {
      cause,
      retryable: true,
    })
  }
  return node.verifyMessage(signed).catch(() => false)
}

function nodeOf(config: Config, chainId: number) {
  const url = rpcUrlOf(config, chainId)
  if (!url) throw new KitError('unsupported_chain_id', `Unsupported chainId ${chainId}`)
  return createPublicClient({ transport: http(url, { retryCount: 0, timeout: limits.requestTimeout }) })
}
