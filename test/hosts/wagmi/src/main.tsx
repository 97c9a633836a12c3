import 'latchkey/define'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { announceWallet } from 'latchkey/elements'
import type {} from 'latchkey/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import {
  createConfig,
  http,
  useConnect,
  useConnection,
  useConnectors,
  useDisconnect,
  useSignMessage,
  WagmiProvider,
} from 'wagmi'
import { mainnet } from 'wagmi/chains'
import { apiUrl, appId, vaultUrl } from './settings'

// Without it, wagmi finds the wallet only after it has tried to reconnect.
if (!new URLSearchParams(location.search).has('late')) announceWallet(appId)
const config = createConfig({ chains: [mainnet], transports: { [mainnet.id]: http() } })

function Account() {
  const { address, status } = useConnection()
  const connect = useConnect()
  const disconnect = useDisconnect()
  const sign = useSignMessage()
  const own = useConnectors().filter(({ id }) => id.includes('.latchkey.'))
  return (
    <main>
      <p id="status">{status}</p>
      <p id="address">{address}</p>
      <p id="wallets">{own.map(({ name }) => name).join(' ')}</p>
      {own.map((connector) => (
        <button key={connector.uid} id="connect" type="button" onClick={() => connect.mutate({ connector })}>
          Connect {connector.name}
        </button>
      ))}
      <button id="disconnect" type="button" onClick={() => disconnect.mutate()}>
        Disconnect
      </button>
      <button id="sign" type="button" onClick={() => sign.mutate({ message: 'Hello' })}>
        Sign
      </button>
      <p id="signature">{sign.data}</p>
    </main>
  )
}

function App() {
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <Account />
        <login-modal app-id={appId} api-url={apiUrl} vault-url={vaultUrl} />
      </QueryClientProvider>
    </WagmiProvider>
  )
}

createRoot(document.querySelector('#app') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
