import { createCipheriv } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Bytes, fromBase64url, randomBytes, toBase64url, utf8 } from '../../../src/vault/bytes.ts'
import { withRoot } from '../../../src/vault/keys/root.ts'
import { type PackageHeader, readPackage, sealPackage } from '../../../src/vault/recovery/package.ts'
import type { Share } from '../../../src/vault/shares/envelope.ts'
import { sealShare } from '../../../src/vault/shares/seal.ts'
import { importSealingKey } from '../../../src/vault/shares/sealing-key.ts'
import { splitRoot } from '../../../src/vault/shares/split.ts'
import { limit } from '../../support/limit.ts'
import { soak } from '../../support/soak.ts'

const salt = randomBytes(16)
const headers: PackageHeader[] = [
  { method: 'privy' },
  { method: 'user-passcode', stretching: { iterations: 600_000, salt } },
  { method: 'google-drive' },
  { method: 'icloud' },
  { method: 'recovery-encryption-key' },
]

async function shares(kind: 'entropy' | 'key' = 'entropy') {
  const walletId = crypto.randomUUID()
  const root = { walletId, kind, secret: randomBytes(kind === 'key' ? 32 : 16), chainType: 'solana' } as const
  const address = await withRoot(root, (open) =>
    open.withKey({ chainType: 'solana', index: 0 }, (key) => key.address),
  )
  return { walletId, ...(await splitRoot({ ...root, address })) }
}
async function sealed(header: PackageHeader = { method: 'privy' }, kind?: 'entropy' | 'key') {
  const set = await shares(kind)
  const key = randomBytes(32)
  return { key, set, text: await sealPackage(header, key, set.auth, set.recovery), walletId: set.walletId }
}
const failureOf = async (text: string, key: Bytes, walletId: string): Promise<string> => {
  try {
    await readPackage(text).open(key, walletId)
    return 'opened'
  } catch (cause) {
    const { name, reason = name } = cause as { name: string; reason?: string }
    return reason
  }
}
const withHeader = (text: string, change: (header: Record<string, unknown>) => object) => {
  const [header = '', ...more] = text.split('.')
  const read = JSON.parse(Buffer.from(header, 'base64url').toString())
  return [toBase64url(utf8(JSON.stringify(change(read)))), ...more].join('.')
}

describe('a recovery package', () => {
  test.each(headers)(
    'of $method says in the open what it needs, and gives both shares to its key',
    async (header) => {
      for (const kind of ['entropy', 'key'] as const) {
        const { key, set, text, walletId } = await sealed(header, kind)
        const read = readPackage(text)
        expect(read).toMatchObject(header)
        expect(await read.open(key, walletId)).toEqual({ auth: set.auth, recovery: set.recovery })
      }
    },
  )

  test('is written as documented', async () => {
    const { text } = await sealed(headers[1])
    const [header = '', auth = '', recovery = ''] = text.split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      v: 2,
      method: 'user-passcode',
      kdf: { name: 'PBKDF2-SHA256', iterations: 600_000, salt: toBase64url(salt) },
      check: expect.stringMatching(/^[\w-]{22}$/),
    })
    expect([auth, recovery].map((share) => fromBase64url(share)?.length)).toEqual([161, 161])
  })

  test('with another key is distinguished from one that is damaged', async () => {
    for (const header of headers) {
      const { key, text, walletId } = await sealed(header)
      expect(await failureOf(text, randomBytes(32), walletId)).toBe('WrongKey')
      expect(await failureOf(`${text.slice(0, -1)}${text.endsWith('A') ? 'Q' : 'A'}`, key, walletId)).toMatch(
        /damaged|malformed/,
      )
    }
  })

  // One bit in seven: over any seven bytes, each of a byte's bits gets its turn.
  const step = soak(21, 1)

  test(`${step === 1 ? 'every bit' : `one bit in ${step}`} of it, flipped, is noticed`, {
    timeout: limit(60_000),
  }, async () => {
    let flips = 0
    for (const header of headers.slice(0, 2)) {
      const { key, text, walletId } = await sealed(header)
      for (const [at, part] of text.split('.').entries()) {
        const bytes = fromBase64url(part) ?? expect.unreachable('no bytes')
        for (let bit = 0; bit < bytes.length * 8; bit += step) {
          const other = bytes.slice()
          other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          const changed = text.split('.').with(at, toBase64url(other)).join('.')
          expect(await failureOf(changed, key, walletId), `part ${at}, bit ${bit}`).not.toBe('opened')
          flips++
        }
      }
    }
    console.log(`Recovery packages: ${flips} single bits flipped, ${flips} noticed`)
  })

  test('has exactly one spelling: no character can be written differently', async () => {
    const { key, text, walletId } = await sealed(headers[1])
    for (let at = 0; at < text.length; at++)
      for (const other of ['A', '_', '=', '.', ' ', ''])
        if (other !== text[at])
          expect(await failureOf(text.slice(0, at) + other + text.slice(at + 1), key, walletId)).not.toBe(
            'opened',
          )
  })

  test('shares of another package, wallet or order don’t fit', async () => {
    const { key, set, text, walletId } = await sealed()
    const [header, auth, recovery] = text.split('.')
    const twin = (await sealPackage({ method: 'icloud' }, key, set.auth, set.recovery)).split('.')
    const others = [
      [header, recovery, auth],
      [header, auth, auth],
      [header, twin[1], twin[2]],
      [twin[0], auth, recovery],
      [header, auth, twin[2]],
    ]
    for (const parts of others)
      expect(await failureOf(parts.join('.'), key, walletId)).toMatch(/damaged|mismatch/)
    expect(await failureOf(text, key, crypto.randomUUID())).toBe('mismatch')
  })

  test('a stretching that was made weaker, or is beyond measure, is damage; an unknown one is a newer vault’s', async () => {
    const { key, text, walletId } = await sealed(headers[1])
    const kdf = (change: object) =>
      withHeader(text, (header) => ({ ...header, kdf: { ...(header.kdf as object), ...change } }))
    for (const iterations of [0, 1, 599_999, 10_000_001, 600_000.5, -600_000, '600000', null, 1e300])
      expect(await failureOf(kdf({ iterations }), key, walletId), String(iterations)).toBe('malformed')
    for (const bad of ['', 'AAAA', 5, null, toBase64url(randomBytes(17))])
      expect(await failureOf(kdf({ salt: bad }), key, walletId)).toBe('malformed')
    expect(await failureOf(kdf({ name: 'Argon2id' }), key, walletId)).toBe('version')
    expect(await failureOf(kdf({ iterations: 700_000 }), key, walletId)).toBe('damaged')
    for (const change of [{ v: 3 }, { v: '2' }, { method: 'newer' }, { method: undefined }])
      expect(
        await failureOf(
          withHeader(text, (header) => ({ ...header, ...change })),
          key,
          walletId,
        ),
      ).toBe('version')
    for (const change of [{ check: 'AAAA' }, { check: undefined }, { kdf: undefined, v: 2 }])
      expect(
        await failureOf(
          withHeader(text, (header) => ({ ...header, ...change })),
          key,
          walletId,
        ),
      ).toMatch(/malformed|version/)
  })

  test('what is no package is refused, and nothing else is thrown', async () => {
    const { key, text, walletId } = await sealed()
    const odd = [
      '',
      '.',
      '..',
      '...',
      `${text}.`,
      `.${text}`,
      'a.b.c',
      text.replace('.', ''),
      'x'.repeat(392),
    ]
    const deep = toBase64url(utf8(`{"v":2,"__proto__":{}}`))
    for (const other of [...odd, `${deep}.AAAA.AAAA`, `${'A'.repeat(100_000)}.A.A`])
      expect(await failureOf(other, key, walletId)).toMatch(/malformed|version/)
  })
})

