import type { LoginModal } from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/** Address of a user who has no wallet here. */
const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const order = {
  domain: { name: 'Latchkey demo', version: '1', chainId: 1 },
  primaryType: 'Order',
  types: {
    Order: [
      { name: 'item', type: 'string' },
      { name: 'amount', type: 'uint256' },
    ],
  },
  message: { item: 'A latchkey', amount: 2n },
}

/**
 * Asks wallets that the user has in other apps, each in that app's own window.
 * @param failed told what came of a call that failed
 */
export function otherApps(login: LoginModal, failed: (what: string, cause: unknown) => void): void {
  /** The address of the user's first wallet in another app. */
  const wallet = (): string | undefined =>
    login.user?.linkedAccounts
      .flatMap((account) =>
        account.type === 'other' && account.kind === 'cross_app'
          ? (account.fields.embedded_wallets as { address: string }[])
          : [],
      )
      .map(({ address }) => address)[0]

  function show(): void {
    const address = wallet()
    byId('other-apps').hidden = address === undefined
    byId('other-wallet').textContent = address ?? ''
    // The window of a request opens within the press.
    if (address !== undefined) login.kit?.crossApp.prepare().catch(() => {})
    else byId('other-answer').textContent = ''
  }

  type Kit = NonNullable<LoginModal['kit']>
  function onPress(
    id: string,
    what: string,
    work: (kit: Kit, options: { address: string }) => Promise<string>,
  ) {
    byId(id).addEventListener('click', async () => {
      const address = wallet()
      const output = byId('other-answer')
      output.textContent = ''
      if (address === undefined || !login.kit) return
      try {
        output.textContent = await work(login.kit, { address })
      } catch (cause) {
        failed(what, cause)
      }
    })
  }
  onPress('other-sign', 'crossApp.signMessage()', async ({ crossApp }, options) => {
    const { value } = byId<HTMLTextAreaElement>('other-message')
    return (await crossApp.signMessage(value, options)).signature
  })
  onPress(
    'other-sign-typed-data',
    'crossApp.signTypedData()',
    async ({ crossApp }, options) => (await crossApp.signTypedData(order, options)).signature,
  )
  onPress('other-send', 'crossApp.sendTransaction()', async ({ crossApp }, options) => {
    const transaction = { to: friend, value: 10n ** 16n, chainId: 1 }
    return (await crossApp.sendTransaction(transaction, options)).transactionHash
  })
  for (const type of ['lk-ready', 'lk-user']) login.addEventListener(type, show)
  show()
}
