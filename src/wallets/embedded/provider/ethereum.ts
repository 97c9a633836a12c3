import { formatQuantity } from '../../../chains/hex.ts'
import type { ChainNode } from '../../../chains/rpc.ts'
import type { TransactionRequest } from '../../../chains/transaction.ts'
import type { TypedData } from '../../../chains/typed-data.ts'
import type { Config } from '../../../config.ts'
import { createEmitter } from '../../../core/emitter.ts'
import type { Readable } from '../../../core/store.ts'
import { lazily } from '../../../errors/lazily.ts'
import { fieldOf } from '../../external/claims.ts'
import type { EthereumProvider } from '../../external/connector.ts'
import { type HostEvents, hostListeners } from '../../external/host-listeners.ts'
import { disconnectedError, ProviderRpcError } from '../../external/provider-error.ts'
import type { EmbeddedAccount } from '../embedded-wallets.ts'
import type { WalletChains } from './chains.ts'
import { isNodesBusiness, readMessage, readSwitch, sameChain, takeList } from './ethereum-requests.ts'
import { notOurAccount, toProviderError, unsupportedMethod } from './rpc-error.ts'

const loadTypedData = lazily(() => import('../../../chains/typed-data.ts'))
const loadTransaction = lazily(() => import('../../../chains/transaction.ts'))

/** Two that do the same: their parameters stand in opposite order. */
export type SignMethod = 'personal_sign' | 'eth_sign'

/** Asks the person, and has it signed. All reject with what {@link toProviderError} knows. */
export interface EthereumDesk {
  /** Signs bytes by EIP-191. Resolves with the signature as hex text, as all do that sign. */
  message(account: EmbeddedAccount, input: { method: SignMethod; bytes: Uint8Array }): Promise<string>
  typedData(account: EmbeddedAccount, input: { typed: TypedData; chainId: number }): Promise<string>
  /** `send`: gives it to the network, and resolves with its hash. */
  transaction(
    account: EmbeddedAccount,
    input: { request: TransactionRequest; action: 'sign' | 'send'; node: ChainNode },
  ): Promise<string>
}

export interface EthereumProviderOptions {
  /** Those that the provider opens, the active one first; none while nobody is logged in. */
  readonly accounts: Readable<readonly EmbeddedAccount[]>
  readonly chains: WalletChains
  readonly config: () => Config
  readonly desk: EthereumDesk
  readonly node: (chainId: number) => ChainNode | undefined
}

/** By this our own list of wallets outside knows that it is none of them. */
export interface OwnProvider extends EthereumProvider {
  readonly isLatchkey: true
  isConnected(): boolean
}

/**
 * An EIP-1193 provider for embedded wallets. It lives as long as the page: whoever logs in later opens accounts in it,
 * and at logout it says so and refuses with 4900. Spec §4 "Wallet connection", §5 "Wallets and chains".
 */
export function createEthereumProvider(options: EthereumProviderOptions): OwnProvider {
  const { accounts, chains, config, desk } = options
  const told = createEmitter<HostEvents>()
  let known = { addresses: addressesOf(accounts), chainId: currentChain() }

  function currentChain(): number | undefined {
    const [first] = accounts.get()
    return first && chains.of(first.address)
  }

  function update(): void {
    const before = known
    known = { addresses: addressesOf(accounts), chainId: currentChain() }
    const chainId = formatQuantity(known.chainId ?? 0)
    if (before.addresses.length === 0 && known.addresses.length > 0) told.emit('connect', { chainId })
    else if (known.chainId && known.chainId !== before.chainId) told.emit('chainChanged', chainId)
    if (before.addresses.join() !== known.addresses.join()) told.emit('accountsChanged', [...known.addresses])
    if (before.addresses.length > 0 && known.addresses.length === 0)
      told.emit('disconnect', disconnectedError())
  }
  accounts.subscribe(update)
  chains.moved.subscribe(update)

  /** The account that a request names, and no other. */
  function accountOf(address: unknown): EmbeddedAccount {
    const asked = typeof address === 'string' ? address.toLowerCase() : undefined
    const account = accounts.get().find((each) => each.address.toLowerCase() === asked)
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
    if (!node) throw disconnectedError()
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
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return addressesOf(accounts)
      case 'eth_coinbase':
        return addressesOf(accounts)[0]
      case 'eth_chainId':
        return formatQuantity(chainId)
      case 'net_version':
        return String(chainId)
      case 'wallet_switchEthereumChain':
      case 'wallet_addEthereumChain':
        return move(readSwitch(method, params, config()))
      case 'personal_sign':
      case 'eth_sign': {
        const { address, bytes } = readMessage(method, params)
        return desk.message(accountOf(address), { method, bytes })
      }
      case 'eth_signTypedData_v4': {
        const [address, raw] = takeList(method, params)
        const account = accountOf(address)
        const { readTypedData } = await loadTypedData()
        const typed = readTypedData(raw)
        sameChain(typed, chainId)
        return desk.typedData(account, { typed, chainId })
      }
      case 'eth_signTransaction':
      case 'eth_sendTransaction': {
        const [raw] = takeList(method, params)
        const { readTransaction } = await loadTransaction()
        const request = readTransaction(raw, { chainId, from: addressesOf(accounts)[0] })
        const account = accountOf(request.from)
        const action = method === 'eth_sendTransaction' ? 'send' : 'sign'
        return desk.transaction(account, { request, action, node: nodeOf(chainId) })
      }
      default:
        if (!isNodesBusiness(method)) throw unsupportedMethod(method)
        return nodeOf(chainId).ask(method, params)
    }
  }

  const provider: OwnProvider = {
    isLatchkey: true,
    isConnected: () => accounts.get().length > 0,
    async request(input) {
      const method = fieldOf(input, 'method')
      if (typeof method !== 'string' || method === '')
        throw new ProviderRpcError(-32600, 'A request needs a method')
      if (accounts.get().length === 0) throw disconnectedError()
      try {
        return await answer(method, fieldOf(input, 'params'))
      } catch (cause) {
        throw accounts.get().length === 0 ? disconnectedError() : toProviderError(cause)
      }
    },
    ...hostListeners(told, () => provider),
  }
  return Object.freeze(provider)
}

const addressesOf = (accounts: Readable<readonly EmbeddedAccount[]>): string[] =>
  accounts.get().map(({ address }) => address)
