import { KitError, reworded, toKitError } from '../../../errors/kit-error.ts'
import type { AnalyticsEvent } from '../../../protocol/analytics.ts'
import { type ChainType, frameEvents, verifiers } from '../../../protocol/frame/calls.ts'
import { frameLimits } from '../../../protocol/frame/limits.ts'
import type { Session } from '../../../session/session.ts'
import { walletsLimits } from '../../limits.ts'
import { methodOf, recoveryData } from '../../recovery/recovery-data.ts'
import type { CreateEmbedded, EmbeddedAccount, EmbeddedWallets, RecoverySecret } from '../embedded-wallets.ts'
import { rootOf } from '../listing.ts'
import type { VaultProxy } from '../proxy.ts'
import { refreshed } from '../refreshed.ts'
import { counted } from './counted.ts'

interface CreateContext {
  proxy: VaultProxy
  session: Session
  track: (event: AnalyticsEvent) => void
  accessToken: () => Promise<string>
  list: () => readonly EmbeddedAccount[]
  setRecovery: EmbeddedWallets['setRecovery']
}

/** Creates wallets; simultaneous callers with the same request share one creation. */
export function createAsked(cx: CreateContext): (input: CreateEmbedded) => Promise<EmbeddedAccount> {
  const underWay = new Map<string, Promise<EmbeddedAccount>>()
  return (input) => {
    const key = `${cx.session.user.get()?.id} ${input.chainType} ${input.walletIndex ?? 0}`
    const making =
      underWay.get(key) ??
      make(cx, input).finally(() => {
        underWay.delete(key)
      })
    underWay.set(key, making)
    return making
  }
}

async function make(cx: CreateContext, input: CreateEmbedded): Promise<EmbeddedAccount> {
  const { chainType, walletIndex = 0 } = input
  if (!Number.isSafeInteger(walletIndex) || walletIndex < 0)
    throw new KitError('invalid_wallet_index', 'The wallet index must be a whole number from 0')
  const find = (index: number) =>
    cx
      .list()
      .find(
        (wallet) => wallet.chainType === chainType && !wallet.imported && (wallet.walletIndex ?? 0) === index,
      )
  const present = find(walletIndex)
  const own = input.recovery && input.recovery.method !== 'automatic' ? input.recovery : undefined
  // An attempt with an unknown outcome may have created it, with another secret than the one that the person
  // has now.
  if (present) return own ? secured(cx, present, own) : present
  if (walletIndex > 0 && !find(0))
    throw new KitError('invalid_wallet_index', 'An additional wallet requires the wallet of index 0')

  return counted(cx.track, async () => {
    await ask(cx, input).catch(async (cause: unknown) => {
      // Without an answer, the server still says whether there is a wallet, but not which of the person's
      // secrets recovers it. The next attempt sets that.
      await refreshed(cx.session)
      if (own || !find(walletIndex)) throw uncreated(chainType, cause)
    })
    if (!find(walletIndex)) await refreshed(cx.session)
    const wallet = find(walletIndex)
    if (!wallet)
      throw new KitError('embedded_wallet_create_error', 'Updated user is missing embedded wallet.', {
        retryable: true,
      })
    return wallet
  })
}

/** A wallet that is there gets the recovery that it was to be created with. */
function secured(
  cx: CreateContext,
  wallet: EmbeddedAccount,
  secret: RecoverySecret,
): Promise<EmbeddedAccount> {
  return cx.setRecovery(wallet, secret).catch((cause: unknown) => {
    if (secret.method !== 'password') throw cause
    throw reworded(cause, 'User created a wallet but failed to set a password for it')
  })
}

/** What hosts are told; failures that they can tell apart by themselves keep their own words. */
function uncreated(chainType: ChainType, cause: unknown): unknown {
  const { code } = toKitError(cause)
  if (code === 'vault_timeout') return reworded(cause, 'walletProxy.create timed out.')
  if (code !== 'unknown_embedded_wallet_error') return cause
  const isSolana = chainType === 'solana'
  return reworded(cause, isSolana ? 'Failed to create Solana embedded wallet' : 'Failed to create wallet')
}

/** The message that fits what exists already. */
async function ask({ proxy, list, ...cx }: CreateContext, input: CreateEmbedded): Promise<void> {
  const { chainType, walletIndex = 0, recovery = { method: 'automatic' } } = input
  const accessToken = await cx.accessToken()
  const first = list().find((wallet) => !wallet.imported)
  // A recovery method of the person's own takes time, and somebody who is told too early that it failed may
  // throw its secret away.
  const answer = recovery.method === 'automatic' ? walletsLimits.walletCreation : walletsLimits.vaultRecovery
  const options = { ready: frameLimits.readyForAction, answer }

  if (first) {
    const root = rootOf(list(), first)
    const data = { entropyId: root.address, entropyIdVerifier: verifiers[root.chainType] }
    const added = { accessToken, ...data, chainType, hdWalletIndex: walletIndex }
    await proxy.ask(frameEvents.addWallet, added, options)
    return
  }
  const chosen = { accessToken, recoveryMethod: methodOf(recovery.method), ...recoveryData(recovery) }
  if (chainType === 'ethereum') await proxy.ask(frameEvents.createWallet, chosen, options)
  else await proxy.ask(frameEvents.createWallets, { ...chosen, chainType }, options)
}
