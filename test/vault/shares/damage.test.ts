/** Flipping any single bit of what a share is stored in is detected. */
import { describe, expect, test } from 'vitest'
import { recoveryMethods } from '../../../src/protocol/frame/calls.ts'
import { fromBase64url, randomBytes, toBase64url } from '../../../src/vault/bytes.ts'
import { ShareError } from '../../../src/vault/errors.ts'
import { readPackage, sealPackage, WrongKey } from '../../../src/vault/recovery/package.ts'
import { openShare } from '../../../src/vault/shares/envelope.ts'
import { sealShare } from '../../../src/vault/shares/seal.ts'
import { newSealingKey } from '../../../src/vault/shares/sealing-key.ts'
import { limit } from '../../support/limit.ts'
import { eachOf, soak } from '../../support/soak.ts'
import { sealFirst, sealFirstPackage } from '../support/first-version.ts'
import { flipped, newRoot, rootKinds, shareKinds } from '../support/roots.ts'

/** Each bit of the bytes that a part of a text encodes, flipped. */
function* inBytes(text: string): Generator<string> {
  const parts = text.split('.')
  for (const [index, part] of parts.entries()) {
    const bytes = fromBase64url(part) ?? expect.unreachable('no base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++)
      yield parts.with(index, toBase64url(flipped(bytes, bit))).join('.')
  }
}
/** Each bit of its characters. */
function* inText(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++)
    for (let bit = 0; bit < 8; bit++)
      yield text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1)
}
const everywhere = [inBytes, inText]
/** One bit in seven: over any eight bytes, each of a byte's bits gets its turn. */
const step = soak(21, 1)
const bits = step === 1 ? 'every single bit' : `one bit in ${step}`

/** How many damages there are, and how many of them are found with an error of ours. */
async function count(text: string, use: (text: string) => Promise<unknown>, where = everywhere) {
  const bits = { turned: 0, found: 0 }
  for (const one of eachOf(
    where.flatMap((damages) => [...damages(text)]),
    step,
  )) {
    bits.turned++
    const end = await use(one).then(
      () => 'accepted',
      (cause) => cause,
    )
    if (end instanceof ShareError || end instanceof WrongKey) bits.found++
  }
  return bits
}
const sum = (all: { turned: number; found: number }[]) => ({
  turned: all.reduce((total, { turned }) => total + turned, 0),
  found: all.reduce((total, { found }) => total + found, 0),
})

describe(`${bits}, turned over, is found`, { timeout: limit(120_000) }, () => {
  test('in an envelope of every kind', async () => {
    const all = []
    for (const of of rootKinds) {
      const key = await newSealingKey()
      const { set, walletId } = await newRoot(of)
      for (const kind of shareKinds)
        all.push(
          await count(await sealShare(key, set[kind]), (text) => openShare(key, text, { kind, walletId })),
        )
    }
    const { turned, found } = sum(all)
    console.log(`Envelopes: ${found} of ${turned} bits found, ${all.length} kinds, as text and as bytes`)
    expect(found).toBe(turned)
  })

  test('in an envelope of the first version', async () => {
    const all = []
    const key = await newSealingKey()
    const { set, walletId } = await newRoot()
    for (const kind of shareKinds)
      all.push(
        await count(await sealFirst(key, set[kind]), (text) => openShare(key, text, { kind, walletId })),
      )
    const { turned, found } = sum(all)
    console.log(`Envelopes of the first version: ${found} of ${turned} bits found`)
    expect(found).toBe(turned)
  })

  test('in a recovery package of every method and kind of secret', async () => {
    const all = []
    const stretching = { iterations: 600_000, salt: randomBytes(16) }
    const kinds = [
      ...Object.values(recoveryMethods).map((method) => ({ method, of: rootKinds[0] })),
      { method: recoveryMethods.automatic, of: rootKinds[3] },
    ]
    for (const { method, of } of kinds) {
      const key = randomBytes(32)
      const { set, walletId } = await newRoot(of)
      const header = { method, ...(method === recoveryMethods.password && { stretching }) }
      const text = await sealPackage(header, key, set.auth, set.recovery)
      const open = async (one: string) => readPackage(one).open(key, walletId)
      await open(text)
      // What the characters of a text add is the same for all; the longest header has them all.
      all.push(await count(text, open, method === recoveryMethods.password ? everywhere : [inBytes]))
    }
    const { turned, found } = sum(all)
    console.log(`Recovery packages: ${found} of ${turned} bits found, ${all.length} kinds`)
    expect(found).toBe(turned)
  })

  test('in a recovery package of the first version', async () => {
    const key = randomBytes(32)
    const { set, walletId } = await newRoot()
    const text = await sealFirstPackage(key, set.auth, set.recovery)
    await readPackage(text).open(key, walletId)
    const { turned, found } = await count(text, async (damaged) => readPackage(damaged).open(key, walletId))
    console.log(`Recovery package of the first version: ${found} of ${turned} bits found`)
    expect(found).toBe(turned)
  })

  test('the parts of one package are not accepted as those of another', async () => {
    const key = randomBytes(32)
    const { set, walletId } = await newRoot()
    const seal = (method: (typeof recoveryMethods)['icloud' | 'automatic']) =>
      sealPackage({ method }, key, set.auth, set.recovery)
    const [one, two] = [await seal(recoveryMethods.automatic), await seal(recoveryMethods.icloud)].map(
      (text) => text.split('.'),
    ) as [string[], string[]]
    const mixed = [
      [two[0], one[1], one[2]],
      [one[0], two[1], one[2]],
      [one[0], one[1], two[2]],
      [one[0], one[2], one[1]],
      [one[0], one[1], one[1]],
    ]
    for (const parts of mixed)
      await expect((async () => readPackage(parts.join('.')).open(key, walletId))()).rejects.toBeInstanceOf(
        ShareError,
      )
  })
})
