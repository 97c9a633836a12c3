import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { recoverMessageAddress } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { randomBytes } from '../../../src/vault/bytes.ts'
import { withRoot } from '../../../src/vault/keys/root.ts'
import { pageLocks } from '../../../src/vault/shares/locks.ts'
import { splitRoot } from '../../../src/vault/shares/split.ts'
import { appId, createBackend, makeToken } from '../support/backend.ts'
import { createDevice, openTab, person } from '../support/device.ts'
import { sealFirst } from '../support/first-version.ts'
import { paths, user, withWallet } from '../support/person.ts'

const lost = () => Promise.reject(new TypeError('connection reset'))

describe('adding a wallet', () => {
  test('of another index, on either chain: the server lists it, it signs, and again it is the same', async () => {
    const { backend, me, address } = await withWallet()
    const solana = (await me.createSolana()).publicKey ?? ''
    const added = [
      await me.add(address, 'ethereum', 1),
      await me.add(solana, 'ethereum', '3'),
      await me.add(address, 'solana', 2),
    ].map((answer) => answer.address ?? '')
    expect(backend.rootOf(user).wallets.slice(2)).toEqual([
      { chainType: 'ethereum', index: 1, address: added[0] },
      { chainType: 'ethereum', index: 3, address: added[1] },
      { chainType: 'solana', index: 2, address: added[2] },
    ])
    expect(new Set([address, solana, ...added]).size).toBe(5)
    expect(await me.add(address, 'ethereum', 1)).toEqual({ address: added[0] })
    expect(backend.rootOf(user).wallets).toHaveLength(5)
    const request = { method: 'personal_sign', params: ['x', added[1]] }
    const signed = await me.rpc(address, { chainType: 'ethereum', hdWalletIndex: 3 }, request)
    const signature = signed.response?.data ?? '0x'
    expect(await recoverMessageAddress({ message: 'x', signature })).toBe(added[1])
  })

  test('needs the first wallet of its chain, an entropy, an index that there is, and the root on this device', async () => {
    const { backend, token, me, address } = await withWallet()
    const imported = (await me.importKey('ethereum', generatePrivateKey())).address ?? ''
    const wrong = [
      await me.add(address, 'solana', 1),
      await me.add(imported, 'ethereum', 1),
      await me.add(imported, 'solana', 0),
      await me.add(address, 'ethereum', 2 ** 31),
      await me.add(address, 'ethereum', -1),
      await me.add(address, 'bitcoin', 1),
    ]
    expect(wrong.map(({ error }) => error?.type)).toEqual(Array(6).fill('invalid_request_arguments'))
    const there = person(openTab(backend), token)
    expect((await there.add(address, 'ethereum', 1)).error?.type).toBe('wallet_not_on_device')
    expect(backend.rootOf(user).wallets).toHaveLength(1)
  })

  test('whose answer is lost: the next one finds it', async () => {
    const { backend, me, address } = await withWallet()
    backend.faults.after = (call) => (call.path.endsWith('/wallets') ? lost() : undefined)
    expect((await me.add(address, 'ethereum', 1)).error?.type).toBe('error')
    backend.faults.after = undefined
    const again = await me.add(address, 'ethereum', 1)
    expect(backend.rootOf(user).wallets).toMatchObject([{ address }, again])
  })

  test('of a server that names another address is refused', async () => {
    const { backend, me, address } = await withWallet()
    backend.faults.after = () =>
      new Response(JSON.stringify({ address: privateKeyToAddress(generatePrivateKey()), created: true }))
    expect((await me.add(address, 'ethereum', 1)).error?.message).toMatch('unexpected answer')
  })
})

