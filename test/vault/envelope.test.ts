import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBase64url, randomBytes, toBase64url } from '../../src/vault/bytes.ts'
import { envelopeLength, openShare, type ShareKind, sealShare } from '../../src/vault/envelope.ts'
import { ShareError } from '../../src/vault/errors.ts'
import { newSealingKey } from '../../src/vault/keys.ts'
import { openPackage, sealPackage } from '../../src/vault/recovery-package.ts'
import { splitEntropy } from '../../src/vault/shares.ts'

const address = '0x27b1fdb04752bbc536007a920d24acb045561c26'
const kinds: readonly ShareKind[] = ['device', 'auth', 'recovery']

async function sealed(kind: ShareKind) {
  const key = await newSealingKey()
  const walletId = crypto.randomUUID()
  const set = await splitEntropy(randomBytes(16), { walletId, address })
  const share = set[kind]
  const expected = { kind, walletId, address, setId: share.setId }
  return { key, share, set, expected, text: await sealShare(key, share) }
}
async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'accepted'
  } catch (cause) {
    return cause instanceof ShareError ? cause.reason : `not typed: ${cause}`
  }
}
const flipped = (text: string, at: number, bit: number) =>
  text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1)
const typed = ['malformed', 'version', 'damaged', 'mismatch']

describe('share envelope', () => {
  test('round trip; the same share never seals to the same text', async () => {
    const { key, share, expected, text } = await sealed('device')
    expect(text).toHaveLength(envelopeLength)
    expect(await openShare(key, text, expected)).toEqual(share)
    expect(await sealShare(key, share)).not.toBe(text)
  })

  test('every single bit of the text and of the bytes, flipped, is found', { timeout: 120_000 }, async () => {
    let bits = 0
    let found = 0
    for (let wallet = 0; wallet < 5; wallet++)
      for (const kind of kinds) {
        const { key, text, expected } = await sealed(kind)
        const damaged = [...text].flatMap((_, at) =>
          [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => flipped(text, at, bit)),
        )
        const bytes = fromBase64url(text) ?? expect.unreachable('no envelope')
        for (let bit = 0; bit < bytes.length * 8; bit++) {
          const other = bytes.slice()
          other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          damaged.push(toBase64url(other))
        }
        for (const one of damaged) {
          bits++
          if (typed.includes(await refusal(openShare(key, one, expected)))) found++
        }
      }
    console.log(`Envelopes: ${found} of ${bits} flipped bits detected (5 wallets × 3 shares, text and bytes)`)
    expect(found).toBe(bits)
  })

  test('every single bit of a recovery package, flipped, is found', { timeout: 120_000 }, async () => {
    const { key, set, expected } = await sealed('auth')
    const text = await sealPackage(key, set.auth, set.recovery)
    expect(await openPackage(key, text, expected)).toEqual({ auth: set.auth, recovery: set.recovery })
    let found = 0
    for (let at = 0; at < text.length; at++)
      for (let bit = 0; bit < 8; bit++)
        if (typed.includes(await refusal(openPackage(key, flipped(text, at, bit), expected)))) found++
    console.log(`Recovery package: ${found} of ${text.length * 8} flipped bits detected`)
    expect(found).toBe(text.length * 8)
    const half = text.length / 2
    expect(await refusal(openPackage(key, text.slice(half) + text.slice(0, half), expected))).toBe('mismatch')
    expect(await refusal(openPackage(key, text.slice(1), expected))).toBe('malformed')
  })

  test('another key, kind, wallet, set or address is refused, and so is anything that is no envelope', async () => {
    const { key, text, expected } = await sealed('auth')
    const other = crypto.randomUUID()
    expect(await refusal(openShare(await newSealingKey(), text, expected))).toBe('damaged')
    expect(await refusal(openShare(key, text, { ...expected, kind: 'device' }))).toBe('mismatch')
    expect(await refusal(openShare(key, text, { ...expected, walletId: other }))).toBe('mismatch')
    expect(await refusal(openShare(key, text, { ...expected, setId: other }))).toBe('mismatch')
    expect(await refusal(openShare(key, text, { ...expected, address: `0x${'1'.repeat(40)}` }))).toBe(
      'mismatch',
    )
    for (const bad of ['', 'x', `${text}A`, text.slice(1), ` ${text.slice(1)}`, `${text.slice(0, -1)}=`])
      expect(await refusal(openShare(key, bad, expected))).toBe('malformed')
  })

  test('100,000 random texts: a typed error each', { timeout: 120_000 }, async () => {
    const { key, text, expected } = await sealed('device')
    const length = { minLength: envelopeLength, maxLength: envelopeLength }
    const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    const texts = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.string({ unit: letters, ...length }),
      fc
        .string({ unit: letters, maxLength: 60 })
        .map((end) => text.slice(0, envelopeLength - end.length) + end),
    )
    await fc.assert(
      fc.asyncProperty(
        texts,
        async (one) => one === text || typed.includes(await refusal(openShare(key, one, expected))),
      ),
      { numRuns: 100_000, seed: 25 },
    )
  })

  test('keys of this device can be read by no script', async () => {
    await expect(crypto.subtle.exportKey('raw', await newSealingKey())).rejects.toThrow()
  })

  test('base64url has one text for each value', () => {
    expect(toBase64url(Uint8Array.of(0xfb, 0xff))).toBe('-_8')
    expect(fromBase64url('-_8')).toEqual(Uint8Array.of(0xfb, 0xff))
    for (const bad of ['-_9', '+/8', '-_8=', 'A', '-_8\n', 'é', 'AAAAA'])
      expect(fromBase64url(bad)).toBeUndefined()
  })
})
