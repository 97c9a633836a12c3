/** The vault's drives against the demo's stand-ins, which were written by the vendors' documentation. */
import { expect, test } from 'vitest'
import { createGoogleDrive } from '../../../demo/world/drive/drive.ts'
import { createIcloud } from '../../../demo/world/icloud/icloud.ts'
import { appDataScope } from '../../../demo/world/oauth/openid-originals.ts'
import { personOf } from '../../../demo/world/oauth/people.ts'
import type { Fetch } from '../../../src/core/retrying-fetch.ts'
import { createContext } from '../../../src/vault/context.ts'
import { newFile, readSecret } from '../../../src/vault/drive/file.ts'
import { googleDrive } from '../../../src/vault/drive/google-drive.ts'
import { icloud } from '../../../src/vault/drive/icloud.ts'
import { createDevice, quickClock, settings } from '../support/rig.ts'

const wallet = crypto.randomUUID()
const missing = { type: 'error', message: 'The recovery file is not in this drive' }
const refused = { type: 'error', message: 'The drive did not give access' }
const contextOf = (app: { request: (path: string, init?: RequestInit) => Response | Promise<Response> }) => {
  const fetch: Fetch = async (input, init) => {
    const { pathname, search } = new URL(input)
    return app.request(`${pathname}${search}`, init)
  }
  return createContext({ settings, fetch, clock: quickClock, ...createDevice() })
}

test('Google Drive: written, read back, and by nobody else', async () => {
  const { app } = await createGoogleDrive({
    holder: async (token) => ({
      person: personOf('google', token.replace('less', '')),
      clientId: 'latchkey',
      scopes: new Set([token.startsWith('less') ? 'openid' : appDataScope]),
    }),
  })
  const cx = contextOf(app)
  const file = newFile(settings.appId, wallet)
  const name = await googleDrive(cx, 'ada').write(file)
  expect(readSecret(await googleDrive(cx, 'ada').read(name), settings.appId, wallet)).toBe(file.secret)
  await expect(googleDrive(cx, 'bob').read(name)).rejects.toMatchObject(missing)
  await expect(googleDrive(cx, 'lessada').read(name)).rejects.toMatchObject(refused)
  await expect(googleDrive(cx, 'full').write(file)).rejects.toMatchObject({
    message: 'The drive is not available',
  })
})

test('iCloud: written, read back with the next token, and by nobody else', async () => {
  const base = 'http://localhost:4805/icloud'
  const { app, credentials } = await createIcloud({ base })
  const cx = contextOf(app)
  const { apiToken, container, environment } = credentials
  /** Through the sign-in window. */
  async function tokenOf(login: string) {
    const path = `/database/1/${container}/${environment}/private/users/current?ckAPIToken=${apiToken}`
    const { redirectURL } = (await (await app.request(path)).json()) as { redirectURL: string }
    const form = new URLSearchParams({ login, answer: 'allow' })
    const page = await (
      await app.request(redirectURL.slice(base.length), { method: 'POST', body: form })
    ).text()
    return JSON.parse(/id="answer">(.*?)<\/script>/.exec(page)?.[1] ?? '{}').ckSession ?? ''
  }
  const drive = icloud(cx, credentials, await tokenOf('ada'))
  const file = newFile(settings.appId, wallet)
  const name = await drive.write(file)
  expect(readSecret(await drive.read(name), settings.appId, wallet)).toBe(file.secret)
  expect(readSecret(await drive.read(name), settings.appId, wallet)).toBe(file.secret)
  await expect(icloud(cx, credentials, await tokenOf('bob')).read(name)).rejects.toMatchObject(missing)
  await expect(icloud(cx, credentials, 'spent').read(name)).rejects.toMatchObject(refused)
  await expect(
    icloud(cx, { ...credentials, apiToken: 'other' }, await tokenOf('ada')).read(name),
  ).rejects.toMatchObject(refused)
})
