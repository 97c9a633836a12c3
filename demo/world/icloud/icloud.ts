import { createHash, randomBytes } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as v from 'valibot'
import { crossOrigin } from '../cross-origin.ts'
import { openKept } from '../kept.ts'
import { isFull, readLogin } from '../oauth/people.ts'
import { CloudKitError } from './errors.ts'
import { answerPage, pageHeaders, problemPage, signInPage } from './pages.ts'
import { checkZone, lookUp, lookupBody, modify, modifyBody, type PrivateDatabase } from './records.ts'
import { createSessions, type Session } from './sessions.ts'

/** The header that brings the next token. */
const NEXT_TOKEN = 'X-Apple-CloudKit-Web-Auth-Token'
const MOST_BYTES = 2 * 1024 * 1024

/** What one app has at CloudKit. */
const demoApp = { container: 'iCloud.example.latchkey.demo', environment: 'development' as const }

/** Their data is encrypted so that no third party's page can get at it: they can't sign in on the web. */
const isProtected = (login: string) => login.startsWith('protected')

/**
 * iCloud, as far as a page's own private records go: the sign-in window, which answers by a message, and CloudKit web
 * services (modifying and looking up records, and the current user). Tokens change with every request, as Apple's do.
 * @param options.base where it is mounted, such as `http://localhost:4805/icloud`
 * @param options.file where the records are kept over a restart
 * @param options.returnTo the address that a second API token was registered with, to which its sign-ins go back
 */
export async function createIcloud({
  base,
  file,
  returnTo,
}: {
  base: string
  file?: string | undefined
  returnTo?: string | undefined
}) {
  const apiToken = createHash('sha256').update(demoApp.container).digest('hex')
  const returningToken = createHash('sha256').update(`${demoApp.container} ${returnTo}`).digest('hex')
  const sessions = createSessions()
  const kept = await openKept<PrivateDatabase>(file)

  const isOurs = ({ container, environment }: { container?: string; environment?: string }) =>
    container === demoApp.container && environment === demoApp.environment
  const signInUrl = ({ container, environment }: Omit<Session, 'login'>, api: string | undefined) => {
    const oauth_token = `${api === returningToken ? 'r' : 'm'}${randomBytes(24).toString('hex')}`
    return `${base}/sign-in?${new URLSearchParams({ container, environment, oauth_token })}`
  }
  /** The answer of a sign-in: to the page that opened the window, or to the address of the API token. */
  const answer = (c: Context, fields: Record<string, string>) =>
    returnTo && c.req.query('oauth_token')?.startsWith('r')
      ? c.redirect(`${returnTo}?${new URLSearchParams(fields)}`, 303)
      : c.html(answerPage(fields), 200, pageHeaders)
  const userRecordName = ({ login, container }: Session) =>
    `_${createHash('sha256').update(`${container} ${login}`).digest('hex').slice(0, 32)}`

  /** Who calls. The next token is part of every answer. @throws CloudKitError */
  function signedIn(c: Context): Session {
    const { container = '', environment = '' } = c.req.param() as Record<string, string>
    const api = c.req.query('ckAPIToken')
    if ((api !== apiToken && api !== returningToken) || !isOurs({ container, environment }))
      throw new CloudKitError('AUTHENTICATION_FAILED', 'Authentication failed')
    const session = sessions.take(c.req.query('ckWebAuthToken') ?? '')
    if (session?.container !== container || session.environment !== environment)
      throw new CloudKitError('AUTHENTICATION_REQUIRED', 'request needs authorization', {
        redirectURL: signInUrl({ container, environment }, api),
      })
    c.header(NEXT_TOKEN, sessions.issue(session))
    return session
  }
  async function read<T>(c: Context, schema: v.GenericSchema<unknown, T>): Promise<T> {
    // With any media type: pages avoid a preflight with text/plain.
    const body = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), await c.req.text())
    if (!body.success) throw new CloudKitError('BAD_REQUEST', 'BadRequestException: unexpected body')
    return body.output
  }
  function databaseOf(session: Session): PrivateDatabase {
    const key = `${session.container} ${session.environment} ${session.login}`
    const database = kept.all.get(key) ?? Object.create(null)
    kept.all.set(key, database)
    return database
  }

  const app = new Hono()
  app.get('/sign-in', (c) => {
    const query = c.req.query()
    if (!isOurs(query)) return c.html(problemPage('There is no such container.'), 400, pageHeaders)
    return c.html(signInPage({ action: c.req.url, container: demoApp.container }), 200, pageHeaders)
  })
  app.post('/sign-in', async (c) => {
    if (!isOurs(c.req.query())) return c.html(problemPage('There is no such container.'), 400, pageHeaders)
    const form = await c.req.parseBody()
    if (form.answer === 'deny') return answer(c, { errorMessage: 'The user cancelled the sign in' })
    const login = readLogin(form.login)
    if (login === undefined) {
      const failed = typeof form.login === 'string' ? form.login.slice(0, 100) : ''
      const again = signInPage({ action: c.req.url, container: demoApp.container, failed })
      return c.html(again, 422, pageHeaders)
    }
    if (isProtected(login))
      return c.html(
        problemPage(
          'This account has Advanced Data Protection, with which no app on the web gets at its data.',
        ),
        200,
        pageHeaders,
      )
    const token = sessions.issue({ login, ...demoApp })
    return answer(c, { ckWebAuthToken: token, ckSession: token })
  })

  const place = '/database/1/:container/:environment'
  app.use(
    '/database/*',
    crossOrigin({
      methods: ['GET', 'POST'],
      exposed: ['X-Apple-Request-UUID', NEXT_TOKEN, 'X-Responding-Instance', 'Via'],
    }),
    bodyLimit({
      maxSize: MOST_BYTES,
      onError: (c) => c.json(new CloudKitError('BAD_REQUEST', 'request is too large').body, 413),
    }),
  )
  for (const path of ['users/current', 'users/caller'])
    app.get(`${place}/:database/${path}`, (c) => {
      const session = signedIn(c)
      const nameComponents = { givenName: session.login.split('@')[0] }
      return c.json({ userRecordName: userRecordName(session), nameComponents })
    })
  app.post(`${place}/private/records/lookup`, async (c) => {
    const session = signedIn(c)
    const body = await read(c, lookupBody)
    checkZone(body)
    return c.json({ records: lookUp(databaseOf(session), body) })
  })
  app.post(`${place}/private/records/modify`, async (c) => {
    const session = signedIn(c)
    const body = await read(c, modifyBody)
    checkZone(body)
    const person = { userRecordName: userRecordName(session), full: isFull(session.login) }
    const records = modify(databaseOf(session), body, person)
    await kept.save()
    return c.json({ records })
  })
  app.all('*', () => {
    throw new CloudKitError('BAD_REQUEST', 'BadRequestException: no such operation')
  })
  app.onError((error, c) => {
    if (error instanceof CloudKitError) return c.json(error.body, error.status)
    throw error
  })

  return {
    app,
    /** What an app is given at CloudKit. */
    credentials: { apiToken, ...demoApp },
    /** The same for an app whose vault runs the sign-in. */
    returning: { apiToken: returningToken, ...demoApp },
  }
}