describe('a package of version 1', () => {
  /** Two envelopes of an Ethereum entropy as the first vaults wrote them. */
  function first(key: Bytes, { auth, recovery }: { auth: Share; recovery: Share }): string {
    const envelope = (share: Share, kind: number) => {
      const id = (text: string) => Buffer.from(text.replaceAll('-', ''), 'hex')
      const label = Buffer.concat([
        Buffer.from([1, kind]),
        ...[share.walletId, share.setId].map(id),
        Buffer.from(share.address.slice(2), 'hex'),
        share.salt,
        share.hash,
      ])
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(
        Buffer.concat([Buffer.from('latchkey share\0'), label]),
      )
      return Buffer.concat([
        label,
        iv,
        cipher.update(share.bytes),
        cipher.final(),
        cipher.getAuthTag(),
      ]).toString('base64url')
    }
    return envelope(auth, 1) + envelope(recovery, 2)
  }
  async function old() {
    const walletId = crypto.randomUUID()
    const root = { walletId, kind: 'entropy', secret: randomBytes(16), chainType: 'ethereum' } as const
    const address = await withRoot(root, (open) =>
      open.withKey({ chainType: 'ethereum', index: 0 }, (wallet) => wallet.address),
    )
    const set = await splitRoot({ ...root, address })
    const key = randomBytes(32)
    return { walletId, set, key, text: first(key, set) }
  }

  test('is automatic, and opens as ever', async () => {
    const { walletId, set, key, text } = await old()
    expect(text).toHaveLength(392)
    expect(readPackage(text).method).toBe('privy')
    expect(await readPackage(text).open(key, walletId)).toEqual({ auth: set.auth, recovery: set.recovery })
  })

  test('gives nothing to another key, and lets nobody smuggle it in under a header', async () => {
    const { walletId, key, text, set } = await old()
    expect(await failureOf(text, randomBytes(32), walletId)).toBe('damaged')
    const sealing = await importSealingKey(key)
    const bare = [await sealShare(sealing, set.auth), await sealShare(sealing, set.recovery)]
    const [header] = (await sealPackage({ method: 'privy' }, key, set.auth, set.recovery)).split('.')
    expect(await failureOf([header, ...bare].join('.'), key, walletId)).toBe('damaged')
    const halves = [text.slice(0, 196), text.slice(196)]
    expect(await failureOf([header, ...halves].join('.'), key, walletId)).toBe('damaged')
  })
})
