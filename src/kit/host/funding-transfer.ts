/** Funding from another wallet of the user's, with what it needs of the kit; loaded when the user chooses it. */
import type { FlowContext } from '../../app/flow-context.ts'
import type { FundingOutcome, LeftMethod } from '../../funding/method.ts'
import { paymentsKey } from '../../funding/payments-key.ts'
import type { FundingTarget } from '../../funding/target.ts'
import { transferring } from '../../funding/transfer/flow.ts'
import { finishPayment } from '../../funding/transfer/follow.ts'
import { createPaymentStore } from '../../funding/transfer/payments.ts'
import type { TransferServices } from '../../funding/transfer/services.ts'
import { sharePayments, toPayment } from '../../funding/transfer/share-payments.ts'
import type { StoredBridge } from '../../protocol/bridges.ts'
import type { KitContext } from '../context.ts'
import { sendByWallet, signByWallet } from '../wallets/external-send.ts'
import type { Sending } from '../wallets/sending.ts'
import { bridgeFor, depositsFor, shareBridges } from './bridges.ts'
import { personOf } from './person.ts'

type Needs = Pick<Sending, 'nodeOf' | 'solana' | 'activity' | 'prices'>

/** Runs the method. */
export async function transfer(
  kit: KitContext,
  sending: Needs,
  now: FlowContext,
  target: FundingTarget,
): Promise<FundingOutcome | LeftMethod> {
  return transferring(await servicesFor(kit, sending, target))(now, target)
}

/**
 * Follows a bridge that was started on this device or another one.
 * @param deposits transactions of the wallet that the bridge has seen
 */
export async function followBridge(
  kit: KitContext,
  sending: Needs,
  cx: FlowContext,
  target: FundingTarget,
  stored: StoredBridge,
  deposits: readonly string[] | undefined,
): Promise<FundingOutcome | LeftMethod> {
  const services = await servicesFor(kit, sending, target)
  const own = services.payments.find(target)
  const payment =
    own?.requestId === stored.requestId && own.state === 'sent' ? own : toPayment(stored, deposits)
  return finishPayment({ cx, target, services }, payment)
}

async function servicesFor(
  kit: KitContext,
  { nodeOf, solana, activity, prices }: Needs,
  { chain }: FundingTarget,
): Promise<TransferServices> {
  const { appId, storage, clock, app } = kit
  const user = personOf(kit, 'funding a wallet')
  const services = await kit.services()
  const bridge = bridgeFor(kit, chain)
  const payments = createPaymentStore(storage, { key: paymentsKey(appId, user.id), now: clock.now })
  return {
    connecting: (cx) => ({ ...cx, ...services }),
    nodeOf,
    solana,
    activity,
    prices,
    payments: bridge ? sharePayments(payments, shareBridges(kit)) : payments,
    bridge,
    bridgeDeposits: depositsFor(kit),
    send: sendByWallet,
    sign: (account, place, request) => signByWallet({ clock, config: app.known }, place, account, request),
  }
}
