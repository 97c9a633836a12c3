import type { Emitter } from '../../../lib/emitter.ts'
import { fieldOf } from '../claims.ts'
import type { EthereumProvider, OpenAccount } from '../connector.ts'
import { type HostEvents, hostListeners } from '../host-listeners.ts'
import { disconnectedError, invalidParams, ProviderRpcError } from '../provider-error.ts'
import { toRpcError } from '../wallet-error.ts'

/** Methods whose `params` are a list; a wallet may react to anything else in any way. */
const TAKES_LIST =
  /^(eth_(send|sign)\w*|personal_sign|wallet_(switch|add)EthereumChain|wallet_(request|revoke)Permissions|wallet_sendCalls)$/
/** Methods that concern an account. */
const TAKES_ACCOUNT = /^(eth_(send|sign)\w*|personal_sign|wallet_sendCalls)$/
const ASKS_FOR_ACCOUNTS = /^eth_(accounts|requestAccounts)$/

/** A provider for libraries, for one account: strict EIP-1193, even if the wallet is not. */
export function createHostProvider({
  address,
  accounts,
  ask,
  hostEvents,
}: {
  address: string
  accounts: () => readonly OpenAccount[]
  /** Asks the wallet, and checks what that has changed. */
  ask: (method: string, params: unknown) => Promise<unknown>
  hostEvents: Emitter<HostEvents>
}): EthereumProvider {
  const same = (one: string) => one.toLowerCase() === address.toLowerCase()
  // Libraries take the first one, of an answer and of an event alike.
  const ordered = (addresses: readonly string[]) => [
    ...addresses.filter(same),
    ...addresses.filter((other) => !same(other)),
  ]

  async function request(input: { method: string; params?: unknown }): Promise<unknown> {
    const method = fieldOf(input, 'method')
    const params = fieldOf(input, 'params')
    if (typeof method !== 'string' || method === '')
      throw new ProviderRpcError(-32600, 'A request must have a method')
    if (TAKES_LIST.test(method) && !Array.isArray(params)) throw invalidParams(method, { params })
    const open = accounts()
    if (open.length === 0) throw disconnectedError()
    if (TAKES_ACCOUNT.test(method) && !open.some((account) => same(account.address)))
      throw new ProviderRpcError(4100, 'The wallet has not opened this account')
    try {
      const answer = await ask(method, params)
      if (!ASKS_FOR_ACCOUNTS.test(method)) return answer
      return ordered(accounts().map((account) => account.address))
    } catch (cause) {
      throw toRpcError(cause)
    }
  }

  const provider: EthereumProvider = { request, ...hostListeners(hostEvents, () => provider, ordered) }
  return provider
}
