/** Bridges that are under way, for the user's other devices. */
import type { BridgeEnd, StartedBridge, StoredBridge } from '../../protocol/bridges.ts'
import type { Payment, PaymentStore } from './payments.ts'

/** The server's memory of bridges. Neither call rejects: a bridge goes on without it. */
export interface SharedBridges {
  save(bridge: StartedBridge): void
  end(requestId: string, status: BridgeEnd | 'none'): void
}

/** A store whose bridges the server remembers as well. */
export const sharePayments = (store: PaymentStore, shared: SharedBridges): PaymentStore => ({
  find: store.find,
  save(payment) {
    store.save(payment)
    const { requestId } = payment
    if (requestId !== undefined) shared.save(toBridge({ ...payment, requestId }))
  },
  remove(payment, end = 'none') {
    store.remove(payment, end)
    if (payment.requestId !== undefined) shared.end(payment.requestId, end)
  },
})

function toBridge(payment: Payment & { readonly requestId: string }): StartedBridge {
  const { id, requestId, address, chain, token, receives, wallet, from, network, pays, seconds, hash } =
    payment
  return { id, requestId, address, chain, token, receives, wallet, from, network, pays, seconds, hash }
}

/** A bridge of another device, as this one follows it. @param deposits transactions of the wallet that the bridge has seen */
export const toPayment = (
  { status: _, startedAt, hash, ...bridge }: StoredBridge,
  deposits: readonly string[] = [],
): Payment => {
  const known = hash ?? deposits[0]
  return {
    ...bridge,
    startedAt: startedAt.getTime(),
    state: 'sent',
    ...(known !== undefined && { hash: known }),
  }
}
