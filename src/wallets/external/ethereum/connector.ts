import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { parseChainNumber } from '../../../ethereum/integer.ts'
import { within } from '../../../lib/clock.ts'
import { singleFlight } from '../../../lib/single-flight.ts'
import { walletsLimits } from '../../limits.ts'
import { fieldOf } from '../claims.ts'
import type { ConnectOptions, Connector, ConnectorContext, ConnectorType, WalletMeta } from '../connector.ts'
import { orWalletError } from '../wallet-error.ts'
import { closedAccount, failed, noAccounts, notConnected } from '../wallet-failures.ts'
import { askForChain } from './chain.ts'
import { addressesOf, signatureOf } from './claims.ts'
import { createHostProvider } from './host-provider.ts'
import { createLink, type RawProvider } from './link.ts'
import { createOpenState } from './state.ts'

/** What a page may be allowed to see, in EIP-2255's terms. */
const ACCOUNTS = 'eth_accounts'

export type { RawProvider } from './link.ts'

export interface Eip1193Options {
  readonly cx: ConnectorContext
  readonly type: ConnectorType
  /** A wallet elsewhere says who it is with the connection, so this is read again with every use. */
  readonly meta: () => WalletMeta
  /**
   * The wallet's provider; with an SDK, once that is loaded. Called with every request, so keep the result.
   */
  readonly provider: () => Promise<RawProvider>
  /** How accounts are opened if not by `eth_requestAccounts`. Its answer is checked like a wallet's. */
  readonly open?: ((raw: RawProvider, options: ConnectOptions) => Promise<unknown>) | undefined
  /** How the connection is ended if not by `wallet_revokePermissions`. */
  readonly end?: ((raw: RawProvider) => Promise<unknown>) | undefined
}

/** A wallet that speaks EIP-1193: what injected wallets, Coinbase's and WalletConnect's have in common. */
export function createEip1193Connector({ cx, type, meta, provider, open, end }: Eip1193Options): Connector {
  const state = createOpenState()
  const { accounts, events, hostEvents } = state
  /** After a disconnection nothing that the wallet says counts, until somebody asks it again. */
  let tracking = true

  const link = createLink({
    cx,
    meta,
    provider,
    listeners: {
      accountsChanged(given) {
        const addresses = addressesOf(given)
        if (!tracking || !addresses) return
        state.update({ addresses })
        if (addresses.length > 0 && state.chain === undefined) void readChain()
      },
      chainChanged(given) {
        if (tracking) state.update({ chain: parseChainNumber(given) })
      },
      connect: () => void (tracking && state.addresses.length === 0 && readState()),
      disconnect(reason) {
        // 1013 is MetaMask's own reconnecting, which ends by itself.
        if (tracking && fieldOf(reason, 'code') !== 1013) state.update({ addresses: [] })
      },
      message: (message) => tracking && hostEvents.emit('message', message),
    },
  })

  async function readChain(signal?: AbortSignal): Promise<number | undefined> {
    const chain = await link.lookUp('eth_chainId', parseChainNumber, signal)
    if (tracking) state.update({ chain })
    return chain
  }

  /** Learns what is open without asking anybody. Never rejects. */
  async function readState(): Promise<void> {
    const [addresses, chain] = await Promise.all([
      link.lookUp('eth_accounts', addressesOf),
      link.lookUp('eth_chainId', parseChainNumber),
    ])
    if (tracking) state.update({ addresses, chain })
  }

  async function openAccounts(options: ConnectOptions): Promise<readonly string[]> {
    const { signal } = options
    const answer = await (open
      ? link.run((raw) => open(raw, options), signal)
      : link.ask('eth_requestAccounts', [], signal))
    const some = (given: unknown) => {
      const addresses = addressesOf(given)
      return addresses?.length ? addresses : undefined
    }
    const opened = some(answer) ?? (await link.lookUp('eth_accounts', some, signal))
    if (!opened) throw noAccounts()
    return opened
  }

  const initialise = singleFlight(async () => {
    tracking = true
    const reading = link.listen().then(readState)
    await within(cx.clock, walletsLimits.connectorInitialised, () => reading).catch(() => {})
    events.emit('initialized', undefined)
  })

  /** Checks what a host's request has changed, because some wallets send no events. */
  async function askForHost(method: string, params: unknown): Promise<unknown> {
    const answer = await link.run((raw) =>
      raw.request(params === undefined ? { method } : { method, params }),
    )
    if (/^wallet_(switch|add)EthereumChain$/.test(method)) await readChain()
    if (/^eth_(accounts|requestAccounts)$/.test(method) && tracking)
      state.update({ addresses: addressesOf(answer) })
    return answer
  }

  function letGo(): void {
    tracking = false
    state.update({ addresses: [] })
  }

  return {
    type,
    chainType: 'ethereum',
    get meta() {
      return meta()
    },
    accounts,
    on: events.on,
    initialise,

    connect: (options = {}) =>
      orWalletError(options.signal, async () => {
        const { signal } = options
        tracking = true
        await link.listen(signal)
        const addresses = await openAccounts(options)
        // An SDK may have made another provider for this connection.
        await link.listen(signal)
        const chain = await link.lookUp('eth_chainId', parseChainNumber, signal)
        if (!chain) throw failed('Unable to determine current chainId.')
        state.update({ addresses, chain })
        return accounts.get()
      }),

    switchChain: (chainId, signal) =>
      orWalletError(signal, async () => {
        if (accounts.get().length === 0) throw notConnected()
        const ask = (method: string, params: readonly unknown[]) => link.ask(method, params, signal)
        await askForChain(
          { ask, clock: cx.clock, config: cx.config(), clientType: meta().id },
          chainId,
          signal,
        )
        const parseWanted = (given: unknown) => (parseChainNumber(given) === chainId ? chainId : undefined)
        const chain = await link.lookUp('eth_chainId', parseWanted, signal)
        if (!chain) throw failed('The wallet stayed on another chain')
        if (tracking) state.update({ chain })
      }),

    sign: ({ address, message }, signal) =>
      orWalletError(signal, async () => {
        const mustBeOpen = () => {
          if (accounts.get().length === 0) throw notConnected()
          if (!state.isOpen(address)) throw closedAccount()
        }
        mustBeOpen()
        const data = `0x${bytesToHex(utf8ToBytes(message))}`
        const signature = signatureOf(await link.ask('personal_sign', [data, address], signal))
        // Another account may have taken its place meanwhile.
        mustBeOpen()
        if (!signature) throw failed('The wallet gave no signature')
        return signature
      }),

    async disconnect() {
      letGo()
      const over = async () => {
        const raw = await provider()
        const revoke = { method: 'wallet_revokePermissions', params: [{ [ACCOUNTS]: {} }] }
        await (end ? end(raw) : raw.request(revoke))
      }
      await within(cx.clock, walletsLimits.connectorInitialised, over).catch(() => {})
    },

    letGo,

    provider: (address) =>
      createHostProvider({ address, accounts: accounts.get, ask: askForHost, hostEvents }),

    close() {
      tracking = false
      link.close()
    },
  }
}
