import { and, eq, gt } from 'drizzle-orm'
import { type App, toUnits } from '../settings/app.ts'
import { lockUser, noSuchWallet, ownWalletRow, type UserSession, type WalletContext } from './context.ts'
import { frameSpendings } from './tables.ts'

/** A transfer that the vault's frame would approve without its window. */
export interface Transfer {
  /** The wallet that pays. */
  address: string
  /** CAIP-2. */
  chain: string
  /** The contract of an ERC-20 token; without it, the chain's own coin. */
  asset?: string | undefined
  amount: bigint
  /** The most that the network may take, in the chain's own coin. */
  fee: bigint
  /** SHA-256 of what is signed, in hex. */
  transaction: string
}

export interface Spending {
  /**
   * Whether a transfer stays within the app's limits, with what was counted in the last 24 hours. Counts it unless `reserve` is
   * false; the same transaction counts once.
   * @throws Refusal `linked_account_not_found` for another user's wallet
   */
  count(session: UserSession, transfer: Transfer, reserve: boolean): Promise<boolean>
}

const NATIVE = 'native'

/** Counts what the vault's frame approves. */
export function createSpending({ database, clock, limits }: WalletContext): Spending {
  return {
    async count(session, transfer, reserve) {
      const { app, userId } = session
      const { address, chain, transaction } = transfer
      const { chainType } = await ownWalletRow(database, session, address)
      if (chainType !== (chain.startsWith('solana:') ? 'solana' : 'ethereum')) throw noSuchWallet()
      const costs = costsOf(transfer).map((cost) => ({ ...cost, limit: limitOf(app, chain, cost.asset) }))
      if (!costs.every(({ amount, limit }) => limit && amount <= limit.perTransaction)) return false
      return database.transaction(async (tx) => {
        // Two transfers of one user are counted one after the other.
        await lockUser(tx, session)
        const now = clock()
        const counted = await tx
          .select()
          .from(frameSpendings)
          .where(
            and(
              eq(frameSpendings.appId, app.id),
              eq(frameSpendings.userId, userId),
              gt(frameSpendings.at, now - limits.frameSpendingSpan),
            ),
          )
        if (counted.some((row) => row.chain === chain && row.transaction === transaction)) return true
        if (counted.length + costs.length > limits.frameSpendings) return false
        const isWithin = costs.every(({ asset, amount, limit }) => {
          const earlier = counted.filter((row) => row.chain === chain && row.asset === asset)
          const spent = earlier.reduce((sum, row) => sum + BigInt(row.amount), 0n)
          return limit !== undefined && spent + amount <= limit.perDay
        })
        if (!isWithin || !reserve) return isWithin
        await tx
          .insert(frameSpendings)
          .values(
            costs.map(({ asset, amount }) => ({
              appId: app.id,
              userId,
              chain,
              asset,
              transaction,
              amount: String(amount),
              at: now,
            })),
          )
          .onConflictDoUpdate({
            target: [
              frameSpendings.userId,
              frameSpendings.chain,
              frameSpendings.transaction,
              frameSpendings.asset,
            ],
            set: { at: now },
          })
        return true
      })
    },
  }
}

/** The amounts that a transfer takes of each asset: a fee is spent like anything else. */
function costsOf({ asset, amount, fee }: Transfer): { asset: string; amount: bigint }[] {
  if (asset === undefined) return [{ asset: NATIVE, amount: amount + fee }]
  return [
    { asset: asset.toLowerCase(), amount },
    { asset: NATIVE, amount: fee },
  ]
}

function limitOf(app: App, chain: string, asset: string) {
  if (app.vault !== 'strict') return undefined
  const limit = app.frameSpending.find(
    (each) => each.chain === chain && (each.asset?.toLowerCase() ?? NATIVE) === asset,
  )
  const [perTransaction, perDay] = [limit?.perTransaction, limit?.perDay].map((amount) =>
    amount === undefined ? undefined : toUnits(amount, limit?.decimals),
  )
  return perTransaction === undefined || perDay === undefined ? undefined : { perTransaction, perDay }
}
