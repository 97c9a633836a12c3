import { InvalidRequest } from './chains/invalid-request.ts'
import type { ChainNode } from './chains/rpc.ts'
import type { Clock } from './core/clock.ts'
import type { Page } from './core/page.ts'
import { lazily } from './errors/lazily.ts'
import type { FlowsContext } from './kit-flows.ts'
import { mustBeForPage, readableText } from './wallets/embedded/provider/sign-in-text.ts'
import type { SolanaDesk } from './wallets/embedded/provider/solana.ts'

const loadForms = lazily(() => import('./chains/solana-transaction.ts'))
const loadSending = lazily(() => import('./chains/solana-broadcast.ts'))

/** Waits for a request's turn, and does it with what is loaded for it. */
export type AskPerson = <T>(
  work: (
    requests: typeof import('./kit-requests.ts'),
    flows: FlowsContext,
    signal: AbortSignal,
  ) => Promise<T>,
) => Promise<T>

/** What a Solana wallet's libraries ask of a person. */
export function createSolanaDesk(cx: {
  ask: AskPerson
  nodeAt: (url: string) => ChainNode
  clock: Clock
  page: Page
}): SolanaDesk {
  const { ask, clock } = cx

  return {
    async message(wallet, bytes) {
      mustBeForPage(readableText(bytes), cx.page.origin)
      const { isTransactionMessage } = await loadForms()
      // Signed under that name it would be a transaction that nobody has seen.
      if (isTransactionMessage(bytes)) throw new InvalidRequest('The message is one of a transaction')
      return ask((requests, flows, signal) =>
        requests.runRequest(
          flows,
          signal,
          (now) => requests.signSolanaBytes(now, { wallet, bytes }),
          requests.signsMessage,
        ),
      )
    },

    async transaction(wallet, { bytes, cluster, send }) {
      const [{ readSolanaTransaction, signatureText }, { broadcastSolana }] = await Promise.all([
        loadForms(),
        loadSending(),
      ])
      const transaction = readSolanaTransaction(bytes, wallet.address)
      const node = cx.nodeAt(cluster.rpcUrl)
      const broadcast =
        send &&
        ((signed: { bytes: Uint8Array; name: Uint8Array | undefined }) => {
          if (!signed.name) throw new InvalidRequest('The transaction lacks the signature of who pays for it')
          return broadcastSolana({ node, clock }, { ...signed, name: signatureText(signed.name) }, send)
        })
      return ask((requests, flows, signal) =>
        requests.runSending<{ bytes: Uint8Array; name: Uint8Array | undefined }>(
          flows,
          signal,
          (now, onSending) =>
            requests.transactSolana(now, { wallet, transaction, cluster, node, broadcast, onSending }),
        ),
      )
    },
  }
}
