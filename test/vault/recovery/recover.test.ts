import { recoverMessageAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { appId, makeToken } from '../support/backend.ts'
import { createDevice, openTab, person } from '../support/device.ts'
import { paths, user, withWallet } from '../support/person.ts'

describe('connecting and recovering', () => {
  test('a new device: not there, recovered into its own set, signs; the first device keeps working', async () => {
    const { backend, token, me, address, stored } = await withWallet()
    const device = createDevice()
    const there = person(openTab(backend, device), token)
    expect((await there.connect(address)).error?.type).toBe('wallet_not_on_device')
    expect((await there.sign(address, 'x')).error?.type).toBe('wallet_not_on_device')
    expect(await there.recover(address)).toEqual({ entropyId: address })
    expect(await there.connect(address)).toEqual({ entropyId: address })
    const signature = (await there.sign(address, 'x')).response?.data ?? '0x'
    expect(await recoverMessageAddress({ message: 'x', signature })).toBe(address)
    expect(stored.sets.size).toBe(2)
    expect(await me.connect(address)).toEqual({ entropyId: address })
    expect(await device.store.list(appId, user)).toMatchObject([
      { committed: true, walletId: stored.walletId },
    ])
  })

  test('recovering where the wallet is already changes nothing', async () => {
    const { backend, me, address, stored } = await withWallet()
    expect(await me.recover(address)).toEqual({ entropyId: address })
    expect(stored.sets.size).toBe(1)
    expect(paths(backend)).toEqual(['', '/auth_share'])
  })

  test('a set that the server has lost, damaged or swapped: not on the device, then recovered', async () => {
    const { device, me, address, stored } = await withWallet()
    const other = await withWallet()
    const [setId, sound] = [...stored.sets][0] ?? expect.unreachable('no set')
    const [foreign = ''] = other.stored.sets.values()
    for (const damaged of [
      '',
      sound.slice(1),
      `${sound.slice(0, -1)}${sound.endsWith('A') ? 'B' : 'A'}`,
      foreign,
    ]) {
      stored.sets.set(setId, damaged)
      expect((await me.connect(address)).error?.type).toBe('wallet_not_on_device')
    }
    stored.sets.clear()
    expect((await me.connect(address)).error?.type).toBe('wallet_not_on_device')
    expect(await me.recover(address)).toEqual({ entropyId: address })
    expect(await me.sign(address, 'x')).toHaveProperty('response')
    expect(await device.store.list(appId, user)).toHaveLength(1)
  })

  test('an auth share that the server calls another wallet’s is not used', async () => {
    const { backend, me, address, stored } = await withWallet()
    const [setId, authShare] = [...stored.sets][0] ?? []
    backend.faults.after = () =>
      new Response(JSON.stringify({ wallet_id: crypto.randomUUID(), set_id: setId, auth_share: authShare }))
    expect((await me.connect(address)).error?.type).toBe('wallet_not_on_device')
  })

  test('another person on the same device, or a wallet of somebody else, meets nothing', async () => {
    const { backend, vault, address } = await withWallet()
    const stranger = person(vault, makeToken('did:privy:two'))
    expect((await stranger.connect(address)).error?.type).toBe('wallet_not_on_device')
    expect((await stranger.sign(address, 'x')).error?.type).toBe('wallet_not_on_device')
    expect((await stranger.recover(address)).error?.type).toBe('error')
    const { address: own } = await stranger.create()
    expect(own).not.toBe(address)
    expect(backend.state.roots).toHaveLength(2)
  })
})
