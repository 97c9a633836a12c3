import { createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Bytes, randomBytes } from '../../../src/vault/bytes.ts'
import { checkOf, passwordKey, proofOf, secretKey, stretch } from '../../../src/vault/recovery/keys.ts'
import { limit } from '../../support/limit.ts'

const hex = (bytes: ArrayBuffer | Uint8Array) => Buffer.from(bytes as Uint8Array).toString('hex')
const hkdf = (secret: Uint8Array, salt: Uint8Array, info: string, length = 32) =>
  hex(new Uint8Array(hkdfSync('sha256', secret, salt, info, length)))
const none = new Uint8Array()

describe('the keys of recovery, by another implementation', { timeout: limit(30_000) }, () => {
  const salt = randomBytes(16)

  test('a password is stretched in its NFKC form', async () => {
    const stretched = await stretch('pa\uFB01 \u00E9', { iterations: 600_000, salt })
    expect(hex(stretched)).toBe(hex(pbkdf2Sync('pafi \u00E9', salt, 600_000, 32, 'sha256')))
    expect(stretched).toEqual(await stretch('pafi e\u0301', { iterations: 600_000, salt }))
    expect(stretched).not.toEqual(await stretch('PaFi \u00E9', { iterations: 600_000, salt }))
  })

  test('the proof, the key of a password, of a secret, and the check', async () => {
    const stretched = randomBytes(32)
    const proof = await proofOf(stretched)
    expect(hex(proof)).toBe(hkdf(stretched, none, 'latchkey password proof'))
    const evaluation = new Uint8Array(createHmac('sha256', randomBytes(32)).update(proof).digest()) as Bytes
    const key = await passwordKey(stretched, evaluation, salt)
    expect(hex(key)).toBe(hkdf(Buffer.concat([stretched, evaluation]), salt, 'latchkey recovery key'))
    expect(hex(await secretKey('a secret é'))).toBe(
      hkdf(Buffer.from('a secret é'), none, 'latchkey recovery secret'),
    )
    expect(hex(await checkOf(key))).toBe(hkdf(key, none, 'latchkey recovery check', 16))
  })

  test('what the server sees of a password is neither its key nor a part of it', async () => {
    const stretched = randomBytes(32)
    const proof = await proofOf(stretched)
    const keys = [await passwordKey(stretched, proof, salt), await checkOf(stretched), stretched]
    for (const key of keys) expect(hex(proof)).not.toContain(hex(key).slice(0, 16))
  })
})
