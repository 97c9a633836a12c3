import { expect, test } from 'vitest'
import { simple7702Account } from '../../../src/ethereum/wallet-code.ts'
import { readSettings } from '../../../src/vault/entry/settings.ts'
import { appId } from '../support/backend.ts'

const good = { appId, apiUrl: 'https://api.example/', allowedOrigins: ['https://host.example'] }

test('the settings of the page are read and frozen', () => {
  const settings = readSettings(JSON.stringify({ ...good, more: 1 }))
  const drives = {
    googleDriveUrl: 'https://www.googleapis.com',
    cloudKitUrl: 'https://api.apple-cloudkit.com',
  }
  const delegates = [simple7702Account]
  const strict = { vault: 'strict', rawSigning: false, appName: '', requireOwnRecovery: false }
  expect(settings).toEqual({
    ...good,
    apiUrl: 'https://api.example',
    ...drives,
    ...strict,
    delegates,
    sponsors: [],
  })
  const own = { googleDriveUrl: 'http://localhost:1/drive/', cloudKitUrl: 'http://localhost:2' }
  expect(readSettings(JSON.stringify({ ...good, ...own }))).toMatchObject({
    googleDriveUrl: 'http://localhost:1/drive',
    cloudKitUrl: 'http://localhost:2',
  })
  expect(Object.isFrozen(settings) && Object.isFrozen(settings?.allowedOrigins)).toBe(true)
})

test('settings: sponsors are read, and those that can’t be read have no name', () => {
  const sponsor = { chainId: 8453, address: `0x${'ab'.repeat(20)}`, name: 'Gas Tank' }
  const bad = [
    { ...sponsor, chainId: '8453' },
    { ...sponsor, address: '0x12' },
    { ...sponsor, name: ' ' },
    { ...sponsor, name: 'x'.repeat(41) },
    'sponsor',
  ]
  const read = (sponsors: unknown) => readSettings(JSON.stringify({ ...good, sponsors }))?.sponsors
  expect(read([sponsor, ...bad])).toMatchObject([{ chainId: 8453, name: 'Gas Tank' }])
  expect(read([sponsor, ...bad])?.[0]?.address.toLowerCase()).toBe(sponsor.address)
  expect([read(sponsor), read(undefined), read([])]).toEqual([[], [], []])
})

test('a vault is strict unless it is told in as many words to be compatible', () => {
  for (const vault of [undefined, 'lenient', 'Compatible', true, {}, null])
    expect(readSettings(JSON.stringify({ ...good, vault }))?.vault).toBe('strict')
  expect(readSettings(JSON.stringify({ ...good, vault: 'compatible' }))?.vault).toBe('compatible')
})

test('a compatible app has raw hashes signed only if it says so in as many words, a strict one never', () => {
  const compatible = { ...good, vault: 'compatible' }
  for (const rawSigning of ['true', 1, {}, null, false])
    expect(readSettings(JSON.stringify({ ...compatible, rawSigning }))?.rawSigning).toBe(false)
  expect(readSettings(JSON.stringify({ ...compatible, rawSigning: true }))?.rawSigning).toBe(true)
  for (const vault of [undefined, 'strict'])
    expect(readSettings(JSON.stringify({ ...good, vault, rawSigning: true }))?.rawSigning).toBe(false)
})

test('a compatible app has operations signed only if it says so in as many words, a strict one never', () => {
  const compatible = { ...good, vault: 'compatible' }
  for (const operationSigning of ['true', 1, {}, null, false])
    expect(
      readSettings(JSON.stringify({ ...compatible, operationSigning }))?.operationSigning,
    ).toBeUndefined()
  expect(readSettings(JSON.stringify({ ...compatible, operationSigning: true }))?.operationSigning).toBe(true)
  for (const vault of [undefined, 'strict'])
    expect(
      readSettings(JSON.stringify({ ...good, vault, operationSigning: true }))?.operationSigning,
    ).toBeUndefined()
})

test('a nonce for the first proof is read, and nothing else in its place', () => {
  expect(readSettings(JSON.stringify({ ...good, proofNonce: '1.a' }))?.proofNonce).toBe('1.a')
  expect(readSettings(JSON.stringify({ ...good, proofNonce: 1 }))).not.toHaveProperty('proofNonce')
})

test('what the vault’s own screens say of the app is read', () => {
  const said = { appName: 'Harbour', requireOwnRecovery: true }
  expect(readSettings(JSON.stringify({ ...good, ...said }))).toMatchObject(said)
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
