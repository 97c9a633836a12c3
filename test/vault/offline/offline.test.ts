/** The way out: keys from a recovery file alone, by our tool and by one that was written from docs/recovery.md. */
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Keypair } from '@solana/web3.js'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { toBase64url, utf8 } from '../../../src/vault/bytes.ts'
import type { ChainType, SecretKind } from '../../../src/vault/model.ts'
import type { Share, ShareKind } from '../../../src/vault/shares/envelope.ts'
import { sealShare } from '../../../src/vault/shares/seal.ts'
import { importSealingKey } from '../../../src/vault/shares/sealing-key.ts'
import { splitRoot } from '../../../src/vault/shares/split.ts'
import { combineByTheBook, solanaSeedByTheBook, unsealByTheBook } from '../support/independent-rebuild.ts'
import {
  addressByLibrary,
  driveFile,
  fileRoot,
  needsOf,
  recoverWith,
  recoveryFile,
  typed,
} from '../support/offline.ts'
import {
  password,
  recoveryMethodOf,
  recoveryMethods,
  withRecoveryMethod,
} from '../support/recovery-methods.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const phraseOf = (entropy: Uint8Array) => entropyToMnemonic(entropy, wordlist)

/** The address of a secret's first wallet, by the libraries of the two chains and not by us. */
function firstAddress(chainType: ChainType, kind: SecretKind, secret: Uint8Array): string {
  if (chainType === 'ethereum')
    return kind === 'key'
      ? privateKeyToAccount(`0x${hex(secret)}`).address
      : mnemonicToAccount(phraseOf(secret)).address
  const seed = kind === 'key' ? secret : solanaSeedByTheBook(mnemonicToSeedSync(phraseOf(secret)), 0)
  return Keypair.fromSeed(seed).publicKey.toBase58()
}

/** An opened share as a recovery file has it. */
async function opened(share: Share): Promise<{ label: string; share: string }> {
  const envelope = await sealShare(await importSealingKey(new Uint8Array(32)), share)
  const label = Buffer.from(envelope, 'base64url').subarray(0, 116)
  return { label: toBase64url(label), share: toBase64url(share.bytes) }
}

async function splitNew(chainType: ChainType, kind: SecretKind) {
  const secret = crypto.getRandomValues(new Uint8Array(kind === 'entropy' ? 16 : 32))
  const walletId = crypto.randomUUID()
  const address = firstAddress(chainType, kind, secret)
  const set = await splitRoot({ walletId, kind, secret: secret.slice(), chainType, address })
  const wallets = [{ chainType, index: 0, address }]
  return { walletId, secret, address, set, wallets }
}

