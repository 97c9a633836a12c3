import { escapeHtml, type Mail, type Mailer, mailPage } from '../outside/mail.ts'
import type { App } from '../settings/app.ts'
import type { Database } from '../store/database.ts'
import type { OneTime } from '../store/one-time.ts'
import type { ProvedType } from './account.ts'
import { mailAddresses } from './addresses.ts'

/** What a person is told. */
export type Notice =
  | { what: 'device-enrolled' | 'device-removed'; name: string; place: string }
  | { what: 'recovering' | 'recovery-change' | 'export'; address: string }
  | { what: 'factor-added' | 'factor-removed'; factor: 'sms' | 'totp' | 'passkey' }
  | { what: 'vault-passkey-added' | 'vault-passkey-removed'; name: string; place: string }
  | { what: 'recovery-codes' | 'factors-locked' }
  | { what: 'account-linked' | 'account-updated' | 'account-unlinked'; type: ProvedType; place: string }
  | { what: 'recovery-code-used'; left: number }
/** Who is told. */
export interface Told {
  app: App
  userId: string
}
export interface Notices {
  /**
   * Mails it, where the app wants that. Not waited for: what it tells of has happened, whether a mail can leave or not.
   * @param to where the person could be reached before it happened; by default, where they can be now
   */
  tell(session: Told, notice: Notice, to?: readonly string[]): void
  /** The parts of a recovery leave one after the other: one mail tells of them all. */
  recovering(session: Told & { device: { id: string } }, address: string): void
}

const ONE_RECOVERY = 10 * 60_000

/** Tells people by mail what happened to what protects them. */
export function createNotices(cx: {
  database: Database
  mailer: Mailer
  oneTime: OneTime
  clock: () => number
}): Notices {
  const { database, mailer, oneTime, clock } = cx

  async function send({ app, userId }: Told, notice: Notice, before?: readonly string[]): Promise<void> {
    const at = new Date(clock())
    for (const to of before ?? (await mailAddresses(database, app.id, userId)))
      await mailer.send(noticeMail(to, app.name, notice, at))
  }
  function tell(session: Told, notice: Notice, to?: readonly string[]): void {
    // A failure is the mailer's to log.
    if (session.app.notices) send(session, notice, to).catch(() => {})
  }
  return {
    tell,
    recovering(session, address) {
      const value = `${session.device.id} ${address}`
      const key = { kind: 'recovery-notice', appId: session.app.id, value, life: ONE_RECOVERY }
      oneTime.put(database, key).then(
        (isFirst) => isFirst && tell(session, { what: 'recovering', address }),
        () => {},
      )
    },
  }
}

function wordsOf(app: string, notice: Notice): { subject: string; line: string; advice: string } {
  const settings = `If that was not you, look through your account’s settings at ${app} now, and log out all other devices.`
  const remove = `If that was not you, remove that device in your account’s settings at ${app}.`
  switch (notice.what) {
    case 'device-enrolled':
      return {
        subject: `A new device can use your wallets at ${app}`,
        line: `${deviceOf(notice)} can use your wallets at ${app} from now on.`,
        advice: remove,
      }
    case 'device-removed':
      return {
        subject: `A device was removed at ${app}`,
        line: `${deviceOf(notice)} can no longer use your wallets at ${app}.`,
        advice: 'If that was not you, look through the devices that are left in your account’s settings.',
      }
    case 'vault-passkey-added':
      return {
        subject: `A passkey can let in new devices at ${app}`,
        line: `A passkey was made on ${deviceOf(notice)}. It lets new devices use your wallets at ${app} from now on.`,
        advice: `If that was not you, remove that passkey and that device in your account’s settings at ${app}.`,
      }
    case 'vault-passkey-removed':
      return {
        subject: `A passkey was removed at ${app}`,
        line: `A passkey that let new devices use your wallets at ${app} was removed on ${deviceOf(notice)}.`,
        advice: remove,
      }
    case 'recovering':
      return {
        subject: `Your wallet at ${app} is being recovered`,
        line: `A device of yours has asked for what recovers your wallet ${notice.address} at ${app}.`,
        advice: remove,
      }
    case 'recovery-change':
      return {
        subject: `Your wallet at ${app} is recovered in another way now`,
        line: `The way in which your wallet ${notice.address} at ${app} is recovered was changed.`,
        advice: `If that was not you, move what is in the wallet to another one. ${remove}`,
      }
    case 'factor-added':
      return {
        subject: `A second factor was added at ${app}`,
        line: `${factorNames[notice.factor]} can verify your transactions at ${app} from now on.`,
        advice: settings,
      }
    case 'factor-removed':
      return {
        subject: `A second factor was removed at ${app}`,
        line: `${factorNames[notice.factor]} no longer verifies your transactions at ${app}.`,
        advice: settings,
      }
    case 'recovery-codes':
      return {
        subject: `New recovery codes at ${app}`,
        line: `New recovery codes were made for your account at ${app}. The earlier ones no longer work.`,
        advice: settings,
      }
    case 'recovery-code-used':
      return {
        subject: `A recovery code was used at ${app}`,
        line: `One of your recovery codes stood in for your second factor at ${app}. ${notice.left} are left.`,
        advice: settings,
      }
    case 'factors-locked':
      return {
        subject: `Too many wrong codes at ${app}`,
        line: `Somebody who is logged in as you has entered too many wrong codes of a second factor at ${app}. Nobody got past it; it can be tried again in a while.`,
        advice: settings,
      }
    case 'account-linked':
      return {
        subject: `A way to log in was added at ${app}`,
        line: `${waysIn(notice)} can be used to log in to your account at ${app} from now on.`,
        advice: settings,
      }
    case 'account-updated':
      return {
        subject: `A way to log in was changed at ${app}`,
        line: `${waysIn(notice)} with which you log in to your account at ${app} was replaced by another one.`,
        advice: settings,
      }
    case 'account-unlinked':
      return {
        subject: `A way to log in was removed at ${app}`,
        line: `${waysIn(notice)} can no longer be used to log in to your account at ${app}.`,
        advice: settings,
      }
    case 'export':
      return {
        subject: `The key of your wallet at ${app} was shown`,
        line: `The private key of your wallet ${notice.address} at ${app} was shown to somebody who is logged in as you.`,
        advice: `If that was not you, move what is in the wallet to another one. ${remove}`,
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
  const name = accountNames[type] ?? 'An account of another service'
  return place ? `${name} (by a request from ${place})` : name
}
const accountNames: Partial<Record<ProvedType, string>> = {
  email: 'An email address',
  phone: 'A phone number',
  passkey: 'A passkey',
  'ethereum-wallet': 'A wallet',
  'solana-wallet': 'A wallet',
}
const deviceOf = ({ name, place }: { name: string; place: string }) => (place ? `${name} (${place})` : name)

function noticeMail(to: string, app: string, notice: Notice, at: Date): Mail {
  const { subject, line, advice } = wordsOf(app, notice)
  const lines = [`${line} That was on ${at.toUTCString()}.`, advice]
  return {
    to,
    subject,
    text: lines.join('\n\n'),
    html: mailPage(
      `<p style="margin:0 0 16px">${escapeHtml(lines[0] ?? '')}</p><p style="margin:0;color:#6b6b76;font-size:14px">${escapeHtml(advice)}</p>`,
    ),
  }
}
