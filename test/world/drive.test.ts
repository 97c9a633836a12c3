/** The stand-in for Google Drive, over HTTP and in its own protocol: what the vault meets is what these see. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGoogleDrive } from '../../demo/world/drive/drive.ts'
import { readParts } from '../../demo/world/drive/multipart.ts'
import type { Holder } from '../../demo/world/oauth/oauth.ts'
import { appDataScope } from '../../demo/world/oauth/openid-originals.ts'
import { personOf } from '../../demo/world/oauth/people.ts'

/** `<login>@<client>` is a token that opens the drive, `<login>@<client>!` one that doesn't. */
async function holder(token: string): Promise<Holder | undefined> {
  const [, login, clientId, less] = /^(\w+)@(\w+)(!?)$/.exec(token) ?? []
  if (!login || !clientId) return undefined
  return { person: personOf('google', login), clientId, scopes: new Set(less ? ['openid'] : [appDataScope]) }
}

const boundary = 'a-boundary'
const secret = JSON.stringify({ v: 1, secret: 'none of Google’s business' })
const bodyOf = (about: object, content = secret) =>
  [
    ...[`--${boundary}`, 'Content-Type: application/json; charset=UTF-8', '', JSON.stringify(about)],
    ...[`--${boundary}`, 'Content-Type: application/json', '', content, `--${boundary}--`, ''],
  ].join('\r\n')
const about = { name: 'recovery.json', mimeType: 'application/json', parents: ['appDataFolder'] }

type Drive = Awaited<ReturnType<typeof createGoogleDrive>>
let drive: Drive
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-drive-'))
  drive = await createGoogleDrive({ holder, file: join(folder, 'drive.json') })
})
afterAll(() => rm(folder, { recursive: true }))

const call = async (token: string, path: string, init: RequestInit = {}, at: Drive = drive) => {
  const headers = { authorization: `Bearer ${token}`, ...init.headers }
  const answer = await at.app.request(path, { ...init, headers })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text.startsWith('{') ? JSON.parse(text) : {},
  }
}
const upload = (
  token: string,
  body: string | Uint8Array = bodyOf(about),
  query = 'uploadType=multipart',
  type?: string,
) =>
  call(token, `/upload/drive/v3/files?${query}`, {
    method: 'POST',
    headers: { 'content-type': type ?? `multipart/related; boundary=${boundary}` },
    body: body as BodyInit,
  })
const reasonOf = ({ body }: { body: { error?: { errors: { reason: string }[] } } }) =>
  body.error?.errors[0]?.reason

describe('an app’s folder in Google Drive', () => {
  it('takes a file and gives it back as it was', async () => {
    const made = await upload('ann@app')
    expect([made.status, Object.keys(made.body)]).toEqual([200, ['kind', 'id', 'name', 'mimeType']])
    expect(made.body).toMatchObject({
      kind: 'drive#file',
      name: 'recovery.json',
      mimeType: 'application/json',
    })
    const read = await call('ann@app', `/drive/v3/files/${made.body.id}?alt=media`)
    expect([read.status, read.headers.get('content-type'), read.text]).toEqual([
      200,
      'application/json',
      secret,
    ])
    expect((await call('ann@app', `/drive/v3/files/${made.body.id}?fields=parents,size`)).body).toEqual({
      parents: ['appDataFolder'],
      size: String(Buffer.byteLength(secret)),
    })
  })

  it('keeps two files of one name apart, and lists the newest first', async () => {
    const [first, second] = [
      await upload('bob@app'),
      await upload('bob@app', bodyOf(about, '2'), 'uploadType=multipart&fields=id'),
    ]
    expect(Object.keys(second.body)).toEqual(['id'])
    const list = await call('bob@app', '/drive/v3/files?spaces=appDataFolder&fields=files(id,name)')
    expect(list.body).toEqual({
      files: [second, first].map(({ body: { id } }) => ({ id, name: 'recovery.json' })),
    })
    const page = await call('bob@app', '/drive/v3/files?spaces=appDataFolder&pageSize=1')
    expect(page.body).toMatchObject({ kind: 'drive#fileList', incompleteSearch: false, nextPageToken: '1' })
  })

  it('belongs to one person at one app', async () => {
    const { body } = await upload('cleo@app')
    for (const token of ['dan@app', 'cleo@other']) {
      const answer = await call(token, `/drive/v3/files/${body.id}?alt=media`)
      expect([answer.status, reasonOf(answer)]).toEqual([404, 'notFound'])
      expect(answer.body.error.message).toBe(`File not found: ${body.id}.`)
      expect((await call(token, '/drive/v3/files?spaces=appDataFolder')).body.files).toEqual([])
    }
  })

  it('loses a file that is deleted', async () => {
    const { body } = await upload('eve@app')
    const gone = await call('eve@app', `/drive/v3/files/${body.id}`, { method: 'DELETE' })
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await call('eve@app', `/drive/v3/files/${body.id}?alt=media`)).status).toBe(404)
  })

  it('is there again after a restart, with everything that was written at once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => upload('fay@app')))
    const again = await createGoogleDrive({ holder, file: join(folder, 'drive.json') })
    const list = await call('fay@app', '/drive/v3/files?spaces=appDataFolder&fields=files(id)', {}, again)
    expect(list.body.files).toHaveLength(made.length)
  })
})

