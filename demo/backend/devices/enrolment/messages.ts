import { sendableName } from '../../codes/sms-gateway.ts'
import { escapeHtml, type Mail, mailPage } from '../../outside/mail.ts'
import type { Appearance } from '../describe.ts'

/** What a code is for. */
export interface CodeFor extends Appearance {
  appName: string
  code: string
  /** Milliseconds that it lives. */
  life: number
}

const deviceOf = ({ name, place }: Appearance) => (place ? `${name} (${place})` : name)

/** The mail with a code that lets a device use somebody's wallets. */
export function enrolmentMail(to: string, given: CodeFor): Mail {
  const { appName, code, life } = given
  const minutes = Math.round(life / 60_000)
  const what = `It lets ${deviceOf(given)} use your wallets at ${appName}. If this isn't you, ignore it.`
  const use = `It works once, for ${minutes} minutes, and on that device alone.`
  return {
    to,
    subject: `${code} lets a new device use your wallets at ${appName}`,
    text: [`Your code for your wallets at ${appName}:`, code, what, use].join('\n\n'),
    html: mailPage(
      `<p style="margin:0 0 16px">Your code for your wallets at <strong>${escapeHtml(appName)}</strong>:</p>
<p style="margin:0 0 16px;font:600 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.18em">${code}</p>
<p style="margin:0 0 16px">${escapeHtml(what)}</p>
<p style="margin:0;color:#6b6b76;font-size:14px">${use}</p>`,
    ),
  }
}

/** The SMS with such a code. @param boundTo what a browser needs to fill it in by itself, on a line of its own */
export function enrolmentSms(given: CodeFor, boundTo: string | undefined): string {
  // Each for itself, so that a long place is not cut off with half of its brackets.
  const name = sendableName(given.name, 'a device')
  const device = deviceOf({ name, place: sendableName(given.place, '') })
  const words = `${given.code} lets ${device} use your wallets at ${sendableName(given.appName)}. If this isn't you, ignore it.`
  return boundTo ? `${words}\n\n@${boundTo} #${given.code}` : words
}
