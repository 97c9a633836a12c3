import { expect, test } from 'vitest'
import { readSettings } from '../../src/vault/settings.ts'
import { appId } from './support/backend.ts'

const good = { appId, apiUrl: 'https://api.example/', allowedOrigins: ['https://host.example'] }

test('the settings of the page are read and frozen', () => {
  const settings = readSettings(JSON.stringify({ ...good, more: 1 }))
  expect(settings).toEqual({ ...good, apiUrl: 'https://api.example' })
  expect(Object.isFrozen(settings) && Object.isFrozen(settings?.allowedOrigins)).toBe(true)
})

test('without sound settings there is no vault', () => {
  const bad = [
    { ...good, appId: 'short' },
    { ...good, appId: 5 },
    { ...good, apiUrl: 'javascript:alert(1)' },
    { ...good, apiUrl: '/relative' },
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
