import type { Config } from '../../../app/config.ts'
import { KitError } from '../../../errors/kit-error.ts'
import { lazily } from '../../../errors/lazily.ts'
import type { Clock } from '../../../lib/clock.ts'
import { walletsLimits } from '../../limits.ts'
import { isRabbyUnknownChain, isUnknownChain, toWalletError } from '../wallet-error.ts'

/** They come with viem, which people who only log in never need. */
const loadChains = lazily(() => import('../../../ethereum/chains.ts'))

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

/**
 * Switches a wallet to another chain. One that it does not know is added, and then the switch is repeated.
 * Resolves when the wallet has agreed; whether it has switched is to be looked up.
 */
export async function askForChain(
  { ask, clock, config, clientType }: { ask: Ask; clock: Clock; config: Config; clientType: string },
  chainId: number,
  signal?: AbortSignal,
): Promise<void> {
  const { addChainParams, chainOf } = await loadChains()
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
    if (isRabbyUnknownChain(cause)) await clock.sleep(walletsLimits.walletChainAdded, signal)
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
