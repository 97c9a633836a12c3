import { describe, expect, test } from 'vitest'
import { type Bytes, randomBytes } from '../../src/vault/bytes.ts'
import { withKey } from '../../src/vault/derive.ts'
import { openShare, type Share, type ShareKind, sealShare } from '../../src/vault/envelope.ts'
import { ShareError } from '../../src/vault/errors.ts'
import { newSealingKey } from '../../src/vault/keys.ts'
import { splitEntropy, withWallet } from '../../src/vault/shares.ts'

const kinds: readonly ShareKind[] = ['device', 'auth', 'recovery']
const pairs = [
  ['device', 'auth'],
  ['device', 'recovery'],
  ['auth', 'recovery'],
] as const

async function newWallet() {
  const entropy = randomBytes(16)
  const address = await withKey(entropy, (_, found) => found)
  const walletId = crypto.randomUUID()
  return { entropy, address, walletId, set: await splitEntropy(entropy, { walletId, address }) }
}
type Wallet = Awaited<ReturnType<typeof newWallet>>
/** A share survives one use only: using it wipes it. */
const copy = (share: Share): Share => ({ ...share, bytes: share.bytes.slice() })
const reason = async (work: Promise<unknown>) =>
  work.then(
    () => 'nothing',
    (cause) => (cause instanceof ShareError ? cause.reason : `not typed: ${cause}`),
  )

describe('shares', () => {
  test('1,000 random wallets: each pair of sealed shares recovers the entropy and the address', {
    timeout: 300_000,
  }, async () => {
    const key = await newSealingKey()
    const recover = async (a: ShareKind, b: ShareKind, { entropy, address, walletId, set }: Wallet) => {
      const expected = { walletId, address: address.toLowerCase() }
      const first = await openShare(key, await sealShare(key, set[a]), { ...expected, kind: a })
      const second = await openShare(key, await sealShare(key, set[b]), { ...expected, kind: b })
      return withWallet(first, second, (whole) => {
        expect(whole.entropy).toEqual(entropy)
        return whole.address === address
      })
    }
    let recovered = 0
    // Twenty at a time: the key stretching of one then runs beside the arithmetic of another.
    for (let batch = 0; batch < 50; batch++) {
      const wallets = await Promise.all(Array.from({ length: 20 }, newWallet))
      const all = wallets.flatMap((wallet) => pairs.map(([a, b]) => recover(a, b, wallet)))
      recovered += (await Promise.all(all)).filter(Boolean).length
    }
    console.log(`Shares: 1,000 wallets, ${recovered} of 3,000 pairs recovered`)
    expect(recovered).toBe(3_000)
  })

  test('what was put together is zeroed afterwards, also when the work fails', async () => {
    const { set } = await newWallet()
    const seen: Bytes[] = []
    const work = withWallet(set.device, set.auth, ({ entropy, privateKey }) => {
      expect(entropy.some(Boolean) && privateKey.some(Boolean)).toBe(true)
      seen.push(entropy, privateKey)
      throw new Error('the work fails')
    })
    await expect(work).rejects.toThrow('the work fails')
    for (const bytes of [...seen, set.device.bytes, set.auth.bytes])
      expect(bytes.every((byte) => byte === 0)).toBe(true)
  })

  test('shares of two wallets, of two sets, or twice the same one are never combined', async () => {
    const one = await newWallet()
    const two = await newWallet()
    const again = await splitEntropy(one.entropy, one)
    const used = () => expect.unreachable('a wrong wallet was used')
    expect(await reason(withWallet(copy(one.set.device), copy(two.set.auth), used))).toBe('mismatch')
    expect(await reason(withWallet(copy(one.set.device), copy(again.auth), used))).toBe('mismatch')
    expect(await reason(withWallet(copy(one.set.device), copy(one.set.device), used))).toBe('mismatch')
    // Labels that lie as well: the commitment is what finds it.
    const { hash, salt, address, walletId, setId } = one.set.device
    const relabelled = { ...copy(two.set.auth), hash, salt, address, walletId, setId }
    expect(await reason(withWallet(copy(one.set.device), relabelled, used))).toMatch(/commitment|damaged/)
    const otherAddress = { address: two.address.toLowerCase() }
    const device = { ...copy(one.set.device), ...otherAddress }
    expect(await reason(withWallet(device, { ...copy(one.set.auth), ...otherAddress }, used))).toBe(
      'commitment',
    )
    const zeros = { hash: new Uint8Array(32) }
    const otherHash = withWallet(
      { ...copy(one.set.device), ...zeros },
      { ...copy(one.set.auth), ...zeros },
      used,
    )
    expect(await reason(otherHash)).toBe('commitment')
    const twin = { ...copy(one.set.auth), bytes: copy(one.set.device).bytes }
    expect(await reason(withWallet(copy(one.set.device), twin, used))).toBe('damaged')
  })

  test('every flipped bit of the bytes of a share is found by the commitment', async () => {
    const { set } = await newWallet()
    let found = 0
    for (const kind of ['device', 'auth'] as const)
      for (let bit = 0; bit < 17 * 8; bit++) {
        const shares = { device: copy(set.device), auth: copy(set.auth) }
        shares[kind].bytes[bit >> 3] = (shares[kind].bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const why = await reason(withWallet(shares.device, shares.auth, () => expect.unreachable('used')))
        if (why === 'commitment' || why === 'damaged') found++
      }
    expect(found).toBe(2 * 17 * 8)
  })

  test('one share alone says nothing: its bytes are uniform, whatever the secret', async () => {
    // The bar is p > 0.001; a sample that misses it gets one more chance, so that chance alone fails 1 run in a million.
    const limit = 330.52
    const secret = new Uint8Array(16)
    for (const kind of kinds) {
      const chi = [await chiSquare(secret, kind)]
      if ((chi[0] ?? 0) > limit) chi.push(await chiSquare(secret, kind))
      console.log(
        `Shares: χ² of the ${kind} share ${chi.map((x) => x.toFixed(1)).join(', ')} (255 degrees, limit ${limit})`,
      )
      expect(Math.min(...chi)).toBeLessThan(limit)
    }
  })
})

async function chiSquare(secret: Bytes, kind: ShareKind): Promise<number> {
  const rounds = 2_000
  const bins = new Array<number>(256).fill(0)
  for (let i = 0; i < rounds; i++) {
    const set = await splitEntropy(secret, { walletId: crypto.randomUUID(), address: `0x${'0'.repeat(40)}` })
    // The last byte is the share's coordinate, which is never zero.
    for (const byte of set[kind].bytes.subarray(0, 16)) bins[byte] = (bins[byte] ?? 0) + 1
  }
  const expected = (rounds * 16) / 256
  return bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}