describe('a recovery file', () => {
  test.each(recoveryMethods.map(({ name }) => name))(
    'of %s gives back every wallet of the phrase',
    async (name) => {
      const person = await withRecoveryMethod(recoveryMethodOf(name))
      const { me, address, stored } = person
      await me.createSolana()
      await me.add(address, 'ethereum', 1)
      await me.add(address, 'solana', 1)
      const root = fileRoot(person, stored)
      expect(root.wallets).toHaveLength(4)
      const answers = name === 'password' ? [password] : [typed(name)].filter(Boolean)
      const { code, roots, said, asked } = await recoverWith(
        { 'recovery.json': recoveryFile(root) },
        undefined,
        answers,
      )
      expect([code, said, asked.length]).toEqual([0, '', answers.length])
      const [report] = roots
      expect(report?.wallets.map(({ asRecorded }) => asRecorded)).toEqual([true, true, true, true])
      expect(report?.wallets.map(addressByLibrary)).toEqual(root.wallets.map((wallet) => wallet.address))
      const phrase = report?.phrase ?? ''
      expect(phrase.split(' ')).toHaveLength(12)
      expect([0, 1].map((addressIndex) => mnemonicToAccount(phrase, { addressIndex }).address)).toEqual(
        report?.wallets.filter(({ chainType }) => chainType === 'ethereum').map((wallet) => wallet.address),
      )
      // And by somebody who has only the page that describes it.
      const secret = combineByTheBook(unsealByTheBook(root.package, needsOf(root, name)))
      expect(phraseOf(secret)).toBe(phrase)
    },
  )

  test.each(['ethereum', 'solana'] as const)('gives back an imported %s key', async (chainType) => {
    const person = await withRecoveryMethod(recoveryMethodOf('automatic'))
    const { secret, address } = await splitNew(chainType, 'key')
    const pair = chainType === 'solana' ? Keypair.fromSeed(secret).secretKey : secret
    const { base58 } = await import('@scure/base')
    const imported = await person.me.importKey(
      chainType,
      chainType === 'solana' ? base58.encode(pair) : `0x${hex(secret)}`,
    )
    expect(imported).toEqual({ address })
    const stored = person.backend.rootsOf('did:privy:one').map((root) => fileRoot(person, root))
    const { code, roots } = await recoverWith({ 'recovery.json': recoveryFile(...stored) })
    expect(code).toBe(0)
    expect(roots.map((root) => root.imported)).toEqual([false, true])
    const [wallet, ...more] = roots[1]?.wallets ?? []
    expect([more.length, roots[1]?.phrase, wallet?.address]).toEqual([0, undefined, address])
    expect(wallet && addressByLibrary(wallet)).toBe(address)
  })

  test('of a drive works with the file that the person has downloaded', async () => {
    const person = await withRecoveryMethod(recoveryMethodOf('Google Drive'))
    const { drive: _, ...root } = fileRoot(person, person.stored)
    const files = {
      'recovery.json': recoveryFile(root),
      'drive.json': JSON.stringify(driveFile(person, person.stored)),
    }
    const { code, roots, asked } = await recoverWith(files, ['--drive', 'drive.json', '--json'])
    expect([code, asked]).toEqual([0, []])
    expect(roots[0]?.wallets[0]?.address).toBe(person.address)
    const other = { ...files, 'drive.json': files['drive.json'].replace(root.walletId, crypto.randomUUID()) }
    const typing = await recoverWith(other, ['--drive', 'drive.json'], ['not the secret of it'])
    expect([typing.code, typing.asked.length]).toEqual([1, 1])
    expect(typing.asked[0]).toContain('from Google Drive')
  })

  test('of the first version of packages is still read', async () => {
    const { walletId, secret, address, wallets } = await splitNew('ethereum', 'entropy')
    const key = crypto.getRandomValues(new Uint8Array(32))
    const first = await firstPackage(walletId, secret, address, key)
    const root = { walletId, wallets, package: first, key: toBase64url(key) }
    const { code, roots } = await recoverWith({ 'recovery.json': recoveryFile(root) })
    expect([code, roots[0]?.phrase]).toEqual([0, phraseOf(secret)])
    expect(hex(combineByTheBook(unsealByTheBook(first, root)))).toBe(hex(secret))
  })

  test('shows nothing secret unless it is asked to', async () => {
    const person = await withRecoveryMethod(recoveryMethodOf('automatic'))
    const files = { 'recovery.json': recoveryFile(fileRoot(person, person.stored)) }
    const { roots } = await recoverWith(files)
    const secrets = [
      roots[0]?.phrase ?? '',
      ...(roots[0]?.wallets ?? []).map(({ privateKey = '' }) => privateKey),
    ]
    for (const args of [[], ['--json']]) {
      const { output } = await recoverWith(files, args)
      expect(output).toContain(person.address)
      expect(secrets.filter((secret) => secret === '' || output.includes(secret))).toEqual([])
    }
    const { output } = await recoverWith(files, ['--reveal'])
    expect(secrets.filter((secret) => !output.includes(secret))).toEqual([])
    expect(output).toContain("m/44'/60'/0'/0/0")
  })

  test('lists as many wallets as one wants, at the paths of the phrase', async () => {
    const person = await withRecoveryMethod(recoveryMethodOf('automatic'))
    const files = { 'recovery.json': recoveryFile(fileRoot(person, person.stored)) }
    const { roots } = await recoverWith(files, ['--reveal', '--json', '--wallets', '4'])
    const phrase = roots[0]?.phrase ?? ''
    const seed = mnemonicToSeedSync(phrase)
    const expected = [0, 1, 2, 3].flatMap((index) => [
      [`m/44'/60'/0'/0/${index}`, mnemonicToAccount(phrase, { addressIndex: index }).address],
      [`m/44'/501'/${index}'/0'`, Keypair.fromSeed(solanaSeedByTheBook(seed, index)).publicKey.toBase58()],
    ])
    expect(new Map(roots[0]?.wallets.map(({ path, address }) => [path, address]))).toEqual(
      new Map(expected as [string, string][]),
    )
  })
})

