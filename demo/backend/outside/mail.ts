import { Unavailable } from '../lib/refusal.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}
export interface Mailer {
  /** @throws Unavailable when the gateway does not take the mail */
  send(mail: Mail): Promise<void>
  close(): void
}

/**
 * Sends mail through an SMTP server.
 * @param url such as `smtps://user:password@host`; `?ignoreTLS=true` for one on the same machine
 * @param from the sender, as `Name <address>`
 * @param log called with the reason why a mail could not leave, without the address
 */
export function createMailer(url: string, from: string, log: (line: string) => void): Mailer {
  /** Made with the first mail: loading the library takes longer than starting the rest. */
  let transport: Promise<Transport> | undefined
  async function open(): Promise<Transport> {
    const { createTransport } = await import('nodemailer')
    // Shorter than the 20 s after which a client stops waiting for its answer.
    const limits = {
      connectionTimeout: 5_000,
      greetingTimeout: 5_000,
      socketTimeout: 10_000,
      dnsTimeout: 5_000,
    }
    return createTransport({ url, pool: true, maxConnections: 4, ...limits })
  }
  return {
    async send(mail) {
      try {
        transport ??= open()
        await (await transport).sendMail({ from, ...mail })
      } catch (cause) {
        log(
          `A mail could not be sent: ${cause instanceof Error && 'code' in cause ? cause.code : 'unknown reason'}`,
        )
        throw new Unavailable('The e-mail could not be sent. Please try again.', { cause })
      }
    },
    close() {
      transport?.then((opened) => opened.close()).catch(() => {})
    },
  }
}
type Transport = Pick<import('nodemailer').Transporter, 'sendMail' | 'close'>

/** The look of a mail. @param content HTML */
export const mailPage = (content: string) =>
  `<!doctype html><html lang="en"><body style="margin:0;padding:32px 16px;background:#f4f4f7;color:#1d1d24;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif"><div style="max-width:440px;margin:0 auto;padding:32px;background:#fff;border-radius:12px">${content}</div></body></html>`

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Text as it stands in HTML. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? '')
