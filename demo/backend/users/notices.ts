import { randomBytes } from 'node:crypto'
import { escapeHtml, type Mail, type Mailer, mailPage } from '../outside/mail.ts'
import { type SmsGateway, sendableName } from '../outside/sms.ts'
import type { App } from '../settings/app.ts'
import type { Limits } from '../settings/limits.ts'
import type { Database } from '../store/database.ts'
import { innermost } from '../store/failures.ts'
import type { OneTime } from '../store/one-time.ts'
import type { ProvedType } from './account.ts'
import { type Reached, reachedAddresses } from './former-addresses.ts'

/** `recovery-shown`: by a device that has the wallet already, before a change, an export or the removal of a device. */
export type RecoveryAsked = 'recovering' | 'recovery-shown'
/** What a person is told. */
export type Notice =
  | { what: 'device-enrolled' | 'device-removed'; name: string; place: string }
  | { what: RecoveryAsked | 'recovery-change' | 'export'; address: string }
  | { what: 'factor-added' | 'factor-removed'; factor: 'sms' | 'totp' | 'passkey' }
  | { what: 'vault-passkey-added' | 'vault-passkey-removed'; name: string; place: string }
  | { what: 'recovery-codes' | 'factors-locked' }
  | { what: 'account-linked' | 'account-updated' | 'account-unlinked'; type: ProvedType; place: string }
  /** By the operator or the app's own team. */
  | { what: 'account-attached'; type: ProvedType }
  | { what: 'recovery-code-used'; left: number }
  | { what: 'permission-given'; address: string; signer: string }
  | { what: 'frozen' }
/** Who is told. */
export interface Told {
  app: Pick<App, 'id' | 'name' | 'notices'>
  userId: string
}
export interface Notices {
  /**
   * Sends it by mail and text message, where the app wants that. Not waited for: what it tells of has happened, whether a
   * message can leave or not. What keeps one from leaving stands in the log.
   * @param to where the person could be reached before it happened; by default, where they can be now. Former addresses
   * are told in either case, as long as their wait lasts.
   */
  tell(session: Told, notice: Notice, to?: readonly Reached[]): void
  /** The same, and waited for until all that can leave has left. */
  send(session: Told, notice: Notice, to?: readonly Reached[]): Promise<void>
  /** The parts of a recovery leave one after the other: one mail tells of them all. */
  recoveryAsked(what: RecoveryAsked, session: Told & { device: { id: string } }, address: string): void
}
/** What notices are sent with. */
export interface NoticeContext {
  database: Database
  mailer: Mailer
  sms: SmsGateway
  oneTime: OneTime
  limits: Limits
  clock: () => number
  apiOrigin: string
  log: (line: string) => void
}

const ONE_RECOVERY = 10 * 60_000
/** These come often, or again and again, and ask for nothing at once: a text message for each would be ignored soon. */
const mailOnly: ReadonlySet<Notice['what']> = new Set([
  'recovering',
  'recovery-shown',
  'recovery-code-used',
  'factors-locked',
])

/** The value of a link that freezes an account, as {@link freezeLink} makes it; it names its app and user itself. */
export const freezeKey = (value: string) => ({ kind: 'freeze', appId: '', value })
/** Whose account a link freezes. */
export interface FreezeTarget {
  appId: string
  userId: string
}

