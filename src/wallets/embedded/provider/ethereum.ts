import type { Config } from '../../../app/config.ts'
import { delegatesOf } from '../../../app/delegates.ts'
import { formatQuantity } from '../../../ethereum/integer.ts'
import type { ChainNode } from '../../../ethereum/rpc.ts'
import type { WalletTransaction } from '../../../ethereum/transaction.ts'
import type { TypedData } from '../../../ethereum/typed-data.ts'
import { createEmitter } from '../../../lib/emitter.ts'
import type { Readable } from '../../../lib/store.ts'
import { fieldOf } from '../../external/claims.ts'
import type { EthereumProvider } from '../../external/connector.ts'
import { type HostEvents, hostListeners } from '../../external/host-listeners.ts'
import {
  chainDisconnectedError,
  disconnectedError,
  invalidParams,
  ProviderRpcError,
} from '../../external/provider-error.ts'
import type { EmbeddedAccount } from '../embedded-wallets.ts'
import { answerCalls, type CallsHandler, isAboutCalls, type ProviderAccount } from './calls.ts'
import type { WalletChains } from './chains.ts'
import {
  accountsPermission,
  isForNode,
  readMessage,
  readPermissions,
  readSwitch,
  readWatchedAsset,
  requireChain,
  type SuggestedToken,
  takeList,
} from './ethereum-requests.ts'
import { notOurAccount, toProviderError, unsupportedMethod } from './rpc-error.ts'

/** Asks the person, and has it signed. Everything rejects with what {@link toProviderError} knows. */
export interface EthereumRequestHandler<A extends ProviderAccount = EmbeddedAccount> {
  /**
   * Signs bytes by EIP-191. Resolves with the signature as hex text, like the other methods that sign.
   * @param chainId the chain that the wallet is on, for accounts whose signatures are valid on one alone
   */
  signMessage(account: A, bytes: Uint8Array, chainId: number): Promise<string>
  signTypedData(account: A, input: { typed: TypedData; chainId: number }): Promise<string>
  /** `send`: sends it to the network, and resolves with its hash. */
  transact(
    account: A,
    input: { request: WalletTransaction; action: 'sign' | 'send'; node: ChainNode },
  ): Promise<string>
  /** Batches of calls (EIP-5792). */
  readonly calls: CallsHandler<A>
  /** Has the user decide about a token for their balances (EIP-747); absent for accounts whose balances nobody lists. */
  watchToken?(account: A, input: { token: SuggestedToken; chainId: number; node: ChainNode }): Promise<void>
}

export interface EthereumProviderOptions<A extends ProviderAccount = EmbeddedAccount> {
  /** The accounts that the provider opens, the active one first; none while nobody is logged in. */
  readonly accounts: Readable<readonly A[]>
  readonly chains: WalletChains
  readonly config: () => Config
  /** The page's own origin. */
  readonly origin: string
  readonly handler: EthereumRequestHandler<A>
  readonly node: (chainId: number) => ChainNode | undefined
  /** Loads what reads typed data, and what reads transactions. */
  readonly loadTypedData: () => Promise<typeof import('../../../ethereum/typed-data.ts')>
  readonly loadTransaction: () => Promise<typeof import('../../../ethereum/transaction.ts')>
}

/** Marks it as ours, so that it does not appear in our own list of external wallets. */
export interface OwnProvider extends EthereumProvider {
  readonly isLatchkey: true
  isConnected(): boolean
}

/**
 * An EIP-1193 provider for embedded wallets. It lives as long as the page: later logins open accounts in it,
 * and at logout it disconnects and refuses with 4900.
 */
