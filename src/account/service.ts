import { KitError } from '../errors/kit-error.ts'
import { readAgain } from '../login/login-result.ts'
import type { AuthContext } from '../login/service-context.ts'
import { crossAppAccount, crossAppMethod } from '../protocol/cross-app.ts'
import { unlinkFarcaster } from '../protocol/farcaster.ts'
import type { CallOptions, Http } from '../protocol/http.ts'
import { unlinkOAuth } from '../protocol/oauth.ts'
import { renamePasskey, unlinkPasskey } from '../protocol/passkeys.ts'
import { unlinkEmail, unlinkPhone } from '../protocol/passwordless.ts'
import { unlinkSiwe } from '../protocol/siwe.ts'
import { unlinkSiws } from '../protocol/siws.ts'
import { unlinkTelegram } from '../protocol/telegram.ts'
import type { UnlinkOptions } from '../protocol/unlinking.ts'
import type { LinkedAccount, User } from '../protocol/user.ts'
import { accountLimits } from './limits.ts'

/** The accounts of the person who is logged in. */
export interface AccountService {
  /**
   * Removes an account from the person, and resolves with them as they are then. Throws a {@link KitError}: what
   * {@link requireUnlinkable} throws, or the server's code.
   */
  unlink(account: LinkedAccount, options?: UnlinkOptions): Promise<User>
  /**
   * Gives a passkey a name of the person's own. Throws a {@link KitError}: `invalid_data` for a name that nobody could read,
   * or the server's code.
   */
  renamePasskey(input: { credentialId: string; name: string }, options?: CallOptions): Promise<User>
}

export function createAccounts(cx: Pick<AuthContext, 'http' | 'session'>): AccountService {
  return {
    async unlink(account, options) {
      requireUnlinkable(account)
      return readAgain(cx, await remove(cx.http(), account, options), options?.signal)
    },
    async renamePasskey({ credentialId, name }, options) {
      const trimmed = String(name).trim()
      if (!isReadable(trimmed))
        throw new KitError(
          'invalid_data',
          `A passkey's name has 1 to ${accountLimits.passkeyName} visible characters`,
        )
      const renamed = await renamePasskey(cx.http(), { credentialId, name: trimmed }, options)
      return readAgain(cx, renamed, options?.signal)
    },
  }
}

/** Something can be seen, and nothing is hidden in it: no control characters and no change of direction. */
const isReadable = (name: string) =>
  name !== '' && [...name].length <= accountLimits.passkeyName && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)

/**
 * Whether an account may be unlinked at all. Throws a {@link KitError} `not_supported`: for an embedded wallet, for a passkey
 * that is enrolled in MFA, and for accounts that this kit has no way of unlinking.
 */
export function requireUnlinkable(account: LinkedAccount): void {
  if (account.type === 'wallet' && account.embedded)
    throw new KitError('not_supported', 'Cannot unlink an embedded wallet')
  if (account.type === 'passkey' && account.enrolledInMfa)
    throw new KitError('not_supported', 'Cannot unlink a passkey enrolled in MFA')
  if (
    account.type === 'custom' ||
    account.type === 'smart_wallet' ||
    (account.type === 'other' && !crossAppAccount(account))
  )
    throw new KitError('not_supported', "An account of this type can't be unlinked")
}

function remove(http: Http, account: LinkedAccount, options: UnlinkOptions | undefined): Promise<User> {
  switch (account.type) {
    case 'email':
      return unlinkEmail(http, account.address, options)
    case 'phone':
      return unlinkPhone(http, account.number, options)
    case 'wallet':
      return account.chainType === 'solana'
        ? unlinkSiws(http, account.address, options)
        : unlinkSiwe(http, account.address, options)
    case 'farcaster':
      return unlinkFarcaster(http, account.fid, options)
    case 'telegram':
      return unlinkTelegram(http, account.telegramUserId, options)
    case 'passkey':
      return unlinkPasskey(http, account.credentialId, options)
    case 'custom':
    case 'smart_wallet':
    case 'other': {
      const app = crossAppAccount(account)
      if (!app) throw new KitError('not_supported', "An account of this type can't be unlinked")
      return unlinkOAuth(http, { provider: crossAppMethod(app.appId), subject: app.subject }, options)
    }
    default:
      return unlinkOAuth(http, { provider: account.type, subject: account.subject }, options)
  }
}
