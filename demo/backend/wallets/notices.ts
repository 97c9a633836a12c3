import { escapeHtml, type Mail, mailPage } from '../outside/mail.ts'
import { mailAddresses } from '../users/addresses.ts'
import type { UserSession, WalletContext } from './context.ts'

/** What a person is told. */
export type Notice =
  | { what: 'device-enrolled' | 'device-removed'; name: string; place: string }
  | { what: 'recovering' | 'recovery-change' | 'export'; address: string }
export interface Notices {
  /** Mails it, where the app wants that. Not waited for: what it tells of has happened, whether a mail can leave or not. */
  tell(session: UserSession, notice: Notice): void
  /** The parts of a recovery leave one after the other: one mail tells of them all. */
  recovering(session: UserSession & { device: { id: string } }, address: string): void
}

const ONE_RECOVERY = 10 * 60_000

/** Tells people by mail what their devices and wallets have given out. */
export function createNotices(cx: Pick<WalletContext, 'database' | 'mailer' | 'oneTime' | 'clock'>): Notices {
  const { database, mailer, oneTime, clock } = cx

  async function send({ app, userId }: UserSession, notice: Notice): Promise<void> {
    const at = new Date(clock())
    for (const to of await mailAddresses(database, app.id, userId))
      await mailer.send(noticeMail(to, app.name, notice, at))
  }
  function tell(session: UserSession, notice: Notice): void {
    // A failure is the mailer's to log.
    if (session.app.notices) send(session, notice).catch(() => {})
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
  const remove = `If that was not you, remove that browser in your account’s settings at ${app}.`
  switch (notice.what) {
    case 'device-enrolled':
      return {
        subject: `A new browser can use your wallets at ${app}`,
        line: `${browserOf(notice)} can use your wallets at ${app} from now on.`,
        advice: remove,
      }
    case 'device-removed':
      return {
        subject: `A browser was removed at ${app}`,
        line: `${browserOf(notice)} can no longer use your wallets at ${app}.`,
        advice: 'If that was not you, look through the browsers that are left in your account’s settings.',
      }
    case 'recovering':
      return {
        subject: `Your wallet at ${app} is being recovered`,
        line: `A browser of yours has asked for what recovers your wallet ${notice.address} at ${app}.`,
        advice: remove,
      }
    case 'recovery-change':
      return {
        subject: `Your wallet at ${app} is recovered in another way now`,
        line: `The way in which your wallet ${notice.address} at ${app} is recovered was changed.`,
        advice: `If that was not you, move what is in the wallet to another one. ${remove}`,
      }
    case 'export':
      return {
        subject: `The key of your wallet at ${app} was shown`,
        line: `The private key of your wallet ${notice.address} at ${app} was shown to somebody who is logged in as you.`,
        advice: `If that was not you, move what is in the wallet to another one. ${remove}`,
      }
  }
}

const browserOf = ({ name, place }: { name: string; place: string }) => (place ? `${name} (${place})` : name)

function noticeMail(to: string, app: string, notice: Notice, at: Date): Mail {
  const { subject, line, advice } = wordsOf(app, notice)
  const lines = [`${line} That was on ${at.toUTCString()}.`, advice]
  return {
    ...{ to, subject, text: lines.join('\n\n') },
    html: mailPage(
      `<p style="margin:0 0 16px">${escapeHtml(lines[0] ?? '')}</p><p style="margin:0;color:#6b6b76;font-size:14px">${escapeHtml(advice)}</p>`,
    ),
  }
}