/** Tells people by mail and text message what happened to what protects them. */
export function createNotices(cx: NoticeContext): Notices {
  const { database, mailer, sms, oneTime, limits, clock, apiOrigin, log } = cx
  const logFailure = (what: Notice['what'], cause: unknown) =>
    log(`Nobody could be told of "${what}": ${innermost(cause)}`)

  /** Each message has a link of its own, so that one that somebody else has used up leaves the others good. */
  async function freezeLink({ app, userId }: Told): Promise<string> {
    // 128 bits: short enough for a text message.
    const value = randomBytes(16).toString('base64url')
    const data: FreezeTarget = { appId: app.id, userId }
    await oneTime.put(database, { ...freezeKey(value), data, life: limits.accountChangeWait })
    return `${apiOrigin}/freeze/${value}`
  }

  /** A message without a link is better than none. */
  const linkOrNone = (told: Told, { what }: Notice): Promise<string | undefined> =>
    freezeLink(told).catch((cause: unknown) => {
      log(`A notice of "${what}" has no link: ${innermost(cause)}`)
      return undefined
    })

  async function send(told: Told, notice: Notice, before?: readonly Reached[]): Promise<void> {
    const { app, userId } = told
    if (!app.notices) return
    const now = clock()
    const at = { wait: limits.accountChangeWait, now }
    const of = { appId: app.id, userId }
    const reached = before ?? (await reachedAddresses(database, of, at))
    for (const { channel, address } of reached) {
      if (channel === 'sms' && mailOnly.has(notice.what)) continue
      const link = notice.what === 'frozen' ? undefined : await linkOrNone(told, notice)
      const sending =
        channel === 'email'
          ? mailer.send(noticeMail(address, app.name, notice, { at: new Date(now), link }))
          : sms.send({ to: address, text: noticeSms(app.name, notice, link) })
      // One that can't leave keeps none of the others; the gateway logs its own failure.
      await sending.catch(() => {})
    }
  }
  function tell(session: Told, notice: Notice, to?: readonly Reached[]): void {
    send(session, notice, to).catch((cause: unknown) => logFailure(notice.what, cause))
  }
  return {
    tell,
    send,
    recoveryAsked(what, session, address) {
      const value = `${session.device.id} ${address}`
      const key = { kind: 'recovery-notice', appId: session.app.id, value, life: ONE_RECOVERY }
      oneTime.put(database, key).then(
        (isFirst) => isFirst && tell(session, { what, address }),
        // Told twice is better than not told.
        (cause: unknown) => {
          logFailure(what, cause)
          tell(session, { what, address })
        },
      )
    },
  }
}

/** @returns what happened, for a subject and for a line; and what else to do about it */
function wordsOf(app: string, notice: Notice): { subject: string; line: string; advice?: string } {
  const move = 'Then move what is in the wallet to another one.'
  switch (notice.what) {
    case 'device-enrolled':
      return {
        subject: `A new device can use your wallets at ${app}`,
        line: `${deviceOf(notice)} can use your wallets at ${app} from now on.`,
      }
    case 'device-removed':
      return {
        subject: `A device was removed at ${app}`,
        line: `${deviceOf(notice)} can no longer use your wallets at ${app}.`,
      }
    case 'vault-passkey-added':
      return {
        subject: `A passkey can let in new devices at ${app}`,
        line: `A passkey was added on ${deviceOf(notice)}. It lets new devices use your wallets at ${app} from now on.`,
        advice: `Then remove that passkey and that device in your account's settings at ${app}.`,
      }
    case 'vault-passkey-removed':
      return {
        subject: `A passkey was removed at ${app}`,
        line: `A passkey that let new devices use your wallets at ${app} was removed on ${deviceOf(notice)}.`,
      }
    case 'recovering':
      return {
        subject: `Your wallet at ${app} is being recovered`,
        line: `A device of yours has asked for what recovers your wallet ${notice.address} at ${app}.`,
      }
    case 'recovery-shown':
      return {
        subject: `What recovers your wallet at ${app} was asked for`,
        line: `A device that has your wallet ${notice.address} at ${app} has asked for what recovers it, as is done before that is changed, the key is shown or a device is removed.`,
      }
    case 'recovery-change':
      return {
        subject: `Your wallet at ${app} is recovered in another way now`,
        line: `The way in which your wallet ${notice.address} at ${app} is recovered was changed.`,
        advice: move,
      }
    case 'factor-added':
      return {
        subject: `A second factor was added at ${app}`,
        line: `${factorNames[notice.factor]} can verify your transactions at ${app} from now on.`,
      }
    case 'factor-removed':
      return {
        subject: `A second factor was removed at ${app}`,
        line: `${factorNames[notice.factor]} no longer verifies your transactions at ${app}.`,
      }
    case 'recovery-codes':
      return {
        subject: `New recovery codes at ${app}`,
        line: `New recovery codes were made for your account at ${app}. The earlier ones no longer work.`,
      }
    case 'recovery-code-used':
      return {
        subject: `A recovery code was used at ${app}`,
        line: `One of your recovery codes stood in for your second factor at ${app}. ${notice.left} are left.`,
      }
    case 'factors-locked':
      return {
        subject: `Too many wrong codes at ${app}`,
        line: `Somebody who is logged in as you has entered too many wrong codes of a second factor at ${app}. Nobody got past it; it can be tried again in a while.`,
      }
    case 'account-linked':
      return {
        subject: `A way to log in was added at ${app}`,
        line: `${waysIn(notice)} can be used to log in to your account at ${app} from now on.`,
      }
    case 'account-attached':
      return {
        subject: `A way to log in was added at ${app}`,
        line: `The team of ${app} has added a way to log in to your account: ${accountName(notice.type)}.`,
      }
    case 'account-updated':
      return {
        subject: `A way to log in was changed at ${app}`,
        line: `${waysIn(notice)} with which you log in to your account at ${app} was replaced by another one.`,
      }
    case 'account-unlinked':
      return {
        subject: `A way to log in was removed at ${app}`,
        line: `${waysIn(notice)} can no longer be used to log in to your account at ${app}.`,
      }
    case 'export':
      return {
        subject: `The key of your wallet at ${app} was shown`,
        line: `The private key of your wallet ${notice.address} at ${app} was shown to somebody who is logged in as you.`,
        advice: move,
      }
    case 'permission-given':
      return {
        subject: `A server can use your wallet at ${app}`,
        line: `${notice.signer} was allowed to act with your wallet ${notice.address} at ${app}, within limits that the window of your wallet has shown.`,
        advice: `You can see and stop this in your account's settings at ${app}.`,
      }
    case 'frozen':
      return {
        subject: `Your account at ${app} is frozen`,
        line: `Your account at ${app} was frozen with the link of a message like this one. It is logged out everywhere.`,
        advice: `To use it again, log in at ${app} and show in the window of your wallet that it is yours.`,
      }
  }
}