describe('importing a key', () => {
  const solanaKey = () => {
    const pair = Keypair.generate()
    return {
      address: pair.publicKey.toBase58(),
      text: base58.encode(pair.secretKey),
      seed: pair.secretKey.slice(0, 32),
    }
  }

  test('of either chain, in the forms in which people have them: the wallet is its own root', async () => {
    const { backend, me } = await withWallet()
    const [one, two] = [generatePrivateKey(), generatePrivateKey()]
    const [three, four] = [solanaKey(), solanaKey()]
    expect(await me.importKey('ethereum', one)).toEqual({ address: privateKeyToAddress(one) })
    expect(await me.importKey('ethereum', ` ${two.slice(2).toUpperCase()}\n`)).toEqual({
      address: privateKeyToAddress(two),
    })
    expect(await me.importKey('solana', three.text)).toEqual({ address: three.address })
    expect(await me.importKey('solana', base58.encode(four.seed))).toEqual({ address: four.address })
    expect(backend.rootsOf(user).map(({ secret }) => secret)).toEqual(['entropy', 'key', 'key', 'key', 'key'])
    for (const address of [privateKeyToAddress(one), three.address])
      expect(await me.connect(address)).toEqual({ entropyId: address })
  })

  test('again is the same wallet, here and on another device; there it is recovered by itself', async () => {
    const { backend, device, token, me } = await withWallet()
    const key = generatePrivateKey()
    const address = privateKeyToAddress(key)
    expect(await me.importKey('ethereum', key)).toEqual({ address })
    expect(await me.importKey('ethereum', key)).toEqual({ address })
    expect(await device.store.list(appId, user)).toHaveLength(2)
    const there = person(openTab(backend), token)
    expect(await there.importKey('ethereum', key)).toEqual({ address })
    expect((await there.connect(address)).error?.type).toBe('wallet_not_on_device')
    expect(await there.recover(address)).toEqual({ entropyId: address })
    const signature = (await there.sign(address, 'x')).response?.data ?? '0x'
    expect(await recoverMessageAddress({ message: 'x', signature })).toBe(address)
    expect(backend.state.roots).toHaveLength(2)
  })

  test('that is already a wallet of the person’s own entropy changes nothing', async () => {
    const { backend, device, me, stored } = await withWallet()
    const secret = randomBytes(32)
    stored.wallets.push({ chainType: 'ethereum', index: 5, address: privateKeyToAddress(hex(secret)) })
    expect(await me.importKey('ethereum', hex(secret))).toEqual({ address: privateKeyToAddress(hex(secret)) })
    expect(backend.state.roots).toHaveLength(1)
    expect(await device.store.list(appId, user)).toHaveLength(1)
  })

  test('that is none is refused before anything is sent, and not repeated in the answer', async () => {
    const { backend, me } = await withWallet()
    const calls = backend.calls.length
    const { text } = solanaKey()
    const order = `0x${'f'.repeat(31)}ebaaedce6af48a03bbfd25e8cd0364141`
    const wrong = [
      ...['0x', 'x', `0x${'0'.repeat(64)}`, order, `0x${'f'.repeat(64)}`, `0x${'1'.repeat(63)}`, text].map(
        (key) => ['ethereum', key] as const,
      ),
      ...[
        '0',
        text.slice(1),
        `${text}1`,
        text.replace(/.$/, 'l'),
        base58.encode(randomBytes(64)),
        'x'.repeat(5_000),
      ].map((key) => ['solana', key] as const),
    ]
    for (const [chain, key] of wrong)
      expect([key, await me.importKey(chain, key)]).toEqual([
        key,
        { error: { type: 'invalid_request_arguments', message: 'The private key is not valid' } },
      ])
    expect(backend.calls).toHaveLength(calls)
  })

  test('too many: the server’s word counts, and nothing is left on the device', async () => {
    const { backend, device, me } = await withWallet()
    backend.state.options.importedRoots = 2
    const made = []
    for (let i = 0; i < 12; i++) made.push(await me.importKey('ethereum', generatePrivateKey()))
    expect(made.filter(({ address }) => address)).toHaveLength(2)
    expect(made[2]?.error?.message).toMatch('cannot_link_more_of_type')
    const records = await device.store.list(appId, user)
    expect(records.filter(({ committed }) => committed)).toHaveLength(3)
    expect(records.length).toBeLessThanOrEqual(3 + 8)
  })
})

describe('several roots on one device', () => {
  test('each is opened by its own name only, and logging out forgets them all', async () => {
    const { backend, me, address } = await withWallet()
    const imported = []
    for (let i = 0; i < 3; i++)
      imported.push((await me.importKey('ethereum', generatePrivateKey())).address ?? '')
    const before = paths(backend).length
    for (const own of [address, ...imported]) {
      const signature = (await me.sign(own, 'x')).response?.data ?? '0x'
      expect(await recoverMessageAddress({ message: 'x', signature })).toBe(own)
    }
    expect(paths(backend)).toHaveLength(before)
    await me.clear(user)
    for (const own of [address, ...imported]) expect(await me.sign(own, 'x')).toHaveProperty('response')
    expect(paths(backend).slice(before)).toEqual(Array(4).fill('/auth_share'))
    const stranger = privateKeyToAddress(generatePrivateKey())
    expect((await me.connect(stranger)).error?.type).toBe('wallet_not_on_device')
  })

  test('a server that gives one root’s share for another’s name gets no signature by the wrong key', async () => {
    const { backend, token, device, me, address, stored } = await withWallet()
    const imported = (await me.importKey('ethereum', generatePrivateKey())).address ?? ''
    const root = backend.rootsOf(user)[1] ?? expect.unreachable('no root')
    const [[setId, authShare]] = [...root.sets] as [[string, string]]
    const answer = { wallet_id: root.walletId, set_id: setId, auth_share: authShare }
    backend.faults.after = () => new Response(JSON.stringify(answer))
    const me2 = person(openTab(backend, device), token)
    for (const more of [{}, { wallet_id: stored.walletId }, { set_id: [...stored.sets.keys()][0] }]) {
      Object.assign(answer, { wallet_id: root.walletId, set_id: setId }, more)
      expect((await me2.connect(address)).error?.type).toBe('wallet_not_on_device')
      expect((await me2.sign(address, 'x')).error?.type).toBe('wallet_not_on_device')
    }
    Object.assign(answer, { wallet_id: root.walletId, set_id: setId })
    expect(await me2.connect(imported)).toEqual({ entropyId: imported })
  })

  test('an import with an unknown end outlives the creation of another root', async () => {
    const backend = createBackend()
    const device = createDevice()
    const me = person(openTab(backend, device), makeToken(user))
    const key = generatePrivateKey()
    backend.faults.after = lost
    expect((await me.importKey('ethereum', key)).error?.type).toBe('error')
    backend.faults.after = undefined
    const { address = '' } = await me.create()
    expect(await me.connect(address)).toEqual({ entropyId: address })
    expect(await device.store.list(appId, user)).toHaveLength(2)
    const imported = privateKeyToAddress(key)
    expect(await me.connect(imported)).toEqual({ entropyId: imported })
    const records = await device.store.list(appId, user)
    expect(records.map(({ kind, committed }) => [kind, committed]).sort()).toEqual([
      ['entropy', true],
      ['key', true],
    ])
  })
})

