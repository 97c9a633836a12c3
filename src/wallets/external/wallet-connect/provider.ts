import { parseEthereumAddress } from '../../../chains/address.ts'
import { ethereumChainId, ethereumChainNumber } from '../../../chains/caip.ts'
import { supportedChainIds } from '../../../chains/chains.ts'
import { formatQuantity, parseChainNumber } from '../../../chains/hex.ts'
import { limits } from '../../../core/limits.ts'
import { poll } from '../../../core/poll.ts'
import { KitError } from '../../../errors/kit-error.ts'
import { fieldOf, listOf } from '../claims.ts'
import type { ConnectorContext } from '../connector.ts'
import type { RawProvider } from '../eip1193.ts'
import { signatureOf } from '../ethereum-claims.ts'
import { ProviderRpcError } from '../wallet-error.ts'
import type { Client, Session } from './client.ts'
import { type Opened, openedBy } from './session.ts'

export interface SessionProvider extends RawProvider {
  /** The accounts on the chain where the wallet is. */
  accounts(): readonly string[]
  readonly session: Session | undefined
  /** Takes a session of the client's for its own. `false`: it does not open what was asked for. */
  adopt(session: Session, chain?: number): boolean
  /** Lets go of the session. */
  release(): void
  close(): void
}

/** One session of the client's as a provider of EIP-1193. */
export function createSessionProvider(
  cx: ConnectorContext,
  client: Client,
  { onChain, onEnd }: { onChain(chain: number): void; onEnd(topic: string): void },
): SessionProvider {
  const listeners = new Map<string, Set<(detail: unknown) => void>>()
  const tell = (event: string, detail: unknown) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(detail)
  }
  const asked = () => supportedChainIds(cx.config())
  let session: Session | undefined
  let opened: Opened | undefined
  let chain = 0
  /** The wallet's own order, its active account first, as far as it opened it. */
  let first: string | undefined

  const accounts = () => {
    const all = opened?.accounts.get(chain) ?? []
    return first && all.includes(first) ? [first, ...all.filter((each) => each !== first)] : all
  }

  function goTo(next: number): void {
    if (!opened?.accounts.has(next) || next === chain) return
    chain = next
    onChain(chain)
    tell('chainChanged', formatQuantity(chain))
    tell('accountsChanged', accounts())
  }

  function release(): void {
    const topic = session?.topic
    session = undefined
    opened = undefined
    first = undefined
    if (!topic) return
    tell('accountsChanged', [])
    tell('disconnect', new ProviderRpcError(4900, 'Disconnected'))
    onEnd(topic)
  }

  function hearEvent({ topic, params }: { topic: string; params: unknown }): void {
    if (topic !== session?.topic) return
    const event = fieldOf(params, 'event')
    const name = fieldOf(event, 'name')
    const data = fieldOf(event, 'data')
    if (name === 'accountsChanged') {
      // Of CAIP-10 the last part; only an account that the session opens counts.
      const [told] = listOf(data, 1) ?? []
      first = typeof told === 'string' ? parseEthereumAddress(told.split(':').at(-1)) : undefined
      tell('accountsChanged', accounts())
    } else if (name === 'chainChanged') {
      const told = parseChainNumber(data) ?? ethereumChainNumber(data)
      goTo(told ?? ethereumChainNumber(fieldOf(params, 'chainId')) ?? chain)
    } else if (name === 'message') tell('message', data)
  }
  function hearUpdate({ topic, params }: { topic: string; params: unknown }): void {
    if (topic !== session?.topic) return
    opened = openedBy(fieldOf(params, 'namespaces'), asked())
    if (!opened) leave(topic)
    else if (opened.accounts.has(chain)) tell('accountsChanged', accounts())
    else goTo([...opened.accounts.keys()][0] ?? chain)
  }
  const hearEnd = ({ topic }: { topic: string }) => {
    if (topic === session?.topic) release()
  }
  client.on('session_event', hearEvent)
  client.on('session_update', hearUpdate)
  client.on('session_delete', hearEnd)
  client.on('session_expire', hearEnd)

  /** A session that no longer opens what it did is none. */
  function leave(topic: string): void {
    release()
    client.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } }).catch(() => {})
  }

  async function ask(method: string, params: unknown): Promise<unknown> {
    if (!session) throw new ProviderRpcError(4900, 'Disconnected')
    const { topic } = session
    return client.request({ topic, chainId: ethereumChainId(chain), request: { method, params } })
  }

  async function changeChain(params: unknown): Promise<null> {
    const wanted = parseChainNumber(fieldOf(listOf(params, 1)?.[0], 'chainId'))
    if (!wanted) throw new ProviderRpcError(-32602, 'A chain is needed')
    if (!opened?.accounts.has(wanted)) {
      if (!opened?.methods.has('wallet_switchEthereumChain')) throw unopened(wanted)
      await ask('wallet_switchEthereumChain', [{ chainId: formatQuantity(wanted) }])
      // The wallet opens the chain's accounts with a message of its own.
      const { walletLookupEvery: every, walletLookupTries: tries } = limits
      const isOpen = async () => opened?.accounts.has(wanted) || undefined
      await poll(cx.clock, { every, tries }, isOpen).catch(() => {})
      if (!opened?.accounts.has(wanted)) throw unopened(wanted)
    }
    goTo(wanted)
    return null
  }

  async function sign(params: unknown): Promise<unknown> {
    const [data, address] = listOf(params, 2) ?? []
    const at = chain
    const signature = signatureOf(await ask('personal_sign', params))
    if (!signature || typeof data !== 'string' || !parseEthereumAddress(address)) throw falseSignature()
    const { isSignedBy } = await import('./node.ts')
    const isHex = /^0x([0-9a-f]{2})*$/i.test(data)
    const bytes = isHex ? data : `0x${[...new TextEncoder().encode(data)].map(hexByte).join('')}`
    if (!(await isSignedBy(cx.config(), { address: String(address), chainId: at, data: bytes, signature })))
      throw falseSignature()
    return signature
  }

  return {
    accounts,
    get session() {
      return session
    },
    adopt(next, wanted) {
      const now = openedBy(next.namespaces, asked())
      const [opening] = now?.accounts.keys() ?? []
      if (!now || opening === undefined) return false
      session = next
      opened = now
      first = undefined
      chain = wanted !== undefined && now.accounts.has(wanted) ? wanted : opening
      onChain(chain)
      return true
    },
    release,
    async request({ method, params }) {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return accounts()
      if (!session) throw new ProviderRpcError(4900, 'Disconnected')
      if (method === 'eth_chainId') return formatQuantity(chain)
      if (method === 'wallet_switchEthereumChain') return changeChain(params)
      if (method === 'personal_sign') return sign(params)
      if (opened?.methods.has(method)) return ask(method, params)
      if (isWallets(method)) throw new ProviderRpcError(4200, 'The wallet does not support this')
      const { askNode } = await import('./node.ts')
      return askNode(cx.config(), chain, params === undefined ? { method } : { method, params })
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
    },
    close() {
      client.off('session_event', hearEvent)
      client.off('session_update', hearUpdate)
      client.off('session_delete', hearEnd)
      client.off('session_expire', hearEnd)
      listeners.clear()
    },
  }
}

/** What no node can answer. */
const isWallets = (method: string) =>
  /^(wallet_|personal_)|^eth_(sign|sendTransaction$|coinbase$|requestAccounts$)/.test(method)

const hexByte = (byte: number) => byte.toString(16).padStart(2, '0')

const unopened = (chain: number) =>
  new KitError('unsupported_chain_id', `The wallet has not opened the chainId ${chain}`)
const falseSignature = () =>
  new KitError('generic_connect_wallet_error', 'The signature is not this account’s', { retryable: true })
