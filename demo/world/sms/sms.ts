import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { basicAuth } from 'hono/basic-auth'
import type { Mailbox } from '../mail/mailbox.ts'

/** The original's published test numbers, and what it answers for each. */
const magic: Record<string, readonly [code: number, message: string]> = {
  '+15005550001': [21211, "The 'To' number +15005550001 is not a valid phone number."],
  '+15005550002': [
    21612,
    "The 'To' phone number: +15005550002, is not currently reachable using the 'From' phone number",
  ],
  '+15005550003': [
    21408,
    "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: +15005550003",
  ],
  '+15005550004': [21610, 'Attempt to send to unsubscribed recipient'],
  '+15005550009': [21614, "'To' number: +15005550009, is not a mobile number"],
}

/**
 * Stands in for an SMS gateway: Twilio's Messages API, whose messages end in the inbox.
 * @param account.sid what the original calls the account SID: `AC` and 32 hex digits
 */
export function createSmsGateway({
  mailbox,
  sid,
  token,
}: {
  mailbox: Pick<Mailbox, 'add'>
  sid: string
  token: string
}): { app: Hono } {
  const app = new Hono()
  const failed = (code: number, message: string, status = 400) =>
    Response.json(
      { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
      { status },
    )

  app.use(
    '/2010-04-01/*',
    basicAuth({
      verifyUser: (username, password) => username === sid && password === token,
      realm: 'Twilio API',
      invalidUserMessage: () => ({
        code: 20003,
        message: 'Authenticate',
        more_info: 'https://www.twilio.com/docs/errors/20003',
        status: 401,
      }),
    }),
  )
  app.post('/2010-04-01/Accounts/:account/Messages.json', async (c) => {
    const { account } = c.req.param()
    if (account !== sid) return failed(20404, 'The requested resource was not found', 404)
    if (!c.req.header('content-type')?.startsWith('application/x-www-form-urlencoded'))
      return failed(20001, 'Invalid content type', 415)
    const form = new URLSearchParams(await c.req.text())
    const [to, body] = [form.get('To') ?? '', form.get('Body') ?? '']
    const from = form.get('From')
    const service = form.get('MessagingServiceSid')
    if (!to) return failed(21604, "A 'To' phone number is required.")
    if (!from && !service) return failed(21603, "A 'From' phone number is required.")
    if (!body) return failed(21602, 'Message body is required.')
    if (body.length > 1_600)
      return failed(21617, 'The concatenated message body exceeds the 1600 character limit.')
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return failed(21211, `Invalid 'To' Phone Number: ${to}`)
    if (from && !/^(\+[1-9]\d{2,14}|[A-Za-z0-9 ]{1,11})$/.test(from))
      return failed(21212, `Invalid From Number: ${from}`)
    const refused = magic[to]
    if (refused) return failed(...refused)

    const at = new Date()
    mailbox.add({
      kind: 'sms',
      to,
      subject: '',
      body,
      code: /(?<!\d)\d{6}(?!\d)/.exec(body)?.[0] ?? '',
      at: at.toISOString(),
    })
    const id = `SM${randomBytes(16).toString('hex')}`
    const uri = `/2010-04-01/Accounts/${sid}/Messages/${id}`
    return c.json(
      {
        account_sid: sid,
        api_version: '2010-04-01',
        body,
        date_created: at.toUTCString().replace('GMT', '+0000'),
        date_sent: null,
        date_updated: at.toUTCString().replace('GMT', '+0000'),
        direction: 'outbound-api',
        error_code: null,
        error_message: null,
        from,
        messaging_service_sid: service,
        num_media: '0',
        num_segments: String(Math.ceil(body.length / 160)),
        price: null,
        price_unit: 'USD',
        sid: id,
        status: 'queued',
        subresource_uris: { media: `${uri}/Media.json` },
        to,
        uri: `${uri}.json`,
      },
      201,
    )
  })
  app.all('*', () => failed(20404, 'The requested resource was not found', 404))
  return { app }
}
