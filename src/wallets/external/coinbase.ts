import type { ProviderInterface } from '@coinbase/wallet-sdk'
import { KitError } from '../../errors/kit-error.ts'
import { lazily } from '../../errors/lazily.ts'
import { supportedChainIds } from '../../ethereum/chains.ts'
import { protocolLimits } from '../../protocol/limits.ts'
import { fieldOf, lineOf } from './claims.ts'
import type { Connector, ConnectorContext, WalletMeta } from './connector.ts'
import { createEip1193Connector, type RawProvider } from './ethereum/connector.ts'

export type CoinbasePreference = 'all' | 'eoaOnly' | 'smartWalletOnly'

/** The chains on which Coinbase's smart wallet is deployed. */
const smartWalletChains: readonly number[] = [
  ...[1, 11155111, 137, 10, 8453, 84532, 42161, 7777777, 43114, 56],
]

/**
 * Coinbase's wallet through its own SDK: the extension if there is one, otherwise a window of Coinbase's,
 * which a browser opens only within a press. `initialise()` loads the SDK before that.
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
/** The smart wallet is listed, and stored with a person's account, under an id of its own. */
const smartWallet: WalletMeta = {
  ...coinbaseWallet,
  id: 'coinbase_smart_wallet',
  name: 'Coinbase Smart Wallet',
}

const loadSdk = lazily(() =>
  import('@coinbase/wallet-sdk').then(({ createCoinbaseWalletSDK }) => createCoinbaseWalletSDK),
)

interface SdkProvider extends RawProvider {
  end(): Promise<void>
}

async function load(cx: ConnectorContext, preference: CoinbasePreference): Promise<SdkProvider> {
  const createCoinbaseWalletSDK = await loadSdk()
  const config = cx.config()
  const chains = supportedChainIds(config)
  const first = config.host.defaultChain?.id
  // The first chain is where a new connection begins.
  const ordered = first === undefined ? chains : [first, ...chains.filter((id) => id !== first)]
  const sdk = createCoinbaseWalletSDK({
    appName: config.appName,
    appLogoUrl: config.logoUrl?.startsWith('https:') ? config.logoUrl : null,
    appChainIds:
      preference === 'smartWalletOnly'
        ? ordered.filter((id) => smartWalletChains.includes(id))
        : [...ordered],
    // All options every time, because the SDK would keep omitted ones from the previous call.
    preference: {
      options: preference,
      keysUrl: config.host.externalWallets?.coinbaseWallet?.keysUrl as string,
    },
  })
  const wallet: ProviderInterface = sdk.getProvider()
  return {
    async request(input: { method: string; params?: unknown }) {
      // If the SDK is asked before anybody is connected, it discards everything it keeps, including a
      // connection that is under way.
      if (input.method === 'eth_accounts' && fieldOf(wallet, 'signer') === null) return []
      try {
        return await wallet.request(input as { method: string; params?: unknown[] })
      } catch (cause) {
        throw isBlocked(cause) ? blocked(cause) : cause
      }
    },
    on: (event, listener) => wallet.on(event as 'message' as never, listener as never),
    removeListener: (event, listener) => wallet.removeListener(event as never, listener as never),
    // The extension's own provider, which the SDK passes on, has no such call.
    end: async () => wallet.disconnect?.(),
  }
}

const isBlocked = (cause: unknown) =>
  /popup.*blocked/i.test(lineOf(fieldOf(cause, 'message'), protocolLimits.serverTextLength))
const blocked = (cause: unknown) =>
  new KitError('popup_blocked', 'The browser did not open the window', { cause, retryable: true })
