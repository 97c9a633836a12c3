import { KitError } from '../../errors/kit-error.ts'
import { untilAborted } from '../../lib/abort.ts'
import type { AnalyticsEvent } from '../../protocol/analytics.ts'
import { readAskedSigner } from '../../protocol/farcaster-signer.ts'
import { type FrameCalls, type FrameEvent, frameEvents, verifiers } from '../../protocol/frame/calls.ts'
import { frameLimits } from '../../protocol/frame/limits.ts'
import type { Session } from '../../session/session.ts'
import { walletsLimits } from '../limits.ts'
import { methodOf, ownMethodOf, presentData, recoveryData } from '../recovery/recovery-data.ts'
import { createAsked } from './create/service.ts'
import type { EmbeddedAccount, EmbeddedWallets } from './embedded-wallets.ts'
import { embeddedOf, rootOf } from './listing.ts'
import type { VaultProxy } from './proxy.ts'
import { refreshed } from './refreshed.ts'
import { createFactorCalls } from './second-factors.ts'

/** Makes the service of embedded wallets. */
export function createEmbeddedWallets(cx: {
  proxy: VaultProxy
  session: Session
  track: (event: AnalyticsEvent) => void
}): EmbeddedWallets {
  const { proxy, session, track } = cx
  const list = () => embeddedOf(session.user.get())

  async function accessToken(): Promise<string> {
    const token = await session.accessToken()
    if (!token) throw new KitError('must_be_authenticated', 'An error has occured, please login again.')
    return token
  }

  /** How the vault is told which root a wallet is of. */
  function nameOf(wallet: EmbeddedAccount) {
    const { address, chainType } = rootOf(list(), wallet)
    return { entropyId: address, entropyIdVerifier: verifiers[chainType] }
  }

  /** Asks the vault something about the root of a wallet. */
  async function askOf<E extends FrameEvent>(
    event: E,
    wallet: EmbeddedAccount,
    data: Omit<FrameCalls[E]['data'], 'accessToken' | 'entropyId' | 'entropyIdVerifier'>,
    signal: AbortSignal | undefined,
    {
      ready = frameLimits.readyForAction,
      answer = walletsLimits.vaultRequest,
    }: { ready?: number; answer?: number } = {},
  ): Promise<FrameCalls[E]['answer']> {
    const asked = {
      accessToken: await accessToken(),
      ...nameOf(wallet),
      ...data,
    } as unknown as FrameCalls[E]['data']
    return proxy.ask(event, asked, { ready, answer, signal })
  }

  const find: EmbeddedWallets['find'] = (address) => {
    const wallets = list()
    if (address === undefined) return wallets.find(({ chainType }) => chainType === 'ethereum') ?? wallets[0]
    return wallets.find((wallet) => isSameAddress(wallet.address, address))
  }

  /** The wallet as the server has it after a change. */
  async function renewed({ address }: EmbeddedAccount): Promise<EmbeddedAccount> {
    await refreshed(session)
    const wallet = find(address)
    if (!wallet)
      throw new KitError('unknown_embedded_wallet_error', 'Updated user is missing embedded wallet.', {
        retryable: true,
      })
    return wallet
  }

  async function imported(address: string): Promise<EmbeddedAccount> {
    await refreshed(session)
    const wallet = find(address)
    if (!wallet)
      throw new KitError('embedded_wallet_create_error', 'Updated user is missing embedded wallet.', {
        retryable: true,
      })
    return wallet
  }

  const setRecovery: EmbeddedWallets['setRecovery'] = async (wallet, secret, signal, present) => {
    track('embedded_wallet_set_recovery_started')
    const existing = ownMethodOf(rootOf(list(), wallet).recoveryMethod)
    const data = {
      ...recoveryData(secret),
      ...presentData(present),
      recoveryMethod: methodOf(secret.method),
      // A method that this version does not know can be replaced by one that it does.
      ...(existing && { existingRecoveryMethod: methodOf(existing) }),
    }
    try {
      await askOf(frameEvents.setRecovery, wallet, data, signal, { answer: walletsLimits.vaultRecovery })
    } catch (cause) {
      const isPassword = secret.method === 'password'
      track(isPassword ? 'embedded_wallet_set_password_failed' : 'embedded_wallet_set_recovery_failed')
      throw cause
    }
    track('embedded_wallet_set_recovery_completed')
    return renewed(wallet)
  }
  const create = createAsked({ proxy, session, track, accessToken, list, setRecovery })

  return {
    prepare: () => proxy.prepare(),
    list,
    find,
    rootOf: (wallet) => rootOf(list(), find(wallet.address) ?? wallet),
    async refresh(signal) {
      try {
        await session.refreshUser({ signal })
      } catch {
        signal?.throwIfAborted()
      }
    },
    async created({ chainType, walletIndex = 0 }) {
      await refreshed(session)
      const wallet = list().find(
        (each) => each.chainType === chainType && !each.imported && (each.walletIndex ?? 0) === walletIndex,
      )
      if (!wallet)
        throw new KitError('embedded_wallet_create_error', 'Updated user is missing embedded wallet.', {
          retryable: true,
        })
      return wallet
    },
    create: (input, signal) => untilAborted(create(input), signal),

    async importKey({ chainType, privateKey }, signal) {
      const data = { accessToken: await accessToken(), chainType, privateKey }
      const { address } = await proxy.ask(frameEvents.importWallet, data, {
        ready: frameLimits.readyForAction,
        signal,
      })
      return imported(address)
    },
    imported,

    async connect(wallet, signal) {
      await askOf(frameEvents.connectWallet, wallet, {}, signal)
    },

    async recover(wallet, secret, signal) {
      const automatic = secret.method === 'automatic'
      track(automatic ? 'embedded_wallet_pinless_recovery_started' : 'embedded_wallet_recovery_started')
      const data = recoveryData(secret)
      try {
        await askOf(frameEvents.recoverWallet, wallet, data, signal, {
          ready: walletsLimits.vaultReadySession,
          answer: walletsLimits.vaultRecovery,
        })
      } catch (cause) {
        signal?.throwIfAborted()
        throw unrecovered(cause)
      }
      track('embedded_wallet_recovery_completed')
    },

    setRecovery,

    async rpc(wallet, request, signal) {
      const hdWalletIndex = wallet.walletIndex ?? 0
      const { chainType } = wallet
      const answer = await askOf(frameEvents.walletRpc, wallet, { chainType, hdWalletIndex, request }, signal)
      if (!isSameAddress(answer.address, wallet.address))
        throw new KitError('unknown_embedded_wallet_error', "The wallet couldn't complete the request", {
          details: 'a different wallet answered',
        })
      return answer.response.data
    },

    async initFarcasterSigner(wallet, signal) {
      const { address } = rootOf(list(), wallet)
      const data = { accessToken: await accessToken(), address }
      const asked = await proxy.ask(frameEvents.initFarcasterSigner, data, {
        ready: frameLimits.readyForAction,
        answer: walletsLimits.vaultRequest,
        signal,
      })
      return readAskedSigner(asked)
    },

    async removeDevice(deviceId, signal, given) {
      const present = given && { ...nameOf(given.wallet), ...presentData(given.secret) }
      const data = { accessToken: await accessToken(), deviceId, ...(present && { present }) }
      await proxy.ask(frameEvents.removeDevice, data, { ready: frameLimits.readyForAction, signal })
    },

    factors: createFactorCalls(proxy, accessToken),

    forget(userId) {
      if (!proxy.isReady) return
      proxy.ask(frameEvents.clearMfa, { userId }, { ready: walletsLimits.vaultReadySession }).catch(() => {})
    },
    close: () => proxy.close(),
  }
}

/** Failures that a person or a program can tell apart stay what they are. */
const named: ReadonlySet<string> = new Set([
  ...['invalid_recovery_pin', 'invalid_request_arguments', 'too_many_requests', 'must_be_authenticated'],
  ...['vault_unavailable', 'vault_timeout', 'vault_crashed', 'recovery_method_not_supported'],
  ...['wallet_enrolment_required', 'network_unavailable'],
])
const unrecovered = (cause: unknown) =>
  cause instanceof KitError && named.has(cause.code)
    ? cause
    : new KitError('embedded_wallet_recovery_error', 'Unable to recover wallet', { cause, retryable: true })

/** Ethereum addresses differ in their checksum only; base58 is compared as it is. */
const isSameAddress = (a: string, b: string) =>
  a === b || (a.startsWith('0x') && a.toLowerCase() === b.toLowerCase())
