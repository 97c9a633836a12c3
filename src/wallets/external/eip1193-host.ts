import type { Emitter } from '../../core/emitter.ts'
import { fieldOf } from './claims.ts'
import type { EthereumProvider, OpenAccount } from './connector.ts'
import { ProviderRpcError, toRpcError } from './wallet-error.ts'

/** What a host's library hears. */
export interface HostEvents {
  accountsChanged: readonly string[]
  chainChanged: string
  connect: { chainId: string }
  disconnect: ProviderRpcError
  message: unknown
}

/** Methods whose `params` are a list; a wallet that gets something else may do anything. */
const TAKES_LIST =
  /^(eth_(send|sign)\w*|personal_sign|wallet_(switch|add)EthereumChain|wallet_(request|revoke)Permissions)$/
/** Methods that are about an account. */
const TAKES_ACCOUNT = /^(eth_(send|sign)\w*|personal_sign|wallet_sendCalls)$/
const ASKS_FOR_ACCOUNTS = /^eth_(accounts|requestAccounts)$/

/** A provider for libraries, for one account: EIP-1193 to the letter, whatever the wallet makes of it. */
export function createHostProvider({
  address,
  accounts,
  ask,
  told,
}: {
  address: string
  accounts: () => readonly OpenAccount[]
  /** Asks the wallet, and sees what that has changed. */
  ask: (method: string, params: unknown) => Promise<unknown>
  told: Emitter<HostEvents>
}): EthereumProvider {
  const same = (one: string) => one.toLowerCase() === address.toLowerCase()

  async function request(input: { method: string; params?: unknown }): Promise<unknown> {
    const method = fieldOf(input, 'method')
    const params = fieldOf(input, 'params')
    if (typeof method !== 'string' || method === '')
      throw new ProviderRpcError(-32600, 'A request needs a method')
    if (TAKES_LIST.test(method) && !Array.isArray(params))
      throw new ProviderRpcError(4200, `Invalid params for ${method}`)
    const open = accounts()
    if (open.length === 0) throw disconnectedError()
    if (TAKES_ACCOUNT.test(method) && !open.some((account) => same(account.address)))
      throw new ProviderRpcError(4100, 'The wallet has not opened this account')
    try {
      const answer = await ask(method, params)
      if (!ASKS_FOR_ACCOUNTS.test(method)) return answer
      // Libraries take the first one.
      const addresses = accounts().map((account) => account.address)
      return [...addresses.filter(same), ...addresses.filter((other) => !same(other))]
    } catch (cause) {
      throw toRpcError(cause)
    }
  }

  const provider: EthereumProvider = { request, ...hostListeners(told, () => provider) }
  return provider
}

/** How libraries listen: the same listener twice is heard once. */
export function hostListeners<P>(
  told: Emitter<HostEvents>,
  provider: () => P,
): Pick<EthereumProvider, 'on' | 'removeListener'> {
  const stops = new Map<string, Map<unknown, () => void>>()
  return {
    on(event, listener) {
      const known = stops.get(event) ?? new Map<unknown, () => void>()
      stops.set(event, known)
      if (!known.has(listener))
        known.set(listener, told.on(event as keyof HostEvents, listener as (detail: unknown) => void))
      return provider()
    },
    removeListener(event, listener) {
      stops.get(event)?.get(listener)?.()
      stops.get(event)?.delete(listener)
      return provider()
    },
  }
}

/** Spec §8 "Wallet connection". */
export const disconnectedError = () => new ProviderRpcError(4900, 'Disconnected')
