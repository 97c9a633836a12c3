import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { inboxPage, inboxPolicy } from './inbox-page.ts'

/** One message that came in, as `GET /messages.json` lists it. */
export interface Message {
  kind: 'email' | 'sms'
  to: string
  subject: string
  body: string
  /** The code in it; empty when there is none. */
  code: string
  /** ISO 8601. */
  at: string
}
export interface Mailbox {
  /** Where the SMTP server listens; `url` is what a backend takes as its `smtpUrl`. */
  smtp: { host: string; port: number; url: string }
  /** The inbox: `GET /messages.json`, `DELETE /messages.json`, and a page for people at `/`. */
  app: Hono
  /** Newest first. */
  messages(): readonly Message[]
  /** Adds a message from another source, such as the SMS stand-in. */
  add(message: Message): void
  close(): Promise<void>
}

/** More than anybody reads; the oldest make room. */
const MOST = 500

/**
 * Stands in for the mail of the world: a real SMTP server in this process, and the inbox of everybody who gets
 * mail from it.
 * @param options.port of the SMTP server; 0 takes any free one
 * @throws Error when the port is taken
 */
export async function createMailbox({ port = 0 }: { port?: number } = {}): Promise<Mailbox> {
  const [{ SMTPServer }, { simpleParser }] = await Promise.all([import('smtp-server'), import('mailparser')])
  const kept: Message[] = []
  function add(message: Message): void {
    kept.unshift(message)
    kept.length = Math.min(kept.length, MOST)
  }

  const host = '127.0.0.1'
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    size: 1_048_576,
    logger: false,
    async onData(stream, session, done) {
      try {
        const { subject = '', text = '' } = await simpleParser(stream)
        const body = text.trim()
        const code = /(?<!\d)\d{6}(?!\d)/.exec(body)?.[0] ?? ''
        const at = new Date().toISOString()
        for (const { address } of session.envelope.rcptTo)
          add({ kind: 'email', to: address, subject, body, code, at })
        done()
      } catch (cause) {
        done(cause instanceof Error ? cause : new Error('The message could not be read'))
      }
    },
  })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed)
    server.listen(port, host, () => ready())
  })
  // A client that breaks its connection off is its own problem.
  server.on('error', () => {})
  const listening = (server.server.address() as AddressInfo).port

  const app = new Hono()
  app.use('/messages.json', async (c, next) => {
    if (c.req.method === 'OPTIONS') c.res = new Response(null, { status: 204 })
    else await next()
    c.header('access-control-allow-origin', '*')
    c.header('access-control-allow-methods', 'GET, DELETE')
    c.header('cache-control', 'no-store')
  })
  app.get('/messages.json', (c) => c.json(kept))
  app.delete('/messages.json', (c) => {
    kept.length = 0
    return c.json({})
  })
  app.get('/', (c) => {
    c.header('content-security-policy', inboxPolicy)
    c.header('x-content-type-options', 'nosniff')
    return c.html(inboxPage)
  })

  return {
    smtp: { host, port: listening, url: `smtp://${host}:${listening}?ignoreTLS=true` },
    app,
    messages: () => kept,
    add,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}
