import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VaultError } from '../../../src/vault/errors.ts'
import { readToken } from '../../../src/vault/token.ts'
import { limit } from '../../support/limit.ts'
import { counted, soak } from '../../support/soak.ts'
import { appId, makeToken } from '../support/backend.ts'

test('what the vault reads of a token', () => {
  const text = makeToken('did:x', { exp: 2_000 })
  const token = readToken(text, appId, 1_999_999)
  expect(token).toEqual({
    text,
    user: 'did:x',
    expiresAt: 2_000_000,
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(() => readToken(text, appId, 2_000_000)).toThrow('expired')
  expect(readToken(makeToken('did:x'), appId, 0).fingerprint).not.toBe(token.fingerprint)
})

const tokens = soak(1_000, 100_000)

test(`each of ${counted(tokens)} random tokens is refused with a typed error`, {
  timeout: limit(120_000),
}, () => {
  const part = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.jsonValue({ maxDepth: 2 }).map((claims) => Buffer.from(JSON.stringify(claims)).toString('base64url')),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  )
  const texts = fc.array(part, { maxLength: 4 }).map((parts) => parts.join('.'))
  fc.assert(
    fc.property(texts, (text) => {
      try {
        readToken(text, appId, 0)
        return false
      } catch (cause) {
        return cause instanceof VaultError
      }
    }),
    { numRuns: tokens, seed: 5 },
  )
})
