/** The user's smart accounts, as the vault's own server knows them. */
import { isPlainObject } from '../../lib/plain.ts'
import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

export interface LinkedSmartAccount {
  readonly address: string
  readonly kind: string
  readonly version: string | undefined
}

/** Throws a `VaultError`. */
export async function fetchSmartAccounts(
  cx: VaultContext,
  token: Token,
): Promise<readonly LinkedSmartAccount[]> {
  const { user } = await cx.plainApi(token, '/users/me', undefined)
  const accounts = isPlainObject(user) ? user.linked_accounts : undefined
  if (!Array.isArray(accounts)) throw unexpectedAnswer()
  return accounts.filter(isPlainObject).flatMap((account) => {
    const { type, address, smart_wallet_type: kind, smart_wallet_version: version } = account
    if (type !== 'smart_wallet' || typeof address !== 'string' || typeof kind !== 'string') return []
    return [{ address, kind, version: typeof version === 'string' ? version : undefined }]
  })
}
