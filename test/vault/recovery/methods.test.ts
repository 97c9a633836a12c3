import '../support/quick-stretching.ts'
import { recoverMessageAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { appId } from '../support/backend.ts'
import { chainOf, type person } from '../support/device.ts'
import { user } from '../support/person.ts'
import { type Way, wayOf, ways, withWay } from '../support/recovery-methods.ts'

type Person = ReturnType<typeof person>
async function expectSignature(me: Person, address: string) {
  const { response, error } = await me.sign(address, 'x')
  expect(error).toBeUndefined()
  expect(await recoverMessageAddress({ message: 'x', signature: response?.data ?? '0x' })).toBe(address)
}

describe.each(ways)('recovery by $name', { timeout: 30_000 }, (way) => {
  test('a new device: not there, recovered, signs with the same address; the first device goes on', async () => {
    const { backend, drives, me, address, stored, sitDown } = await withWay(way)
    expect(stored.recovery.method).toBe(way.method)
    const { me: there, device } = sitDown()
    expect((await there.connect(address)).error?.type).toBe('wallet_not_on_device')
    expect(await there.recover(address, way.use(drives))).toEqual({ entropyId: address })
    await expectSignature(there, address)
    await expectSignature(me, address)
    expect(stored.sets.size).toBe(2)
    expect(await device.store.list(appId, user)).toMatchObject([
      { committed: true, walletId: stored.walletId },
    ])
    expect(backend.state.roots).toHaveLength(1)
  })

  test('where the wallet is already, nothing is asked of any drive, and no guess is spent', async () => {
    const { backend, drives, me, address } = await withWay(way)
    const [calls, files] = [backend.calls.length, drives.calls.length]
    expect(await me.recover(address, way.use(drives))).toEqual({ entropyId: address })
    expect(backend.calls.slice(calls).map(({ path }) => path)).toEqual([`/${address}/auth_share`])
    expect(drives.calls).toHaveLength(files)
  })

  test('a wallet that began on Solana comes back with both its chains', async () => {
    const { backend, drives, me, sitDown } = await withWay(way)
    backend.state.roots.length = 0
    const { me: solo } = sitDown()
    const { address: solana = '' } = await solo.createOn('solana', way.set(drives))
    expect(chainOf(solana)).toBe('solana')
    const { address: ethereum = '' } = await solo.create()
    for (const name of [solana, ethereum]) {
      const { me: there } = sitDown()
      expect(await there.recover(name, way.use(drives))).toEqual({ entropyId: name })
      await expectSignature(there, ethereum)
    }
    expect((await me.connect(ethereum)).error?.type).toBe('wallet_not_on_device')
  })

  test('an imported key gets it later, and comes back by it', async () => {
    const { drives, me, sitDown, backend } = await withWay(wayOf('automatic'))
    const { address: imported = '' } = await me.importKey('ethereum', `0x${'17'.repeat(32)}`)
    expect(await me.setRecovery(imported, way.set(drives))).toMatchObject({ recoveryMethod: way.method })
    const { me: there } = sitDown()
    expect(await there.recover(imported, way.use(drives))).toEqual({ entropyId: imported })
    await expectSignature(there, imported)
    expect(backend.rootOf(user).recovery.method).toBe('privy')
  })

  test('without what it needs, nothing is recovered and nothing is lost', async () => {
    const { drives, address, sitDown } = await withWay(way)
    if (way.name === 'automatic') return
    const { me, device } = sitDown()
    expect((await me.recover(address)).error?.type).toBe('invalid_request_arguments')
    expect(await device.store.list(appId, user)).toEqual([])
    expect(await me.recover(address, way.use(drives))).toEqual({ entropyId: address })
  })

  test('the package alone is no use to another package’s secret', async () => {
    const one = await withWay(way)
    const two = await withWay(way)
    one.stored.recovery = { ...two.stored.recovery, package: one.stored.recovery.package }
    const { me, device } = one.sitDown()
    const answer = await me.recover(one.address, way.use(one.drives))
    // A secret that the host keeps itself opens all that it has sealed.
    if (way.name === 'own key' || way.name === 'iCloud of a native app')
      return expect(answer).toEqual({ entropyId: one.address })
    expect(answer.error?.type).toBe('error')
    expect(await device.store.list(appId, user)).toEqual([])
  })
})

describe('a change of the way of recovery', { timeout: 30_000 }, () => {
  const pairs = ways.flatMap((from) => ways.map((to) => [from.name, to.name] as const))

  test.each(pairs)('from %s to %s: the new one works, the old one does not', async (from, to) => {
    const { backend, drives, me, address, stored, sitDown } = await withWay(wayOf(from))
    const before = stored.recovery.package
    const answer = await me.setRecovery(address, {
      ...wayOf(to).set(drives),
      existingRecoveryMethod: wayOf(from).method,
    })
    expect(answer).toEqual({
      entropyId: address,
      entropyIdVerifier: 'ethereum-address-verifier',
      recoveryMethod: wayOf(to).method,
    })
    expect(stored.recovery.package).not.toBe(before)
    const there = sitDown()
    // Automatic recovery needs nothing, and passes over what it is given.
    if (from !== to && to !== 'automatic')
      expect(await there.me.recover(address, oldSecret(wayOf(from), drives))).toHaveProperty('error')
    expect(await there.me.recover(address, wayOf(to).use(drives))).toEqual({ entropyId: address })
    await expectSignature(there.me, address)
    await expectSignature(me, address)
    expect(backend.state.roots).toHaveLength(1)
  })
})

/** Automatic recovery has none: a guess stands for it. */
const oldSecret = (way: Way, drives: Parameters<Way['use']>[0]) =>
  way.name === 'automatic' ? { recoveryPassword: 'a guess' } : way.use(drives)
