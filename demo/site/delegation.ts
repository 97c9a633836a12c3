import type { LoginModal } from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

/**
 * Lets the page's own server pay from the user's wallet, has it pay, and takes that back.
 * @param failed told what came of a call that failed
 */
export function delegation(login: LoginModal, failed: (what: string, cause: unknown) => void): void {
  const section = byId('delegation')
  const output = byId('mooring-answer')
  let grant: string | undefined
  const show = () => {
    const wallets = login.user?.linkedAccounts.filter((each) => each.type === 'wallet' && each.embedded) ?? []
    section.hidden = !section.dataset.permissions || wallets.length === 0
  }
  for (const type of ['lk-ready', 'lk-user']) login.addEventListener(type, show)
  show()

  async function loadGrant(): Promise<string | undefined> {
    const all = (await login.kit?.permissions.list()) ?? []
    return (all.find(({ isActive }) => isActive) ?? all[0])?.id
  }
  byId('delegate').addEventListener('click', async () => {
    output.textContent = ''
    try {
      await login.load()
      grant = (await login.kit?.delegateWallet({ permission: 'mooring' }))?.id
      output.textContent = 'The harbour office may pay for your mooring.'
    } catch (cause) {
      failed('delegateWallet()', cause)
    }
  })
  byId('pay-mooring').addEventListener('click', async () => {
    output.textContent = ''
    try {
      await login.load()
      grant ??= await loadGrant()
      const body = JSON.stringify({ app: login.appId, grant, value: String(5n * 10n ** 15n) })
      const answer = await fetch('/mooring/pay', { method: 'POST', body })
      const { hash, reason, code } = (await answer.json()) as Record<string, string | undefined>
      output.textContent = hash ? `Paid: ${hash}` : `Refused: ${reason ?? code}`
    } catch (cause) {
      failed('mooring', cause)
    }
  })
  byId('revoke').addEventListener('click', async () => {
    try {
      await login.load()
      await login.kit?.revokeDelegatedWallets()
      output.textContent = 'Nobody may pay from your wallets.'
    } catch (cause) {
      failed('revokeDelegatedWallets()', cause)
    }
  })
}
