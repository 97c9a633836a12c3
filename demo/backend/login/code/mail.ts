import type { Appearance } from '../../devices/describe.ts'
import { escapeHtml, type Mail, mailPage } from '../../outside/mail.ts'

/**
 * The mail with a login code.
 * @param life milliseconds that the code lives
 * @param device what the code lets use wallets, too
 */
export function codeMail(to: string, appName: string, code: string, life: number, device?: Appearance): Mail {
  const minutes = Math.round(life / 60_000)
  const also = device ? [`It also lets ${deviceOf(device)} use your wallets there.`] : []
  return {
    to,
    subject: `${code} is your code for ${appName}`,
    text: [
      `Your code for ${appName}:`,
      code,
      ...also,
      `It works once, for ${minutes} minutes. If you did not ask for it, you can ignore this mail: nobody gets in without it.`,
    ].join('\n\n'),
    html: mailPage(
      `<p style="margin:0 0 16px">Your code for <strong>${escapeHtml(appName)}</strong>:</p>
<p style="margin:0 0 16px;font:600 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.18em">${code}</p>
${also.map((line) => `<p style="margin:0 0 16px">${escapeHtml(line)}</p>\n`).join('')}<p style="margin:0;color:#6b6b76;font-size:14px">It works once, for ${minutes} minutes. If you did not ask for it, you can ignore this mail: nobody gets in without it.</p>`,
    ),
  }
}

const deviceOf = ({ name, place }: Appearance) => (place ? `${name} (${place})` : name)

/** The mail that tells somebody of too many wrong guesses. @param until when codes are judged again */
export function lockedMail(to: string, appName: string, until: Date): Mail {
  const line = `Too many wrong codes were entered for this address at ${appName}. Codes work again from ${until.toUTCString()}.`
  const advice =
    'If that was not you, somebody may have tried to get in. They did not. Until then you can log in in another way.'
  return {
    to,
    subject: `Login to ${appName} is paused`,
    text: `${line}\n\n${advice}`,
    html: mailPage(
      `<p style="margin:0 0 16px">${escapeHtml(line)}</p><p style="margin:0;color:#6b6b76;font-size:14px">${advice}</p>`,
    ),
  }
}