export function createEthereumProvider<A extends ProviderAccount>(
  options: EthereumProviderOptions<A>,
): OwnProvider {
  const { accounts, chains, config, handler, loadTypedData, loadTransaction } = options
  const events = createEmitter<HostEvents>()
  /** The page has given up the accounts until it asks for them again (EIP-2255). */
  let isRevoked = false
  let known = { addresses: opened(), chainId: currentChain(), isConnected: isConnected() }

  function isConnected(): boolean {
    return accounts.get().length > 0
  }
  function opened(): string[] {
    return isRevoked ? [] : accounts.get().map(({ address }) => address)
  }
  function revoke(yes: boolean): void {
    isRevoked = yes
    update()
  }
  const permissions = () => (opened().length > 0 ? [accountsPermission(options.origin, opened())] : [])

  function currentChain(): number | undefined {
    const [first] = accounts.get()
    return first && chains.of(first.address)
  }

  function update(): void {
    const before = known
    if (!isConnected()) isRevoked = false
    known = { addresses: opened(), chainId: currentChain(), isConnected: isConnected() }
    const chainId = formatQuantity(known.chainId ?? 0)
    if (!before.isConnected && known.isConnected) events.emit('connect', { chainId })
    else if (known.chainId && known.chainId !== before.chainId) events.emit('chainChanged', chainId)
    if (before.addresses.join() !== known.addresses.join())
      events.emit('accountsChanged', [...known.addresses])
    if (before.isConnected && !known.isConnected) events.emit('disconnect', disconnectedError())
  }
  accounts.subscribe(update)
  chains.moved.subscribe(update)

  /** The account that a request names, and no other. */
  function accountOf(method: string, address: unknown): A {
    if (typeof address !== 'string') throw invalidParams(method)
    const asked = address.toLowerCase()
    const account = isRevoked
      ? undefined
      : accounts.get().find((each) => each.address.toLowerCase() === asked)
    if (!account) throw notOurAccount()
    return account
  }

  function mustHaveChain(): number {
    const chainId = currentChain()
    if (!chainId) throw disconnectedError()
    return chainId
  }

  function nodeOf(chainId: number): ChainNode {
    const node = options.node(chainId)
    if (!node) throw chainDisconnectedError()
    return node
  }

  function move(chainId: number): null {
    const [first] = accounts.get()
    if (first && chainId !== currentChain()) chains.move(first.address, chainId)
    return null
  }

  async function answer(method: string, params: unknown): Promise<unknown> {
    const chainId = mustHaveChain()
    switch (method) {
      case 'eth_requestAccounts':
        revoke(false)
        return opened()
      case 'eth_accounts':
        return opened()
      case 'eth_coinbase':
        return opened()[0]
      case 'wallet_getPermissions':
        return permissions()
      case 'wallet_requestPermissions':
        readPermissions(method, params)
        revoke(false)
        return permissions()
      case 'wallet_revokePermissions':
        readPermissions(method, params)
        revoke(true)
        return null
      case 'eth_chainId':
        return formatQuantity(chainId)
      case 'net_version':
        return String(chainId)
      case 'wallet_switchEthereumChain':
      case 'wallet_addEthereumChain':
        return move(readSwitch(method, params, config()))
      case 'wallet_watchAsset': {
        if (!handler.watchToken) throw unsupportedMethod(method)
        const token = readWatchedAsset(method, params)
        const account = accountOf(method, opened()[0] ?? '')
        await handler.watchToken(account, { token, chainId, node: nodeOf(chainId) })
        return true
      }
      case 'personal_sign': {
        const { address, bytes } = readMessage(params)
        return handler.signMessage(accountOf(method, address), bytes, chainId)
      }
      case 'eth_signTypedData_v4': {
        const [address, raw] = takeList(method, params)
        const account = accountOf(method, address)
        const { parseTypedData } = await loadTypedData()
        const typed = parseTypedData(raw)
        requireChain(typed.domain.chainId, chainId)
        return handler.signTypedData(account, { typed, chainId })
      }
      case 'eth_signTransaction':
      case 'eth_sendTransaction': {
        const [raw] = takeList(method, params)
        const { parseTransaction, withSender } = await loadTransaction()
        const request = parseTransaction(raw, { chainId, delegates: delegatesOf(config()) })
        requireChain(request.chainId, chainId)
        const account = accountOf(method, request.from ?? opened()[0])
        const action = method === 'eth_sendTransaction' ? 'send' : 'sign'
        return handler.transact(account, {
          request: withSender(request, account.address),
          action,
          node: nodeOf(chainId),
        })
      }
      default:
        if (isAboutCalls(method))
          return answerCalls(
            { accounts: isRevoked ? [] : accounts.get(), config: config(), handler: handler.calls },
            method,
            params,
          )
        if (!isForNode(method)) throw unsupportedMethod(method)
        return nodeOf(chainId).ask(method, params)
    }
  }

  const provider: OwnProvider = {
    isLatchkey: true,
    isConnected,
    async request(input) {
      const method = fieldOf(input, 'method')
      if (typeof method !== 'string' || method === '')
        throw new ProviderRpcError(-32600, 'A request must have a method')
      // Nobody is logged in: a page that only looks is told so.
      if (!isConnected() && /^(eth_accounts|wallet_getPermissions)$/.test(method)) return []
      if (!isConnected()) throw disconnectedError()
      try {
        return await answer(method, fieldOf(input, 'params'))
      } catch (cause) {
        throw accounts.get().length === 0 ? disconnectedError() : toProviderError(cause)
      }
    },
    ...hostListeners(events, () => provider),
  }
  return Object.freeze(provider)
}
