import * as v from 'valibot'
import { type CodeAddress, type Codes, sendCaps } from '../../codes/codes.ts'
import { boundHost, type SmsGateway } from '../../codes/sms-gateway.ts'
import { mailboxOf } from '../../lib/email-address.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { SessionServices } from '../../sessions/services.ts'
import { sourceOf } from '../../sessions/sources.ts'
import { countEvent } from '../../store/rate-limits.ts'
import { hintOf } from '../../users/addresses.ts'
import type { KeySession } from '../../wallets/context.ts'
import { enrolmentMail, enrolmentSms } from './messages.ts'
import { type Caller, type ProofKind, proofKind } from './proof-kind.ts'
import { standingOf } from './standing.ts'

const hour = 3_600_000

/** Codes that are sent to an address or a number of the user, each for one key. */
export function createCodeProof(deps: SessionServices & { codes: Codes; sms: SmsGateway }) {
  const { database, sessions, limits, clock, mailer, codes, sms } = deps

  const addressOf = ({ app, userId, device }: KeySession, channel: CodeAddress['channel']): CodeAddress => ({
    // No address has a space: what is sent for a login is never good here.
    appId: app.id,
    channel,
    address: `device ${userId} ${device.thumbprint}`,
    boundTo: device.thumbprint,
  })

  /** One login has fewer codes sent than the mailbox takes, so that a stolen one leaves the owner some. */
  async function countSending(session: KeySession): Promise<void> {
    const { userId, sessionId, device } = session
    const source = await sourceOf(sessions, { sessionId, deviceId: device.id })
    await countEvent(database, `enrolment codes ${userId} ${source.name}`, clock(), hour, [
      { most: limits.enrolmentCodesPerSourceHour, span: hour },
    ])
  }

  const kind: ProofKind = proofKind({
    body: v.strictObject({ factor: v.literal('code'), code: v.pipe(v.string(), v.regex(/^\d{6}$/)) }),
    async prove(session, { code }, { caller }) {
      // Guesses count for the code that was sent for this very key, and hold back nobody else.
      const isRight = await database.transaction(async (tx) => {
        for (const channel of ['email', 'sms'] as const)
          if ((await codes.check(tx, addressOf(session, channel), code, caller.ip)).right) return true
        return false
      })
      if (!isRight) throw new Refusal('invalid_credentials', 'This code is not valid.')
      return { enrolledBy: 'code' }
    },
  })

  return {
    kind,
    /**
     * Sends a code that is good for this key alone. Resolves with the address, so far as its owner recognises it.
     * @throws Refusal `linked_account_not_found`, `too_many_requests`; Unavailable when it could not leave
     */
    async send(session: KeySession, id: string, { name, place, ip, origin }: Caller): Promise<string> {
      const { app } = session
      const { addresses } = await standingOf(database, session, limits)
      const to = addresses.find((each) => each.id === id)
      if (!to) throw new Refusal('linked_account_not_found', 'There is no such address.')
      const { channel, address } = to
      const mailbox = channel === 'email' ? mailboxOf(address) : address
      const at = { ...addressOf(session, channel), mailbox }
      await countSending(session)
      const issued = await codes.issue(at, ip, sendCaps(app, limits, channel))
      const words = { appName: app.name, code: issued.code, life: limits.codeLife, name, place }
      try {
        if (channel === 'email') await mailer.send(enrolmentMail(address, words))
        else await sms.send({ to: address, text: enrolmentSms(words, boundHost(origin)) })
      } catch (cause) {
        await issued.undo()
        throw cause
      }
      return hintOf(channel, address)
    },
  }
}
