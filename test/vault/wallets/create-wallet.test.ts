import { describe, expect, test } from 'vitest'
import { appId, createBackend, makeToken } from '../support/backend.ts'
import { createDevice, openTab, person } from '../support/device.ts'
import { paths, user, withWallet } from '../support/person.ts'

describe('creating', () => {
  test('makes one wallet, of which the server holds sealed halves only', async () => {
    const { backend, device, address, stored } = await withWallet()
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(stored.wallets).toEqual([{ chainType: 'ethereum', index: 0, address }])
    expect(paths(backend)).toEqual([''])
    const [record] = await device.store.list(appId, user)
    expect(record).toMatchObject({
      committed: true,
      walletId: stored.walletId,
      kind: 'entropy',
      chainType: 'ethereum',
      address: address.toLowerCase(),
    })
    expect([...stored.sets.keys()]).toEqual([record?.setId])
  })

  test('sends the headers of the protocol, one idempotency key per action, and no cookie', async () => {
    const { backend, token } = await withWallet()
    const { headers, init, body } = backend.calls[0] ?? expect.unreachable('no call')
    expect(headers.get('privy-app-id')).toBe(appId)
    expect(headers.get('authorization')).toBe(`Bearer ${token}`)
    expect(headers.get('privy-client')).toMatch(/^latchkey-vault:\d+\.\d+\.\d+$/)
    expect(headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
    expect(init).toMatchObject({ method: 'POST', credentials: 'omit', redirect: 'error' })
    expect(body).toMatchObject({ secret: 'entropy', chain_type: 'ethereum', recovery: { method: 'privy' } })
    const fields = [
      'wallet_id',
      'secret',
      'chain_type',
      'address',
      'set_id',
      'auth_share',
      'proof',
      'recovery',
    ]
    expect(Object.keys(body).sort()).toEqual(fields.sort())
    expect(Object.keys(body.recovery as object).sort()).toEqual(['key', 'method', 'package'])
  })

  test('a retried request keeps its key', async () => {
    const backend = createBackend()
    let failures = 2
    backend.faults.after = () => (failures-- > 0 ? new Response('', { status: 503 }) : undefined)
    const { address } = await person(openTab(backend), makeToken(user)).create()
    expect(address).toBe(backend.rootOf(user).wallets[0]?.address)
    expect(new Set(backend.calls.map((call) => call.headers.get('idempotency-key'))).size).toBe(1)
    expect(backend.calls).toHaveLength(3)
  })

  test('again: the existing wallet is the answer, here and on another device, and nothing is left of a new one', async () => {
    const { backend, device, token, me, address } = await withWallet()
    expect(await me.create()).toEqual({ address })
    expect(await me.createOn('ethereum', { recoveryMethod: 'privy' })).toEqual({ address })
    const other = createDevice()
    expect(await person(openTab(backend, other), token).create()).toEqual({ address })
    expect(backend.state.roots).toHaveLength(1)
    expect(await device.store.list(appId, user)).toHaveLength(1)
    expect(await other.store.list(appId, user)).toHaveLength(0)
  })

  test('a recovery method that is not whole is refused, never quietly replaced', async () => {
    const backend = createBackend()
    const me = person(openTab(backend), makeToken(user))
    for (const data of [
      { recoveryMethod: 'user-passcode' },
      { recoveryMethod: 'privy', recoveryPassword: 'secret-1' },
      { recoveryMethod: 'carrier-pigeon' },
      { recoveryKey: 'k' },
    ])
      expect(await me.create(data)).toHaveProperty('error')
    expect(backend.calls).toHaveLength(0)
  })

  test('an app that wants people to own their recovery gets no wallet with the automatic one', async () => {
    const backend = createBackend()
    backend.state.options.requireOwnRecovery = true
    const device = createDevice()
    const me = person(openTab(backend, device), makeToken(user))
    expect((await me.create()).error?.message).toMatch('disallowed_recovery_method')
    const { address } = await me.create({
      recoveryMethod: 'recovery-encryption-key',
      recoveryKey: 'k'.repeat(32),
    })
    expect(backend.rootOf(user).wallets).toMatchObject([{ address }])
    expect(await device.store.list(appId, user)).toHaveLength(1)
  })
})

describe('both chains from one entropy', () => {
  test.each([
    ['Ethereum', 'Solana'],
    ['Solana', 'Ethereum'],
  ])('first %s, then %s: one root, that goes by either name', async (first) => {
    const backend = createBackend()
    const device = createDevice()
    const me = person(openTab(backend, device), makeToken(user))
    const makers = [async () => (await me.create()).address, async () => (await me.createSolana()).publicKey]
    if (first === 'Solana') makers.reverse()
    const addresses = []
    for (const make of makers) addresses.push((await make()) ?? '')
    const root = backend.rootOf(user)
    expect(backend.state.roots).toHaveLength(1)
    expect(root.wallets.map(({ address }) => address)).toEqual(addresses)
    expect(await device.store.list(appId, user)).toHaveLength(1)
    for (const address of addresses) {
      expect(await me.connect(address)).toEqual({ entropyId: address })
      const there = person(openTab(backend, createDevice()), makeToken(user))
      expect((await there.connect(address)).error?.type).toBe('wallet_not_on_device')
      expect(await there.recover(address)).toEqual({ entropyId: address })
      for (const name of addresses) expect(await there.connect(name)).toEqual({ entropyId: name })
    }
  })

  test('the second one needs the entropy: on another device it has to be recovered first', async () => {
    const { backend, token, address } = await withWallet()
    const device = createDevice()
    const there = person(openTab(backend, device), token)
    expect((await there.createSolana()).error?.type).toBe('wallet_not_on_device')
    expect(await device.store.list(appId, user)).toHaveLength(0)
    expect(await there.recover(address)).toEqual({ entropyId: address })
    const { publicKey } = await there.createSolana()
    expect(backend.rootOf(user).wallets).toMatchObject([{ address }, { address: publicKey }])
  })

  test('a wallet that is there is named without its entropy', async () => {
    const { backend, token, me } = await withWallet()
    const { publicKey } = await me.createSolana()
    expect(await person(openTab(backend), token).createSolana()).toEqual({ publicKey })
  })

  test('its recovery method stays, unless the second request brings one of the person’s own', async () => {
    const own = { recoveryMethod: 'recovery-encryption-key', recoveryKey: 'k'.repeat(32) }
    const { backend, me } = await withWallet(own)
    const before = { ...backend.rootOf(user).recovery }
    expect(await me.createOn('solana', { recoveryMethod: 'privy' })).toHaveProperty('address')
    expect(backend.rootOf(user).recovery).toEqual(before)
    const another = { ...own, recoveryKey: 'l'.repeat(32) }
    const { address = '' } = await me.createOn('solana', another)
    const back = (data: object) => person(openTab(backend), makeToken(user)).recover(address, data)
    expect((await back(own)).error?.type).toBe('error')
    expect(await back(another)).toEqual({ entropyId: address })
  })

  test('a recovery method that could not be set is not reported as set: on another device it takes the entropy', async () => {
    const { backend, token, address } = await withWallet()
    const before = { ...backend.rootOf(user).recovery }
    const there = person(openTab(backend), token)
    const own = { recoveryMethod: 'recovery-encryption-key', recoveryKey: 'k'.repeat(32) }
    expect((await there.create(own)).error?.type).toBe('wallet_not_on_device')
    expect(backend.rootOf(user).recovery).toEqual(before)
    await there.recover(address)
    expect(await there.create(own)).toEqual({ address })
    expect(backend.rootOf(user).recovery.method).toBe('recovery-encryption-key')
  })

  test('two tabs make both at once: one root with two wallets', async () => {
    for (const common of [true, false]) {
      const backend = createBackend()
      const device = createDevice()
      const token = makeToken(user)
      const tab = () =>
        person(openTab(backend, common ? device : { ...device, locks: createDevice().locks }), token)
      const [one, two] = [tab(), tab()]
      const made = await Promise.all([one.create(), two.createSolana()])
      // Without a common lock the slower one may have asked too early; it gets that answer, and asks again.
      if (common) expect(made.map(({ error }) => error)).toEqual([undefined, undefined])
      const again = [await one.create(), await two.createSolana()]
      expect(backend.state.roots).toHaveLength(1)
      expect(backend.rootOf(user).wallets).toHaveLength(2)
      for (const { address, publicKey } of again)
        expect(await one.connect(address ?? publicKey ?? '')).toHaveProperty('entropyId')
    }
  })
})

describe('a creation whose answer was lost', () => {
  const own = (letter: string) => ({
    recoveryMethod: 'recovery-encryption-key',
    recoveryKey: letter.repeat(32),
  })
  const recoverWith = async (backend: ReturnType<typeof createBackend>, address: string, letter: string) =>
    person(openTab(backend), makeToken(user)).recover(address, { recoveryKey: letter.repeat(32) })

  test('is taken up by the next one, with the secret that was given last', async () => {
    const backend = createBackend()
    const device = createDevice()
    const me = person(openTab(backend, device), makeToken(user))
    backend.faults.after = () => Promise.reject(new TypeError('connection reset'))
    expect((await me.create(own('a'))).error?.type).toBe('error')
    backend.faults.after = undefined
    const { address = '' } = await me.create(own('b'))
    expect(backend.state.roots).toHaveLength(1)
    expect(await device.store.list(appId, user)).toMatchObject([{ committed: true }])
    expect((await recoverWith(backend, address, 'a')).error?.type).toBe('error')
    expect(await recoverWith(backend, address, 'b')).toEqual({ entropyId: address })
  })

  test('is taken up by one on the other chain as well', async () => {
    const backend = createBackend()
    const me = person(openTab(backend), makeToken(user))
    backend.faults.after = () => Promise.reject(new TypeError('connection reset'))
    expect((await me.create()).error?.type).toBe('error')
    backend.faults.after = undefined
    const { publicKey } = await me.createSolana()
    expect(backend.rootOf(user).wallets).toMatchObject([{ chainType: 'ethereum' }, { address: publicKey }])
  })
})
