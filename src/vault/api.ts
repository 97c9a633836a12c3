import type { Clock } from '../core/clock.ts'
import { limits } from '../core/limits.ts'
import { ExchangeError, type Fetch, retryingFetch } from '../core/retrying-fetch.ts'
import { version } from '../core/version.ts'
import { automaticRecovery } from '../wire/frame/calls.ts'
import { toFrameErrorType } from '../wire/frame/messages.ts'
import { isPlainObject, type PlainObject, parsePlain } from '../wire/frame/plain.ts'
import { isUuid } from './bytes.ts'
import { checksummed } from './derive.ts'
import { VaultError } from './errors.ts'
import type { VaultSettings } from './settings.ts'
import type { Token } from './token.ts'

/** A wallet as it is handed to the server: sealed shares, and the key of automatic recovery. */
export interface NewWallet {
  readonly walletId: string
  readonly setId: string
  readonly address: string
  readonly authShare: string
  readonly recoveryPackage: string
  readonly recoveryKey: string
  /** A signature by the wallet's own key: {@link proofText}. */
  readonly proof: string
}

/** The vault's half of the server. Every call throws {@link VaultError}. Wire 2.13 and 2.17. */
export interface Api {
  /** Answers the wallet that the person has: this one, or the one that was there before. */
  createWallet(
    token: Token,
    wallet: NewWallet,
  ): Promise<{ address: string; walletId: string; created: boolean }>
  /** `undefined` when the server knows no such set. */
  authShare(
    token: Token,
    address: string,
    setId: string,
  ): Promise<{ walletId: string; authShare: string } | undefined>
  /** The key of automatic recovery; throws for wallets with another way of recovery. */
  recoveryKey(token: Token, address: string): Promise<string>
  recoveryPackage(token: Token, address: string): Promise<{ walletId: string; recoveryPackage: string }>
  /** Adds a device's own set of shares. */
  addDevice(token: Token, address: string, device: { setId: string; authShare: string }): Promise<void>
}

/** What a new wallet's key signs, so that nobody can claim an address that is not theirs. */
export const proofText = (appId: string, user: string, address: string, walletId: string) =>
  `Latchkey embedded wallet\napp: ${appId}\nuser: ${user}\naddress: ${address}\nwallet: ${walletId}`

const CHAIN = 'ethereum'
const AUTOMATIC = 'privy_generated_recovery_key'

/** The server at the settings' address. Every call is one action with one idempotency key for all its attempts. */
export function createApi({ appId, apiUrl }: VaultSettings, fetch: Fetch, clock: Clock): Api {
  async function post(token: Token, path: string, body: object): Promise<Answer> {
    try {
      return await retryingFetch(fetch, clock, {
        url: `${apiUrl}/api/v1/embedded_wallets${path}`,
        method: 'POST',
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          authorization: `Bearer ${token.text}`,
          'idempotency-key': crypto.randomUUID(),
          'privy-app-id': appId,
          'privy-client': `latchkey-vault:${version}`,
        },
        body: JSON.stringify(body),
      })
    } catch (cause) {
      const silent = cause instanceof ExchangeError && cause.reason === 'timeout'
      throw new VaultError(
        'error',
        silent ? 'The wallet service did not answer' : 'No connection to the wallet service',
      )
    }
  }

  return {
    async createWallet(token, wallet) {
      const answer = await post(token, '', {
        wallet_id: wallet.walletId,
        chain_type: CHAIN,
        address: wallet.address,
        wallet_index: 0,
        set_id: wallet.setId,
        auth_share: wallet.authShare,
        recovery_package: wallet.recoveryPackage,
        recovery_method: automaticRecovery,
        recovery_key: wallet.recoveryKey,
        proof: wallet.proof,
      })
      const { address, wallet_id: walletId, created } = read(answer)
      if (!isAddress(address) || !isUuid(walletId) || typeof created !== 'boolean') throw nonsense()
      return { address, walletId, created }
    },

    async authShare(token, address, setId) {
      const answer = await post(token, `/${checksummed(address.slice(2))}/auth_share`, { set_id: setId })
      if (answer.status === 404) return undefined
      const { wallet_id: walletId, auth_share: authShare } = read(answer)
      if (!isUuid(walletId) || typeof authShare !== 'string') throw nonsense()
      return { walletId, authShare }
    },

    async recoveryKey(token, address) {
      const answer = await post(token, `/${checksummed(address.slice(2))}/recovery/key_material`, {
        chain_type: CHAIN,
      })
      const { recovery_type: type, recovery_key: key } = read(answer)
      if (typeof type !== 'string') throw nonsense()
      if (type !== AUTOMATIC)
        throw new VaultError('error', 'This wallet has a way of recovery that is not supported here')
      if (typeof key !== 'string') throw nonsense()
      return key
    },

    async recoveryPackage(token, address) {
      const answer = await post(token, `/${checksummed(address.slice(2))}/recovery/package`, {})
      const { wallet_id: walletId, recovery_package: recoveryPackage } = read(answer)
      if (!isUuid(walletId) || typeof recoveryPackage !== 'string') throw nonsense()
      return { walletId, recoveryPackage }
    },

    async addDevice(token, address, { setId, authShare }) {
      read(
        await post(token, `/${checksummed(address.slice(2))}/devices`, {
          set_id: setId,
          auth_share: authShare,
        }),
      )
    },
  }
}

interface Answer {
  readonly status: number
  readonly text: string
}

const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)
const nonsense = () => new VaultError('error', 'The wallet service sent an unexpected answer')

/** The body of a good answer. Throws what a bad one means. */
function read({ status, text }: Answer): PlainObject {
  const body = parsePlain(text, limits.responseSize)
  if (status < 200 || status > 299) throw refusal(status, isPlainObject(body) ? body.code : undefined)
  if (!isPlainObject(body)) throw nonsense()
  return body
}

/** Only the status and the code are used: the server's own words are for the API's readers, not for a page. */
function refusal(status: number, code: unknown): VaultError {
  const type = toFrameErrorType(code)
  if (type !== 'error') return new VaultError(type, 'The wallet service refused the request')
  if (status === 429) return new VaultError('error', 'Too many requests (code 429)')
  if (status === 401 || status === 403)
    return new VaultError('error', 'The wallet service did not accept the login')
  if (status === 404) return new VaultError('error', 'The wallet is not known to the wallet service')
  if (status >= 500) return new VaultError('error', 'The wallet service is not available')
  const named = typeof code === 'string' && /^[a-z0-9_]{1,64}$/.test(code) ? code : status
  return new VaultError('error', `The wallet service refused the request (${named})`)
}
