import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../../settings/app.ts'

/** Refuses a wallet that is not on the app's allowlist, if it has one. @throws Refusal `allowlist_rejected` */
export function refuseUnlistedWallet(app: App, address: string): void {
  const same = (entry: string) =>
    entry === address || (address.startsWith('0x') && entry.toLowerCase() === address.toLowerCase())
  if (app.allowlist && !app.allowlist.wallets.some(same))
    throw new Refusal('allowlist_rejected', 'This user may not log in to this app.')
}

/** The refusal of an embedded wallet, or of a contract that one controls, as a way to log in. */
export const embeddedWalletRefusal = () =>
  new Refusal('disallowed_login_method', 'Cannot link or login with embedded wallet')
