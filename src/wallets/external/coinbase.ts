import type { ProviderInterface } from '@coinbase/wallet-sdk'
import { supportedChainIds } from '../../chains/chains.ts'
import { limits } from '../../core/limits.ts'
import { KitError } from '../../errors/kit-error.ts'
import { fieldOf, lineOf } from './claims.ts'
import type { Connector, ConnectorContext, WalletMeta } from './connector.ts'
import { createEip1193Connector, type RawProvider } from './eip1193.ts'

export type CoinbasePreference = 'all' | 'eoaOnly' | 'smartWalletOnly'

/** Wire 10.5: where Coinbase's smart wallet is at home. */
const smartWalletChains: readonly number[] = [
  ...[1, 11155111, 137, 10, 8453, 84532, 42161, 7777777, 43114, 56],
]

/**
 * Coinbase's wallet through its own SDK: the extension where there is one, and otherwise a window of Coinbase's, which a
 * browser opens only within a press. `initialise()` loads the SDK before that.
 */
export function createCoinbaseConnector(
  cx: ConnectorContext,
  { preference }: { preference: CoinbasePreference },
): Connector {
  let loading: Promise<SdkProvider> | undefined
  const provider = () => {
    loading ??= load(cx, preference).catch((cause) => {
      loading = undefined
      throw cause
    })
    return loading
  }
  return createEip1193Connector({
    cx,
    type: 'coinbase_wallet',
    meta: () => (preference === 'smartWalletOnly' ? smartWallet : coinbaseWallet),
    provider,
    end: async () => (await provider()).end(),
  })
}

const coinbaseWallet: WalletMeta = { id: 'coinbase_wallet', name: 'Coinbase Wallet', icon: undefined }
/** Spec §4 "Wallet connection": it goes by another type. */
const smartWallet: WalletMeta = {
  ...coinbaseWallet,
  id: 'coinbase_smart_wallet',
  name: 'Coinbase Smart Wallet',
}

interface SdkProvider extends RawProvider {
  end(): Promise<void>
}

async function load(cx: ConnectorContext, preference: CoinbasePreference): Promise<SdkProvider> {
  const { createCoinbaseWalletSDK } = await import('@coinbase/wallet-sdk')
  const config = cx.config()
  const chains = supportedChainIds(config)
  const first = config.host.defaultChain?.id
  // The first one is where a new connection begins.
  const ordered = first === undefined ? chains : [first, ...chains.filter((id) => id !== first)]
  const sdk = createCoinbaseWalletSDK({
    appName: config.appName,
    appLogoUrl: config.logoUrl?.startsWith('https:') ? config.logoUrl : null,
    appChainIds:
      preference === 'smartWalletOnly'
        ? ordered.filter((id) => smartWalletChains.includes(id))
        : [...ordered],
    // All of them said each time: what was left out would be taken from the call before.
    preference: {
      options: preference,
      keysUrl: config.host.externalWallets?.coinbaseWallet?.keysUrl as string,
    },
  })
  const wallet: ProviderInterface = sdk.getProvider()
  return {
    async request(input: { method: string; params?: unknown }) {
      // Asked before anybody is connected, the SDK throws away all that it keeps, also of a connection that is under way.
      if (input.method === 'eth_accounts' && fieldOf(wallet, 'signer') === null) return []
      try {
        return await wallet.request(input as { method: string; params?: unknown[] })
      } catch (cause) {
        throw isBlocked(cause) ? blocked(cause) : cause
      }
    },
    on: (event, listener) => wallet.on(event as 'message' as never, listener as never),
    removeListener: (event, listener) => wallet.removeListener(event as never, listener as never),
    // The extension's own provider, which the SDK hands on, knows no such call.
    end: async () => wallet.disconnect?.(),
  }
}

const isBlocked = (cause: unknown) =>
  /popup.*blocked/i.test(lineOf(fieldOf(cause, 'message'), limits.serverTextLength))
const blocked = (cause: unknown) =>
  new KitError('popup_blocked', 'The browser did not open the window', { cause, retryable: true })
