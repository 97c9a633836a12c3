import type { LoginModal } from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/**
 * Buys something from a seller elsewhere, by a fetch that pays (x402).
 * @param failed told what came of a call that failed
 */
export function purchases(login: LoginModal, failed: (what: string, cause: unknown) => void): void {
  const section = byId('purchases')
  const seller = section.dataset.seller ?? ''
  const show = () => {
    section.hidden = !login.user?.linkedAccounts.some(
      (each) => each.type === 'wallet' && each.embedded && each.chainType === 'ethereum',
    )
  }
  for (const type of ['lk-ready', 'lk-user']) login.addEventListener(type, show)
  show()

  byId('buy').addEventListener('click', async () => {
    byId('bought').textContent = ''
    try {
      await login.load()
      const response = await login.kit?.fetchWithPayment(`${seller}/tides`)
      byId('bought').textContent = response ? await response.text() : ''
    } catch (cause) {
      failed('fetchWithPayment()', cause)
    }
  })
  // The chain is this machine's, so everybody can be given what they ask for.
  byId('get-usdc').addEventListener('click', async () => {
    try {
      await login.load()
      const wallets = login.kit?.embeddedWallets.get()
      const address = wallets?.find(({ chainType }) => chainType === 'ethereum')?.address
      const body = JSON.stringify({ address })
      const answer = await fetch(`${seller}/play-money`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`The seller answered ${answer.status}`)
      byId('bought').textContent = 'Your wallet has 1 USDC more on this machine’s chain.'
    } catch (cause) {
      failed('play-money', cause)
    }
  })
}
