import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { Refusal } from '../../lib/refusal.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import type { Database } from '../../store/database.ts'
import type { OneTime } from '../../store/one-time.ts'
import type { AccountDetails } from '../../users/account.ts'
import { accounts } from '../../users/tables.ts'
import type { SignerRequests } from './signer-requests.ts'
import { farcasterSigners } from './tables.ts'

/** How far a key is that is to sign for a user's account on Farcaster. */
export type SignerStatus =
  | { readonly status: 'pending_approval'; readonly url?: string }
  | { readonly status: 'approved' | 'revoked'; readonly fid: number }

/** A request as it is kept until the user has decided. */
interface Pending {
  readonly token: string
  readonly url: string
}

export interface FarcasterSigners {
  /**
   * Asks for a key of the user's vault, or resolves with how far the same request is.
   * @param deadline seconds since 1970
   * @throws Refusal `feature_not_enabled`, `linked_account_not_found`, `invalid_data`, `not_supported`; Unavailable
   */
  init(app: App, userId: string, key: Hex, deadline: number | undefined): Promise<SignerStatus>
  /** @throws Refusal `invalid_state` for a key that nobody has asked for, or whose request is over; Unavailable */
  status(app: App, userId: string, key: Hex): Promise<SignerStatus>
}

/** Keys of users' vaults that sign what these do on Farcaster, once the users have approved them in their Farcaster apps. */
export function createFarcasterSigners(deps: {
  database: Database
  oneTime: OneTime
  requests: SignerRequests
  limits: Limits
  clock: () => number
}): FarcasterSigners {
  const { database, oneTime, requests, limits, clock } = deps
  const keyOf = (app: App, userId: string, key: Hex) => ({
    kind: 'farcaster-signer',
    appId: app.id,
    value: `${userId} ${key}`,
  })

  async function accountOf(app: App, userId: string) {
    const [account] = await database
      .select()
      .from(accounts)
      .where(and(eq(accounts.appId, app.id), eq(accounts.userId, userId), eq(accounts.type, 'farcaster')))
    if (!account) throw new Refusal('linked_account_not_found', 'This user has no Farcaster account.')
    const details = account.details as AccountDetails['farcaster']
    return { id: account.id, fid: Number(account.subject), details }
  }

  /** The account has the key as its signer from now on, unless the user has another one meanwhile, or none. */
  async function keep(app: App, userId: string, key: Hex, fid: number): Promise<void> {
    await database.transaction(async (tx) => {
      const owned = and(
        eq(accounts.appId, app.id),
        eq(accounts.userId, userId),
        eq(accounts.type, 'farcaster'),
        eq(accounts.subject, String(fid)),
      )
      const [account] = await tx.select().from(accounts).where(owned).for('update')
      if (!account) throw new Refusal('linked_account_not_found', 'This user has no Farcaster account.')
      const details = { ...(account.details as AccountDetails['farcaster']), signerPublicKey: key }
      await tx.update(accounts).set({ details }).where(eq(accounts.id, account.id))
      const approved = { userId, fid: String(fid), publicKey: key, approvedAt: clock() }
      await tx.insert(farcasterSigners).values(approved).onConflictDoNothing()
      await oneTime.take(tx, keyOf(app, userId, key))
    })
  }

  async function judge(app: App, userId: string, key: Hex, { token, url }: Pending): Promise<SignerStatus> {
    const { fid } = await accountOf(app, userId)
    const state = await requests.stateOf(token, key)
    switch (state.status) {
      case 'pending_approval':
        return { status: 'pending_approval', url }
      case 'approved': {
        // Another person may have scanned the code: the key then signs for an account that isn't the user's.
        if (state.fid !== fid) {
          await oneTime.take(database, keyOf(app, userId, key))
          return { status: 'revoked', fid: state.fid }
        }
        await keep(app, userId, key, fid)
        return { status: 'approved', fid }
      }
      case 'revoked':
        await oneTime.take(database, keyOf(app, userId, key))
        return { status: 'revoked', fid: state.fid ?? fid }
      case 'gone':
        await oneTime.take(database, keyOf(app, userId, key))
        throw over()
    }
  }

  /** Whether the user's account has had the key before it was unlinked. */
  async function wasApproved(userId: string, fid: number, key: Hex): Promise<boolean> {
    const { userId: user, fid: account, publicKey } = farcasterSigners
    const same = and(eq(user, userId), eq(account, String(fid)), eq(publicKey, key))
    return (await database.$count(farcasterSigners, same)) > 0
  }

  const over = () => new Refusal('invalid_state', 'This request is unknown or has ended. Please start again.')
  const pendingOf = async (app: App, userId: string, key: Hex) =>
    (await oneTime.peek(database, keyOf(app, userId, key))) as Pending | undefined

  return {
    async init(app, userId, key, deadline) {
      if (!app.farcasterSigner)
        throw new Refusal('feature_not_enabled', 'This app has no account on Farcaster to ask with.')
      const { fid, details } = await accountOf(app, userId)
      if (details.signerPublicKey === key) return { status: 'approved', fid }
      if (await wasApproved(userId, fid, key)) {
        await keep(app, userId, key, fid)
        return { status: 'approved', fid }
      }
      const pending = await pendingOf(app, userId, key)
      if (pending) return judge(app, userId, key, pending)
      const now = Math.floor(clock() / 1_000)
      const end = deadline ?? now + limits.farcasterSignerLife / 1_000
      if (end <= now || end > now + limits.farcasterSignerLongest / 1_000)
        throw new Refusal('invalid_data', 'Invalid or missing: deadline')
      const opened = await requests.open(app.farcasterSigner, key, end)
      const life = end * 1_000 - clock()
      const isKept = await oneTime.put(database, { ...keyOf(app, userId, key), data: opened, life })
      // Another request of the same user was faster.
      const kept = isKept ? opened : ((await pendingOf(app, userId, key)) ?? opened)
      return { status: 'pending_approval', url: kept.url }
    },

    async status(app, userId, key) {
      const { fid, details } = await accountOf(app, userId)
      if (details.signerPublicKey === key) return { status: 'approved', fid }
      const pending = await pendingOf(app, userId, key)
      if (!pending) throw over()
      return judge(app, userId, key, pending)
    },
  }
}