describe('several sets of one root on one device', () => {
  /** Two tabs without a common lock have recovered at once. */
  async function withTwoSets() {
    const { backend, token, address, stored } = await withWallet()
    const device = createDevice()
    const tab = () => person(openTab(backend, { ...device, locks: pageLocks() }), token)
    const first = (await device.store.list(appId, user)).length
    await tab().recover(address)
    const [one] = await device.store.list(appId, user)
    if (one) await device.store.remove(one)
    await tab().recover(address)
    if (one) await device.store.put(one)
    expect(first).toBe(0)
    return { backend, device, me: tab(), address, stored }
  }

  test('a damaged one is skipped for an intact one', async () => {
    for (const which of [0, 1]) {
      const { backend, device, me, address, stored } = await withTwoSets()
      const records = await device.store.list(appId, user)
      expect(records).toHaveLength(2)
      stored.sets.set(records[which]?.setId ?? '', 'damaged')
      expect(await me.connect(address)).toEqual({ entropyId: address })
      expect(await me.sign(address, 'x')).toHaveProperty('response')
      for (const { setId } of records) stored.sets.set(setId, 'damaged')
      expect((await me.connect(address)).error?.type).toBe('wallet_not_on_device')
      expect(backend.rootOf(user).sets.size).toBe(3)
    }
  })

  test('the server is asked for 32 sets at a time, the latest first', async () => {
    const { backend, device, me, address } = await withWallet()
    const [record] = await device.store.list(appId, user)
    if (!record) throw new Error('no record')
    for (let i = 1; i <= 70; i++)
      await device.store.put({ ...record, setId: crypto.randomUUID(), madeAt: record.madeAt + i })
    const before = backend.calls.length
    expect(await me.connect(address)).toEqual({ entropyId: address })
    const asked = backend.calls.slice(before).map(({ body }) => (body.set_ids as string[]).length)
    expect(asked).toEqual([32, 32, 7])
  })
})

test('a device share of the first version opens its wallet, signs, and gets a Solana wallet beside', async () => {
  const { backend, device, me, address, stored } = await withWallet()
  const [record] = await device.store.list(appId, user)
  if (!record) throw new Error('no record')
  const secret = randomBytes(16)
  const root = { walletId: stored.walletId, kind: 'entropy', secret, chainType: 'ethereum' } as const
  const own = await withRoot(root, (open) =>
    open.withKey({ chainType: 'ethereum', index: 0 }, (key) => key.address),
  )
  const set = await splitRoot({ ...root, address: own })
  const { setId } = set.device
  stored.wallets.splice(0, 1, { chainType: 'ethereum', index: 0, address: own })
  stored.sets.set(setId, await sealFirst(record.authKey, set.auth))
  await device.store.remove(record)
  const share = await sealFirst(record.deviceKey, set.device)
  await device.store.put({ ...record, setId, address: own.toLowerCase(), share })
  await me.clear(user)
  expect(await me.connect(own)).toEqual({ entropyId: own })
  expect((await me.connect(address)).error?.type).toBe('wallet_not_on_device')
  const signature = (await me.sign(own, 'x')).response?.data ?? '0x'
  expect(await recoverMessageAddress({ message: 'x', signature })).toBe(own)
  const { publicKey } = await me.createSolana()
  expect(backend.rootOf(user).wallets).toMatchObject([{ address: own }, { address: publicKey }])
})

const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}` as const
