/** The user chooses the wallet that pays: one that is connected, or another one, which is connected first. */
import { createStore, type Readable } from '../../lib/store.ts'
import { connectOne } from '../../wallets/connect/connect-one.ts'
import { isRecent, offerOptions } from '../../wallets/connect/list-options.ts'
import type { ChainType, ConnectedAccount, WalletOffer } from '../../wallets/external/connector.ts'
import { walletLabel } from '../../wallets/registry/registry.ts'
import { isTestNetwork, type Source, sourcesFor } from '../bridge/networks.ts'
import { fundingLimits } from '../limits.ts'
import { type Holding, readHoldings, worth } from './holdings.ts'
import type { TransferRun } from './run.ts'
import { type ConnectedWalletRow, type SelectWalletProps, selectWallet } from './select-wallet.tsx'

/** Holdings by the keys of wallets, while they are read. */
type Held = ReadonlyMap<string, readonly Holding[] | 'unread'>

/** @returns the account that pays, or `back` */
export async function chooseAccount(
  run: TransferRun,
  given: string | undefined,
): Promise<ConnectedAccount | 'back'> {
  const { cx, services, target } = run
  const connecting = services.connecting(cx)
  const external = await connecting.wallets.external()
  const chains = chainTypesFor(run)
  const held = createStore<Held>(new Map())
  const asked = new Set<string>()
  let page: SelectWalletProps['page'] = 'main'
  let error = given
  for (;;) {
    const accounts = external.connected
      .get()
      .filter(({ chainType, address }) => chains.includes(chainType) && address !== target.address)
      .slice(0, fundingLimits.payingWallets)
    const offers = (
      await external.offers({ ...offerOptions(cx.config, {}, false), chains, all: page === 'more' })
    ).filter((offer) => !accounts.some((each) => isOf(each, offer)))
    for (const account of accounts) {
      const key = keyOf(account)
      if (asked.has(key)) continue
      asked.add(key)
      void read(run, account, (found) => held.set(new Map(held.get()).set(key, found)))
    }
    const sorted = byWorth(accounts, held.get())
    const changed = await cx.stage.askDuring(
      selectWallet,
      {
        target,
        page,
        error,
        connected: sorted.map((account, at) =>
          rowOf(run, account, held.get(), at === 0 && isAhead(sorted, held.get())),
        ),
        others: offers.map((offer) => ({
          ...offer.meta,
          name: walletLabel(offer.meta.id, offer.meta.name),
          key: offer.id,
          recent: isRecent(offer, cx.recentWallet),
          solana: offer.chainType === 'solana',
          here: offer.reach !== 'install',
        })),
      },
      (signal) => untilChange([held, external.connected], external.onFound, signal),
    )
    if ('done' in changed) continue
    const { answer } = changed
    error = undefined
    if (answer === 'more') page = 'more'
    else if (answer === 'back') {
      if (page === 'main') return 'back'
      page = 'main'
    } else if ('connected' in answer) {
      const chosen = sorted.find((account) => keyOf(account) === answer.connected)
      if (chosen) return chosen
    } else {
      const offer = offers.find(({ id }) => id === answer.wallet)
      const account = offer && (await connectOne({ cx: connecting, offer, purpose: 'connect', retries: 0 }))
      if (account && account !== 'back' && account.address !== target.address) return account
    }
  }
}

/** With a bridge, wallets of both kinds can pay. */
function chainTypesFor({ services, target }: TransferRun): readonly ChainType[] {
  if (!services.bridge || isTestNetwork(target.chain)) return [target.chainType]
  return target.chainType === 'ethereum' ? ['ethereum', 'solana'] : ['solana', 'ethereum']
}

const keyOf = ({ address, chainType, walletClientType, connectorType }: ConnectedAccount): string =>
  [walletClientType, connectorType, chainType, address].join(' ')

const isOf = ({ meta, chainType }: ConnectedAccount, offer: WalletOffer): boolean =>
  meta.id === offer.meta.id && chainType === offer.chainType

export const sourcesOf = (
  { cx, services, target }: TransferRun,
  { chainType }: Pick<ConnectedAccount, 'chainType'>,
): readonly Source[] => sourcesFor(cx.config, target, chainType, services.bridge !== undefined)

/** Reads what a wallet holds, for as long as the dialog is open. */
async function read(
  run: TransferRun,
  account: ConnectedAccount,
  onRead: (found: readonly Holding[] | 'unread') => void,
): Promise<void> {
  const { cx, services } = run
  try {
    const { held, unread } = await readHoldings(services, cx.clock, {
      address: account.address,
      sources: sourcesOf(run, account),
      signal: cx.stage.signal,
    })
    onRead(held.length === 0 && unread > 0 ? 'unread' : held)
  } catch {
    // The dialog is closed.
  }
}

const mostOf = (account: ConnectedAccount, held: Held): number | undefined => {
  const found = held.get(keyOf(account))
  const [first] = found === undefined || found === 'unread' ? [] : found
  return first && worth(first)
}

/** The highest first; those that are not read yet stay where they are. */
function byWorth(accounts: readonly ConnectedAccount[], held: Held): readonly ConnectedAccount[] {
  const isRead = accounts.every((account) => held.has(keyOf(account)))
  if (!isRead) return accounts
  return [...accounts].sort((one, other) => (mostOf(other, held) ?? -1) - (mostOf(one, held) ?? -1))
}

/** Tells if the first of several wallets is known to have the most. */
function isAhead(sorted: readonly ConnectedAccount[], held: Held): boolean {
  const [first, second] = sorted
  if (!first || !second || !sorted.every((account) => held.has(keyOf(account)))) return false
  const most = mostOf(first, held) ?? 0
  return most > 0 && most > (mostOf(second, held) ?? 0)
}

function rowOf(
  { target }: TransferRun,
  account: ConnectedAccount,
  held: Held,
  isHighest: boolean,
): ConnectedWalletRow {
  const { meta, address } = account
  const found = held.get(keyOf(account))
  const [first] = found === undefined || found === 'unread' ? [] : found
  const { symbol, decimals, network } = target
  return {
    key: keyOf(account),
    id: meta.id,
    name: walletLabel(meta.id, meta.name),
    icon: meta.icon,
    address,
    holding:
      found === undefined
        ? 'loading'
        : found === 'unread'
          ? 'unread'
          : first && first.amount > 0n
            ? {
                amount: first.amount,
                symbol: first.symbol,
                decimals: first.decimals,
                network: first.network,
              }
            : { amount: 0n, symbol, decimals, network },
    ...(isHighest && { isHighest }),
  }
}

/** Resolves with the next balance that is read, wallet that appears, or connection that changes. */
const untilChange = (
  stores: readonly Readable<unknown>[],
  onFound: (listener: () => void) => () => void,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const stops: (() => void)[] = []
    const end = () => {
      for (const stop of stops.splice(0)) stop()
      resolve()
    }
    for (const store of stores) stops.push(store.subscribe(end))
    stops.push(onFound(end))
    signal.addEventListener('abort', end, { once: true })
  })
