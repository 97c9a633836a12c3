/** What the user's embedded wallets hold on the app's networks. All amounts are claims of the networks' nodes. */
import type { Config } from '../app/config.ts'
import { parseEthereumAddress } from '../ethereum/address.ts'
import { quantity } from '../ethereum/answers.ts'
import { chainOf, defaultChainId } from '../ethereum/chains.ts'
import { assertChainId } from '../ethereum/prepare-transaction.ts'
import type { ChainNode } from '../ethereum/rpc.ts'
import { readToken } from '../ethereum/tokens.ts'
import { type Clock, within } from '../lib/clock.ts'
import { coalesced } from '../lib/coalesced.ts'
import { logFailure } from '../lib/log-failure.ts'
import type { Price } from '../lib/price.ts'
import type { Store } from '../lib/store.ts'
import type { PricedAsset, Prices } from '../prices/prices.ts'
import { parseSolanaAddress } from '../solana/base58.ts'
import { LAMPORT_DECIMALS, SOL, type SolanaCluster, solanaChain, solanaClusters } from '../solana/clusters.ts'
import { getBalance } from '../solana/queries.ts'
import type { SolanaRpc } from '../solana/rpc.ts'
import type { readSplBalances } from '../solana/token-metadata.ts'
import type { TokenRefusal } from '../solana/token-rules.ts'
import type { EmbeddedAccount } from '../wallets/embedded/embedded-wallets.ts'
import { balancesLimits } from './limits.ts'
import { isSameToken, type WatchedToken } from './watched.ts'

/** What a wallet holds of one coin or token on one network. */
export interface Balance {
  /** CAIP-2: `eip155:1`, `solana:mainnet`. */
  readonly chain: string
  /** The network's name. */
  readonly network: string
  /** The wallet's address. */
  readonly wallet: string
  /** `coin`: the network's own. */
  readonly kind: 'coin' | 'token'
  /** The token's contract, or its mint on Solana. */
  readonly token?: string | undefined
  /** A token's symbol, name and decimals are those of its contract or mint, and unknown before it was read. */
  readonly symbol?: string | undefined
  readonly name?: string | undefined
  readonly decimals?: number | undefined
  /**
   * In the smallest units that people see, which a token of Solana may scale. While the network can't be reached, the last known one;
   * `undefined` for a token whose units aren't known.
   */
  readonly amount?: bigint | undefined
  /** `no-token`: nothing at the token's address has a symbol and decimals that can be displayed. */
  readonly status: 'loading' | 'loaded' | 'unreachable' | 'no-token'
  /** The issuer has frozen the wallet's account of this token, on Solana. */
  readonly isFrozen?: boolean | undefined
  /** Why the token can't be sent by the form, on Solana. */
  readonly refusal?: TokenRefusal | undefined
  /** Price of one whole unit in US dollars, where the server has a price that can be relied on: `units` divided by ten to the power of `scale`. */
  readonly price?: Price | undefined
}
/** A wallet whose balances are read. */
export type BalanceWallet = Pick<EmbeddedAccount, 'address' | 'chainType'>

export interface BalancesContext {
  readonly clock: Clock
  readonly config: () => Config
  readonly wallets: () => readonly BalanceWallet[]
  /** Tokens that the user has added to those of the app. */
  readonly watched: () => readonly WatchedToken[]
  readonly nodeOf: (chainId: number) => ChainNode | undefined
  readonly solanaRpc: (cluster: SolanaCluster) => SolanaRpc
  /** Reads tokens of Solana; loaded where an app has some. */
  readonly splBalances: () => Promise<typeof readSplBalances>
  readonly prices: Prices
  /** Gets each balance as soon as it is known. */
  readonly balances: Store<readonly Balance[]>
}

export interface Balances {
  /**
   * Reads all balances. Resolves once each is known or its time is over, and never rejects. Calls while it runs share one further run,
   * so that each sees what was so when it was made.
   */
  refresh(): Promise<readonly Balance[]>
  /** Forgets all balances, as after a logout. What is being read is given up. */
  clear(): void
}

