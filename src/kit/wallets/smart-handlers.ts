/** Handles what the page's libraries ask of smart wallets, in the one queue of all requests. */
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { assertSignInMatchesOrigin, readableText } from '../../lib/sign-in-text.ts'
import type { SmartWalletAccount } from '../../protocol/user.ts'
import { type Capabilities, PAYMASTER } from '../../wallets/embedded/provider/calls.ts'
import type { EthereumRequestHandler } from '../../wallets/embedded/provider/ethereum.ts'
import { unsupportedMethod } from '../../wallets/embedded/provider/rpc-error.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from './sending.ts'

type SmartPart = typeof import('../host/smart-wallets.ts')
type CallsPart = typeof import('../host/send-calls.ts')
type SmartRequestContext = import('../host/smart-wallets.ts').SmartRequestContext

export interface SmartHandlerContext {
  readonly kit: KitContext
  readonly sending: Sending
  /** Loads what signs and sends for smart wallets. */
  readonly smart: () => Promise<SmartPart>
  /** Loads what knows of batches. */
  readonly calls: () => Promise<CallsPart>
  /** How a request waits for its turn, and whether it is displayed. */
  request(): SmartRequestContext
  /** Ends what is displayed, as a logout does. */
  signal(): AbortSignal
  readonly origin: string
}

/** One operation carries out all calls or none, and the requester may name its sponsor (ERC-7677). */
const smartCapabilities: Capabilities = {
  atomic: { status: 'supported' },
  [PAYMASTER]: { supported: true },
}

export function createSmartHandler(cx: SmartHandlerContext): EthereumRequestHandler<SmartWalletAccount> {
  const { kit, sending, smart, calls } = cx
  return {
    async signMessage(linked, bytes, chainId) {
      assertSignInMatchesOrigin(readableText(bytes), cx.origin)
      const { signForLibrary } = await smart()
      return signForLibrary(kit, sending, { linked, chainId, content: { bytes } }, cx.request())
    },
    async signTypedData(linked, { typed, chainId }) {
      const { signForLibrary } = await smart()
      return signForLibrary(kit, sending, { linked, chainId, content: { typed } }, cx.request())
    },
    async transact(linked, { action, request }) {
      // A smart wallet has no transactions of its own that a page could send later.
      if (action === 'sign') throw unsupportedMethod('eth_signTransaction')
      const { to, value, data, chainId } = request
      if (!to) throw new InvalidRequest('A smart account sends no transaction that creates a contract')
      const { sendSmartCallsForLibrary, outcomeOf } = await smart()
      const batch = await sendSmartCallsForLibrary(
        kit,
        sending,
        { linked, chainId, calls: [{ to, value, data }] },
        cx.request(),
      )
      // Libraries look for the receipt by the hash, so it has to be that of the transaction.
      return (await outcomeOf(sending, batch)).transactionHash
    },
    calls: {
      async capabilities(_, chainId) {
        const network = await (await sending.smartAccounts()).network(chainId)
        return network ? smartCapabilities : { atomic: { status: 'unsupported' } }
      },
      async send({ account: linked, ...request }) {
        const { sendSmartCallsForLibrary } = await smart()
        const batch = await sendSmartCallsForLibrary(kit, sending, { linked, ...request }, cx.request())
        return batch.id
      },
      status: async (id, wallets) => (await calls()).callsStatusForLibrary(sending, id, wallets),
      show: async (id, wallets) =>
        (await calls()).showCallsForLibrary(kit, sending, { id, wallets }, cx.signal()),
    },
  }
}
