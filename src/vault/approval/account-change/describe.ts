import type { PlainKey, Translate } from '../../../copy/copy.ts'
import { accountChange as words } from '../../../copy/en/account-change.ts'
import type { AccountChange, ChangedAccount } from '../../server/account-changes.ts'
import type { AccountChangeProps } from './account-change.tsx'

const wallets: ReadonlySet<string> = new Set(['wallet', 'ethereum-wallet', 'solana-wallet', 'smart-wallet'])
/** Accounts that are known by their subject alone. */
const addresses: ReadonlySet<string> = new Set(['email', 'phone'])
/** The characters of a name that somebody else chose. */
const longestName = 64

/** A change as the window shows it. */
export function describeChange(
  t: Translate,
  app: string,
  change: AccountChange,
): Omit<AccountChangeProps, 'error'> {
  const { action, account, replaces, session, requester, othersWallets, isLastLogin } = change
  const about = { action, app, wallets: othersWallets, isLastLogin, facts: [] }
  if (session) {
    const facts = session.place ? ([[t('change.place'), plain(session.place)]] as const) : []
    return { ...about, account: plain(session.name), facts }
  }
  if (requester) return { ...about, account: plain(requester.name) }
  if (!account) return { ...about, account: '' }
  if (replaces)
    return {
      ...about,
      account: kindOf(t, account.type),
      facts: [
        [t('change.update.old'), nameOf(replaces)],
        [t('change.update.new'), nameOf(account)],
      ],
    }
  const address = wallets.has(account.type) ? account.subject : undefined
  const isNoLogin = account.type === 'smart-wallet'
  return { ...about, account: titleOf(t, account), address, ...(isNoLogin && { isNoLogin }) }
}

/** An account as the title names it; a wallet's address is shown below it, in full. */
function titleOf(t: Translate, account: ChangedAccount): string {
  const kind = kindOf(t, account.type)
  if (wallets.has(account.type)) return kind
  const name = nameOf(account)
  if (addresses.has(account.type)) return name
  return name ? t('change.named', { kind, name }) : kind
}

/** What the account is called, without anything that could pass for words of ours. */
const nameOf = ({ type, subject, displayName }: ChangedAccount): string =>
  addresses.has(type) ? subject : plain(displayName ?? '')

/** A kind of a newer server is another login. */
function kindOf(t: Translate, type: string): string {
  const key = `change.kind.${type === 'ethereum-wallet' ? 'wallet' : type}`
  return t(Object.hasOwn(words, key) ? (key as PlainKey) : 'change.kind.other')
}

/** Text that somebody else wrote: in one line, without what can't be seen, and no longer than a name. */
function plain(text: string): string {
  const visible = text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = [...visible]
  return characters.length <= longestName ? visible : `${characters.slice(0, longestName - 1).join('')}…`
}
