/** What a host asks of embedded wallets besides signing; loaded with the first such call. The kit is ready. */
import type { Stage } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { createWallet as createInDialog } from '../../wallets/embedded/create/flow.ts'
import type {
  CreateEmbedded,
  EmbeddedAccount,
  EmbeddedWallets,
} from '../../wallets/embedded/embedded-wallets.ts'
import type { OpenExport } from '../../wallets/export/flow.ts'
import type { WalletFlow } from '../../wallets/flow-context.ts'
import {
  changePassword,
  changeRecovery,
  exportWallet as exportInDialog,
  exportInVault,
  importWallet as importInVault,
} from '../../wallets/flows.ts'
import { recoveryOptionsOf } from '../../wallets/recovery/recovery-options.ts'
import type {
  CreateWalletOptions,
  ImportWalletOptions,
  RecoveryUiOptions,
  SetRecoveryOptions,
} from '../api.ts'
import type { KitContext } from '../context.ts'
import { personOf } from './person.ts'

async function withWallets(cx: KitContext, doing: string) {
  personOf(cx, doing)
  const { wallets } = await cx.services()
  const embedded = await wallets.embedded()
  const flow = (stage: Stage): WalletFlow => ({ ...cx.flow(stage), wallets })
  return { wallets, embedded, flow }
}

function find(embedded: EmbeddedWallets, address: string | undefined): EmbeddedAccount {
  const wallet = embedded.find(address)
  if (!wallet) throw new KitError('embedded_wallet_not_found', 'No embedded wallet with this address')
  return wallet
}

/** Makes a wallet, with a dialog only where the person has something to do. */
export async function createWallet(
  cx: KitContext,
  { dialog = false, signal, surface, ...options }: CreateWalletOptions,
): Promise<EmbeddedAccount> {
  const { embedded, flow } = await withWallets(cx, 'creating a wallet')
  const request = creationOf(embedded, options)
  if (dialog && request.walletIndex !== 0)
    throw new KitError('invalid_wallet_index', 'The dialog only creates the wallet of index 0')
  const created = (wallet: EmbeddedAccount) => announceWallet(cx, wallet)
  const inDialog = () =>
    cx.runs.run('create', { surface, signal }, (stage) => createInDialog(flow(stage), request))
  const first = !embedded.list().some((wallet) => !wallet.imported)
  if (dialog || (first && recoveryOptionsOf(cx.app.known()).required)) return created(await inDialog())
  try {
    return await created(await embedded.create(request, signal))
  } catch (cause) {
    if (!(cause instanceof KitError) || cause.code !== 'wallet_not_on_device') throw cause
    return created(await inDialog())
  }
}

/** Imports a private key, which goes to the vault and is kept nowhere else; in a strict app the page never has it. */
export async function importWallet(
  cx: KitContext,
  { chainType = 'ethereum', privateKey, surface, signal }: ImportWalletOptions,
): Promise<EmbeddedAccount> {
  mustHaveWallets(chainType)
  const { embedded, flow } = await withWallets(cx, 'importing a wallet')
  if (cx.app.known().vault === 'strict') {
    if (privateKey !== undefined)
      throw new KitError(
        'invalid_request_arguments',
        "In this app people enter the private key in the wallet's own window. Call importWallet() without it.",
      )
    const imported = await cx.runs.run('import', { surface, signal }, async (stage) =>
      embedded.imported(await importInVault(flow(stage), chainType)),
    )
    return announceWallet(cx, imported)
  }
  if (typeof privateKey !== 'string' || privateKey === '')
    throw new KitError('invalid_request_arguments', 'A private key must be a non-empty string')
  return announceWallet(cx, await embedded.importKey({ chainType, privateKey }, signal))
}

/** Tells of a new wallet once the page's list has it. */
async function announceWallet(cx: KitContext, wallet: EmbeddedAccount): Promise<EmbeddedAccount> {
  await cx.showWallets()
  cx.app.update()
  cx.events.emit('wallet', { wallet })
  return wallet
}

/** Lets the person choose how their wallet is recovered. Resolves with the method. */
export async function setWalletRecovery(
  cx: KitContext,
  { address, showAutomaticRecovery = false, surface, signal }: SetRecoveryOptions,
): Promise<string> {
  const { embedded } = await withWallets(cx, 'setting up recovery')
  const wallet = find(embedded, address)
  const changed = await cx.runs.run('recovery', { surface, signal }, (stage) =>
    recoveryOnStage(cx, stage, wallet, showAutomaticRecovery),
  )
  return changed.recoveryMethod ?? ''
}