describe('Google Drive refuses', () => {
  it.each([
    ['no token', () => call('', '/drive/v3/files?spaces=appDataFolder'), 401, 'authError'],
    ['a token that it never gave', () => upload('nonsense'), 401, 'authError'],
    ['a token for something else', () => upload('ann@app!'), 403, 'insufficientPermissions'],
    [
      'the rest of the drive',
      () => upload('ann@app', bodyOf({ ...about, parents: undefined })),
      403,
      'insufficientPermissions',
    ],
    ['a list of it', () => call('ann@app', '/drive/v3/files'), 403, 'insufficientPermissions'],
    ['a file where there is no room', () => upload('full@app'), 403, 'storageQuotaExceeded'],
    [
      'another kind of upload',
      () => upload('ann@app', bodyOf(about), 'uploadType=media'),
      400,
      'invalidParameter',
    ],
    ['a body that breaks off', () => upload('ann@app', bodyOf(about).slice(0, -8)), 400, 'badRequest'],
    [
      'a body of another type',
      () => upload('ann@app', '{}', undefined, 'application/json'),
      400,
      'badRequest',
    ],
    [
      'fields that no file has',
      () => upload('ann@app', bodyOf(about), 'uploadType=multipart&fields=secret'),
      400,
      'invalidParameter',
    ],
    ['too large a file', () => upload('ann@app', new Uint8Array(5 * 1024 * 1024 + 1)), 413, 'uploadTooLarge'],
    ['an account without the fields', () => call('ann@app', '/drive/v3/about'), 400, 'invalidParameter'],
    ['what it doesn’t know', () => call('ann@app', '/drive/v3/changes'), 404, 'notFound'],
  ])('%s', async (_, ask, status, reason) => {
    const answer = await ask()
    expect([answer.status, reasonOf(answer)]).toEqual([status, reason])
    expect(answer.body.error).toMatchObject({ code: status, message: expect.any(String) })
  })
})

it('lets pages everywhere call Google Drive, and asks for no cookies', async () => {
  const origin = 'http://vault.localhost:4802'
  const asked = await drive.app.request('/upload/drive/v3/files?uploadType=multipart', {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([200, origin])
  expect(asked.headers.get('access-control-allow-headers')).toBe('authorization,content-type')
  expect(asked.headers.get('access-control-allow-methods')).toContain('POST')
  const refused = await drive.app.request('/drive/v3/files/x', { headers: { origin } })
  expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
  expect(refused.headers.has('access-control-allow-credentials')).toBe(false)
})

it('reads multipart bodies as RFC 2387 has them', () => {
  const read = (type: string, text: string) =>
    readParts(type, Buffer.from(text))?.map(({ type, bytes }) => [type, bytes.toString()])
  const text = '--b\r\nContent-Type: a/b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--'
  expect(read('multipart/related; boundary="b"; type=a/b', text)).toEqual([
    ['a/b', 'one'],
    ['text/plain', 'two'],
  ])
  expect(read('multipart/related;boundary=b', `preamble\r\n${text}\r\nafter`)).toHaveLength(2)
  for (const wrong of ['', '--b', '--b\r\n', '--b\r\nno headers', '--bb\r\n\r\none\r\n--bb--'])
    expect(read('multipart/related; boundary=b', wrong)).toBeUndefined()
  expect(read('multipart/form-data; boundary=b', text)).toBeUndefined()
})
