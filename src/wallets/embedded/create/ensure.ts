import { Closed } from '../../../dialog/stage.ts'
import { reworded, toKitError } from '../../../errors/kit-error.ts'
import { lazily } from '../../../errors/lazily.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import type { Session } from '../../../session/session.ts'
import type { WalletFlow } from '../../flow-context.ts'
import { type OwnMethod, recoveryOptionsOf } from '../../recovery/recovery-options.ts'
import { askToRetry } from '../ask-to-retry.ts'
import type { CreateEmbedded, EmbeddedAccount } from '../embedded-wallets.ts'
import { counted } from './counted.ts'
import { walletCreated } from './created.tsx'
import { creatingWallet } from './creating.tsx'
import { wantedWallets } from './wanted.ts'

/** Most logins need none of its screens. */
const loadFlows = lazily(() => import('../../flows.ts'))

/**
 * Creates the wallets that the app wants the person to have, and resolves with those that were created. A
 * failure is shown with a button to try again; if the person gives up, it is thrown. Creation can be resumed:
 * the vault and the server make one wallet or none.
 */
export async function ensureWallets(
  cx: WalletFlow & { readonly session: Session },
  isNewUser: boolean,
): Promise<readonly EmbeddedAccount[]> {
  const user = cx.session.user.get()
  const made: EmbeddedAccount[] = []
  for (const chainType of user ? wantedWallets(cx.config, user) : [])
    made.push(await makeWallet(cx, { chainType }, { automatic: true }))
  const [first, second] = made
  const wallet = first ?? (await embeddedWithoutProof(cx))
  const offered = wallet && (await offerProofFor(cx, wallet, made.length > 0))
  if (first && offered !== 'added' && offered !== 'declined')
    await untilRead(cx, first.address, second?.address, isNewUser)
  return made
}

/** A wallet of an earlier login that may lack the proof which the app requires. */
async function embeddedWithoutProof(cx: WalletFlow): Promise<EmbeddedAccount | undefined> {
  const { app, vault } = cx.config
  if (vault !== 'strict' || app.deviceProof !== 'required') return undefined
  return (await cx.wallets.embedded()).list()[0]
}

/** Nobody but a user of a strict app is ever asked. */
export async function offerProofFor(
  cx: WalletFlow,
  wallet: EmbeddedAccount,
  isNew: boolean,
): Promise<'has-proof' | 'added' | 'declined'> {
  if (cx.config.vault !== 'strict') return 'has-proof'
  const { offerProof } = await loadFlows()
  try {
    return await offerProof(cx, wallet, { isNew })
  } catch (cause) {
    // The wallet exists: closing here is as good as declining, except where the app requires a proof.
    if (cause instanceof Closed && cx.config.app.deviceProof !== 'required') return 'declined'
    throw cause
  }
}

/**
 * Creates a wallet, with a recovery method of the person's own if the app requires one.
 * @param options.automatic part of a login, which can't be left; otherwise going back throws {@link Closed}
 */
export async function makeWallet(
  cx: WalletFlow,
  options: CreateEmbedded,
  { automatic }: { automatic: boolean },
): Promise<EmbeddedAccount> {
  const embedded = await cx.wallets.embedded()
  const { methods, required } = recoveryOptionsOf(cx.config)
  const isFirst = !embedded.list().some((wallet) => !wallet.imported)
  for (;;) {
    try {
      if (!required || !isFirst) {
        const present = embedded.list().find((wallet) => !wallet.imported)
        const make = () => cx.stage.during(creatingWallet, {}, (signal) => embedded.create(options, signal))
        if (!present) return await make()
        const { withWalletHere } = await loadFlows()
        return await withWalletHere(cx, present, make)
      }
      const { secureWallet } = await loadFlows()
      const secure = () =>
        secureWallet(cx, {
          methods,
          automatic,
          ...(cx.config.vault === 'strict' && {
            inVault: (method, canGoBack) => createInVault(cx, options, method, { automatic, canGoBack }),
          }),
          work: (recovery, signal) => embedded.create({ ...options, recovery }, signal),
        })
      // A newer server may offer methods that this version can't do: nobody is locked into a screen without any.
      const came = automatic && methods.length > 0 ? await cx.stage.lock(secure) : await secure()
      if (came !== 'back') return came.done
      if (!automatic) throw new Closed('The person turned back')
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      const error = toKitError(cause, 'embedded_wallet_create_error')
      const told = automatic ? reworded(error, 'User wallet creation failed') : error
      await askToRetry(cx, told, { back: !automatic })
    }
  }
}

/**
 * The vault asks for the password, or has the user sign in at the drive that keeps the backup, and creates the wallet.
 */
async function createInVault(
  cx: WalletFlow,
  { chainType }: CreateEmbedded,
  method: OwnMethod,
  how: { readonly automatic: boolean; readonly canGoBack: boolean },
): Promise<{ done: EmbeddedAccount } | 'back'> {
  const embedded = await cx.wallets.embedded()
  const { approve } = await loadFlows()
  const ask = (id: string, title: string, drive?: ApprovalRequests['create']['drive']) =>
    counted(cx.track, async () => {
      const { answer } = await approve(
        cx,
        id,
        'create',
        async (show) => show({ chainType, ...how, ...(drive && { drive }) }),
        { back: !how.automatic, title },
      )
      return 'wants' in answer ? answer.wants : { done: await embedded.created({ chainType }) }
    })
  if (method === 'password') return ask('set-password', cx.t('password.set.title'))
  return ask('recovery-oauth', cx.t('recovery.drive.title'), { provider: method })
}

/** The wallet exists, so closing here is as good as continuing. */
export async function untilRead(
  cx: WalletFlow,
  address: string,
  second: string | undefined,
  isNewUser: boolean,
): Promise<void> {
  try {
    await cx.stage.ask(walletCreated, { address, isNewUser, ...(second && { second }) })
  } catch (cause) {
    if (!(cause instanceof Closed)) throw cause
  }
}