export function createBalances(cx: BalancesContext): Balances {
  const { clock, balances } = cx
  let life = new AbortController()

  const change = (balance: Balance, to: (each: Balance) => Balance) =>
    balances.set(balances.get().map((each) => (isSame(each, balance) ? to(each) : each)))

  const refresh = coalesced(async () => {
    const { signal } = life
    const items = itemsOf(cx)
    const before = balances.get()
    balances.set(items.map(({ balance }) => before.find((each) => isSame(each, balance)) ?? balance))
    await Promise.all(
      items.map(async ({ balance, read }) => {
        let failure: unknown
        const found = await within(clock, balancesLimits.time, read, signal).catch((cause: unknown) => {
          failure = cause
          return { status: 'unreachable' } as const
        })
        if (signal.aborted) return
        if (found.status === 'unreachable') logFailure(failureOf(balance), failure)
        change(balance, (each) => updated(each, found))
        const loaded = balances.get().find((each) => isSame(each, balance))
        const priced = loaded && pricedOf(loaded)
        if (!priced) return
        // Figures are there without their worth.
        const price = await cx.prices.of(priced)
        if (!signal.aborted && (price || loaded.price)) change(balance, (each) => ({ ...each, price }))
      }),
    )
    return balances.get()
  })

  return {
    refresh,
    clear() {
      life.abort()
      life = new AbortController()
      balances.set([])
    },
  }
}

const failureOf = ({ network, symbol, token }: Balance): string =>
  `Unable to fetch the balance of ${symbol ?? token} on ${network}`

/** A contract that was a token before is one still: its node doesn't answer as it should. */
const updated = (known: Balance, found: Found): Balance =>
  found.status === 'no-token' && known.decimals !== undefined
    ? { ...known, status: 'unreachable' }
    : { ...known, ...found }

/** The asset whose price is asked for, among those that are held at all. */
function pricedOf({
  chain,
  kind,
  token,
  symbol,
  decimals,
  amount,
  status,
}: Balance): PricedAsset | undefined {
  if (status !== 'loaded' || !amount || symbol === undefined || decimals === undefined) return undefined
  return { chain, ...(kind === 'token' && token !== undefined ? { token, decimals } : { symbol }) }
}

type Found = Pick<Balance, 'status'> &
  Partial<Pick<Balance, 'amount' | 'symbol' | 'name' | 'decimals' | 'isFrozen' | 'refusal'>>
interface Item {
  readonly balance: Balance
  read(signal: AbortSignal): Promise<Found>
}

const isSame = (one: Balance, other: Balance): boolean =>
  one.chain === other.chain && one.wallet === other.wallet && one.token === other.token

/** The coin and the tokens of each wallet on each network, the wallets' own order first. */
const itemsOf = (cx: BalancesContext): readonly Item[] =>
  cx
    .wallets()
    .flatMap((wallet) => (wallet.chainType === 'solana' ? onSolana(cx, wallet) : onEthereum(cx, wallet)))

function onEthereum(cx: BalancesContext, { address: wallet }: BalanceWallet): readonly Item[] {
  const config = cx.config()
  const tokens = tokensOf(config, cx.watched())
  return chainIdsOf(config, tokens).flatMap((chainId): readonly Item[] => {
    const chain = chainOf(config, chainId)
    const node = cx.nodeOf(chainId)
    if (!chain || !node) return []
    let checked: Promise<void> | undefined
    const checkChain = (signal: AbortSignal) => {
      checked ??= assertChainId(node, chainId, signal)
      return checked
    }
    const place = { chain: `eip155:${chainId}`, network: chain.name, wallet, status: 'loading' } as const
    const { symbol, decimals, name } = chain.nativeCurrency
    return [
      {
        balance: { ...place, kind: 'coin', symbol, decimals, name },
        async read(signal) {
          await checkChain(signal)
          const answer = await node.ask('eth_getBalance', [wallet, 'latest'], { signal })
          return { amount: quantity('a balance')(answer), status: 'loaded' }
        },
      },
      ...tokens
        .filter((token) => token.chainId === chainId)
        .map(
          ({ address }): Item => ({
            balance: { ...place, kind: 'token', token: address },
            async read(signal) {
              await checkChain(signal)
              return readBalanceOf(node, { address, owner: wallet, signal })
            },
          }),
        ),
    ]
  })
}

