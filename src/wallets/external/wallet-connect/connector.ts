import { KitError } from '../../../errors/kit-error.ts'
import { supportedChainIds } from '../../../ethereum/chains.ts'
import { untilAborted } from '../../../lib/abort.ts'
import { TimedOut, within } from '../../../lib/clock.ts'
import { limits } from '../../../lib/limits.ts'
import { walletsLimits } from '../../limits.ts'
import { parseWalletConnectUri } from '../../wallet-connect-uri.ts'
import type { ConnectOptions, Connector, ConnectorContext, WalletMeta } from '../connector.ts'
import { createEip1193Connector } from '../ethereum/connector.ts'
import { requestTimeout } from '../timeouts.ts'
import { walletTimeout } from '../wallet-failures.ts'
import { type Client, openClient, type Session } from './client.ts'
import { chooseLink, forgetLink } from './link.ts'
import { sessionNotes } from './memory.ts'
import { createSessionProvider, type SessionProvider } from './provider.ts'
import { anyWallet, askedNamespaces, isOfSize, openedBy, peerMeta } from './session.ts'

const ENDED = { code: 6000, message: 'User disconnected.' }
const REFUSED = { code: 5100, message: 'Unsupported chains.' }

/**
 * A wallet elsewhere, reached over WalletConnect's relay. `meta` names the one that was chosen from the list;
 * without it any wallet may answer, and the connector's `meta` then says which one did.
 */
export function createWalletConnectConnector(
  cx: ConnectorContext,
  { meta: chosen = anyWallet }: { meta?: WalletMeta | undefined } = {},
): Connector {
  const notes = sessionNotes(cx.storage, cx.appId)
  const closing = new AbortController()
  let meta = chosen
  let opening: Promise<SessionProvider> | undefined

  async function open(): Promise<SessionProvider> {
    const client = await openClient(cx)
    const own: SessionProvider = createSessionProvider(cx, client, {
      onChain(chain) {
        if (own.session) notes.set(own.session.topic, { wallet: meta.id, chain })
      },
      onEnd(topic) {
        notes.remove(topic)
        forgetLink(cx, meta.id)
        meta = chosen
      },
    })
    const left = client.session.getAll().filter(({ topic }) => notes.get(topic)?.wallet === chosen.id)
    const [latest] = left.sort((one, other) => other.expiry - one.expiry)
    if (latest && latest.expiry * 1000 > cx.serverNow()) {
      meta = peerMeta(latest, chosen)
      if (!own.adopt(latest, notes.get(latest.topic)?.chain)) meta = chosen
    }
    return own
  }
  const provider = () => {
    opening ??= open().catch((cause) => {
      opening = undefined
      throw cause
    })
    return opening
  }

  async function connect(options: ConnectOptions): Promise<readonly string[]> {
    const own = await provider()
    const client = await openClient(cx)
    const session = await pair(cx, client, { ...options, timeout: requestTimeout(cx, chosen.id) })
    const before = own.session?.topic
    meta = peerMeta(session, chosen)
    own.adopt(session, options.chainId ?? cx.config().host.defaultChain?.id)
    notes.set(session.topic, { wallet: meta.id, chain: await chainOf(own) })
    await chooseLink(cx, client, session, meta.id)
    if (before) {
      notes.remove(before)
      client.disconnect({ topic: before, reason: ENDED }).catch(() => {})
    }
    return own.accounts()
  }

  const connector = createEip1193Connector({
    cx,
    type: 'wallet_connect_v2',
    meta: () => meta,
    provider,
    open: (_raw, options) => connect({ ...options, signal: either(options.signal, closing.signal) }),
    async end() {
      const own = await provider()
      const topic = own.session?.topic
      own.release()
      if (topic) await (await openClient(cx)).disconnect({ topic, reason: ENDED })
    },
  })
  const { close } = connector
  return Object.assign(connector, {
    close() {
      close()
      closing.abort()
      opening?.then((own) => own.close()).catch(() => {})
    },
  })
}

/** Shows a pairing address, and waits until a wallet has opened what is asked of it. */
async function pair(
  cx: ConnectorContext,
  client: Client,
  { signal, onUri, timeout }: ConnectOptions & { timeout: number },
): Promise<Session> {
  const chains = supportedChainIds(cx.config())
  return within(
    cx.clock,
    timeout,
    async (signal) => {
      const { uri, approval } = await propose(cx, client, chains, signal)
      const approved = approval()
      if (!uri || !parseWalletConnectUri(uri)) throw failed('The relay gave no address')
      signal.addEventListener('abort', () => discardSession(cx, client, approved), { once: true })
      onUri?.(uri)
      const session = await untilAborted(approved, signal).catch((cause) => {
        throw isExpired(cause) ? walletTimeout(cause) : cause
      })
      if (isOfSize(session) && openedBy(session.namespaces, chains)) return session
      void leave(cx, client, session.topic, REFUSED)
      throw failed('The wallet did not open what was asked of it')
    },
    signal,
  )
}

type Proposal = Awaited<ReturnType<Client['connect']>>

/** A relay that does not answer soon is down. */
async function propose(
  cx: ConnectorContext,
  client: Client,
  chains: readonly number[],
  signal: AbortSignal,
): Promise<Proposal> {
  const proposing = client.connect({ optionalNamespaces: askedNamespaces(chains) })
  try {
    return await within(cx.clock, limits.requestTimeout, () => proposing, signal)
  } catch (cause) {
    // A late answer is ignored.
    proposing.then(({ approval }) => discardSession(cx, client, approval())).catch(() => {})
    signal.throwIfAborted()
    const details =
      cause instanceof TimedOut ? undefined : String(cause instanceof Error ? cause.message : cause)
    throw new KitError('network_unavailable', "The relay can't be reached", {
      ...(details && { details }),
      cause,
      retryable: true,
    })
  }
}

/**
 * Nobody is waiting any longer, so a wallet that answers is disconnected; otherwise it would believe itself
 * connected.
 */
function discardSession(cx: ConnectorContext, client: Client, approved: Promise<Session>): void {
  approved.then((session) => leave(cx, client, session.topic, ENDED)).catch(() => {})
}

/** Ends a session that has only just begun; the library must have finished its beginning. */
async function leave(
  cx: ConnectorContext,
  client: Client,
  topic: string,
  reason: typeof ENDED,
): Promise<void> {
  await cx.clock.sleep(walletsLimits.walletLookupEvery)
  await client.disconnect({ topic, reason }).catch(() => {})
}

const isExpired = (cause: unknown) => /proposal expired/i.test(cause instanceof Error ? cause.message : '')

const failed = (message: string) => new KitError('generic_connect_wallet_error', message, { retryable: true })

const chainOf = async (own: SessionProvider) => Number(await own.request({ method: 'eth_chainId' }))

const either = (one: AbortSignal | undefined, other: AbortSignal) =>
  one ? AbortSignal.any([one, other]) : other
