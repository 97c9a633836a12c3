import { KitError } from './errors/kit-error.ts'
import type { WalletFlow } from './flows/wallet/context.ts'
import type { OpenExport } from './flows/wallet/export.ts'
import { changePassword, changeRecovery, createWallet, exportWallet } from './flows/wallet/index.ts'
import type { CreateWalletOptions, RecoveryUiOptions, SetRecoveryOptions } from './kit-api.ts'
import type { FlowsContext } from './kit-flows.ts'
import type { Services } from './services.ts'
import type { CreateEmbedded, EmbeddedAccount, EmbeddedWallets } from './wallets/embedded/embedded-wallets.ts'
import { recoveryOptionsOf } from './wallets/embedded/recovery-options.ts'

/** What a host asks of embedded wallets beside signing; loaded with the first such call. The kit is ready. */
export interface KitVault {
  create(options: CreateWalletOptions): Promise<EmbeddedAccount>
  import(input: { chainType?: 'ethereum' | 'solana'; privateKey: string }): Promise<EmbeddedAccount>
  setRecovery(options: SetRecoveryOptions): Promise<string>
  setPassword(options: RecoveryUiOptions): Promise<EmbeddedAccount>
  export(options: RecoveryUiOptions): Promise<void>
}

export async function createKitVault(cx: FlowsContext): Promise<KitVault> {
  const services = await cx.services()
  const embedded = await services.wallets.embedded()
  const { runs, events } = cx
  const flow = (stage: Parameters<FlowsContext['context']>[0]): WalletFlow => ({
    ...cx.context(stage),
    wallets: services.wallets,
  })

  function needUser(doing: string): void {
    if (!cx.app.state.get().user)
      throw new KitError('must_be_authenticated', `User must be authenticated before ${doing}`)
  }
  function needWallet(address: string | undefined): EmbeddedAccount {
    const wallet = embedded.find(address)
    if (!wallet) throw new KitError('embedded_wallet_not_found', 'There is no such embedded wallet')
    return wallet
  }
  function made(wallet: EmbeddedAccount): EmbeddedAccount {
    events.emit('wallet', { wallet })
    return wallet
  }
  function recovered(wallet: EmbeddedAccount): EmbeddedAccount {
    events.emit('recovery', { method: wallet.recoveryMethod ?? '', wallet })
    return wallet
  }

  return {
    async create({ dialog = false, signal, surface, ...options }) {
      needUser('creating a wallet')
      const wish = wishOf(embedded, options)
      const withDialog = () =>
        runs.run('create', { surface, signal }, (stage) => createWallet(flow(stage), wish))
      const first = !embedded.list().some((wallet) => !wallet.imported)
      if (dialog || (first && recoveryOptionsOf(cx.app.known()).required)) return made(await withDialog())
      try {
        return made(await embedded.create(wish, signal))
      } catch (cause) {
        if (!(cause instanceof KitError) || cause.code !== 'wallet_not_on_device') throw cause
        return made(await withDialog())
      }
    },

    async import({ chainType = 'ethereum', privateKey }) {
      needUser('importing a wallet')
      if (typeof privateKey !== 'string' || privateKey === '')
        throw new KitError('invalid_request_arguments', 'A private key is text')
      return made(await embedded.importKey({ chainType, privateKey }))
    },

    async setRecovery({ address, showAutomaticRecovery = false, surface, signal }) {
      needUser('setting up recovery')
      const wallet = needWallet(address)
      const changed = await runs.run('recovery', { surface, signal }, (stage) =>
        changeRecovery(flow(stage), wallet, { automatic: showAutomaticRecovery }),
      )
      return recovered(changed).recoveryMethod ?? ''
    },

    async setPassword({ address, surface, signal }) {
      needUser('setting a password')
      const wallet = needWallet(address)
      return recovered(
        await runs.run('recovery', { surface, signal }, (stage) => changePassword(flow(stage), wallet)),
      )
    },

    async export({ address, surface, signal }) {
      needUser('exporting their wallet')
      const wallet = needWallet(address)
      const { exported } = await runs.run('export', { surface, signal }, (stage) =>
        exportWallet(flow(stage), wallet, opens(services, embedded)),
      )
      if (exported) cx.analytics.track('embedded_wallet_key_export_completed')
    },
  }
}

/** What is to be made. Spec §5: without an index or 'additional' there may be none of that chain yet. */
function wishOf(
  embedded: EmbeddedWallets,
  { chainType = 'ethereum', walletIndex, createAdditional = false }: CreateWalletOptions,
): CreateEmbedded {
  const taken = embedded
    .list()
    .filter((wallet) => wallet.chainType === chainType && !wallet.imported)
    .map((wallet) => wallet.walletIndex ?? 0)
  if (walletIndex !== undefined) return { chainType, walletIndex }
  if (taken.length > 0 && !createAdditional)
    throw new KitError('embedded_wallet_already_exists', 'User already has an embedded wallet.')
  return { chainType, walletIndex: taken.length === 0 ? 0 : Math.max(...taken) + 1 }
}

/** Opens the vault's export frame, with a ticket of its own each time. */
const opens =
  ({ wallets }: Services, embedded: EmbeddedWallets): OpenExport =>
  async (wallet, told, signal) => {
    const exporting = await wallets.exporting()
    return exporting.open({ wallet, root: embedded.rootOf(wallet), told, signal })
  }
