import { rpcUrlOf } from './chains/chains.ts'
import { type ChainNode, createNode } from './chains/rpc.ts'
import { limits } from './core/limits.ts'
import type { Readable } from './core/store.ts'
import { lazily } from './errors/lazily.ts'
import type { KitEmbeddedOptions } from './kit-embedded.ts'
import { type AskPerson, createSolanaDesk } from './kit-solana.ts'
import type { EthereumDesk } from './wallets/embedded/provider/ethereum.ts'
import { createRequestQueue } from './wallets/embedded/provider/queue.ts'
import { mustBeForPage, readableText } from './wallets/embedded/provider/sign-in-text.ts'
import type { SolanaDesk } from './wallets/embedded/provider/solana.ts'
import { disconnectedError } from './wallets/external/provider-error.ts'

/** Where the requests of the page's libraries meet a person: one at a time. */
export interface Desks {
  readonly ethereum: EthereumDesk
  readonly solanaDesk: SolanaDesk
  nodeOf(chainId: number): ChainNode | undefined
  /** Whoever was in has left: what waits is refused. */
  leave(): void
}

const loadRequests = lazily(() => import('./kit-requests.ts'))

export function createDesks(
  cx: Pick<KitEmbeddedOptions, 'flows' | 'app' | 'page' | 'fetch' | 'clock'>,
): Desks {
  const { app, page, fetch, clock } = cx
  const isOpen: Readable<boolean> = {
    get: () => app.state.get().isModalOpen,
    subscribe: app.state.subscribe,
  }
  const queue = createRequestQueue(isOpen, limits.walletRequestsWaiting)
  const nodes = new Map<string, ChainNode>()
  let life = new AbortController()

  function nodeAt(url: string): ChainNode {
    const node = nodes.get(url) ?? createNode({ url, fetch, clock })
    nodes.set(url, node)
    return node
  }

  const ask: AskPerson = (work) => {
    const { signal } = life
    const turn = async () => {
      const requests = await loadRequests()
      return cx.flows.lead((flows) => work(requests, flows, signal))
    }
    return queue.run(turn, signal)
  }

  const ethereum: EthereumDesk = {
    async message(wallet, { method, bytes }) {
      mustBeForPage(readableText(bytes), page.origin)
      return ask((requests, flows, signal) =>
        requests.runRequest(
          flows,
          signal,
          (now) => requests.signBytes(now, { wallet, method, bytes }),
          requests.signsMessage,
        ),
      )
    },
    typedData: (wallet, { typed }) =>
      ask((requests, flows, signal) =>
        requests.runRequest(
          flows,
          signal,
          (now) => requests.signTypedData(now, { wallet, typed }),
          requests.signsTypedData,
        ),
      ),
    transaction: (wallet, wish) =>
      ask((requests, flows, signal) =>
        requests.runSending<string>(flows, signal, (now, onSending) =>
          requests.transact(now, { wallet, ...wish, onSending }),
        ),
      ),
  }

  return {
    ethereum,
    solanaDesk: createSolanaDesk({ ask, nodeAt, clock, page }),
    nodeOf(chainId) {
      const url = rpcUrlOf(app.known(), chainId)
      return url ? nodeAt(url) : undefined
    },
    leave() {
      life.abort(disconnectedError())
      life = new AbortController()
    },
  }
}
