import '../../support/quick-stretching.ts'
import { recoverMessageAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { limit } from '../../../support/limit.ts'
import { appId } from '../../support/backend.ts'
import { chainOf, type person } from '../../support/device.ts'
import { user } from '../../support/person.ts'
import {
  type RecoveryMethod,
  recoveryMethodOf,
  recoveryMethods,
  withRecoveryMethod,
} from '../../support/recovery-methods.ts'

type Person = ReturnType<typeof person>
async function expectSignature(me: Person, address: string) {
  const { response, error } = await me.sign(address, 'x')
  expect(error).toBeUndefined()
  expect(await recoverMessageAddress({ message: 'x', signature: response?.data ?? '0x' })).toBe(address)
}

describe.each(recoveryMethods)('recovery by $name', { timeout: limit(30_000) }, (method) => {
  test('a new device: not there, recovered, signs with the same address; the first device keeps working', async () => {
    const { backend, drives, me, address, stored, openDevice } = await withRecoveryMethod(method)
    expect(stored.recovery.method).toBe(method.method)
    const { me: there, device } = openDevice()
    expect((await there.connect(address)).error?.type).toBe('wallet_not_on_device')
    expect(await there.recover(address, method.use(drives))).toEqual({ entropyId: address })
    await expectSignature(there, address)
    await expectSignature(me, address)
    expect(stored.sets.size).toBe(2)
    expect(await device.store.list(appId, user)).toMatchObject([
      { committed: true, walletId: stored.walletId },
    ])
    expect(backend.state.roots).toHaveLength(1)
  })

  test('where the wallet is already, nothing is asked of any drive, and no guess is spent', async () => {
    const { backend, drives, me, address } = await withRecoveryMethod(method)
    const [calls, files] = [backend.calls.length, drives.calls.length]
    expect(await me.recover(address, method.use(drives))).toEqual({ entropyId: address })
    expect(backend.calls.slice(calls).map(({ path }) => path)).toEqual([`/${address}/auth_share`])
    expect(drives.calls).toHaveLength(files)
  })

  test('a wallet that began on Solana comes back with both its chains', async () => {
    const { backend, drives, me, openDevice } = await withRecoveryMethod(method)
    backend.state.roots.length = 0
    const { me: solo } = openDevice()
    const { address: solana = '' } = await solo.createOn('solana', method.set(drives))
    expect(chainOf(solana)).toBe('solana')
    const { address: ethereum = '' } = await solo.create()
    for (const name of [solana, ethereum]) {
      const { me: there } = openDevice()
      expect(await there.recover(name, method.use(drives))).toEqual({ entropyId: name })
      await expectSignature(there, ethereum)
    }
    expect((await me.connect(ethereum)).error?.type).toBe('wallet_not_on_device')
  })

  test('an imported key gets it later, and comes back by it', async () => {
    const { drives, me, openDevice, backend } = await withRecoveryMethod(recoveryMethodOf('automatic'))
    const { address: imported = '' } = await me.importKey('ethereum', `0x${'17'.repeat(32)}`)
    expect(await me.setRecovery(imported, method.set(drives))).toMatchObject({
      recoveryMethod: method.method,
    })
    const { me: there } = openDevice()
    expect(await there.recover(imported, method.use(drives))).toEqual({ entropyId: imported })
    await expectSignature(there, imported)
    expect(backend.rootOf(user).recovery.method).toBe('privy')
  })

  test('without what it needs, nothing is recovered and nothing is lost', async () => {
    const { drives, address, openDevice } = await withRecoveryMethod(method)
    if (method.name === 'automatic') return
    const { me, device } = openDevice()
    expect((await me.recover(address)).error?.type).toBe('invalid_request_arguments')
    expect(await device.store.list(appId, user)).toEqual([])
    expect(await me.recover(address, method.use(drives))).toEqual({ entropyId: address })
  })

  test('the package alone is no use to another package’s secret', async () => {
    const one = await withRecoveryMethod(method)
    const two = await withRecoveryMethod(method)
    one.stored.recovery = { ...two.stored.recovery, package: one.stored.recovery.package }
    const { me, device } = one.openDevice()
    const answer = await me.recover(one.address, method.use(one.drives))
    // A secret that the host keeps itself opens all that it has sealed.
    if (method.name === 'own key' || method.name === 'iCloud of a native app')
      return expect(answer).toEqual({ entropyId: one.address })
    expect(answer.error?.type).toBe('error')
    expect(await device.store.list(appId, user)).toEqual([])
  })
})

describe('a change of the recovery method', { timeout: limit(30_000) }, () => {
  const pairs = recoveryMethods.flatMap((from) => recoveryMethods.map((to) => [from.name, to.name] as const))

  test.each(pairs)('from %s to %s: the new one works, the old one does not', async (from, to) => {
    const { backend, drives, me, address, stored, openDevice } = await withRecoveryMethod(
      recoveryMethodOf(from),
    )
    const before = stored.recovery.package
    const answer = await me.setRecovery(address, {
      ...recoveryMethodOf(to).set(drives),
      existingRecoveryMethod: recoveryMethodOf(from).method,
    })
    expect(answer).toEqual({
      entropyId: address,
      entropyIdVerifier: 'ethereum-address-verifier',
      recoveryMethod: recoveryMethodOf(to).method,
    })
    expect(stored.recovery.package).not.toBe(before)
    const there = openDevice()
    // Automatic recovery needs nothing, and passes over what it is given.
    if (from !== to && to !== 'automatic')
      expect(await there.me.recover(address, oldSecret(recoveryMethodOf(from), drives))).toHaveProperty(
        'error',
      )
    expect(await there.me.recover(address, recoveryMethodOf(to).use(drives))).toEqual({ entropyId: address })
    await expectSignature(there.me, address)
    await expectSignature(me, address)
    expect(backend.state.roots).toHaveLength(1)
  })
})

/** Automatic recovery has none, so a guess is used. */
const oldSecret = (method: RecoveryMethod, drives: Parameters<RecoveryMethod['use']>[0]) =>
  method.name === 'automatic' ? { recoveryPassword: 'a guess' } : method.use(drives)
