import { expect, test } from 'vitest'
import { readSettings } from '../../../src/vault/entry/settings.ts'
import { appId } from '../support/backend.ts'

const good = { appId, apiUrl: 'https://api.example/', allowedOrigins: ['https://host.example'] }

test('the settings of the page are read and frozen', () => {
  const settings = readSettings(JSON.stringify({ ...good, more: 1 }))
  const drives = {
    googleDriveUrl: 'https://www.googleapis.com',
    cloudKitUrl: 'https://api.apple-cloudkit.com',
  }
  expect(settings).toEqual({ ...good, apiUrl: 'https://api.example', ...drives, rawSigning: false })
  const own = { googleDriveUrl: 'http://localhost:1/drive/', cloudKitUrl: 'http://localhost:2' }
  expect(readSettings(JSON.stringify({ ...good, ...own }))).toMatchObject({
    googleDriveUrl: 'http://localhost:1/drive',
    cloudKitUrl: 'http://localhost:2',
  })
  expect(Object.isFrozen(settings) && Object.isFrozen(settings?.allowedOrigins)).toBe(true)
})

test('an app has raw hashes signed only if it says so in as many words', () => {
  for (const rawSigning of ['true', 1, {}, null, false])
    expect(readSettings(JSON.stringify({ ...good, rawSigning }))?.rawSigning).toBe(false)
  expect(readSettings(JSON.stringify({ ...good, rawSigning: true }))?.rawSigning).toBe(true)
})

test('without sound settings there is no vault', () => {
  const bad = [
    { ...good, appId: 'short' },
    { ...good, appId: 5 },
    { ...good, apiUrl: 'javascript:alert(1)' },
    { ...good, apiUrl: '/relative' },
    { ...good, googleDriveUrl: 'javascript:alert(1)' },
    { ...good, cloudKitUrl: 5 },
    { ...good, allowedOrigins: 'https://host.example' },
    { ...good, allowedOrigins: [5] },
    { ...good, allowedOrigins: undefined },
  ]
  for (const settings of bad) expect(readSettings(JSON.stringify(settings))).toBeUndefined()
  const odd = [
    undefined,
    null,
    '',
    '{',
    '[]',
    '{"__proto__":{}}',
    JSON.stringify(good).replace('}', ',"constructor":{}}'),
  ]
  for (const text of odd) expect(readSettings(text)).toBeUndefined()
})
