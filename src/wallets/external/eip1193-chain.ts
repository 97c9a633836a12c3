import type { Config } from '../../config.ts'
import type { Clock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import { KitError } from '../../errors/kit-error.ts'
import { isRabbyUnknownChain, isUnknownChain, toWalletError } from './wallet-error.ts'

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/**
 * Asks a wallet for another chain. One that it does not know is added, and then asked for again (spec §4, wire 3.5).
 * Resolves when the wallet has said yes; whether it is there is to be looked up.
 */
export async function askForChain(
  { ask, clock, config, clientType }: { ask: Ask; clock: Clock; config: Config; clientType: string },
  chainId: number,
  signal?: AbortSignal,
): Promise<void> {
  // Comes with viem, which somebody who only signs in never needs.
  const { addChainParams, chainOf } = await import('../../chains/chains.ts')
  const chain = chainOf(config, chainId)
  if (!chain) throw unsupportedChain(`Unsupported chainId ${chainId}`)
  const params = addChainParams(chain)
  const change = () => ask('wallet_switchEthereumChain', [{ chainId: params.chainId }])
  try {
    await change()
  } catch (cause) {
    signal?.throwIfAborted()
    if (!isUnknownChain(cause)) throw refused(cause, clientType, chainId)
    if (clientType === 'rainbow') throw rainbow(chainId, cause)
    if (isRabbyUnknownChain(cause)) await clock.sleep(limits.walletChainAdded, signal)
    await ask('wallet_addEthereumChain', [params])
    await change()
  }
}

const refused = (cause: unknown, clientType: string, chainId: number) =>
  clientType === 'rainbow' && toWalletError(cause).code === 'unsupported_method'
    ? rainbow(chainId, cause)
    : cause

const rainbow = (chainId: number, cause: unknown) =>
  unsupportedChain(`Rainbow does not support the chainId ${chainId}`, cause)

const unsupportedChain = (message: string, cause?: unknown) =>
  new KitError('unsupported_chain_id', message, { cause })
