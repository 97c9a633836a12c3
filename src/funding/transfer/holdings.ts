/** Assets of the user's other wallets that they can pay with. All amounts are claims of the networks' nodes. */
import { quantity } from '../../ethereum/answers.ts'
import { assertChainId } from '../../ethereum/prepare-transaction.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { balanceOfData, readUint } from '../../ethereum/tokens.ts'
import { type Clock, within } from '../../lib/clock.ts'
import { logFailure } from '../../lib/log-failure.ts'
import { Unreachable } from '../../lib/node-errors.ts'
import { type Price, toDollars } from '../../lib/price.ts'
import { USDC } from '../../lib/usdc.ts'
import { getBalance } from '../../solana/queries.ts'
import { chainIdOf, type Source } from '../bridge/networks.ts'
import { fundingLimits } from '../limits.ts'
import type { TransferServices } from './services.ts'

export interface Holding extends Source {
  readonly amount: bigint
  readonly price?: Price | undefined
}

type Sources = Pick<TransferServices, 'nodeOf' | 'solana' | 'prices'>

/**
 * Reads all at once. Those whose network doesn't answer in time are left out.
 * @returns what is held, the highest worth first, and how many were left out
 */
export async function readHoldings(
  services: Sources,
  clock: Clock,
  { address, sources, signal }: { address: string; sources: readonly Source[]; signal: AbortSignal },
): Promise<{ readonly held: readonly Holding[]; readonly unread: number }> {
  const read = await Promise.all(
    sources.map(async (source): Promise<Holding | undefined> => {
      try {
        const amount = await within(
          clock,
          fundingLimits.balanceTime,
          (own) => readBalance(services, address, source, own),
          signal,
        )
        const price = amount > 0n ? await services.prices.of(pricedAsset(source)) : undefined
        return { ...source, amount, price }
      } catch (cause) {
        signal.throwIfAborted()
        logFailure(`Unable to fetch the balance of ${source.symbol} on ${source.chain}`, cause)
        return undefined
      }
    }),
  )
  const held = read.flatMap((each) => each ?? [])
  return { held: held.sort((one, other) => worth(other) - worth(one)), unread: read.length - held.length }
}

/** The price's name of an asset. */
export const pricedAsset = ({ chain, token, symbol, decimals }: Source) =>
  token === undefined ? { chain, symbol } : { chain, token, decimals }

/** Dollars where there is a price, and whole units where there is none. Compares, and is never displayed. */
export function worth({ amount, decimals, price, symbol }: Holding): number {
  const whole = Number(amount) / 10 ** decimals
  return whole * (price ? toDollars(price) : symbol === USDC ? 1 : UNPRICED)
}
/** Without prices a coin comes before a dollar: it pays its own network's fees. */
const UNPRICED = 1_000

async function readBalance(
  services: Sources,
  address: string,
  { chain, chainType, token }: Source,
  signal: AbortSignal,
): Promise<bigint> {
  if (chainType === 'solana') {
    const found = await services.solana(chain)
    if (!found) throw new Unreachable('There is no node')
    const { rpc, room } = found
    if (token === undefined) return getBalance(rpc, address, { signal })
    return (await room.readSplBalances(rpc, address, [token], { signal })).get(token)?.amount ?? 0n
  }
  const chainId = chainIdOf(chain)
  const node = services.nodeOf(chainId)
  if (!node) throw new Unreachable('There is no node')
  await assertChainId(node, chainId, signal)
  if (token !== undefined) return readTokenBalance(node, token, address, signal)
  return quantity('a balance')(await node.ask('eth_getBalance', [address, 'latest'], { signal }))
}

/** USDC is known by its contract, so that its balance alone is asked for. */
async function readTokenBalance(
  node: ChainNode,
  token: string,
  owner: string,
  signal: AbortSignal,
): Promise<bigint> {
  const answer = await node.ask('eth_call', [{ to: token, data: balanceOfData(owner) }, 'latest'], { signal })
  // A chain without the contract answers with nothing.
  if (answer === '0x') return 0n
  const amount = typeof answer === 'string' ? readUint(answer as `0x${string}`) : undefined
  if (amount === undefined) throw new Unreachable("The token's balance can't be read")
  return amount
}
