import { untilAborted } from '../../core/abort.ts'
import { limits } from '../../core/limits.ts'
import { singleFlight } from '../../core/single-flight.ts'
import { KitError } from '../../errors/kit-error.ts'
import type { Session } from '../../session/session.ts'
import type { AnalyticsEvent } from '../../wire/analytics.ts'
import { recoveryMethods, verifiers, frameEvents } from '../../wire/frame/calls.ts'
import type { User, WalletAccount } from '../../wire/user.ts'
import type { VaultProxy } from './proxy.ts'

/** The wallets whose keys live in the vault. */
export interface EmbeddedWallets {
  /** Loads the vault ahead of its use. */
  prepare(): void
  /** The person's embedded Ethereum wallet, or the one with `address`. */
  find(address?: string): WalletAccount | undefined
  /**
   * Makes the person's Ethereum wallet, or finds the one that was already made. Callers share one creation.
   * Throws a {@link KitError} `must_be_authenticated`, `embedded_wallet_create_error`, or one of the proxy's.
   */
  create(signal?: AbortSignal): Promise<WalletAccount>
  /**
   * Signs text by EIP-191. Resolves with the signature as hex text.
   * Throws `wallet_not_on_device` when the wallet must be recovered first, or one of the proxy's errors.
   */
  sign(input: { address: string; message: string }, signal?: AbortSignal): Promise<string>
  /** Brings a wallet to this device by automatic recovery. Throws `embedded_wallet_recovery_error`. */
  recover(address: string, signal?: AbortSignal): Promise<void>
  /** Lets the vault forget what it keeps for a person between two requests; at logout. */
  forget(userId: string): void
  close(): void
}

export function createEmbeddedWallets(cx: {
  proxy: VaultProxy
  session: Session
  track: (event: AnalyticsEvent) => void
}): EmbeddedWallets {
  const { proxy, session, track } = cx

  const find = (address?: string) => findEmbedded(session.user.get(), address)

  async function needToken(): Promise<string> {
    const token = await session.accessToken()
    if (!token) throw new KitError('must_be_authenticated', 'An error has occured, please login again.')
    return token
  }
  const named = (accessToken: string, address: string) => ({
    accessToken,
    entropyId: address,
    entropyIdVerifier: verifiers.ethereum,
  })

  /** Spec §7: 20 s for the call; where no answer comes, the server says whether there is a wallet all the same. */
  async function askForWallet(accessToken: string): Promise<void> {
    const data = { accessToken, recoveryMethod: recoveryMethods.automatic }
    try {
      await proxy.ask(frameEvents.createWallet, data, {
        ready: limits.vaultReadyAction,
        answer: limits.walletCreation,
      })
    } catch (cause) {
      await session.refreshUser()
      if (!find()) throw cause
    }
  }

  const create = singleFlight(async () => {
    const present = find()
    if (present) return present
    track('embedded_wallet_creation_started')
    try {
      await askForWallet(await needToken())
      await session.refreshUser()
      const wallet = find()
      if (!wallet)
        throw new KitError('embedded_wallet_create_error', 'Updated user is missing embedded wallet.', {
          retryable: true,
        })
      track('embedded_wallet_creation_completed')
      return wallet
    } catch (cause) {
      track('embedded_wallet_creation_failed')
      throw cause
    }
  })

  return {
    prepare: () => proxy.prepare(),
    find,
    create: (signal) => untilAborted(create(), signal),

    async sign({ address, message }, signal) {
      const request = { method: 'personal_sign', params: [message, address] }
      const data = { ...named(await needToken(), address), chainType: 'ethereum', hdWalletIndex: 0, request }
      const answer = await proxy.ask(frameEvents.walletRpc, data, { ready: limits.vaultReadyAction, signal })
      return answer.response.data
    },

    async recover(address, signal) {
      track('embedded_wallet_pinless_recovery_started')
      const data = named(await needToken(), address)
      try {
        await proxy.ask(frameEvents.recoverWallet, data, { ready: limits.vaultReadySession, signal })
      } catch (cause) {
        signal?.throwIfAborted()
        throw new KitError('embedded_wallet_recovery_error', 'Unable to recover wallet', {
          cause,
          retryable: true,
        })
      }
      track('embedded_wallet_recovery_completed')
    },

    forget(userId) {
      if (!proxy.isReady) return
      proxy.ask(frameEvents.clearMfa, { userId }, { ready: limits.vaultReadySession }).catch(() => {})
    },
    close: () => proxy.close(),
  }
}

function findEmbedded(user: User | null, address: string | undefined): WalletAccount | undefined {
  return user?.linkedAccounts.find(
    (account): account is WalletAccount =>
      account.type === 'wallet' &&
      account.embedded &&
      account.chainType === 'ethereum' &&
      (address === undefined || account.address.toLowerCase() === address.toLowerCase()),
  )
}
