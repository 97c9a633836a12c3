/** What all calls that sign or send for a host share: the wallet, its turn, and the outcome of what was sent. */
import type { Settled } from '../../activity/tracker.ts'
import { hidesWalletUis } from '../../app/config.ts'
import { KitError } from '../../errors/kit-error.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { SmartWalletAccount, User } from '../../protocol/user.ts'
import { failureOfEntry } from '../../signing/index.ts'
import type { SignMessageUi } from '../../signing/message/flow.ts'
import type { Turn } from '../../signing/request-queue.ts'
import type { TransactionUi } from '../../signing/transaction/transaction-ui.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { SignUiOptions, TransactionUiOptions } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { personOf } from './person.ts'

interface SendingForHost {
  readonly signal: AbortSignal | undefined
  readonly resolve?: (settled: Settled) => Promise<Settled>
}
type Sent = { readonly chain: string; readonly hash: string; readonly wallet: string }

/**
 * Runs a flow that sends, and resolves as soon as the network has confirmed what was sent: the dialog goes on until the user closes it,
 * and closing it earlier doesn't call a transaction back. What failed may be sent again in the dialog, so that is told with its end.
 * @param resolve finds what counts in the place of a transaction that was replaced
 * @param flow reports each broadcast, whose outcome is the transaction that the network has
 * @throws KitError `transaction_failure` for a transaction that the network didn't carry out
 */
export async function sendForHost(
  cx: KitContext,
  sending: Sending,
  { signal, resolve = async (settled) => settled }: SendingForHost,
  flow: (onBroadcast: (outcome: Promise<Sent>) => void, turn: Turn) => Promise<Settled | undefined>,
): Promise<Settled> {
  let last: Promise<Sent> | undefined
  let tell = (_: Settled) => {}
  const confirmed = new Promise<Settled>((done) => {
    tell = done
  })
  const onBroadcast = (outcome: Promise<Sent>, turn: Turn) => {
    last = outcome
    outcome
      .then(async (sent) => {
        const { hash, chain, wallet } = sent
        cx.events.emit('submitted', { transactionHash: hash, chain, address: wallet })
        const decided = await sending.activity.settled(sent)
        const counting = decided && (await resolve(decided))
        if (counting?.entry.status !== 'confirmed') return
        turn.tell()
        tell(counting)
      })
      // The flow, or the wait without a dialog, says what went wrong.
      .catch(() => {})
  }
  const settle = async () => {
    const sent = await last?.catch(() => undefined)
    return sent && sending.activity.settled(sent)
  }
  const ended = inTurn(sending, signal, async (turn) => {
    // The queue goes on; what no dialog displays is waited for without one.
    try {
      return (
        (await flow((outcome) => {
          turn.commit()
          onBroadcast(outcome, turn)
        }, turn)) ?? { rest: settle() }
      )
    } catch (cause) {
      return { rest: settle(), cause }
    }
  })
  const decided = ended.then(async (settled) => {
    const counting = await resolve('rest' in settled ? await orThrow(settled) : settled)
    if (counting.entry.status !== 'confirmed') throw failureOfEntry(counting.entry)
    return counting
  })
  return Promise.race([confirmed, decided])
}

async function orThrow<T>({ rest, cause }: { rest: Promise<T | undefined>; cause?: unknown }): Promise<T> {
  const settled = await rest
  if (settled === undefined) throw cause
  return settled
}

/** Takes its turn among all requests of the page: one dialog at a time. */
export const inTurn = <T>(
  sending: Sending,
  signal: AbortSignal | undefined,
  work: (turn: Turn) => Promise<T>,
): Promise<T> => sending.queue.run(work, signal ?? new AbortController().signal)

/** The wallet that is asked: the named one, or the user's first one of the chain. */
export async function walletFor(
  cx: KitContext,
  chainType: EmbeddedAccount['chainType'],
  address: string | undefined,
): Promise<EmbeddedAccount> {
  personOf(cx, 'signing')
  const { wallets } = await cx.services()
  const embedded = await wallets.embedded()
  const wallet =
    address === undefined
      ? embedded.list().find((each) => each.chainType === chainType)
      : embedded.find(address)
  if (wallet?.chainType !== chainType)
    throw new KitError('embedded_wallet_not_found', 'Must have an embedded wallet before signing')
  return wallet
}

/** The user's smart wallet at an address; `undefined` where it is none. */
export const smartWalletAt = (
  { linkedAccounts }: User,
  address: string | undefined,
): SmartWalletAccount | undefined =>
  linkedAccounts.find(
    (each): each is SmartWalletAccount =>
      each.type === 'smart_wallet' && each.address.toLowerCase() === address?.toLowerCase(),
  )

/** A request that can't be read is the host's mistake. */
export function readRequest<T>(parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    if (!(cause instanceof InvalidRequest)) throw cause
    throw new KitError('invalid_request_arguments', cause.message, { cause })
  }
}

/** The host's options for a transaction, as the screens take them. */
export function toUi(cx: KitContext, options: TransactionUiOptions): TransactionUi {
  const { transactionInfo: info = {}, description, buttonText, successHeader, successDescription } = options
  return {
    title: info.title ?? info.action,
    description: description ?? info.actionDescription,
    buttonText,
    iconUrl: info.contractInfo?.imgUrl,
    iconName: info.contractInfo?.imgAltText ?? info.contractInfo?.name,
    successHeader,
    successDescription,
    isCancellable: options.isCancellable,
    isHidden: hidesWalletUis(cx.app.known(), options.showWalletUIs),
  }
}

/** The host's options for a message, as the screens take them. */
export function toSignatureUi(cx: KitContext, options: SignUiOptions): SignMessageUi {
  const { showWalletUIs: _, ...words } = options
  return { ...words, isHidden: hidesWalletUis(cx.app.known(), options.showWalletUIs) }
}
