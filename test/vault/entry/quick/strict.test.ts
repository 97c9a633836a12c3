/** What a page may command without anything being shown, in each mode of an app. */
import '../../support/quick-stretching.ts'
import { describe, expect, test } from 'vitest'
import { openTab, person } from '../../support/device.ts'
import { withWallet } from '../../support/person.ts'
import { password, recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

type Person = ReturnType<typeof person>
const refused = { type: 'error', message: "Approve this in the wallet's own window" }
const kept = {
  type: 'recovery_method_not_supported',
  message: 'A key that the page keeps recovers no wallet in this app',
}
const key = '17'.repeat(32)
const path = { chainType: 'ethereum', hdWalletIndex: 0 }
const transaction = (address: string) => ({
  from: address,
  to: address,
  value: '0x1',
  chainId: 1,
  nonce: 0,
  gasLimit: '0x5208',
  maxFeePerGas: '0x77359400',
  maxPriorityFeePerGas: '0x3b9aca00',
  type: 2,
})
const domain = { name: 'Test', chainId: 1 }
const typed = {
  types: { EIP712Domain: [{ name: 'name', type: 'string' }] },
  primaryType: 'EIP712Domain',
  domain,
}

type Row = [what: string, ask: (me: Person, address: string) => Promise<object>]
const commands: Row[] = [
  ['personal_sign', (me, address) => me.sign(address, 'x')],
  [
    'eth_signTypedData_v4',
    (me, address) => me.rpc(address, path, { method: 'eth_signTypedData_v4', params: [address, typed] }),
  ],
  [
    'eth_signTransaction',
    (me, address) => me.rpc(address, path, { method: 'eth_signTransaction', params: [transaction(address)] }),
  ],
  [
    'secp256k1_sign',
    (me, address) => me.rpc(address, path, { method: 'secp256k1_sign', params: [`0x${'11'.repeat(32)}`] }),
  ],
  ['eth_sign', (me, address) => me.rpc(address, path, { method: 'eth_sign', params: [address, 'x'] })],
  ['a method that nobody knows', (me, address) => me.rpc(address, path, { method: 'x', params: [] })],
  [
    'signMessage',
    (me, address) =>
      me.rpc(
        address,
        { ...path, chainType: 'solana' },
        { method: 'signMessage', params: { message: 'eA==' } },
      ),
  ],
  ['set-recovery', (me, address) => me.setRecovery(address, { recoveryMethod: 'privy' })],
  [
    'set-recovery to a password',
    (me, address) => me.setRecovery(address, { recoveryMethod: 'user-passcode', recoveryPassword: password }),
  ],
  ['import', (me) => me.importKey('ethereum', key)],
  ['the removal of a device', (me) => me.removeDevice('any')],
  ['create with a password', (me) => me.create({ recoveryPassword: password })],
  ['create with a PIN of older clients', (me) => me.create({ recoveryPin: password })],
  ['create with a drive', (me) => me.create({ recoveryMethod: 'google-drive', recoveryAccessToken: 't' })],
  ['recover by password', (me, address) => me.recover(address, { recoveryPassword: password })],
  ['recover by a drive', (me, address) => me.recover(address, { recoveryAccessToken: 't' })],
]
const ofTheHost: Row[] = [
  ['create', (me) => me.createOn('solana', { recoveryKey: 'k'.repeat(32) })],
  ['recover', (me, address) => me.recover(address, { recoveryKey: 'k'.repeat(32) })],
  [
    'set-recovery',
    (me, address) => me.setRecovery(address, { recoveryMethod: 'recovery-encryption-key', recoveryKey: 'k' }),
  ],
]
const allowed: Row[] = [
  ['create', (me) => me.create()],
  ['create, saying automatic', (me) => me.createOn('solana', { recoveryMethod: 'privy' })],
  ['create a Solana wallet', (me) => me.createSolana()],
  ['add', (me, address) => me.add(address, 'ethereum', 1)],
  ['connect', (me, address) => me.connect(address)],
  ['recover', (me, address) => me.recover(address)],
  [
    'eth_populateTransactionRequest',
    (me, address) =>
      me.rpc(address, path, { method: 'eth_populateTransactionRequest', params: [transaction(address)] }),
  ],
]

describe('in a strict app', () => {
  async function strict() {
    const { backend, device, token, address } = await withWallet()
    const me = person(openTab(backend, device, undefined, { vault: 'strict' }), token)
    return { backend, me, address }
  }

  test.each(commands)('a page can’t command: %s', async (_, ask) => {
    const { backend, me, address } = await strict()
    const before = [backend.asked.length, JSON.stringify(backend.rootOf('did:privy:one').recovery)]
    expect(await ask(me, address)).toEqual({ error: refused })
    expect([backend.asked.length, JSON.stringify(backend.rootOf('did:privy:one').recovery)]).toEqual(before)
  })

  test.each(ofTheHost)('a page’s own key is refused in as many words: %s', async (_, ask) => {
    const { backend, me, address } = await strict()
    const before = backend.asked.length
    expect(await ask(me, address)).toEqual({ error: kept })
    expect(backend.asked).toHaveLength(before)
  })

  test.each(allowed)('a page may still ask to %s', async (_, ask) => {
    const { me, address } = await strict()
    expect(await ask(me, address)).not.toHaveProperty('error')
  })

  test('a wallet with automatic recovery comes back by itself, and no other one does', async () => {
    for (const [name, answer] of [
      ['automatic', undefined],
      ['password', refused],
      ['own key', kept],
    ] as const) {
      const { backend, token, address } = await withRecoveryMethod(recoveryMethodOf(name))
      const there = person(openTab(backend, undefined, undefined, { vault: 'strict' }), token)
      expect((await there.recover(address)).error).toEqual(answer)
    }
  })
})

describe('in a compatible app', () => {
  test('a page removes a device of the person’s, and no other one', async () => {
    const { backend, me } = await withWallet()
    const [own] = backend.state.devices
    expect((await me.removeDevice('none')).error).toMatchObject({ type: 'error' })
    expect(own?.removed).toBe(false)
    expect(await me.removeDevice(own?.id ?? '')).toEqual({ deviceId: own?.id })
    expect(own?.removed).toBe(true)
  })

  test('a page removes a device of somebody with a recovery password once it is given that password', async () => {
    const { backend, me, address } = await withWallet({ recoveryPassword: password })
    const [own] = backend.state.devices
    own?.present.clear()
    const removed = (presentPassword?: string) =>
      me.removeDevice(own?.id ?? '', presentPassword ? { root: address, presentPassword } : undefined)
    expect((await removed()).error).toMatchObject({ type: 'recovery_proof_required' })
    expect((await removed('another one')).error).toMatchObject({ type: 'invalid_recovery_pin' })
    expect(own?.removed).toBe(false)
    expect(await removed(password)).toEqual({ deviceId: own?.id })
    expect(own?.removed).toBe(true)
  })

  test.each([...commands, ...ofTheHost, ...allowed])('a page may have done: %s', async (_, ask) => {
    const { me, address } = await withWallet()
    const { error } = (await ask(me, address)) as { error?: object }
    expect([refused, kept]).not.toContainEqual(error)
  })
})
