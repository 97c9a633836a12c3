import { randomBytes } from 'node:crypto'
import { hit } from '../rates.ts'
import { Refusal } from '../refusal.ts'
import { readWalletAddress } from '../wallet-address.ts'
import { type EmbeddedContext, type Holder, ownWalletRow } from './context.ts'
import { noteRelease } from './releases.ts'

/** What a ticket lets be shown, and to whom. */
interface Ticket {
  sessionId: string
  userId: string
  walletId: string
  address: string
}
export interface ExportTickets {
  /** A ticket for one look at one wallet's key. @throws Refusal `linked_account_not_found`, `too_many_requests` */
  issue(holder: Holder, address: string): Promise<string>
  /** Uses a ticket up; whoever presents one that is another's has used it up too. @throws Refusal `token_already_used` */
  redeem(holder: Holder, ticket: string, address: string): Promise<void>
}

const hour = 3_600_000

/** Lets a page have the vault show a key without a token in any address (security S2). */
export function createExportTickets(cx: EmbeddedContext): ExportTickets {
  const { database, oneTime, limits, clock } = cx
  const keyOf = ({ app }: Holder, value: string) => ({ kind: 'export-ticket', appId: app.id, value })

  return {
    async issue(holder, text) {
      const { rootId, address } = await ownWalletRow(database, holder, text)
      const { sessionId, userId } = holder
      const value = randomBytes(32).toString('base64url')
      await database.transaction(async (tx) => {
        const window = { most: limits.exportTicketsPerHour, span: hour }
        await hit(tx, `export tickets ${userId}`, clock(), hour, [window])
        const data: Ticket = { sessionId, userId, walletId: rootId, address }
        await oneTime.put(tx, { ...keyOf(holder, value), data, life: limits.exportTicketLife })
      })
      return value
    },

    async redeem(holder, value, text) {
      const ticket = (await oneTime.take(database, keyOf(holder, value))) as Ticket | undefined
      const { sessionId, userId } = holder
      const asked = readWalletAddress(text)?.address
      if (ticket?.sessionId !== sessionId || ticket.userId !== userId || ticket.address !== asked)
        throw new Refusal('token_already_used', 'This export was begun before. Please begin anew.')
      const { walletId, address } = ticket
      await noteRelease(database, holder, { at: clock(), walletId, address, what: 'export' })
    },
  }
}
