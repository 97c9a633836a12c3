import type { ConnectedWallet, WalletConnector } from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/** Wallets that are connected to the page, with or without a login. @param failed told what came of a call that failed */
export function wallets(connector: WalletConnector, failed: (what: string, cause: unknown) => void): void {
  const attempt = (what: string, work: () => Promise<unknown>) => async () => {
    try {
      await work()
    } catch (cause) {
      failed(what, cause)
    }
    show()
  }

  function show(): void {
    byId('connected').replaceChildren(...(connector.wallets ?? []).map(entryOf))
  }

  function entryOf(wallet: ConnectedWallet): HTMLLIElement {
    const { meta, address, chainId, linked } = wallet
    const entry = document.createElement('li')
    const name = document.createElement('strong')
    name.textContent = meta.name
    const what = document.createElement('span')
    what.textContent = `${address} · ${chainId}${linked ? ' · linked' : ''}`
    const actions = document.createElement('p')
    actions.className = 'actions'
    const act = (label: string, work: () => Promise<unknown>) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = label
      button.addEventListener('click', attempt(label, work))
      actions.append(button)
    }
    if (chainId === 'eip155:1') act('Switch to Base', () => wallet.switchChain(8453))
    else if (chainId.startsWith('eip155:')) act('Switch to Ethereum', () => wallet.switchChain(1))
    if (!linked) act('Log in or link', wallet.loginOrLink)
    act('Disconnect', wallet.disconnect)
    entry.append(name, what, actions)
    return entry
  }

  byId('connect').addEventListener(
    'click',
    attempt('connect()', async () => {
      if (!connector.matches(':defined')) await customElements.whenDefined('wallet-connector')
      await connector.connect()
    }),
  )
  for (const type of ['lk-ready', 'lk-wallets']) connector.addEventListener(type, show)
  document.querySelector('login-modal')?.addEventListener('lk-user', show)
}