const factorNames = {
  sms: 'A phone number',
  totp: 'An authenticator app',
  passkey: 'A passkey',
}
/** Which kind of account it is, and from where that was asked for. */
function waysIn({ type, place }: { type: ProvedType; place: string }): string {
  const name = accountNames[type] ?? otherAccount
  return place ? `${name} (by a request from ${place})` : name
}
/** The same within a sentence. */
function accountName(type: ProvedType): string {
  const name = accountNames[type] ?? otherAccount
  return name.charAt(0).toLowerCase() + name.slice(1)
}
const otherAccount = 'An account of another service'
const accountNames: Partial<Record<ProvedType, string>> = {
  email: 'An email address',
  phone: 'A phone number',
  passkey: 'A passkey',
  'ethereum-wallet': 'A wallet',
  'solana-wallet': 'A wallet',
}
const deviceOf = ({ name, place }: { name: string; place: string }) => (place ? `${name} (${place})` : name)

const freezing =
  'That logs it out everywhere, and nothing of it can be used or changed until you show that it is yours.'

function noticeMail(
  to: string,
  app: string,
  notice: Notice,
  { at, link }: { at: Date; link: string | undefined },
): Mail {
  const { subject, line, advice } = wordsOf(app, notice)
  const first = `${line} That was on ${at.toUTCString()}.`
  const freeze = link && `If that was not you, freeze your account at ${app}:`
  const last = [...(link ? [freezing] : []), ...(advice ? [advice] : [])].join(' ')
  const small = 'margin:0;color:#6b6b76;font-size:14px'
  return {
    to,
    subject,
    text: [first, ...(freeze ? [`${freeze} ${link}`] : []), last].join('\n\n'),
    html: mailPage(
      [
        `<p style="margin:0 0 16px">${escapeHtml(first)}</p>`,
        ...(freeze
          ? [
              `<p style="margin:0 0 16px">${escapeHtml(freeze)}</p>`,
              `<p style="margin:0 0 16px"><a href="${link}" style="color:#1d1d24;font-weight:600">Freeze account</a></p>`,
            ]
          : []),
        `<p style="${small}">${escapeHtml(last)}</p>`,
      ].join(''),
    ),
  }
}

/** Short, and without any text of a caller: a place or the name of a browser is in the mail alone. */
function noticeSms(app: string, notice: Notice, link: string | undefined): string {
  const { subject } = wordsOf(sendableName(app), notice)
  return link ? `${subject}. Not you? Freeze your account: ${link}` : `${subject}.`
}
