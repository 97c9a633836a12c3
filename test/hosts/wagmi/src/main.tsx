import 'latchkey/define'
import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query'
import type { Kit, LoginModal } from 'latchkey'
import { announceWallet } from 'latchkey/elements'
import type {} from 'latchkey/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { erc20Abi } from 'viem'
import {
  createConfig,
  http,
  injected,
  useCallsStatus,
  useCapabilities,
  useConnect,
  useConnection,
  useConnectorClient,
  useConnectors,
  useDisconnect,
  useSendCalls,
  useSendTransaction,
  useSignMessage,
  useSignTypedData,
  useSwitchChain,
  useWaitForCallsStatus,
  useWaitForTransactionReceipt,
  useWriteContract,
  WagmiProvider,
} from 'wagmi'
import { getCallsStatus, getCapabilities, sendCalls, waitForCallsStatus } from 'wagmi/actions'
import { mainnet, optimism } from 'wagmi/chains'
import { apiUrl, appId, rpcUrl, vaultUrl } from './settings'

// Without it, wagmi finds the wallet only after it has tried to reconnect.
if (!new URLSearchParams(location.search).has('late')) announceWallet(appId)
const config = createConfig({
  // The app knows a chain more than the wallet does.
  chains: [mainnet, optimism],
  transports: { [mainnet.id]: http(rpcUrl), [optimism.id]: http(rpcUrl) },
})
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const transfer = {
  abi: erc20Abi,
  address: '0x1111111111111111111111111111111111111111',
  functionName: 'transfer',
  args: [friend, 5n],
} as const
const calls = [
  { to: friend, value: 2n },
  { to: friend, value: 3n },
] as const
function kit(): Kit {
  const own = document.querySelector<LoginModal>('login-modal')?.kit
  if (!own) throw new Error('The kit is not there')
  return own
}
/** wagmi's own connector, with the provider of the smart wallet that the kit has created. */
const smartWallet = () =>
  injected({
    target: () => ({
      id: 'smart-wallet',
      name: 'Smart wallet',
      provider: () => kit().smartWallets.get()[0]?.getProvider() as never,
    }),
  })
const typedData = {
  domain: { name: 'Harbor', version: '1', chainId: mainnet.id },
  types: { Berth: [{ name: 'number', type: 'uint256' }] },
  primaryType: 'Berth',
  message: { number: 7n },
} as const

function Account() {
  const { address, status } = useConnection()
  const connect = useConnect()
  const disconnect = useDisconnect()
  const sign = useSignMessage()
  const signTyped = useSignTypedData()
  const send = useSendTransaction()
  const receipt = useWaitForTransactionReceipt({ hash: send.data })
  const write = useWriteContract()
  const move = useSwitchChain()
  const capabilities = useCapabilities({ chainId: mainnet.id, query: { enabled: status === 'connected' } })
  const batch = useSendCalls()
  const batchStatus = useCallsStatus({
    id: batch.data?.id ?? '',
    query: { enabled: batch.data !== undefined, refetchInterval: 500 },
  })
  const batchDone = useWaitForCallsStatus({ id: batch.data?.id })
  const actions = useMutation({
    mutationFn: async () => {
      const { atomic } = await getCapabilities(config, { chainId: mainnet.id })
      const { id } = await sendCalls(config, { calls, chainId: mainnet.id })
      const { status: outcome } = await waitForCallsStatus(config, { id })
      const { statusCode, receipts = [] } = await getCallsStatus(config, { id })
      return [atomic?.status, outcome, statusCode, receipts.length].join(' ')
    },
  })
  const upgrade = useMutation({
    mutationFn: async () => {
      await kit().upgradeWallet({ chainId: mainnet.id })
      await capabilities.refetch()
    },
  })
  const connectSmart = useMutation({
    mutationFn: async () => {
      await kit().createSmartWallet()
      await disconnect.mutateAsync()
      await connect.mutateAsync({ connector: smartWallet() })
    },
  })
  const { data: client } = useConnectorClient()
  const signAs = useMutation({
    mutationFn: async () => client?.request({ method: 'personal_sign', params: ['0x6869', friend] }),
  })
  const signNothing = useMutation({
    mutationFn: async () =>
      address && client?.request({ method: 'eth_signTypedData_v4', params: [address, '{}'] }),
  })
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
      <button id="sign-typed" type="button" onClick={() => signTyped.mutate(typedData)}>
        Sign typed data
      </button>
      <p id="typed-signature">{signTyped.data}</p>
      <button id="send" type="button" onClick={() => send.mutate({ to: friend, value: 1n })}>
        Send
      </button>
      <p id="receipt">{receipt.data?.status}</p>
      <button id="write" type="button" onClick={() => write.mutate(transfer)}>
        Call a contract
      </button>
      <p id="written">{write.data}</p>
      <p id="atomic">{capabilities.data?.atomic?.status}</p>
      <button id="batch" type="button" onClick={() => batch.mutate({ calls, chainId: mainnet.id })}>
        Send calls
      </button>
      <button
        id="batch-atomic"
        type="button"
        onClick={() => batch.mutate({ calls, chainId: mainnet.id, forceAtomic: true })}
      >
        Send calls as one
      </button>
      <button id="upgrade" type="button" onClick={() => upgrade.mutate()}>
        Add code to the wallet
      </button>
      <button id="connect-smart" type="button" onClick={() => connectSmart.mutate()}>
        Connect the smart wallet
      </button>
      <p id="batch-status">{batchStatus.data?.statusCode}</p>
      <p id="batch-done">{batchDone.data && `${batchDone.data.status} ${batchDone.data.receipts?.length}`}</p>
      <button id="actions" type="button" onClick={() => actions.mutate()}>
        Send calls by actions
      </button>
      <p id="actions-done">{actions.data}</p>
      <button id="move" type="button" onClick={() => move.mutate({ chainId: optimism.id })}>
        Move
      </button>
      <button id="sign-as" type="button" onClick={() => signAs.mutate()}>
        Sign for someone else
      </button>
      <button id="sign-nothing" type="button" onClick={() => signNothing.mutate()}>
        Sign nothing
      </button>
      <ul id="errors">
        {Object.entries({
          sign,
          signTyped,
          send,
          write,
          batch,
          actions,
          upgrade,
          connectSmart,
          move,
          signAs,
          signNothing,
        }).map(([name, { error }]) => error && <li key={name}>{`${name} ${causeOf(error)}`}</li>)}
      </ul>
    </main>
  )
}

/** The error that has a code of EIP-1193, with its name: wagmi wraps those of transactions and calls in others. */
function causeOf(error: Error): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'number') return `${at.name}:${code}`
  }
  return error.name
}

const nodes = { supportedChains: [mainnet], rpcConfig: { rpcUrls: { [mainnet.id]: rpcUrl } } }

function App() {
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <Account />
        <login-modal app-id={appId} api-url={apiUrl} vault-url={vaultUrl} config={nodes} />
      </QueryClientProvider>
    </WagmiProvider>
  )
}

createRoot(document.querySelector('#app') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
