/** The vault's own clients against the demo's drives: two readings of the vendors' documents that must agree. */
import { describe, expect, test } from 'vitest'
import { createGoogleDrive } from '../../../demo/world/drive/drive.ts'
import { createIcloud } from '../../../demo/world/icloud/icloud.ts'
import { appDataScope } from '../../../demo/world/oauth/openid-originals.ts'
import { personOf } from '../../../demo/world/oauth/people.ts'
import type { Fetch } from '../../../src/lib/retrying-fetch.ts'
import { createContext } from '../../../src/vault/create-context.ts'
import { type Drive, newFile, readSecret } from '../../../src/vault/recovery/drives/file.ts'
import { googleDrive } from '../../../src/vault/recovery/drives/google-drive.ts'
import { icloud } from '../../../src/vault/recovery/drives/icloud.ts'
import { createDevice, partsOf, quickClock, settings } from '../support/device.ts'

const base = 'http://localhost:4805'
const wallet = '7d7f1b0e-6f4b-4f43-9a56-0d8b6a1f0c11'

/** A token for the drive of the person with that name; each call signs in separately. */
type SignIn = (login: string) => Promise<Drive>

const contextOf = (fetch: Fetch) =>
  createContext({
    settings: { ...settings, googleDriveUrl: base, cloudKitUrl: base },
    clock: quickClock,
    ...partsOf(createDevice()),
    // Where the vault is, a page's browser says so.
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...(init?.headers as object), origin: settings.apiUrl } }),
  })

async function google(): Promise<SignIn> {
  const { app } = await createGoogleDrive({
    holder: async (token) => ({
      person: personOf('google', token.replace('-without', '')),
      clientId: 'app',
      scopes: new Set(token.endsWith('-without') ? [] : [appDataScope]),
    }),
  })
  const cx = contextOf(async (url, init) => app.request(String(url).slice(base.length), init))
  return async (login) => googleDrive(cx, login)
}

async function apple(): Promise<SignIn> {
  const { app, credentials } = await createIcloud({ base })
  const cx = contextOf(async (url, init) => app.request(String(url).slice(base.length), init))
  return async (login) => {
    const place = new URLSearchParams({ ...credentials, oauth_token: 'x' })
    const page = await app.request(`/sign-in?${place}`, {
      method: 'POST',
      body: new URLSearchParams({ login, answer: 'allow' }),
    })
    const { ckSession } = JSON.parse(/id="answer">(.*?)<\/script>/.exec(await page.text())?.[1] ?? '{}')
    return icloud(cx, credentials, ckSession)
  }
}

describe.each([
  ['Google Drive', google],
  ['iCloud', apple],
])('the demo’s %s', (_, open) => {
  test('keeps what the vault writes, for the same person on another day', async () => {
    const signIn = await open()
    const [file, second] = [newFile(settings.appId, wallet), newFile(settings.appId, wallet)]
    const drive = await signIn('ann')
    const name = await drive.write(file)
    // Written again beside it, and read back in the same visit, as a change of recovery does.
    const other = await drive.write(second)
    expect(readSecret(await drive.read(other), settings.appId, wallet)).toBe(second.secret)
    const later = await signIn('ann')
    expect(readSecret(await later.read(name), settings.appId, wallet)).toBe(file.secret)
  })

  test('has nothing of it in another account', async () => {
    const signIn = await open()
    const name = await (await signIn('ann')).write(newFile(settings.appId, wallet))
    await expect((await signIn('bob')).read(name)).rejects.toThrow(
      'The recovery file was not found in this drive',
    )
  })

  test('says when there is no room', async () => {
    const signIn = await open()
    const drive = await signIn('full')
    await expect(drive.write(newFile(settings.appId, wallet))).rejects.toThrow('The drive is not available')
  })
})

test('a token without the scope, or used before, gives no access', async () => {
  const [drive, cloud] = [await (await google())('ann-without'), await (await apple())('ann.lee')]
  await expect(drive.read('anything')).rejects.toThrow('The drive denied access')
  await cloud.read('nothing').catch(() => {})
  const { app, credentials } = await createIcloud({ base })
  const cx = contextOf(async (url, init) => app.request(String(url).slice(base.length), init))
  await expect(icloud(cx, credentials, 'used').read('nothing')).rejects.toThrow('The drive denied access')
})
