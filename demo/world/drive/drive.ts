import { createHash, randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as v from 'valibot'
import { crossOrigin } from '../cross-origin.ts'
import { type Kept, openKept } from '../kept.ts'
import type { Holder } from '../oauth/oauth.ts'
import { appDataScope } from '../oauth/openid-originals.ts'
import { isFull } from '../oauth/people.ts'
import { DriveError, driveErrors } from './errors.ts'
import { pick } from './fields.ts'
import { readParts } from './multipart.ts'

/** The largest upload in one request, as Google has it. */
const MOST_BYTES = 5 * 1024 * 1024
const MOST_LISTED = 1_000

interface File {
  id: string
  name: string
  mimeType: string
  /** In base64. */
  content: string
  createdTime: string
}
/** Files of one person at one app, in the order in which they were made. */
type Folder = File[]

const metadata = v.object({
  name: v.optional(v.pipe(v.string(), v.maxLength(32_767)), 'Untitled'),
  mimeType: v.optional(v.pipe(v.string(), v.regex(/^[\w.+-]+\/[\w.+-]+$/))),
  parents: v.optional(v.array(v.string())),
})

/**
 * Google Drive's REST API (v3), as far as an app's own hidden folder goes: create by a multipart upload, list, read,
 * delete. The folder belongs to the person and the app together, and no other sees it.
 * @param options.holder whose a token is, at the provider that gave it
 * @param options.file where the files are kept over a restart
 */
export async function createGoogleDrive({
  holder,
  file,
}: {
  holder: (token: string) => Promise<Holder | undefined>
  file?: string | undefined
}) {
  const kept: Kept<Folder> = await openKept(file)

  /** @throws DriveError unless the token opens the folder */
  async function folderOf(authorization: string | undefined) {
    const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
    const who = token ? await holder(token) : undefined
    if (!who) throw driveErrors.unauthorised()
    if (!who.scopes.has(appDataScope)) throw driveErrors.scope()
    const key = `${who.clientId} ${who.person.id}`
    // The very list that is kept: several calls at once all change it.
    const files = kept.all.get(key) ?? []
    kept.all.set(key, files)
    return { files, person: who.person }
  }
  const found = (files: Folder, id: string) => {
    const one = files.find((each) => each.id === id)
    if (!one) throw driveErrors.notFound(id)
    return one
  }

  const app = new Hono()
  app.use(crossOrigin({ methods: ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'] }))

  app.post(
    '/upload/drive/v3/files',
    bodyLimit({
      maxSize: MOST_BYTES,
      onError: (c) => c.json(driveErrors.tooLarge().body, 413),
    }),
    async (c) => {
      const { files, person } = await folderOf(c.req.header('authorization'))
      if (c.req.query('uploadType') !== 'multipart')
        throw driveErrors.invalid('uploadType', 'This stands in for multipart uploads only.')
      const body = Buffer.from(await c.req.arrayBuffer())
      const [about, media, ...more] = readParts(c.req.header('content-type') ?? '', body) ?? []
      if (!about || !media || more.length > 0) throw driveErrors.badRequest('Malformed multipart body.')
      const said = v.safeParse(v.pipe(v.string(), v.parseJson(), metadata), about.bytes.toString('utf8'))
      if (!/^application\/json\b/i.test(about.type) || !said.success)
        throw driveErrors.badRequest('Malformed metadata.')
      const { name, mimeType = media.type.split(';', 1)[0]?.trim() ?? '', parents } = said.output
      // Elsewhere in the drive this scope may write nothing.
      if (parents?.length !== 1 || parents[0] !== 'appDataFolder') throw driveErrors.scope()
      if (isFull(person.login)) throw driveErrors.full()
      const made: File = {
        id: `1${randomBytes(24).toString('base64url')}`,
        name,
        mimeType,
        content: media.bytes.toString('base64'),
        createdTime: new Date().toISOString(),
      }
      const answer = pick(viewOf(made, c.req.query('fields')), c.req.query('fields'), fileFields)
      files.push(made)
      await kept.save()
      return c.json(answer)
    },
  )

  app.get('/drive/v3/about', async (c) => {
    const { person } = await folderOf(c.req.header('authorization'))
    if (!c.req.query('fields')) throw driveErrors.invalid('fields', "The 'fields' parameter is required.")
    return c.json({ user: { displayName: person.name, emailAddress: person.email } })
  })

  app.get('/drive/v3/files', async (c) => {
    const { files } = await folderOf(c.req.header('authorization'))
    const { spaces = 'drive', fields, pageSize = '100', pageToken = '0' } = c.req.query()
    if (spaces !== 'appDataFolder') throw driveErrors.scope()
    const [size, from] = [Number(pageSize), Number(pageToken)]
    if (!Number.isInteger(size) || size < 1 || size > MOST_LISTED)
      throw driveErrors.invalid('pageSize', `Invalid value '${pageSize.slice(0, 32)}'.`)
    if (!Number.isInteger(from) || from < 0) throw driveErrors.invalid('pageToken', 'Invalid Value')
    // The newest come first.
    const page = files.toReversed().slice(from, from + size)
    const list = {
      kind: 'drive#fileList',
      incompleteSearch: false,
      ...(from + size < files.length && { nextPageToken: String(from + size) }),
      files: page.map((one) => viewOf(one, fields)),
    }
    return c.json(pick(list, fields, ['kind', 'incompleteSearch', 'nextPageToken', 'files']))
  })

  app.get('/drive/v3/files/:id', async (c) => {
    const { files } = await folderOf(c.req.header('authorization'))
    const one = found(files, c.req.param('id'))
    const { alt, fields } = c.req.query()
    if (alt !== 'media') return c.json(pick(viewOf(one, fields), fields, fileFields))
    return c.body(new Uint8Array(Buffer.from(one.content, 'base64')), 200, {
      'content-type': one.mimeType,
      'cache-control': 'private, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
    })
  })

  app.delete('/drive/v3/files/:id', async (c) => {
    const { files } = await folderOf(c.req.header('authorization'))
    files.splice(files.indexOf(found(files, c.req.param('id'))), 1)
    await kept.save()
    return c.body(null, 204)
  })

  app.all('*', () => {
    throw driveErrors.noMethod()
  })
  app.onError((error, c) => {
    if (error instanceof DriveError) return c.json(error.body, error.code, { 'cache-control': 'no-store' })
    throw error
  })
  return { app }
}

const fileFields = [
  ...(['kind', 'id', 'name', 'mimeType', 'parents', 'spaces'] as const),
  ...(['createdTime', 'modifiedTime', 'size', 'md5Checksum'] as const),
]

/** A file without its content: in short, unless a call names what it wants. */
function viewOf({ id, name, mimeType, content, createdTime }: File, fields: string | undefined) {
  const short = { kind: 'drive#file', id, name, mimeType }
  if (fields === undefined) return short
  const bytes = Buffer.from(content, 'base64')
  return {
    ...short,
    parents: ['appDataFolder'],
    spaces: ['appDataFolder'],
    createdTime,
    modifiedTime: createdTime,
    size: String(bytes.length),
    md5Checksum: createHash('md5').update(bytes).digest('hex'),
  }
}
