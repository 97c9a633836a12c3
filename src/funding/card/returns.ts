/** Windows that come back from a provider to a page of the app, which another page of it may be waiting for. */
import { isPurchaseReturned, purchaseChannel, purchaseFollowed } from '../../protocol/purchase-return.ts'

/**
 * Says that this page follows a purchase, so that windows which come back with it close.
 * @param onReturn called with each of them
 * @returns what ends it
 */
export function followReturns(purchase: string, onReturn: () => void): () => void {
  const { BroadcastChannel } = globalThis
  if (!BroadcastChannel) return () => {}
  const channel = new BroadcastChannel(purchaseChannel)
  channel.onmessage = ({ data }) => {
    if (!isPurchaseReturned(data, purchase)) return
    channel.postMessage(purchaseFollowed(purchase))
    onReturn()
  }
  return () => channel.close()
}

/**
 * The address of the page without query and fragment, which are nothing to a provider. `undefined` for a page that no provider can lead
 * back to.
 */
export function returnUrlOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, origin, pathname } = new URL(address)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname.endsWith('.localhost')
  return protocol === 'https:' || (protocol === 'http:' && isLocal) ? `${origin}${pathname}` : undefined
}
