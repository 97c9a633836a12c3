import { base64 } from '@scure/base'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { KitError } from '../../../errors/kit-error.ts'
import { toByteArray } from '../../../lib/byte-array.ts'
import { within } from '../../../lib/clock.ts'
import { createEmitter } from '../../../lib/emitter.ts'
import { poll } from '../../../lib/poll.ts'
import { singleFlight } from '../../../lib/single-flight.ts'
import { createStore } from '../../../lib/store.ts'
import { walletsLimits } from '../../limits.ts'
import { fieldOf, listOf } from '../claims.ts'
import type { Connector, ConnectorContext, ConnectorEvents, OpenAccount, WalletMeta } from '../connector.ts'
import { sameAccounts } from '../same-accounts.ts'
import { requestTimeout } from '../timeouts.ts'
import { orWalletError } from '../wallet-error.ts'
import { closedAccount, failed, noAccounts, notConnected } from '../wallet-failures.ts'
import { type SolanaAccount, solanaAccountsOf } from './claims.ts'

export interface SolanaOptions {
  readonly cx: ConnectorContext
  readonly meta: WalletMeta
  readonly wallet: Wallet
  /** Aborted when the wallet has left the page. */
  readonly gone?: AbortSignal | undefined
}

/** A wallet for Solana that speaks the Wallet Standard. */
export function createSolanaConnector({ cx, meta, wallet, gone }: SolanaOptions): Connector {
  const accounts = createStore<readonly OpenAccount[]>([])
  const events = createEmitter<ConnectorEvents>()
  let open: readonly SolanaAccount[] = []
  /** After a disconnection nothing that the wallet says counts, until somebody asks it again. */
  let tracking = true
  let stopListening: (() => void) | undefined

  const read = (list: unknown) =>
    solanaAccountsOf(list, cx.config().host.solanaClusters?.[0]?.name ?? 'mainnet-beta')
  /** What the wallet shows without being asked. */
  const shown = () => read(fieldOf(wallet, 'accounts'))

  function update(next: readonly SolanaAccount[] | undefined): void {
    if (!tracking || !next) return
    open = next
    const now = next.map(({ address, chainId }) => ({ address, chainId }))
    if (sameAccounts(now, accounts.get())) return
    accounts.set(now)
    events.emit('walletsUpdated', now)
  }

  function letGo(): void {
    update([])
    tracking = false
  }

  /** Calls a method of one of the wallet's features within the time that its type has. */
  function call(feature: string, method: string, input: readonly unknown[], signal?: AbortSignal) {
    const it = fieldOf(fieldOf(wallet, 'features'), feature)
    const work = fieldOf(it, method)
    if (typeof work !== 'function') throw new KitError('unsupported_method', `The wallet has no ${feature}`)
    const limit = requestTimeout(cx, meta.id)
    return within(cx.clock, limit, async (): Promise<unknown> => work.apply(it, input), signal)
  }

  function listen(): void {
    if (stopListening) return
    const it = fieldOf(fieldOf(wallet, 'features'), 'standard:events')
    const on = fieldOf(it, 'on')
    const changed = () => update(shown())
    try {
      const off: unknown = typeof on === 'function' ? on.call(it, 'change', changed) : undefined
      stopListening = () => void (typeof off === 'function' && off())
    } catch {
      // A wallet whose events can't be heard can still be asked.
    }
  }

  function stop(): void {
    try {
      stopListening?.()
    } catch {
      // its own fault
    }
    stopListening = undefined
  }

  function onGone(): void {
    update([])
    tracking = false
    stop()
  }
  gone?.addEventListener('abort', onGone, { once: true })

  const askAccounts = async (input: readonly unknown[], signal?: AbortSignal) =>
    read(fieldOf(await call('standard:connect', 'connect', input, signal), 'accounts'))

  async function readAccounts(): Promise<void> {
    const known = shown()
    update(known?.length ? known : await askAccounts([{ silent: true }]))
  }

  const initialise = singleFlight(async () => {
    tracking = !gone?.aborted
    listen()
    await within(cx.clock, walletsLimits.connectorInitialised, readAccounts).catch(() => {})
    events.emit('initialized', undefined)
  })

  const accountOf = (address: string): SolanaAccount => {
    if (open.length === 0) throw notConnected()
    const account = open.find((each) => each.address === address)
    if (!account) throw closedAccount()
    return account
  }

  return {
    type: 'solana_adapter',
    chainType: 'solana',
    meta,
    accounts,
    on: events.on,
    initialise,

    connect: ({ signal } = {}) =>
      orWalletError(signal, async () => {
        if (gone?.aborted)
          throw new KitError('wallet_not_available', `${meta.name} is no longer in this browser`)
        tracking = true
        listen()
        const opened = await askAccounts([], signal)
        const every = walletsLimits.walletLookupEvery
        const late = () => (shown()?.length ? shown() : undefined)
        const tries = walletsLimits.walletLookupTries
        const found = opened?.length
          ? opened
          : await poll(cx.clock, { every, tries, ...(signal && { signal }) }, late)
        if (!found) throw noAccounts()
        update(found)
        return accounts.get()
      }),

    async switchChain() {
      throw new KitError('unsupported_method', 'Solana wallets cannot switch chains')
    },

    sign: ({ address, message }, signal) =>
      orWalletError(signal, async () => {
        const { raw } = accountOf(address)
        if (!canSign(wallet, raw)) throw signingUnsupported(meta.name)
        const bytes = new TextEncoder().encode(message)
        const input = { account: raw, message: Uint8Array.from(bytes) }
        const answer = await call('solana:signMessage', 'signMessage', [input], signal)
        // Another account may have taken its place meanwhile.
        accountOf(address)
        const [first] = listOf(answer, 1) ?? []
        const signature = toByteArray(fieldOf(first, 'signature'))
        if (signature?.length !== 64) throw failed('The wallet gave no signature')
        if (!isEqual(fieldOf(first, 'signedMessage'), bytes)) throw failed('The wallet signed something else')
        return base64.encode(signature)
      }),

    async disconnect() {
      letGo()
      const over = async () => call('standard:disconnect', 'disconnect', [])
      await within(cx.clock, walletsLimits.connectorInitialised, over).catch(() => {})
    },

    letGo,

    provider(address) {
      return { wallet, account: accountOf(address).raw }
    },

    close() {
      tracking = false
      gone?.removeEventListener('abort', onGone)
      stop()
    },
  }
}

/** A Ledger behind a wallet can't sign messages, and the account does not name the feature. */
function canSign(wallet: Wallet, account: WalletAccount): boolean {
  const has = fieldOf(fieldOf(fieldOf(wallet, 'features'), 'solana:signMessage'), 'signMessage')
  const named = listOf(fieldOf(account, 'features'), walletsLimits.walletAccounts)
  return typeof has === 'function' && (!named || named.length === 0 || named.includes('solana:signMessage'))
}

const signingUnsupported = (name: string) =>
  new KitError('wallet_signing_unsupported', `${name} cannot sign messages with this account`)

function isEqual(value: unknown, bytes: Uint8Array): boolean {
  const given = toByteArray(value)
  return given?.length === bytes.length && bytes.every((byte, at) => byte === given[at])
}
