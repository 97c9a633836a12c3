import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { readWalletAddress } from '../chains/address.ts'
import { Refusal } from '../lib/refusal.ts'
import { countEvent } from '../store/rate-limits.ts'
import { createNotices } from '../users/notices.ts'
import { type DeviceSession, ownWalletRow, type UserSession, type WalletContext } from './context.ts'
import { requirePresent } from './recovery/present.ts'
import { noteRelease } from './releases.ts'
import { walletRoots } from './tables.ts'

/** What a ticket lets be shown, and to whom. */
interface Ticket {
  sessionId: string
  userId: string
  walletId: string
  address: string
}
export interface ExportTickets {
  /** A ticket for one look at one wallet's key. @throws Refusal `linked_account_not_found`, `too_many_requests` */
  issue(session: UserSession, address: string): Promise<string>
  /** Uses a ticket up, even if the caller is not its owner. @throws Refusal `token_already_used`, `recovery_proof_required` */
  redeem(session: DeviceSession, ticket: string, address: string): Promise<void>
}

const hour = 3_600_000

/** Lets a page have the vault show a key without a token in any address, where logs and histories would keep it. */
export function createExportTickets(cx: WalletContext): ExportTickets {
  const { database, oneTime, limits, clock } = cx
  const notices = createNotices(cx)
  const keyOf = ({ app }: UserSession, value: string) => ({ kind: 'export-ticket', appId: app.id, value })

  async function ownRootOf(session: UserSession, text: string) {
    const row = await ownWalletRow(database, session, text).catch((cause: unknown) => {
      if (cause instanceof Refusal) return undefined
      throw cause
    })
    if (!row) return undefined
    const [root] = await database.select().from(walletRoots).where(eq(walletRoots.id, row.rootId))
    return root
  }

  return {
    async issue(session, text) {
      const { rootId, address } = await ownWalletRow(database, session, text)
      const { sessionId, userId } = session
      const value = randomBytes(32).toString('base64url')
      await database.transaction(async (tx) => {
        const window = { most: limits.exportTicketsPerHour, span: hour }
        await countEvent(tx, `export tickets ${userId}`, clock(), hour, [window])
        const data: Ticket = { sessionId, userId, walletId: rootId, address }
        await oneTime.put(tx, { ...keyOf(session, value), data, life: limits.exportTicketLife })
      })
      return value
    },

    async redeem(session, value, text) {
      // First, and without using the ticket up: with it the person comes again once they have shown the present way.
      const root = await ownRootOf(session, text)
      if (root) await requirePresent(cx, database, root, session.device.id)
      const ticket = (await oneTime.take(database, keyOf(session, value))) as Ticket | undefined
      const { sessionId, userId } = session
      const asked = readWalletAddress(text)?.address
      if (ticket?.sessionId !== sessionId || ticket.userId !== userId || ticket.address !== asked)
        throw new Refusal('token_already_used', 'This export has already been started. Please start again.')
      const { walletId, address } = ticket
      await noteRelease(database, session, { at: clock(), walletId, address, what: 'export' })
      notices.tell(session, { what: 'export', address })
    },
  }
}
