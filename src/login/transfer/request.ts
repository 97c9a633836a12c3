import { KitError } from '../../errors/kit-error.ts'
import type { CallOptions } from '../../protocol/http.ts'
import { widgetProof } from '../../protocol/telegram.ts'
import type { TransferRequest } from '../headless-calls.ts'
import type { Login } from '../login-result.ts'
import type { Auth } from '../services.ts'

/**
 * Takes an account over from another user, for a host that has asked the person on a screen of its own. Throws a
 * {@link KitError}: `invalid_data` for what can't be transferred or lacks what its kind needs, or the server's code.
 */
export async function transferAccount(
  auth: Auth,
  request: TransferRequest,
  options?: CallOptions,
): Promise<Login> {
  const { nonce, account, accountType } = request
  switch (accountType) {
    case 'email':
      return (await auth.email()).transfer({ nonce, to: account }, options)
    case 'sms':
      return (await auth.sms()).transfer({ nonce, to: account }, options)
    case 'siwe': {
      const wallet = request.externalWalletMetadata
      if (!wallet) throw new KitError('invalid_data', 'Wallet parameters must be defined')
      return (await auth.siwe()).transfer({ nonce, address: account, ...wallet }, options)
    }
    case 'farcaster': {
      const offer = { nonce, farcasterAddress: request.farcasterEmbeddedAddress }
      return (await auth.farcaster()).transfer({ offer, fid: Number(account) }, options)
    }
    case 'telegram': {
      const proof = widgetProof(request.telegramAuthResult)
      if (!proof) throw new KitError('invalid_data', 'What Telegram has signed must be defined')
      return (await auth.telegram()).transfer({ nonce, proof }, options)
    }
    case 'google':
    case 'apple':
    case 'twitter':
    case 'discord':
    case 'github':
    case 'linkedin':
    case 'spotify':
    case 'instagram':
    case 'tiktok': {
      const profile = request.oAuthUserInfo
      if (!profile) throw new KitError('invalid_data', 'The profile at the provider must be defined')
      return (await auth.oauth()).transfer({ nonce, provider: accountType, profile }, options)
    }
    default:
      throw new KitError('invalid_data', 'Invalid transfer account type')
  }
}
