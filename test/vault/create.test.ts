import { describe, expect, test } from 'vitest'
import { appId, createBackend, makeToken } from './support/backend.ts'
import { paths, user, withWallet } from './support/person.ts'
import { openTab, person } from './support/rig.ts'

describe('creating', () => {
  test('makes one wallet, of which the server holds sealed halves only', async () => {
    const { backend, device, address, stored } = await withWallet()
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(stored.address).toBe(address)
    expect(paths(backend)).toEqual([''])
    const [record] = await device.store.list(appId, user)
    expect(record).toMatchObject({
      committed: true,
      walletId: stored.walletId,
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
    expect(body).toMatchObject({ chain_type: 'ethereum', wallet_index: 0, recovery_method: 'privy' })
    const fields = ['wallet_id', 'chain_type', 'address', 'wallet_index', 'set_id', 'auth_share', 'proof']
    const recovery = ['recovery_package', 'recovery_method', 'recovery_key']
    expect(Object.keys(body).sort()).toEqual([...fields, ...recovery].sort())
  })

  test('a retried request keeps its key', async () => {
    const backend = createBackend()
    let failures = 2
    backend.faults.after = () => (failures-- > 0 ? new Response('', { status: 503 }) : undefined)
    const { address } = await person(openTab(backend), makeToken(user)).create()
    expect(address).toBe(backend.wallets.get(user)?.address)
    expect(new Set(backend.calls.map((call) => call.headers.get('idempotency-key'))).size).toBe(1)
    expect(backend.calls).toHaveLength(3)
  })

  test('again: the existing wallet is the answer, and nothing is left of the new one', async () => {
    const { backend, device, me, address } = await withWallet()
    expect(await me.create()).toEqual({ address })
    expect(await me.create({ recoveryMethod: 'privy' })).toEqual({ address })
    expect(backend.wallets.size).toBe(1)
    expect(await device.store.list(appId, user)).toHaveLength(1)
  })

  test('another way of recovery is refused, never quietly replaced', async () => {
    const backend = createBackend()
    const me = person(openTab(backend), makeToken(user))
    const other = [
      { recoveryMethod: 'user-passcode' },
      { recoveryPassword: 'secret-1' },
      { recoveryPin: '123456' },
    ]
    for (const data of [
      ...other,
      { solanaAddress: 'x' },
      { recoveryAccessToken: 't' },
      { recoveryKey: 'k' },
    ]) {
      const { error } = await me.create(data)
      expect(error).toEqual({ type: 'error', message: 'This way of recovery is unsupported' })
    }
    expect(backend.calls).toHaveLength(0)
  })
})
