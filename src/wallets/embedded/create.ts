import { limits } from '../../core/limits.ts'
import { KitError } from '../../errors/kit-error.ts'
import type { Session } from '../../session/session.ts'
import type { AnalyticsEvent } from '../../wire/analytics.ts'
import { frameEvents, verifiers } from '../../wire/frame/calls.ts'
import type { CreateEmbedded, EmbeddedAccount, EmbeddedWallets } from './embedded-wallets.ts'
import { rootOf } from './listing.ts'
import type { VaultProxy } from './proxy.ts'
import { methodOf, recoveryData } from './recovery-data.ts'

interface CreateContext {
  proxy: VaultProxy
  session: Session
  track: (event: AnalyticsEvent) => void
  accessToken: () => Promise<string>
  list: () => readonly EmbeddedAccount[]
  setRecovery: EmbeddedWallets['setRecovery']
}

/** Makes wallets; whoever asks for the same one while it is made shares that. Spec §4 "Wallet creation". */
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
    throw new KitError('invalid_wallet_index', 'A wallet index is a whole number from 0')
  const find = (index: number) =>
    cx
      .list()
      .find(
        (wallet) => wallet.chainType === chainType && !wallet.imported && (wallet.walletIndex ?? 0) === index,
      )
  const present = find(walletIndex)
  const own = input.recovery && input.recovery.method !== 'automatic' ? input.recovery : undefined
  // A try that nobody heard the end of may have made it, with another secret than the one that the person keeps now.
  if (present) return own ? cx.setRecovery(present, own) : present
  if (walletIndex > 0 && !find(0))
    throw new KitError('invalid_wallet_index', 'An additional wallet needs the wallet of index 0')

  cx.track('embedded_wallet_creation_started')
  try {
    await ask(cx, input).catch(async (cause: unknown) => {
      // Spec §7: where no answer comes, the server says whether there is a wallet all the same; but not by which secret
      // of the person's own it comes back. The next try sets that.
      await cx.session.refreshUser()
      if (own || !find(walletIndex)) throw cause
    })
    if (!find(walletIndex)) await cx.session.refreshUser()
    const wallet = find(walletIndex)
    if (!wallet)
      throw new KitError('embedded_wallet_create_error', 'Updated user is missing embedded wallet.', {
        retryable: true,
      })
    cx.track('embedded_wallet_creation_completed')
    return wallet
  } catch (cause) {
    cx.track('embedded_wallet_creation_failed')
    throw cause
  }
}

/** The message that fits to what is there already. Wire 7.5. */
async function ask({ proxy, list, ...cx }: CreateContext, input: CreateEmbedded): Promise<void> {
  const { chainType, walletIndex = 0, recovery = { method: 'automatic' } } = input
  const accessToken = await cx.accessToken()
  const first = list().find((wallet) => !wallet.imported)
  // A way of recovery of the person's own takes its time, and who is told too early that it failed may throw it away.
  const answer = recovery.method === 'automatic' ? limits.walletCreation : limits.vaultRecovery
  const options = { ready: limits.vaultReadyAction, answer }

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
