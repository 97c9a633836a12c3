import type { Fetch } from '../../../src/lib/retrying-fetch.ts'

export const googleDriveUrl = 'https://drive.example'
export const cloudKitUrl = 'https://cloudkit.example'
export const container = { apiToken: 'api.token', container: 'iCloud.example', environment: 'development' }

type Fields = Record<string, { value: unknown }>

/** People's drives, as far as the vault speaks to them: each token is one account's. */
export function createDrives() {
  /** By account and name. */
  const google = new Map<string, Map<string, string>>()
  const icloud = new Map<string, Map<string, Fields>>()
  /** CloudKit takes a web token once, and answers with the next. */
  const webTokens = new Map<string, string>()
  const calls: { url: URL; init: RequestInit }[] = []
  const faults: {
    before?: ((url: URL) => unknown) | undefined
    after?: ((url: URL) => unknown) | undefined
  } = {}

  const fetch: Fetch = async (input, init = {}) => {
    const url = new URL(input)
    calls.push({ url, init })
    const instead = await faults.before?.(url)
    if (instead instanceof Response) return instead
    const answer = url.origin === googleDriveUrl ? askGoogle(url, init) : askIcloud(url, init)
    const late = await faults.after?.(url)
    return late instanceof Response ? late : answer
  }

  function askGoogle(url: URL, init: RequestInit): Response {
    const account = /^Bearer google-token-(\w+)$/.exec(
      new Headers(init.headers).get('authorization') ?? '',
    )?.[1]
    if (!account) return Response.json({ error: { code: 401, status: 'UNAUTHENTICATED' } }, { status: 401 })
    if (url.pathname === '/drive/v3/about')
      return Response.json({ user: { displayName: account, emailAddress: `${account}@example.com` } })
    const files = google.get(account) ?? new Map<string, string>()
    google.set(account, files)
    if (init.method === 'POST' && url.pathname === '/upload/drive/v3/files') {
      const [about, content] = readParts(init)
      if (
        url.searchParams.get('uploadType') !== 'multipart' ||
        !about?.includes('"parents":["appDataFolder"]')
      )
        return Response.json({ error: { code: 400 } }, { status: 400 })
      const id = `file-${crypto.randomUUID()}`
      files.set(id, content ?? '')
      return Response.json({ id })
    }
    const id = /^\/drive\/v3\/files\/([\w-]+)$/.exec(url.pathname)?.[1] ?? ''
    const found = url.searchParams.get('alt') === 'media' ? files.get(id) : undefined
    if (found !== undefined) return new Response(found)
    return Response.json({ error: { code: 404, errors: [{ reason: 'notFound' }] } }, { status: 404 })
  }

  function askIcloud(url: URL, init: RequestInit): Response {
    const account = takeWebToken(url.searchParams.get('ckWebAuthToken') ?? '')
    if (!account || url.searchParams.get('ckAPIToken') !== container.apiToken) {
      const failure = {
        uuid: crypto.randomUUID(),
        serverErrorCode: 'AUTHENTICATION_REQUIRED',
        redirectURL: 'https://x',
      }
      return Response.json(failure, { status: 421 })
    }
    const records = icloud.get(account) ?? new Map<string, Fields>()
    icloud.set(account, records)
    const next = { 'x-apple-cloudkit-web-auth-token': signIn(account) }
    if (url.pathname.endsWith('/private/users/caller'))
      return Response.json({ nameComponents: { givenName: account } }, { headers: next })
    const body = JSON.parse(String(init.body))
    const path = `/database/1/${container.container}/${container.environment}/private/records/`
    if (url.pathname === `${path}modify`) {
      const [{ operationType, record }] = body.operations
      if (operationType !== 'create') return Response.json({}, { status: 400, headers: next })
      const { recordName, fields } = record
      if (records.has(recordName)) return one({ recordName, serverErrorCode: 'EXISTS' }, next)
      records.set(recordName, fields)
      return one(record, next)
    }
    if (url.pathname !== `${path}lookup`) return Response.json({}, { status: 404, headers: next })
    const [{ recordName }] = body.records
    const fields = records.get(recordName)
    return one(fields ? { recordName, fields } : { recordName, serverErrorCode: 'NOT_FOUND' }, next)
  }
  const one = (record: object, headers: HeadersInit) => Response.json({ records: [record] }, { headers })

  /** Signs a person's account in at iCloud. */
  function signIn(account: string): string {
    const token = `${account}+/=${crypto.randomUUID()}`
    webTokens.set(token, account)
    return token
  }
  function takeWebToken(token: string): string | undefined {
    const account = webTokens.get(token)
    webTokens.delete(token)
    return account
  }

  return {
    fetch,
    google,
    icloud,
    calls,
    faults,
    googleToken: (account = 'one') => `google-token-${account}`,
    icloudToken: (account = 'one') => signIn(account),
  }
}
export type Drives = ReturnType<typeof createDrives>

/** The bodies of a multipart/related request. */
function readParts(init: RequestInit): string[] {
  const boundary = /boundary=(\S+)$/.exec(new Headers(init.headers).get('content-type') ?? '')?.[1] ?? '?'
  return String(init.body)
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.slice(part.indexOf('\r\n\r\n') + 4, -2))
}
