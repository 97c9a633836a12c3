/** A page that uses the client as its documentation says. Its user acts in the client's own dialog; tests call the rest. */
import {
  addRpcUrlOverrideToChain,
  PrivyProvider,
  useDelegatedActions,
  useHeadlessDelegatedActions,
  usePrivy,
  useSendTransaction,
  useSignMessage,
  useSignTypedData,
  useWallets,
} from '@privy-io/react-auth'
import { SmartWalletsProvider, useSmartWallets } from '@privy-io/react-auth/smart-wallets'
import { createRoot } from 'react-dom/client'
import { base } from 'viem/chains'

const { appId, apiUrl, rpcUrl } = window.settings
const chain = addRpcUrlOverrideToChain(base, rpcUrl)

/** Gives tests what the hooks return, as it is after the latest change. */
function Client() {
  const { ready, authenticated, user, login, logout, getAccessToken, createWallet, exportWallet } = usePrivy()
  const { ready: walletsReady, wallets } = useWallets()
  const { signMessage } = useSignMessage()
  const { signTypedData } = useSignTypedData()
  const { sendTransaction } = useSendTransaction()
  const withDialog = useDelegatedActions()
  const withoutDialog = useHeadlessDelegatedActions()
  const { client: smart } = useSmartWallets()

  const accounts = user?.linkedAccounts ?? []
  const embedded = accounts.filter(({ walletClientType }) => walletClientType === 'privy')
  window.client = {
    state: () => ({
      ready,
      authenticated,
      isReadyToSign: walletsReady && wallets.length > 0,
      hasSmartClient: smart !== undefined,
      id: user?.id ?? null,
      wallets: embedded.map(({ address, delegated }) => ({ address, delegated })),
      smartWallet: user?.smartWallet?.address ?? null,
    }),
    logIn: () => login(),
    logOut: () => logout(),
    token: () => getAccessToken(),
    addWallet: async () => (await createWallet({ createAdditional: true })).address,
    exportWallet: (address) => exportWallet({ address }),
    signMessage: async (message, address) => (await signMessage({ message }, { address })).signature,
    signTypedData: async (data, address) => (await signTypedData(data, { address })).signature,
    sendTransaction: async (transaction, address) => (await sendTransaction(transaction, { address })).hash,
    async request(method, params) {
      const provider = await wallets[0].getEthereumProvider()
      return provider.request({ method, params })
    },
    delegate: (address) => withDialog.delegateWallet({ address, chainType: 'ethereum' }),
    revoke: () => withDialog.revokeWallets(),
    delegateSilently: (address) => withoutDialog.delegateWallet({ address, chainType: 'ethereum' }),
    revokeSilently: () => withoutDialog.revokeWallets(),
    signBySmartWallet: (message) => smart.signMessage({ message }),
    sendBySmartWallet: ({ to, value }) => smart.sendTransaction({ to, value: BigInt(value) }),
  }
  return null
}

createRoot(document.getElementById('place')).render(
  <PrivyProvider
    appId={appId}
    apiUrl={apiUrl}
    config={{
      loginMethods: ['email'],
      defaultChain: chain,
      supportedChains: [chain],
      embeddedWallets: { transactionScanning: { enabled: true, domain: location.origin } },
    }}
  >
    <SmartWalletsProvider>
      <Client />
    </SmartWalletsProvider>
  </PrivyProvider>,
)
