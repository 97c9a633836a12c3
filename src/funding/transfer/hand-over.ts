/** Hands a payment to the wallet that makes it. It is written down first, so that it is found again whatever happens to the page. */
import type { ActivityEntry } from '../../activity/entry.ts'
import { Closed } from '../../dialog/stage.ts'
import { KitError } from '../../errors/kit-error.ts'
import { readStanding } from '../../ethereum/find-transaction.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import { within } from '../../lib/clock.ts'
import { NodeError, TransactionUnknownError } from '../../lib/node-errors.ts'
import type { SentExternally } from '../../signing/send/external.ts'
import type { SolanaRequest } from '../../solana/prepare.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { toWalletError } from '../../wallets/external/wallet-error.ts'
import { fundingLimits } from '../limits.ts'
import type { Payment } from './payments.ts'
import {
  AlreadyStarted,
  hasSentNothing,
  NotPaid,
  refusalOf,
  type Shown,
  type TransferRun,
  TurnedBack,
  unreachable,
  waitFor,
} from './run.ts'
import type { SolanaPlace } from './services.ts'

export interface HandOver {
  readonly account: ConnectedAccount
  readonly shown: Shown
  /** `undefined` for what moves no money yet, such as an allowance. */
  readonly payment?: Payment | undefined
  /** The entry of the activity. */
  readonly entry: Pick<ActivityEntry, 'chain' | 'title' | 'to' | 'amount' | 'asset'>
}

/**
 * Moves the wallet to the chain, adding it where the wallet doesn't know it, and has it send there.
 * @throws NotPaid for a wallet that stays on another chain, or doesn't send; TurnedBack; AlreadyStarted
 */
export async function sendOnEthereum(
  run: TransferRun,
  request: WalletTransaction,
  { account, shown, payment, entry }: HandOver,
): Promise<ActivityEntry> {
  const { cx, services } = run
  const { chainId, from, to = '', value, data } = request
  const node = services.nodeOf(chainId)
  if (!node) throw unreachable(run, shown.from)
  const { address, connector, meta } = account
  const isThere = () =>
    connector.accounts.get().some((each) => each.address === address && each.chainId === `eip155:${chainId}`)
  const standing = await waitFor(run, shown, { state: 'switching' }, async (signal) => {
    const [found] = await Promise.all([
      payment &&
        within(cx.clock, fundingLimits.questionTime, (own) => readStanding(node, from, own), signal).catch(
          (cause: unknown) => {
            signal.throwIfAborted()
            throw unreachable(run, shown.from, cause)
          },
        ),
      connector.switchChain(chainId, signal).catch((cause: unknown) => {
        // Wallets of one chain have no such call.
        if (!isThere() || toWalletError(cause).code !== 'unsupported_method') throw cause
      }),
    ])
    return found
  }).catch((cause: unknown) => {
    cx.stage.signal.throwIfAborted()
    if (cause instanceof NotPaid || cause instanceof TurnedBack) throw cause
    const refused = refusalOf(run, meta, cause)
    throw refused.error?.code === 'wallet_rejected'
      ? refused
      : new NotPaid(wrongNetwork(run, meta.name, shown.from), refused.error)
  })
  // A payment that is signed on another network is another one.
  if (!isThere()) throw new NotPaid(wrongNetwork(run, meta.name, shown.from))
  assertNoOther(run, payment)
  const written: Payment | undefined = payment &&
    standing && {
      ...payment,
      trace: {
        nonce: String(standing.nonce),
        block: String(standing.block),
        to,
        value: String(value),
        data,
      },
    }
  if (written) services.payments.save(written)
  // A wallet that answers after the user has left has sent it all the same.
  const broadcast = services.send(account, request).then(
    (sent) => {
      if (written) services.payments.save({ ...written, ...sent, state: 'sent' })
      return addEntry(run, account, entry, sent)
    },
    (cause: unknown) => {
      if (written && hasSentNothing(cause)) services.payments.remove(written)
      throw cause
    },
  )
  broadcast.catch(() => {})
  try {
    return await waitFor(run, shown, { state: payment ? 'signing' : 'approving' }, () => broadcast)
  } catch (cause) {
    cx.stage.signal.throwIfAborted()
    if (cause instanceof TurnedBack) throw cause
    throw refusalOf(run, meta, cause)
  }
}

/**
 * Has the wallet sign, and gives the transaction to the network.
 * @throws NotPaid for a wallet or a network that refuses it; TurnedBack, after which nothing is sent; AlreadyStarted
 */
export async function sendOnSolana(
  run: TransferRun,
  place: SolanaPlace,
  request: SolanaRequest,
  { account, shown, payment, entry }: HandOver & { readonly payment: Payment },
): Promise<ActivityEntry> {
  const { cx, services } = run
  const { activity, payments } = services
  assertNoOther(run, payment)
  let hasLeft = false
  const work = async (): Promise<ActivityEntry> => {
    const { sent, broadcast } = await services.sign(account, place, request)
    // Nothing has been sent before this, so a user who left wants it so.
    if (hasLeft || cx.stage.signal.aborted) throw new Closed('The user turned back')
    assertNoOther(run, payment)
    payments.save({ ...payment, ...sent, state: 'sent' })
    const added = addEntry(run, account, entry, sent)
    try {
      await broadcast()
    } catch (cause) {
      // Another node may still take it, and nobody knows what became of the rest.
      const isOpen =
        cause instanceof TransactionUnknownError ||
        (cause instanceof place.room.TransactionRefused && cause.failure.code === 'BlockhashNotFound')
      if (!isOpen) {
        activity.remove(added)
        payments.remove(payment)
        throw cause
      }
    }
    return added
  }
  try {
    return await waitFor(run, shown, { state: 'signing' }, work)
  } catch (cause) {
    hasLeft = true
    cx.stage.signal.throwIfAborted()
    if (cause instanceof TurnedBack || cause instanceof AlreadyStarted) throw cause
    if (cause instanceof NodeError)
      throw new NotPaid(
        cx.t('funding.transfer.failing'),
        new KitError('transaction_failure', 'The network refused the transaction', { cause }),
      )
    throw refusalOf(run, account.meta, cause)
  }
}

function assertNoOther({ services, target }: TransferRun, payment: Payment | undefined): void {
  const other = payment && services.payments.find(target)
  if (other && other.id !== payment.id) throw new AlreadyStarted('Another payment was started meanwhile')
}

function addEntry(
  { cx, services }: TransferRun,
  { address }: ConnectedAccount,
  entry: HandOver['entry'],
  sent: SentExternally,
): ActivityEntry {
  const added: ActivityEntry = {
    ...sent,
    ...entry,
    wallet: address,
    sentAt: cx.clock.now(),
    status: 'pending',
  }
  services.activity.add(added)
  return added
}

const wrongNetwork = ({ cx: { t } }: TransferRun, wallet: string, network: string) =>
  t('funding.transfer.wrongNetwork', { wallet, network })
