import type {
  LoginModal,
  WalletAccount,
  WalletCreate,
  WalletExport,
  WalletRecovery,
} from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

type Chain = 'ethereum' | 'solana'
const chainNames: Record<string, string> = { ethereum: 'Ethereum', solana: 'Solana' }
const methodNames: Record<string, string> = {
  privy: 'automatic recovery',
  'user-passcode': 'recovery by password',
  'google-drive': 'recovery with Google Drive',
  icloud: 'recovery with iCloud',
  'recovery-encryption-key': 'recovery with a key of the app',
}

/** The wallets that somebody has here, and all that can be done with them. @param failed told what came of a call that failed */
export function embedded(
  elements: { login: LoginModal; creator: WalletCreate; recovery: WalletRecovery; exporter: WalletExport },
  failed: (what: string, cause: unknown) => void,
): void {
  const { login, creator, recovery, exporter } = elements
  const owned = (): WalletAccount[] =>
    (login.user?.linkedAccounts ?? []).filter(
      (each) => each.type === 'wallet' && each.embedded,
    ) as WalletAccount[]

  const attempt = (what: string, work: () => Promise<unknown>) => async () => {
    try {
      // Somebody may be faster than the elements' code.
      await customElements.whenDefined('wallet-export')
      await work()
    } catch (cause) {
      failed(what, cause)
    }
    show()
  }
  const on = (id: string, what: string, work: () => Promise<unknown>) =>
    byId(id).addEventListener('click', attempt(what, work))

  function show(): void {
    const wallets = owned()
    byId('embedded').hidden = !login.user
    byId('no-embedded').hidden = wallets.length > 0
    byId('embedded-list').replaceChildren(...wallets.map(entryOf))
    for (const chain of ['ethereum', 'solana'] as const)
      byId(`create-${chain}`).textContent = nextIndex(chain)
        ? `Create additional ${chainNames[chain]} wallet`
        : `Create ${chainNames[chain]} wallet`
    for (const id of ['set-recovery', 'set-password'])
      byId<HTMLButtonElement>(id).disabled = wallets.every((wallet) => wallet.imported)
  }

  function entryOf(wallet: WalletAccount): HTMLLIElement {
    const { address, chainType, walletIndex = 0, imported, recoveryMethod = '' } = wallet
    const entry = document.createElement('li')
    const name = document.createElement('strong')
    name.textContent = `${chainNames[chainType] ?? chainType} ${imported ? '· imported' : `· index ${walletIndex}`}`
    const what = document.createElement('span')
    what.textContent = address
    const back = document.createElement('small')
    back.className = 'hint'
    back.textContent = methodNames[recoveryMethod] ?? recoveryMethod
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Export'
    button.setAttribute('aria-label', `Export ${address}`)
    button.addEventListener(
      'click',
      attempt('export()', () => exporter.export({ address })),
    )
    const actions = document.createElement('p')
    actions.className = 'actions'
    actions.append(button)
    entry.append(name, what, back, actions)
    return entry
  }

  /** The place in the row that a chain's next wallet has. */
  const nextIndex = (chain: Chain) =>
    owned().reduce(
      (next, { chainType, imported, walletIndex = 0 }) =>
        chainType === chain && !imported ? Math.max(next, walletIndex + 1) : next,
      0,
    )

  for (const chainType of ['ethereum', 'solana'] as const)
    on(`create-${chainType}`, 'create()', async () => {
      const walletIndex = nextIndex(chainType)
      if (walletIndex === 0) return creator.create({ chainType, walletIndex })
      // The dialog is for the first one; further ones come without.
      await login.load()
      return login.kit?.createWallet({ chainType, walletIndex })
    })
  on('set-recovery', 'setRecovery()', () => recovery.setRecovery())
  on('set-password', 'setPassword()', () => recovery.setPassword())

  byId<HTMLFormElement>('import').addEventListener('submit', (event) => {
    event.preventDefault()
    const field = byId<HTMLInputElement>('import-key')
    const chainType = byId<HTMLSelectElement>('import-chain').value as Chain
    const privateKey = field.value.trim()
    // It stays in the page no longer than it must.
    field.value = ''
    void attempt('importWallet()', async () => {
      await login.load()
      await login.kit?.importWallet({ chainType, privateKey })
    })()
  })

  for (const type of ['lk-ready', 'lk-user']) login.addEventListener(type, show)
  show()
}
