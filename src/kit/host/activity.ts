/** The dialog of what the user's wallets sent; loaded with the first opening. */
import { Closed, type Stage } from '../../dialog/stage.ts'
import { showActivity } from '../../signing/activity/flow.ts'
import type { ManageOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import type { LoadTransfer } from './bridges.ts'
import { personOf } from './person.ts'

/** Loads what knows the app's sellers. */
type LoadPurchases = () => Promise<Pick<typeof import('./purchases.ts'), 'boughtActivity'>>
/** Loads what knows the app's bridge. */
type LoadBridges = () => Promise<Pick<typeof import('./bridges.ts'), 'bridgedActivity'>>
export interface ActivityParts {
  readonly loadPurchases?: LoadPurchases | undefined
  readonly loadBridges?: LoadBridges | undefined
  /** Loads what follows a bridge. */
  readonly loadTransfer?: LoadTransfer | undefined
}

/** Opens the activity for {@link Kit.openActivity}. The kit is ready. */
export async function openActivity(
  cx: KitContext,
  sending: Sending,
  { surface, signal }: ManageOptions,
  parts: ActivityParts = {},
): Promise<void> {
  personOf(cx, 'their activity is shown')
  await cx.runs.run('settings', { surface, signal, outlivesRefusals: true }, async (stage) => {
    try {
      await activityOnStage(cx, stage, sending, { canGoBack: false, ...parts })
    } catch (cause) {
      // Closing is how one leaves a list.
      if (!(cause instanceof Closed)) throw cause
    }
  })
}

/** Displays the activity on a stage that is open already. */
export async function activityOnStage(
  cx: KitContext,
  stage: Stage,
  sending: Sending,
  { canGoBack, loadPurchases, loadBridges, loadTransfer }: ActivityParts & { readonly canGoBack: boolean },
): Promise<void> {
  const { activity, nodeOf, storedBatches } = sending
  const { linkedAccounts } = personOf(cx, 'their activity is shown')
  const { wallets } = await cx.services()
  const hasWallets = linkedAccounts.some((account) => account.type === 'wallet' && account.embedded)
  const embedded = hasWallets ? await wallets.embedded() : undefined
  const sellsSomething = (cx.app.known().app.funding?.providers ?? []).length > 0
  const purchases = sellsSomething ? (await loadPurchases?.())?.boughtActivity(cx) : undefined
  const hasBridge = cx.app.known().app.funding?.bridging === true
  const transfers =
    hasBridge && loadTransfer
      ? (await loadBridges?.())?.bridgedActivity(cx, sending, loadTransfer)
      : undefined
  // Without its batches the activity lists their transactions one by one.
  const batches = (await storedBatches().catch(() => undefined))?.batches
  await showActivity(
    { ...cx.flow(stage), wallets },
    {
      activity,
      nodeOf,
      walletOf: (address) => embedded?.find(address),
      canGoBack,
      batches,
      purchases,
      transfers,
      onBroadcast(outcome) {
        outcome.then(
          ({ hash, chain, wallet }) =>
            cx.events.emit('submitted', { transactionHash: hash, chain, address: wallet }),
          () => {},
        )
      },
    },
  )
}
