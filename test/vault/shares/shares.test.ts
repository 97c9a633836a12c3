import { describe, expect, test } from 'vitest'
import { type Bytes, randomBytes } from '../../../src/vault/bytes.ts'
import { ShareError } from '../../../src/vault/errors.ts'
import type { OpenRoot } from '../../../src/vault/model.ts'
import { combineShares, openRoot } from '../../../src/vault/shares/combine.ts'
import { openShare, type Share, secretLengths } from '../../../src/vault/shares/envelope.ts'
import { sealShare } from '../../../src/vault/shares/seal.ts'
import { newSealingKey } from '../../../src/vault/shares/sealing-key.ts'
import { splitRoot } from '../../../src/vault/shares/split.ts'
import { limit } from '../../support/limit.ts'
import { counted, soak } from '../../support/soak.ts'
import { allZero, copyOf, type NewRoot, newRoot, pairs, rootKinds, shareKinds } from '../support/roots.ts'

const reason = async (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (cause) => (cause instanceof ShareError ? cause.reason : `not typed: ${cause}`),
  )
const unused = () => expect.unreachable('a wrong root was used')

/** Both shares of each pair, each of them sealed and opened again. */
async function eachPair<T>(
  key: CryptoKey,
  { walletId, set }: Pick<NewRoot, 'walletId' | 'set'>,
  work: (first: Share, second: Share) => Promise<T>,
): Promise<T[]> {
  const sealed = await Promise.all(
    shareKinds.map(async (kind) => [kind, await sealShare(key, set[kind])] as const),
  )
  const texts = Object.fromEntries(sealed)
  const open = (kind: (typeof shareKinds)[number]) => openShare(key, texts[kind] ?? '', { kind, walletId })
  return Promise.all(pairs.map(async ([a, b]) => work(await open(a), await open(b))))
}

