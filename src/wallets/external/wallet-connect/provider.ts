import { KitError } from '../../../errors/kit-error.ts'
import { lazily } from '../../../errors/lazily.ts'
import { parseWalletAddress } from '../../../ethereum/address.ts'
import { supportedChainIds } from '../../../ethereum/chains.ts'
import { formatQuantity, parseChainNumber } from '../../../ethereum/integer.ts'
import { ethereumChainId, ethereumChainNumber } from '../../../lib/caip.ts'
import { poll } from '../../../lib/poll.ts'
import { walletsLimits } from '../../limits.ts'
import { fieldOf, listOf } from '../claims.ts'
import type { ConnectorContext } from '../connector.ts'
import { signatureOf } from '../ethereum/claims.ts'
import type { RawProvider } from '../ethereum/connector.ts'
import { invalidParams } from '../provider-error.ts'
import { ProviderRpcError } from '../wallet-error.ts'
import type { Client, Session } from './client.ts'
import { type Opened, openedBy } from './session.ts'

/** Comes with viem, for what the chain's node is asked. */
const loadNode = lazily(() => import('./node.ts'))

export interface SessionProvider extends RawProvider {
  /** The accounts on the wallet's chain. */
  accounts(): readonly string[]
  readonly session: Session | undefined
  /** Adopts a session of the client. `false`: it does not open what was asked for. */
  adopt(session: Session, chain?: number): boolean
  /** Lets go of the session. */
  release(): void
  close(): void
}

/** One session of the client as an EIP-1193 provider. */
export function createSessionProvider(
  cx: ConnectorContext,
  client: Client,
  { onChain, onEnd }: { onChain(chain: number): void; onEnd(topic: string): void },
): SessionProvider {
  const listeners = new Map<string, Set<(detail: unknown) => void>>()
  const emit = (event: string, detail: unknown) => {
    for (const listener of [...(listeners.get(event) ?? [])]) listener(detail)
  }
  const asked = () => supportedChainIds(cx.config())
  let session: Session | undefined
  let opened: Opened | undefined
  let chain = 0
  /** The wallet's own order, its active account first, as far as it was opened. */
  let first: string | undefined

  const accounts = () => {
    const all = opened?.accounts.get(chain) ?? []
    return first && all.includes(first) ? [first, ...all.filter((each) => each !== first)] : all
  }

  function goTo(next: number): void {
    if (!opened?.accounts.has(next) || next === chain) return
    chain = next
    onChain(chain)
    emit('chainChanged', formatQuantity(chain))
    emit('accountsChanged', accounts())
  }

  function release(): void {
    const topic = session?.topic
    session = undefined
    opened = undefined
    first = undefined
    if (!topic) return
    emit('accountsChanged', [])
    emit('disconnect', new ProviderRpcError(4900, 'Disconnected'))
    onEnd(topic)
  }

  function onSessionEvent({ topic, params }: { topic: string; params: unknown }): void {
    if (topic !== session?.topic) return
    const event = fieldOf(params, 'event')
    const name = fieldOf(event, 'name')
    const data = fieldOf(event, 'data')
    if (name === 'accountsChanged') {
      // The last part of a CAIP-10 account; only an account that the session opens counts.
      const [account] = listOf(data, 1) ?? []
      first = typeof account === 'string' ? parseWalletAddress(account.split(':').at(-1)) : undefined
      emit('accountsChanged', accounts())
    } else if (name === 'chainChanged') {
      const named = parseChainNumber(data) ?? ethereumChainNumber(data)
      goTo(named ?? ethereumChainNumber(fieldOf(params, 'chainId')) ?? chain)
    } else if (name === 'message') emit('message', data)
  }
  function onSessionUpdate({ topic, params }: { topic: string; params: unknown }): void {
    if (topic !== session?.topic) return
    opened = openedBy(fieldOf(params, 'namespaces'), asked())
    if (!opened) leave(topic)
    else if (opened.accounts.has(chain)) emit('accountsChanged', accounts())
    else goTo([...opened.accounts.keys()][0] ?? chain)
  }
  const onSessionEnd = ({ topic }: { topic: string }) => {
    if (topic === session?.topic) release()
  }
  client.on('session_event', onSessionEvent)
  client.on('session_update', onSessionUpdate)
  client.on('session_delete', onSessionEnd)
  client.on('session_expire', onSessionEnd)

  /** A session that no longer opens what it did is over. */
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
    const target = parseChainNumber(fieldOf(listOf(params, 1)?.[0], 'chainId'))
    if (!target) throw invalidParams('wallet_switchEthereumChain', { params })
    if (!opened?.accounts.has(target)) {
      if (!opened?.methods.has('wallet_switchEthereumChain')) throw unopened(target)
      await ask('wallet_switchEthereumChain', [{ chainId: formatQuantity(target) }])
      // The wallet opens the chain's accounts with a message of its own.
      const { walletLookupEvery: every, walletLookupTries: tries } = walletsLimits
      const isOpen = async () => opened?.accounts.has(target) || undefined
      await poll(cx.clock, { every, tries }, isOpen).catch(() => {})
      if (!opened?.accounts.has(target)) throw unopened(target)
    }
    goTo(target)
    return null
  }

  async function sign(params: unknown): Promise<unknown> {
    const [data, address] = listOf(params, 2) ?? []
    const at = chain
    const signer = parseWalletAddress(address)
    if (typeof data !== 'string' || !signer) throw invalidParams('personal_sign', { params })
    const signature = signatureOf(await ask('personal_sign', params))
    if (!signature) throw falseSignature()
    const { isSignedBy } = await loadNode()
    const isHex = /^0x([0-9a-f]{2})*$/i.test(data)
    const bytes = isHex ? data : `0x${[...new TextEncoder().encode(data)].map(hexByte).join('')}`
    if (!(await isSignedBy(cx.config(), { address: signer, chainId: at, data: bytes, signature })))
      throw falseSignature()
    return signature
  }

  return {
    accounts,
    get session() {
      return session
    },
    adopt(next, preferred) {
      const now = openedBy(next.namespaces, asked())
      const [opening] = now?.accounts.keys() ?? []
      if (!now || opening === undefined) return false
      session = next
      opened = now
      first = undefined
      chain = preferred !== undefined && now.accounts.has(preferred) ? preferred : opening
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
      const { requestNode } = await loadNode()
      return requestNode(cx.config(), chain, params === undefined ? { method } : { method, params })
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
    },
    close() {
      client.off('session_event', onSessionEvent)
      client.off('session_update', onSessionUpdate)
      client.off('session_delete', onSessionEnd)
      client.off('session_expire', onSessionEnd)
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
  new KitError('generic_connect_wallet_error', "The signature is not this account's", { retryable: true })