describe('two opened shares', () => {
  const pairs: [ShareKind, ShareKind][] = [
    ['device', 'auth'],
    ['device', 'recovery'],
    ['auth', 'recovery'],
  ]
  const roots = (['entropy', 'key'] as const).flatMap((kind) =>
    (['ethereum', 'solana'] as const).map((chainType) => [chainType, kind] as const),
  )
  test.each(roots)('of each pair give back a root of %s (%s)', async (chainType, kind) => {
    const { walletId, secret, address, set, wallets } = await splitNew(chainType, kind)
    for (const names of pairs) {
      const shares = await Promise.all(names.map((name) => opened(set[name])))
      const file = recoveryFile({ walletId, wallets, shares })
      const { code, roots } = await recoverWith({ 'recovery.json': file })
      const [wallet] = roots[0]?.wallets ?? []
      expect([names, code, wallet?.address]).toEqual([names, 0, address])
      expect(wallet && addressByLibrary(wallet)).toBe(address)
      const book = names.map((name, i) => ({
        label: Buffer.from(shares[i]?.label ?? '', 'base64url'),
        share: Buffer.from(set[name].bytes),
      }))
      expect(hex(combineByTheBook(book as never))).toBe(hex(secret))
    }
  })

  test('that do not belong together, or are not as they were, give nothing', async () => {
    const one = await splitNew('ethereum', 'entropy')
    const two = await splitRoot({
      walletId: one.walletId,
      kind: 'entropy',
      secret: one.secret.slice() as never,
      chainType: 'ethereum',
      address: one.address,
    })
    const [device, auth, recovery] = [one.set.device, one.set.auth, one.set.recovery]
    const flipped = { ...auth, bytes: auth.bytes.map((byte, i) => (i === 3 ? byte ^ 1 : byte)) }
    const otherAddress = `0x${'11'.repeat(20)}`
    const wrong: [string, Share[], RegExp][] = [
      ['two sets', [device, two.auth], /do not belong together/],
      ['one share twice', [auth, auth], /do not belong together/],
      ['a bit of a share', [device, flipped], /do not combine/],
      [
        'another address',
        [device, recovery].map((share) => ({ ...share, address: otherAddress })),
        /do not combine/,
      ],
      [
        'another salt',
        [device, recovery].map((share) => ({ ...share, salt: new Uint8Array(16) })),
        /do not combine/,
      ],
      ['three shares', [device, auth, recovery], /must be exactly two/],
      ['one share', [device], /must be exactly two/],
      ['a short share', [device, { ...auth, bytes: auth.bytes.slice(1) }], /wrong length/],
    ]
    for (const [name, shares, words] of wrong) {
      const file = recoveryFile({
        walletId: one.walletId,
        shares: await Promise.all(shares.map((share) => opened({ ...share, bytes: share.bytes.slice() }))),
      })
      const { code, output, said } = await recoverWith({ 'recovery.json': file })
      expect([name, code, output]).toEqual([name, 1, ''])
      expect(said).toMatch(words)
    }
  })
})