/** The same where a dialog is open. Resolves with the wallet. */
export async function recoveryOnStage(
  cx: KitContext,
  stage: Stage,
  wallet: EmbeddedAccount,
  automatic = false,
): Promise<EmbeddedAccount> {
  const { flow } = await withWallets(cx, 'setting up recovery')
  return announceRecovery(
    cx,
    await changeRecovery(flow(stage), wallet, { automatic, hasFactor: hasFactor(cx) }),
  )
}

/** Sets or changes the recovery password. */
export async function setWalletPassword(
  cx: KitContext,
  { address, surface, signal }: RecoveryUiOptions,
): Promise<EmbeddedAccount> {
  const { embedded, flow } = await withWallets(cx, 'setting a password')
  const wallet = find(embedded, address)
  const changed = await cx.runs
    .run('recovery', { surface, signal }, (stage) =>
      changePassword(flow(stage), wallet, { hasFactor: hasFactor(cx) }),
    )
    .catch((cause: unknown) => {
      if (!(cause instanceof KitError) || cause.code !== 'user_exited_set_password_flow') throw cause
      throw new KitError(cause.code, 'Exited before password was added to wallet', { cause: cause.cause })
    })
  return announceRecovery(cx, changed)
}

function announceRecovery(cx: KitContext, wallet: EmbeddedAccount): EmbeddedAccount {
  cx.events.emit('recovery', { method: wallet.recoveryMethod ?? '', wallet })
  return wallet
}

const hasFactor = (cx: KitContext) => (cx.app.state.get().user?.mfaMethods.length ?? 0) > 0

/** Shows a wallet's key in the vault's own frame. */
export async function exportWallet(
  cx: KitContext,
  { address, surface, signal }: RecoveryUiOptions,
): Promise<void> {
  const { embedded } = await withWallets(cx, 'exporting their wallet')
  const wallet = find(embedded, address)
  await cx.runs.run('export', { surface, signal }, (stage) => exportOnStage(cx, stage, wallet))
}

/** The same where a dialog is open. */
export async function exportOnStage(cx: KitContext, stage: Stage, wallet: EmbeddedAccount): Promise<void> {
  const { wallets, embedded, flow } = await withWallets(cx, 'exporting their wallet')
  const verify = async (during: AbortSignal) => {
    if (hasFactor(cx)) await embedded.factors.verify(during)
  }
  // Each opening of the frame gets a ticket of its own.
  const open: OpenExport = async (exported, events, frameSignal) => {
    // The vault keeps that the person is verified for a minute, and its frame wants it.
    await verify(frameSignal)
    const exporting = await wallets.exporting()
    return exporting.open({
      wallet: exported,
      root: embedded.rootOf(exported),
      events,
      signal: frameSignal,
    })
  }
  const { exported } = await (cx.app.known().vault === 'strict'
    ? exportInVault(flow(stage), wallet)
    : exportInDialog(flow(stage), wallet, open, verify))
  if (exported) cx.analytics.track('embedded_wallet_key_export_completed')
}

const chainTypes: readonly string[] = ['ethereum', 'solana'] satisfies readonly EmbeddedAccount['chainType'][]

/** A host that isn't checked by a compiler is told what it may ask for. */
function mustHaveWallets(chainType: string): void {
  if (chainTypes.includes(chainType)) return
  const named = `chainType is one of ${chainTypes.join(', ')}, not ${String(chainType).slice(0, 64)}`
  throw new KitError('invalid_request_arguments', named)
}

/** Which wallet to create. Without an index or 'additional' there may be none of that chain yet. */
function creationOf(
  embedded: EmbeddedWallets,
  { chainType = 'ethereum', walletIndex, createAdditional = false }: CreateWalletOptions,
): CreateEmbedded {
  mustHaveWallets(chainType)
  const taken = embedded
    .list()
    .filter((wallet) => wallet.chainType === chainType && !wallet.imported)
    .map((wallet) => wallet.walletIndex ?? 0)
  if (walletIndex !== undefined) return { chainType, walletIndex }
  if (taken.length > 0 && !createAdditional)
    throw new KitError('embedded_wallet_already_exists', 'User already has an embedded wallet.')
  return { chainType, walletIndex: taken.length === 0 ? 0 : Math.max(...taken) + 1 }
}