async function readBalanceOf(
  node: ChainNode,
  { address, owner, signal }: { address: string; owner: string; signal: AbortSignal },
): Promise<Found> {
  const found = await readToken(node, address, { owner, signal })
  if (found.kind === 'unknown') return { status: 'no-token' }
  const { symbol, name, decimals, balance } = found
  return balance === undefined
    ? { symbol, name, decimals, status: 'unreachable' }
    : { symbol, name, decimals, amount: balance, status: 'loaded' }
}

const onSolana = (cx: BalancesContext, { address: wallet }: BalanceWallet): readonly Item[] =>
  solanaClusters(cx.config()).flatMap((cluster): readonly Item[] => {
    const place = { chain: cluster.chain, network: cluster.name, wallet, status: 'loading' } as const
    const mints = mintsOf(cx.config(), cluster.chain)
    let tokens: ReturnType<typeof readSplBalances> | undefined
    // One question for all of them.
    const readTokens = (signal: AbortSignal) => {
      tokens ??= cx.splBalances().then((read) => read(cx.solanaRpc(cluster), wallet, mints, { signal }))
      return tokens
    }
    return [
      {
        balance: { ...place, kind: 'coin', symbol: SOL, decimals: LAMPORT_DECIMALS },
        read: async (signal) => ({
          amount: await getBalance(cx.solanaRpc(cluster), wallet, { signal }),
          status: 'loaded',
        }),
      },
      ...mints.map(
        (mint): Item => ({
          balance: { ...place, kind: 'token', token: mint },
          async read(signal) {
            const found = (await readTokens(signal)).get(mint)
            // Without a symbol of its own a token is named by its address.
            if (!found) return { status: 'no-token' }
            const { symbol = shortMint(mint), name, decimals, amount, isFrozen, rules } = found
            return {
              symbol,
              name,
              decimals,
              amount,
              isFrozen,
              refusal: rules.refusal,
              status: 'loaded',
            }
          },
        }),
      ),
    ]
  })

const shortMint = (mint: string): string => `${mint.slice(0, 4)}…${mint.slice(-4)}`

/** The app's tokens and then the user's, each once; those whose address is none, or whose chain the app doesn't have, are left out. */
function tokensOf(config: Config, watched: readonly WatchedToken[]): readonly WatchedToken[] {
  const { host } = config
  const tokens = new Map<string, WatchedToken>()
  for (const token of host.tokens ?? []) {
    if (!('chainId' in token)) continue
    const { chainId, address: text } = token
    const address = parseEthereumAddress(text)
    if (address) tokens.set(`${chainId} ${address}`, { chainId, address })
  }
  const own = [...tokens.values()].slice(0, balancesLimits.tokens)
  const more = watched.filter(
    (each) => chainOf(config, each.chainId) && !own.some((known) => isSameToken(known, each)),
  )
  return [...own, ...more]
}

/** The mints of the app's tokens on a cluster, each once; those whose address is none are left out. */
function mintsOf({ host }: Config, chain: string): readonly string[] {
  const mints = (host.tokens ?? []).flatMap((token) => {
    if (!('mint' in token) || solanaChain(token.cluster) !== chain) return []
    return parseSolanaAddress(token.mint) ?? []
  })
  return [...new Set(mints)].slice(0, balancesLimits.tokens)
}

/** The contracts or mints of the app's and the user's tokens on a chain, in CAIP-2. */
export const tokensOn = (
  config: Config,
  chain: string,
  watched: readonly WatchedToken[],
): readonly string[] =>
  chain.startsWith('solana:')
    ? mintsOf(config, chain)
    : tokensOf(config, watched).flatMap(({ chainId, address }) =>
        chain === `eip155:${chainId}` ? address : [],
      )

/** The chains that the app has named itself, and else its default one: nobody waits for all the chains that wallets may use. */
function chainIdsOf(config: Config, tokens: readonly WatchedToken[]): readonly number[] {
  const { supportedChains = [], defaultChain } = config.host
  const named = [...(defaultChain ? [defaultChain] : []), ...supportedChains].map(({ id }) => id)
  const first = named.length > 0 ? named : [defaultChainId(config)]
  return [...new Set([...first, ...tokens.map(({ chainId }) => chainId)])]
}
