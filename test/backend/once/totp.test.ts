import { describe, expect, test } from 'vitest'
import { newTotpSecret, totpStep, totpUrl } from '../../../demo/backend/mfa/totp.ts'

/** RFC 6238, appendix B, SHA-1: seconds, and the last six of the eight digits. The secret is '12345678901234567890'. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const

describe('codes of authenticator apps', () => {
  test.each(vectors)('at %i seconds are those of RFC 6238', (at, code) => {
    const step = Math.floor(at / 30)
    expect(totpStep(secret, code, at * 1_000)).toBe(step)
    // One step off is still taken for what it is, two are not.
    expect(totpStep(secret, code, (step * 30 + 59) * 1_000)).toBe(step)
    expect(totpStep(secret, code, (step * 30 - 1) * 1_000)).toBe(step)
    expect(totpStep(secret, code, (step * 30 + 60) * 1_000)).toBeUndefined()
    expect(totpStep(secret, code, (step * 30 + 90) * 1_000)).toBeUndefined()
  })
  test('are made from 160 random bits, which an app reads from an address', () => {
    const made = newTotpSecret()
    expect(made).toMatch(/^[A-Z2-7]{32}$/)
    expect(newTotpSecret()).not.toBe(made)
    const url = new URL(totpUrl(made, 'My & Shop', 'me@example.com'))
    expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
      ...['otpauth:', 'totp', '/My & Shop:me@example.com'],
    ])
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ secret: made, issuer: 'My & Shop' })
  })
})
