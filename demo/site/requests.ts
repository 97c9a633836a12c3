import type { EthereumProvider, LoginModal, SolanaProvider } from '../../src/index.ts'
import { getSol, sendSol } from './solana.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/** Somebody who has no wallet here. */
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const hex = (ether: number) => `0x${BigInt(ether * 1e18).toString(16)}`

const typedData = (chainId: number) => ({
  domain: { name: 'Latchkey demo', version: '1', chainId },
  primaryType: 'Order',
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Order: [
      { name: 'item', type: 'string' },
      { name: 'amount', type: 'uint256' },
      { name: 'to', type: 'address' },
    ],
  },
  message: { item: 'A latchkey', amount: '2', to: friend },
})

/**
 * What a page asks of a wallet besides signing a message, by the provider that any library would use.
 * @param failed told what came of a call that failed
 */
export function requests(login: LoginModal, failed: (what: string, cause: unknown) => void): void {
  const { chains, solanaRpcUrl } = JSON.parse(login.dataset.networks || '{}') as {
    chains?: Record<number, string>
    solanaRpcUrl?: string
  }
  const [chain] = Object.entries(chains ?? {})

  async function ask(method: string, paramsOf: (from: string, chainId: number) => unknown[]): Promise<void> {
    const output = byId('request-answer')
    output.textContent = ''
    try {
      await login.load()
      const wallet = login.kit?.embeddedWallets.get().find(({ chainType }) => chainType === 'ethereum')
      if (!wallet || !chain) return
      const provider = (await wallet.getProvider()) as EthereumProvider
      const chainId = Number(chain[0])
      await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: hexOf(chainId) }] })
      output.textContent = String(
        await provider.request({ method, params: paramsOf(wallet.address, chainId) }),
      )
    } catch (cause) {
      failed(method, cause)
    }
  }

  /** Runs `work` with the user's Solana wallet when a button is pressed. */
  function onSolana(
    id: string,
    what: string,
    work: (url: string, provider: SolanaProvider) => Promise<string>,
  ) {
    byId(id).addEventListener('click', async () => {
      const output = byId('solana-answer')
      output.textContent = ''
      try {
        await login.load()
        const wallet = login.kit?.embeddedWallets.get().find(({ chainType }) => chainType === 'solana')
        if (wallet?.chainType === 'solana' && solanaRpcUrl)
          output.textContent = await work(solanaRpcUrl, wallet.getProvider())
      } catch (cause) {
        failed(what, cause)
      }
    })
  }
  onSolana('send-sol', 'signAndSendTransaction', (url, provider) => sendSol(url, provider, 0.01))
  onSolana('get-sol', 'requestAirdrop', async (url, { account }) => {
    await getSol(url, account.address, 1)
    return 'Your wallet has 1 SOL more on this machine’s network.'
  })
  const owns = (chain: string) =>
    login.user?.linkedAccounts.some(
      (each) => each.type === 'wallet' && each.embedded && each.chainType === chain,
    ) ?? false
  const show = () => {
    byId('solana').hidden = !solanaRpcUrl || !owns('solana')
  }
  for (const type of ['lk-ready', 'lk-user']) login.addEventListener(type, show)
  show()

  byId('requests').hidden = !chain
  byId('sign-typed-data').addEventListener('click', () =>
    ask('eth_signTypedData_v4', (from, chainId) => [from, JSON.stringify(typedData(chainId))]),
  )
  byId('send-transaction').addEventListener('click', () =>
    ask('eth_sendTransaction', (from) => [{ from, to: friend, value: hex(0.01) }]),
  )
  // The chain is this machine's, so everybody can be given what they ask for.
  byId('get-ether').addEventListener('click', async () => {
    try {
      const address = login.kit?.embeddedWallets
        .get()
        .find(({ chainType }) => chainType === 'ethereum')?.address
      if (!chain || !address) return
      const answer = await fetch(chain[1], {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'anvil_setBalance',
          params: [address, hex(1)],
        }),
      })
      if (!answer.ok) throw new Error(`The chain answered ${answer.status}`)
      byId('request-answer').textContent = 'Your wallet has 1 ETH on this machine’s chain.'
    } catch (cause) {
      failed('anvil_setBalance', cause)
    }
  })
}

const hexOf = (chainId: number) => `0x${chainId.toString(16)}`