describe('what goes wrong', () => {
  test('a wrong password gives nothing; at a terminal it may be typed three times', async () => {
    const person = await withRecoveryMethod(recoveryMethodOf('password'))
    const files = { 'recovery.json': recoveryFile(fileRoot(person, person.stored)) }
    const once = await recoverWith(files, ['--reveal'], ['wrong', password])
    expect([once.code, once.output, once.asked.length]).toEqual([1, '', 1])
    expect(once.said).toContain('the password or secret is wrong')
    const later = await recoverWith(files, ['--json'], ['wrong', 'wrong again', password], true)
    expect([later.code, later.roots[0]?.wallets[0]?.address]).toEqual([0, person.address])
    const never = await recoverWith(files, ['--json'], ['1', '2', '3', password], true)
    expect([never.code, never.output, never.asked.length]).toEqual([1, '', 3])
  })

  test('a bit that is flipped in any letter of a package is noticed, and what is missing is named', async () => {
    const person = await withRecoveryMethod(recoveryMethodOf('automatic'))
    const root = fileRoot(person, person.stored)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    let tried = 0
    for (let at = 0; at < root.package.length; at++) {
      const letter = root.package.charAt(at)
      const other = letter === '.' ? 'A' : alphabet.charAt(alphabet.indexOf(letter) ^ (1 << (at % 6)))
      const spoiled = root.package.slice(0, at) + other + root.package.slice(at + 1)
      const { code, output, said } = await recoverWith({
        'recovery.json': recoveryFile({ ...root, package: spoiled }),
      })
      expect([at, code, output]).toEqual([at, 1, ''])
      expect(said.length).toBeGreaterThan(root.walletId.length)
      tried++
    }
    console.log(`Recovery packages with one letter changed: ${tried}, 0 opened`)
    const { key: _, ...keyless } = root
    const { said } = await recoverWith({ 'recovery.json': recoveryFile(keyless) })
    expect(said).toContain('has no "key"')
  })

  test('one root that fails does not keep the others', async () => {
    const person = await withRecoveryMethod(recoveryMethodOf('automatic'))
    const good = fileRoot(person, person.stored)
    const bad = { ...good, walletId: crypto.randomUUID() }
    const { code, roots, said } = await recoverWith({ 'recovery.json': recoveryFile(bad, good) })
    expect([code, roots.map(({ walletId }) => walletId)]).toEqual([1, [good.walletId]])
    expect(said).toContain(bad.walletId)
  })

  test('an address that is not the one of the file is said, and the true one shown', async () => {
    const person = await withRecoveryMethod(recoveryMethodOf('automatic'))
    const root = fileRoot(person, person.stored)
    const wallets = [{ chainType: 'ethereum', index: 0, address: `0x${'22'.repeat(20)}` }]
    const { code, output, said } = await recoverWith(
      { 'recovery.json': recoveryFile({ ...root, wallets }) },
      [],
    )
    expect(code).toBe(1)
    expect(output).toContain('NOT AS RECORDED')
    expect(output).toContain(person.address)
    expect(said).toContain('An address differs from the one in the file')
  })

  test('other files are refused with a message', async () => {
    const walletId = crypto.randomUUID()
    const files: [string, string][] = [
      ['', 'not a JSON object'],
      ['[]', 'not a JSON object'],
      ['{"format":"other"}', 'another format'],
      ['{"format":"latchkey-recovery","version":2}', 'does not support the version'],
      ['{"format":"latchkey-recovery","version":1}', 'roots is not a list'],
      ['{"format":"latchkey-recovery","version":1,"roots":[1]}', 'roots[0]is not an object'],
      [recoveryFile({}), 'roots[0].walletId is not a UUID'],
      [recoveryFile({ walletId }), 'neither "package" nor "shares"'],
      [recoveryFile({ walletId, package: 'x', key: 'AA' }), 'roots[0].key is not 32 bytes in base64url'],
      [recoveryFile({ walletId, package: 'x', wallets: [{}] }), 'roots[0].wallets[0] is not a wallet'],
      [recoveryFile({ walletId, shares: [{}, {}] }), 'roots[0].shares[0] is not an opened share'],
      [recoveryFile({ walletId, package: 'a.b.c' }), 'not a package or share'],
      [`{"format":"latchkey-recovery","version":1,"roots":[],"__proto__":{}}`, 'not a JSON object'],
    ]
    for (const [text, words] of files) {
      const { code, output, said } = await recoverWith({ 'recovery.json': text })
      expect([text, code, output]).toEqual([text, 1, ''])
      expect(said).toContain(words)
    }
    const none = await recoverWith({})
    expect([none.code, none.said]).toEqual([1, "recovery.json can't be read"])
  })

  test('a wrong call prints the usage', async () => {
    for (const args of [
      ['another.json'],
      ['--password', 'x'],
      ['--wallets', 'many'],
      ['--wallets', '1001'],
    ]) {
      const { code, said } = await recoverWith({ 'recovery.json': '{}' }, args)
      expect([args, code]).toEqual([args, 2])
      expect(said).toContain('latchkey-recover <file>')
    }
  })
})

/** A package as the first version wrote it. */
async function firstPackage(
  walletId: string,
  secret: Uint8Array,
  address: string,
  key: Uint8Array<ArrayBuffer>,
) {
  const { split } = await import('shamir-secret-sharing')
  const [, auth, recovery] = await split(secret as Uint8Array<ArrayBuffer>, 3, 2)
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const committed = Buffer.concat([utf8('latchkey entropy\0'), salt, secret])
  const hash = Buffer.from(await crypto.subtle.digest('SHA-256', committed))
  const ids = [walletId, crypto.randomUUID()].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'))
  const own = Buffer.from(address.slice(2), 'hex')
  const sealing = await importSealingKey(key)
  const seal = async (kind: number, share: Uint8Array | undefined) => {
    const label = Buffer.concat([Uint8Array.of(1, kind), ...ids, own, salt, hash])
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const additionalData = Buffer.concat([utf8('latchkey share\0'), label])
    const how = { name: 'AES-GCM', iv, additionalData }
    const sealed = await crypto.subtle.encrypt(how, sealing, share as Uint8Array<ArrayBuffer>)
    return Buffer.concat([label, iv, new Uint8Array(sealed)]).toString('base64url')
  }
  return (await seal(1, auth)) + (await seal(2, recovery))
}
