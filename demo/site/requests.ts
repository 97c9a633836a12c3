import type { EthereumProvider, LoginModal } from '../../src/index.ts'

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
  const { chains } = JSON.parse(login.dataset.networks || '{}') as { chains?: Record<number, string> }
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
