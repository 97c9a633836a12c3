import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBase64url, toBase64url } from '../../../src/vault/bytes.ts'
import { ShareError } from '../../../src/vault/errors.ts'
import { openShare, readLabel, type ShareKind } from '../../../src/vault/shares/envelope.ts'
import { sealShare } from '../../../src/vault/shares/seal.ts'
import { newSealingKey } from '../../../src/vault/shares/sealing-key.ts'
import { limit } from '../../support/limit.ts'
import { counted, soak } from '../../support/soak.ts'
import { sealFirst } from '../support/first-version.ts'
import { newRoot, rootKinds } from '../support/roots.ts'

async function sealed(kind: ShareKind, of = rootKinds[0] as (typeof rootKinds)[number]) {
  const key = await newSealingKey()
  const { set, walletId, address } = await newRoot(of)
  const share = set[kind]
  return { key, share, set, address, expected: { kind, walletId }, text: await sealShare(key, share) }
}
async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'accepted'
  } catch (cause) {
    return cause instanceof ShareError ? cause.reason : `not typed: ${cause}`
  }
}
const typed = ['malformed', 'version', 'damaged', 'mismatch']

describe('share envelope', () => {
  test.each(rootKinds)(
    '$kind, $chainType: round trip; the same share never seals to the same text',
    async (of) => {
      const { key, share, address, expected, text } = await sealed('device', of)
      expect(fromBase64url(text)).toHaveLength(of.kind === 'key' ? 177 : 161)
      expect(await openShare(key, text, expected)).toEqual(share)
      expect(await sealShare(key, share)).not.toBe(text)
      expect(share).toMatchObject({ secretKind: of.kind, chainType: of.chainType })
      expect(share.address).toBe(of.chainType === 'ethereum' ? address.toLowerCase() : address)
    },
  )

  test('its label can be read without a key', async () => {
    const { share, text } = await sealed('recovery', rootKinds[3])
    const { bytes: _, ...label } = share
    expect(await readLabel(fromBase64url(text) ?? expect.unreachable())).toEqual(label)
  })

  test('what the first version sealed is opened as an entropy with an Ethereum wallet', async () => {
    const { key, share, expected } = await sealed('auth')
    const text = await sealFirst(key, share)
    expect(text).toHaveLength(196)
    expect(await openShare(key, text, expected)).toEqual(share)
  })

  test('another key, kind, wallet, set, secret, chain or address is refused, and so is anything that is no envelope', async () => {
    const { key, text, expected } = await sealed('auth')
    const other = crypto.randomUUID()
    expect(await refusal(openShare(await newSealingKey(), text, expected))).toBe('damaged')
    for (const change of [
      { kind: 'device' },
      { walletId: other },
      { setId: other },
      { secretKind: 'key' },
      { chainType: 'solana' },
      { address: `0x${'1'.repeat(40)}` },
    ] as const)
      expect([change, await refusal(openShare(key, text, { ...expected, ...change }))]).toEqual([
        change,
        'mismatch',
      ])
    for (const bad of [
      '',
      'x',
      `${text}AAAA`,
      text.slice(4),
      text.slice(0, -4),
      `${text.slice(0, -1)}=`,
      'AgAA',
    ])
      expect(typed).toContain(await refusal(openShare(key, bad, expected)))
  })

  test('a newer version is distinguished from a damaged envelope', async () => {
    const { key, text, expected } = await sealed('auth')
    const bytes = fromBase64url(text) ?? expect.unreachable()
    bytes[0] = 3
    expect(await refusal(openShare(key, toBase64url(bytes), expected))).toBe('version')
  })

  test('what was sealed for one context is opened in no other', async () => {
    const { key, share, expected } = await sealed('recovery')
    const [here, there] = [Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4)]
    const text = await sealShare(key, share, here)
    expect(await openShare(key, text, expected, here)).toEqual(share)
    expect(await refusal(openShare(key, text, expected, there))).toBe('damaged')
    expect(await refusal(openShare(key, text, expected))).toBe('damaged')
  })

  const tries = soak(500, 100_000)

  test(`each of ${counted(tries)} random texts is refused with a typed error`, {
    timeout: limit(120_000),
  }, async () => {
    const { key, text, expected } = await sealed('device')
    const { length } = text
    const letters = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    const texts = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.string({ unit: letters, minLength: length, maxLength: length }),
      fc.string({ unit: letters, maxLength: 60 }).map((end) => text.slice(0, length - end.length) + end),
      fc.string({ unit: letters, minLength: 190, maxLength: 240 }).map((end) => `Ag${end}`),
    )
    await fc.assert(
      fc.asyncProperty(
        texts,
        async (one) => one === text || typed.includes(await refusal(openShare(key, one, expected))),
      ),
      { numRuns: tries, seed: 25 },
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