describe('shares', () => {
  const wallets = soak(100, 10_000)
  const opens = soak(10, 100)

  test(`each pair of sealed shares gives the secret of ${counted(wallets)} roots of every kind`, {
    timeout: limit(300_000),
  }, async () => {
    const key = await newSealingKey()
    const count = { wallets: 0, pairs: 0 }
    const once = async (kind: (typeof rootKinds)[number]) => {
      const secret = randomBytes(secretLengths[kind.kind])
      const address = kind.chainType === 'solana' ? '1'.repeat(32) : `0x${'0'.repeat(40)}`
      const walletId = crypto.randomUUID()
      const set = await splitRoot({ walletId, ...kind, secret, address })
      count.wallets++
      for (const found of await eachPair(key, { walletId, set }, combineShares))
        if (Buffer.compare(found, secret) === 0) count.pairs++
    }
    for (let batch = 0; batch < wallets / 100; batch++)
      await Promise.all(Array.from({ length: 25 }, () => rootKinds.map(once)).flat())
    console.log(`Shares: ${count.wallets} wallets, ${count.pairs} of ${3 * wallets} pairs gave the secret`)
    expect(count).toEqual({ wallets, pairs: 3 * wallets })
  })

  test.each(rootKinds)(
    `each pair opens ${opens} roots of $kind, $chainType, with their address`,
    { timeout: limit(120_000) },
    async (kind) => {
      const key = await newSealingKey()
      let opened = 0
      const once = async () => {
        const root = await newRoot(kind)
        const found = await eachPair(key, root, (first, second) =>
          openRoot(first, second, (open) => {
            expect(open).toMatchObject({ walletId: root.walletId, kind: kind.kind, secret: root.secret })
            return open.withKey(
              { chainType: kind.chainType, index: 0 },
              (own) => own.address === root.address,
            )
          }),
        )
        opened += found.filter(Boolean).length
      }
      for (let batch = 0; batch < opens / 10; batch++) await Promise.all(Array.from({ length: 10 }, once))
      expect(opened).toBe(3 * opens)
    },
  )

  test.each(rootKinds)(
    '$kind, $chainType: all is zeroed afterwards, also when the work fails',
    async (kind) => {
      const { set } = await newRoot(kind)
      const seen: Bytes[] = [set.device.bytes, set.auth.bytes]
      const work = openRoot(set.device, set.auth, (root) =>
        root.withKey({ chainType: kind.chainType, index: 0 }, ({ privateKey }) => {
          expect(allZero(root.secret) || allZero(privateKey)).toBe(false)
          seen.push(root.secret, privateKey)
          throw new Error('the work fails')
        }),
      )
      await expect(work).rejects.toThrow('the work fails')
      expect(seen.every(allZero)).toBe(true)
    },
  )

  test('a root that is kept beyond its time gives no more keys', async () => {
    const { set } = await newRoot()
    let kept: OpenRoot | undefined
    await openRoot(set.device, set.auth, (root) => {
      kept = root
    })
    await expect(kept?.withKey({ chainType: 'ethereum', index: 0 }, unused)).rejects.toThrow('closed')
  })

  test('shares of two roots, of two sets, or twice the same one are never combined', async () => {
    const one = await newRoot()
    const two = await newRoot()
    const again = await splitRoot(one)
    const open = (first: Share, second: Share) => reason(openRoot(copyOf(first), copyOf(second), unused))
    const { device, auth } = one.set
    expect(await open(device, two.set.auth)).toBe('mismatch')
    expect(await open(device, again.auth)).toBe('mismatch')
    expect(await open(device, device)).toBe('mismatch')
    expect(await open(device, { ...auth, secretKind: 'key' })).toBe('mismatch')
    expect(await open(device, { ...auth, chainType: 'solana' })).toBe('mismatch')
    // Labels that lie as well: the commitment is what finds it.
    const { kind: _, bytes: __, ...label } = device
    expect(await open(device, { ...two.set.auth, ...label })).toMatch(/commitment|damaged/)
    const both = (change: Partial<Share>) => open({ ...device, ...change }, { ...auth, ...change })
    expect(await both({ address: two.address.toLowerCase() })).toBe('commitment')
    expect(await both({ hash: new Uint8Array(32) })).toBe('commitment')
    expect(await both({ salt: new Uint8Array(16) })).toBe('commitment')
    expect(await both({ chainType: 'solana' })).toBe('commitment')
    expect(await both({ secretKind: 'key' })).toBe('damaged')
    expect(await open(device, { ...auth, bytes: device.bytes })).toBe('damaged')
    expect(await open(device, { ...auth, bytes: auth.bytes.slice(1) })).toBe('damaged')
  })

  test.each(rootKinds)(
    '$kind, $chainType: every flipped bit of the bytes of a share is found',
    async (kind) => {
      const { set } = await newRoot(kind)
      const bits = set.device.bytes.length * 8
      let found = 0
      for (const name of ['device', 'auth'] as const)
        for (let bit = 0; bit < bits; bit++) {
          const shares = { device: copyOf(set.device), auth: copyOf(set.auth) }
          shares[name].bytes[bit >> 3] = (shares[name].bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          const why = await reason(openRoot(shares.device, shares.auth, unused))
          if (why === 'commitment' || why === 'damaged') found++
        }
      expect(found).toBe(2 * bits)
    },
  )

  test('one share alone reveals nothing: its bytes are uniform for every secret', async () => {
    // The bar is p > 0.001; a sample that misses it gets one more chance, so that chance alone fails 1 run in a million.
    const limit = 330.52
    for (const kind of shareKinds) {
      const chi = [await chiSquare(kind)]
      if ((chi[0] ?? 0) > limit) chi.push(await chiSquare(kind))
      console.log(
        `Shares: χ² of the ${kind} share ${chi.map((x) => x.toFixed(1)).join(', ')} (255 degrees, limit ${limit})`,
      )
      expect(Math.min(...chi)).toBeLessThan(limit)
    }
  })
})

async function chiSquare(kind: (typeof shareKinds)[number]): Promise<number> {
  const rounds = 2_000
  const bins = new Array<number>(256).fill(0)
  const root = { ...rootKinds[0], secret: new Uint8Array(16), address: `0x${'0'.repeat(40)}` }
  for (let i = 0; i < rounds; i++) {
    const set = await splitRoot({ ...root, walletId: crypto.randomUUID() })
    // The last byte is the share's coordinate, which is never zero.
    for (const byte of set[kind].bytes.subarray(0, 16)) bins[byte] = (bins[byte] ?? 0) + 1
  }
  const expected = (rounds * 16) / 256
  return bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}
