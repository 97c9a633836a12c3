import { createHmac } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToEntropy, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Keypair } from '@solana/web3.js'
import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { type Bytes, bytesToHex, randomBytes } from '../../../src/vault/bytes.ts'
import { withRoot } from '../../../src/vault/keys/root.ts'
import { isPrivateKey, withNode } from '../../../src/vault/keys/slip10.ts'
import type { ChainType } from '../../../src/vault/model.ts'
import { counted, soak } from '../../support/soak.ts'
import { allZero } from '../support/roots.ts'

const root = (secret: Bytes, kind: 'entropy' | 'key' = 'entropy', chainType: ChainType = 'ethereum') => ({
  walletId: 'w',
  secret,
  kind,
  chainType,
})
const addressesOf = (secret: Bytes, chainType: ChainType, indexes: readonly number[]) =>
  withRoot(root(secret), (open) =>
    Promise.all(indexes.map((index) => open.withKey({ chainType, index }, ({ address }) => address))),
  )
const entropyOf = (mnemonic: string) => mnemonicToEntropy(mnemonic, wordlist) as Bytes

/** SLIP-0010 for ed25519 once more, with Node's own HMAC. */
function solanaSeed(mnemonic: string, index: number): Uint8Array {
  const hmac = (key: string | Buffer, data: Uint8Array) => createHmac('sha512', key).update(data).digest()
  let node = hmac('ed25519 seed', mnemonicToSeedSync(mnemonic))
  for (const step of [44, 501, index, 0]) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(0x80000000 + step)
    node = hmac(node.subarray(32), Buffer.concat([Buffer.of(0), node.subarray(0, 32), number]))
  }
  return Uint8Array.from(node.subarray(0, 32))
}

describe('addresses', () => {
  test('are those that BIP-44 gives the phrase of the development chains, index 3 included', async () => {
    const secret = entropyOf('test test test test test test test test test test test junk')
    expect(await addressesOf(secret, 'ethereum', [0, 1, 2, 3])).toEqual([
      '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    ])
  })

  test('are those that Solana’s own books give for a phrase', async () => {
    const secret = entropyOf('neither lonely flavor argue grass remind eye tag avocado spot unusual intact')
    expect(await addressesOf(secret, 'solana', [0, 1, 2])).toEqual([
      '5vftMkHL72JaJG6ExQfGAsT2uGVHpRR7oTNUPMs68Y2N',
      'GcXbfQ5yY3uxCyBNDPBbR5FjumHf89E7YHXuULfGDBBv',
      '7QPgyQwNLqnoSwHEuK8wKy2Y3Ani6EHoZRihTuWkwxbc',
    ])
  })

  test('of random entropies and indexes are those of other programs', async () => {
    const indexes = [0, 1, 3, 1_000, 2 ** 31 - 1]
    for (let round = 0; round < 8; round++) {
      const secret = randomBytes(16)
      const mnemonic = entropyToMnemonic(secret, wordlist)
      expect(await addressesOf(secret, 'ethereum', indexes)).toEqual(
        indexes.map((addressIndex) => mnemonicToAccount(mnemonic, { addressIndex }).address),
      )
      expect(await addressesOf(secret, 'solana', indexes)).toEqual(
        indexes.map((index) => Keypair.fromSeed(solanaSeed(mnemonic, index)).publicKey.toBase58()),
      )
    }
  })

  test('an imported key has its own address, and no other wallet', async () => {
    const seed = randomBytes(32)
    await withRoot(root(seed, 'key', 'solana'), async (open) => {
      const address = await open.withKey({ chainType: 'solana', index: 0 }, (key) => key.address)
      expect(address).toBe(Keypair.fromSeed(seed).publicKey.toBase58())
      for (const path of [
        { chainType: 'solana', index: 1 },
        { chainType: 'ethereum', index: 0 },
      ] as const)
        await expect(open.withKey(path, () => 1)).rejects.toMatchObject({ type: 'invalid_request_arguments' })
    })
  })
})

describe('a derived key', () => {
  test('is derived once, lent, and zeroed with all that was on the way when the root is closed', async () => {
    const seen: Bytes[] = []
    await withRoot(root(randomBytes(16)), async (open) => {
      for (const chainType of ['ethereum', 'solana', 'ethereum'] as const)
        await open.withKey({ chainType, index: 0 }, ({ privateKey }) => void seen.push(privateKey))
      expect(seen.some(allZero)).toBe(false)
    })
    expect(seen[0]).toBe(seen[2])
    expect(seen.every(allZero)).toBe(true)
    const nodes: Bytes[] = []
    await withNode(
      'secp256k1',
      randomBytes(64),
      [1, 2, 3],
      ({ key, chainCode }) => void nodes.push(key, chainCode),
    )
    expect(nodes).toHaveLength(2)
    expect(nodes.every(allZero)).toBe(true)
  })

  test('signs statements that others can check', async () => {
    await withRoot(root(randomBytes(16)), (open) =>
      open.withKey({ chainType: 'solana', index: 0 }, (key) => {
        const proof = Buffer.from(key.prove('a statement'), 'base64url')
        const publicKey = ed25519.getPublicKey(key.privateKey)
        expect(ed25519.verify(proof, Buffer.from('a statement'), publicKey, { zip215: false })).toBe(true)
      }),
    )
  })

  const rounds = soak(20, 100)

  test(`adding in bytes is adding modulo the curve’s order: ${counted(10 * rounds)} random children are those of a library`, async () => {
    let same = 0
    for (let round = 0; round < rounds; round++) {
      const seed = randomBytes(64)
      let node = HDKey.fromMasterSeed(seed)
      const path = Array.from({ length: 10 }, (_, i) => (randomBytes(1)[0] ?? 0) * (i + 1))
      for (const index of path) node = node.deriveChild(index)
      await withNode('secp256k1', seed, path, ({ key, chainCode }) => {
        const found = bytesToHex(key) + bytesToHex(chainCode)
        if (found === bytesToHex(node.privateKey ?? key) + bytesToHex(node.chainCode ?? key))
          same += path.length
      })
    }
    expect(same).toBe(10 * rounds)
  })

  test('of secp256k1 is above zero and below the order', () => {
    const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'
    const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))
    expect(isPrivateKey(bytes(`${order.slice(0, -1)}0`))).toBe(true)
    expect(isPrivateKey(bytes('01'.padStart(64, '0')))).toBe(true)
    for (const bad of [order, 'f'.repeat(64), '0'.repeat(64), '01', `${order}00`, ''])
      expect(isPrivateKey(bytes(bad))).toBe(false)
  })
})
