import { describe, expect, test } from 'vitest'
import type { Fetch } from '../../../src/lib/retrying-fetch.ts'
import type { VaultContext } from '../../../src/vault/context.ts'
import { createContext } from '../../../src/vault/create-context.ts'
import { type Drive, newFile, readSecret } from '../../../src/vault/recovery/drives/file.ts'
import { googleDrive } from '../../../src/vault/recovery/drives/google-drive.ts'
import { icloud } from '../../../src/vault/recovery/drives/icloud.ts'
import { createDevice, partsOf, quickClock, settings } from '../support/device.ts'
import { cloudKitUrl, container, createDrives, type Drives, googleDriveUrl } from '../support/drives.ts'

const wallet = '7d7f1b0e-6f4b-4f43-9a56-0d8b6a1f0c11'
const app = settings.appId
const contextOf = (fetch: Fetch): VaultContext =>
  createContext({
    settings: { ...settings, googleDriveUrl, cloudKitUrl },
    fetch,
    clock: quickClock,
    ...partsOf(createDevice()),
  })

const kinds = [
  [
    'Google Drive',
    (cx: VaultContext, drives: Drives, account?: string) => googleDrive(cx, drives.googleToken(account)),
  ],
  [
    'iCloud',
    (cx: VaultContext, drives: Drives, account?: string) =>
      icloud(cx, container, drives.icloudToken(account)),
  ],
] as const

describe.each(kinds)('%s', (_, open) => {
  const setUp = () => {
    const drives = createDrives()
    const cx = contextOf(drives.fetch)
    return { drives, cx, drive: open(cx, drives) }
  }
  const written = async (drive: Drive) => {
    const file = newFile(app, wallet)
    return { file, name: await drive.write(file) }
  }

  test('keeps a file and gives it back to the same account', async () => {
    const { drives, cx, drive } = setUp()
    const { file, name } = await written(drive)
    expect(await drive.read(name)).toMatchObject({ ...file })
    expect(readSecret(await open(cx, drives).read(name), app, wallet)).toBe(file.secret)
    expect(file.secret).toMatch(/^[\w-]{43}$/)
  })

  test('writes every file beside the others', async () => {
    const { drive } = setUp()
    const one = await written(drive)
    const two = await written(drive)
    expect(one.name).not.toBe(two.name)
    expect(readSecret(await drive.read(one.name), app, wallet)).toBe(one.file.secret)
  })

  test('has nothing in another account, nor under another name', async () => {
    const { drives, cx, drive } = setUp()
    const { name } = await written(drive)
    const missing = { type: 'error', message: 'The recovery file was not found in this drive' }
    await expect(open(cx, drives, 'two').read(name)).rejects.toMatchObject(missing)
    for (const odd of ['', 'file-gone', '../../evil', 'a/b?c'])
      await expect(drive.read(odd)).rejects.toMatchObject(missing)
  })

  test('is asked with nothing but its own token, and follows nobody elsewhere', async () => {
    const { drives, drive } = setUp()
    await written(drive)
    for (const { init } of drives.calls)
      expect(init).toMatchObject({
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
      })
  })

  test('a token that is refused is distinguished from a drive that fails', async () => {
    const drives = createDrives()
    const cx = contextOf(drives.fetch)
    const refused = { type: 'error', message: 'The drive denied access' }
    await expect(googleDrive(cx, 'old').read('file-1')).rejects.toMatchObject(refused)
    await expect(icloud(cx, container, 'old').read('one')).rejects.toMatchObject(refused)
    for (const status of [401, 403]) {
      drives.faults.before = () => Response.json({ error: { status: 'PERMISSION_DENIED' } }, { status })
      await expect(written(open(cx, drives))).rejects.toMatchObject(refused)
    }
  })

  test('answers of any kind end in an error that quotes nothing of them', async () => {
    const answers: [string, () => Response][] = [
      ...[400, 403, 404, 413, 429, 500, 503].map(
        (status) =>
          [
            String(status),
            () =>
              Response.json(
                { error: { errors: [{ reason: 'userRateLimitExceeded' }], secret: 's3cret' } },
                { status },
              ),
          ] as [string, () => Response],
      ),
      ['HTML', () => new Response('<h1>s3cret</h1>')],
      ['nothing', () => new Response('')],
      ['another type', () => Response.json(['s3cret'])],
      ['no id', () => Response.json({ id: 's3cret/../..', records: ['s3cret'] })],
      ['a prototype', () => new Response('{"__proto__":{"id":"s3cret"}}')],
      ['much', () => new Response('s3cret'.repeat(300_000))],
      ['lost', () => Response.error()],
    ]
    for (const [what, answer] of answers) {
      const { drives, drive } = setUp()
      drives.faults.before = () => answer()
      const failure = await written(drive).catch((cause: unknown) => cause)
      expect(failure, what).toMatchObject({ name: 'VaultError', type: 'error' })
      expect(JSON.stringify(failure) + String(failure), what).not.toContain('s3cret')
    }
  })

  test('a connection that breaks is tried again, and a write that was done is not lost by it', async () => {
    const { drives, drive } = setUp()
    let lost = 0
    drives.faults.before = () => {
      if (lost++ === 0) throw new TypeError('connection reset')
    }
    const { file, name } = await written(drive)
    expect(readSecret(await drive.read(name), app, wallet)).toBe(file.secret)
  })

  test('a drive that never answers is given up', async () => {
    const { drives, drive } = setUp()
    drives.faults.before = () => new Promise(() => {})
    await expect(written(drive)).rejects.toMatchObject({ message: 'The drive is not available' })
  })
})

test('an iCloud token serves one round trip: each call uses the one that the last answer had', async () => {
  const drives = createDrives()
  const drive = icloud(contextOf(drives.fetch), container, drives.icloudToken())
  const file = newFile(app, wallet)
  const name = await drive.write(file)
  for (let turn = 0; turn < 3; turn++) expect(await drive.read(name)).toMatchObject({ secret: file.secret })
  const used = drives.calls.map(({ url }) => url.searchParams.get('ckWebAuthToken'))
  expect(new Set(used).size).toBe(4)
})

test('a record that iCloud says exists is the one of an attempt whose answer was lost', async () => {
  const drives = createDrives()
  const drive = icloud(contextOf(drives.fetch), container, drives.icloudToken())
  let first = true
  drives.faults.after = () => {
    if (!first) return undefined
    first = false
    return new Response('{}', {
      status: 503,
      headers: { 'x-apple-cloudkit-web-auth-token': drives.icloudToken() },
    })
  }
  const file = newFile(app, wallet)
  const name = await drive.write(file)
  expect(readSecret(await drive.read(name), app, wallet)).toBe(file.secret)
  expect(drives.icloud.get('one')?.size).toBe(1)
})

test('a file of another wallet, app or version is not this wallet’s', () => {
  const file = newFile(app, wallet)
  for (const other of [{ v: 2 }, { app: 'other' }, { wallet: 'other' }, { secret: '' }, { secret: 5 }])
    expect(() => readSecret({ ...file, ...other }, app, wallet)).toThrow(
      'The recovery file was not found in this drive',
    )
})
