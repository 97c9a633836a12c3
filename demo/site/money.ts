import type { LoginModal, WalletActivity, WalletBalances, WalletFund, WalletSend } from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T

interface MoneyElements {
  login: LoginModal
  sender: WalletSend
  funder: WalletFund
  balances: WalletBalances
  activity: WalletActivity
}

/**
 * Shows balances, funding, the form that sends, and activity: four elements, and nothing else.
 * @param failed told what came of a call that failed
 */
export function money(
  { login, sender, funder, balances, activity }: MoneyElements,
  failed: (what: string, cause: unknown) => void,
): void {
  const show = () => {
    byId('money').hidden = !login.user?.linkedAccounts.some((each) => each.type === 'wallet')
  }
  for (const type of ['lk-ready', 'lk-user']) login.addEventListener(type, show)
  show()

  byId('open-send').addEventListener('click', async () => {
    byId('sent').textContent = ''
    try {
      const { transactionHash } = await sender.send()
      byId('sent').textContent = transactionHash
    } catch (cause) {
      failed('send()', cause)
    }
  })
  // Its query says which app this is, so a provider leads back with it.
  const returnUrl = location.origin + location.pathname + location.search
  const fund = byId('open-fund')
  fund.hidden = !fund.dataset.funding
  fund.addEventListener('click', async () => {
    byId('funded').textContent = ''
    try {
      const { status, amount, symbol, purchase } = await funder.fund({ returnUrl })
      const source = purchase && `from ${purchase.provider}`
      byId('funded').textContent = `${status}: ${[amount, symbol, source].filter(Boolean).join(' ')}`
    } catch (cause) {
      failed('fund()', cause)
    }
  })
  byId('open-balances').addEventListener('click', () => {
    balances.show().catch((cause: unknown) => failed('show()', cause))
  })
  byId('open-activity').addEventListener('click', () => {
    activity.show().catch((cause: unknown) => failed('show()', cause))
  })
}
