import type { Config } from '../../app/config.ts'
import { KitError } from '../../errors/kit-error.ts'
import { singleFlight } from '../../lib/single-flight.ts'
import { captchaNeeded } from '../../login/captcha/needed.ts'
import { proofFor } from '../../login/wallet/proof-for.ts'
import type { User } from '../../protocol/user.ts'
import type { ConnectedAccount, ExternalWallets } from '../../wallets/external/connector.ts'
import type { ConnectedWallet, Kit, OnChain } from '../api.ts'
import type { KitContext } from '../context.ts'
import type { Services } from '../services/services.ts'

/** The external wallets, as a host sees them. */
export interface KitWallets {
  /** Shows the host the connected wallets, now and after each change. */
  publish(external: ExternalWallets): void
  /** What the host gets for a connected account. */
  of(account: ConnectedAccount): ConnectedWallet
}

interface WalletsContext {
  services: Services
  announceWithWallet: KitContext['announceWithWallet']
  loggingIn: KitContext['app']['loggingIn']
  announceChange: KitContext['announceChange']
  unlink: Kit['unlink']
  config: () => Config
  user: () => User | null
}

export function createKitWallets(kit: KitContext, services: Services, unlink: Kit['unlink']): KitWallets {
  const { app, wallets, events } = kit
  const cx: WalletsContext = {
    services,
    announceWithWallet: kit.announceWithWallet,
    loggingIn: kit.app.loggingIn,
    announceChange: kit.announceChange,
    unlink,
    config: app.known,
    user: () => app.state.get().user,
  }
  const made = new Map<string, ConnectedWallet>()
  /** The same object as long as nothing about it has changed. */
  const names = new WeakMap<object, number>()
  const keyOf = ({ connector, address, chainId, connectedAt }: ConnectedAccount) => {
    if (!names.has(connector)) names.set(connector, nextName++)
    return [names.get(connector), address, chainId, connectedAt].join()
  }
  let nextName = 0

  function of(account: ConnectedAccount): ConnectedWallet {
    const key = keyOf(account)
    const wallet = made.get(key) ?? walletOf(cx, account)
    made.set(key, wallet)
    return wallet
  }

  function update(accounts: readonly ConnectedAccount[]): void {
    const before = wallets.get()
    const now = accounts.map(of)
    if (before.length === now.length && before.every((wallet, i) => wallet === now[i])) return
    const keys = new Set(accounts.map(keyOf))
    for (const key of made.keys()) if (!keys.has(key)) made.delete(key)
    wallets.set(now)
    for (const wallet of now) if (!before.some(isSame(wallet))) events.emit('connect', { wallet })
    for (const wallet of before) if (!now.some(isSame(wallet))) events.emit('disconnect', { wallet })
    events.emit('wallets', { wallets: now })
  }

  return {
    of,
    publish({ connected }) {
      connected.subscribe(() => update(connected.get()))
      update(connected.get())
    },
  }
}

const isSame = (a: ConnectedWallet) => (b: ConnectedWallet) =>
  a.address === b.address &&
  a.chainType === b.chainType &&
  a.walletClientType === b.walletClientType &&
  a.connectorType === b.connectorType

/** A connected wallet with what a host can do with it. */
function walletOf(
  { services, announceWithWallet, loggingIn, announceChange, unlink, config, user }: WalletsContext,
  account: ConnectedAccount,
): ConnectedWallet {
  const { connector, address, chainType, chainId, walletClientType, connectorType, meta, connectedAt } =
    account
  const isOpen = () => connector.accounts.get().some((each) => each.address === address)
  const currentChain = () =>
    connector.accounts.get().find((each) => each.address === address)?.chainId ?? chainId
  const proof = () => proofFor(services.auth, chainType)

  return Object.freeze<ConnectedWallet>({
    address,
    chainId,
    walletClientType,
    connectorType,
    meta,
    connectedAt,
    // A connector speaks the language of its own chain.
    ...({ chainType, getProvider: () => connector.provider(address) } as OnChain),
    get linked() {
      const accounts = user()?.linkedAccounts ?? []
      return accounts.some((each) => each.type === 'wallet' && !each.embedded && each.address === address)
    },
    isConnected: async () => isOpen(),
    switchChain: async (chain) => connector.switchChain(chainNumber(chain)),
    sign: async (message) => {
      if (typeof message !== 'string' || message === '')
        throw new KitError('invalid_message', 'Message must be a non-empty string')
      return connector.sign({ address, message })
    },
    // Two calls at once sign once: both would have the same nonce, which is good for one of them.
    loginOrLink: singleFlight(async () => {
      const auth = await proof()
      const captchaToken = await captchaFor(services.auth, config(), user())
      const message = await auth.generateMessage({ address, chainId: currentChain(), captchaToken })
      const signature = await connector.sign({ address, message })
      const signed = { message, signature, walletClientType, connectorType }
      const known = user()
      return known && !known.isGuest
        ? announceChange('linked', await auth.link(signed))
        : loggingIn(async () => announceWithWallet(await auth.login(signed)))
    }),
    unlink: () => unlink({ type: 'wallet', address }),
    activate: async () => (await services.wallets.external()).activate(account),
    disconnect: async () => (await services.wallets.external()).disconnect(account),
  })
}

/**
 * A login needs a captcha token if the app uses a captcha; linking, by somebody who is logged in, does not.
 */
const captchaFor = async (auth: Services['auth'], config: Config, user: User | null) =>
  user || !captchaNeeded(config) ? undefined : (await auth.captcha()).token()

/** A chain by its number, as a number, as hex text, or in CAIP-2. */
function chainNumber(chain: number | string): number {
  const text = String(chain).replace(/^eip155:/, '')
  const number = /^(0x[0-9a-f]+|\d+)$/i.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number) || number < 1)
    throw new KitError('unsupported_chain_id', 'Unsupported chainId')
  return number
}
