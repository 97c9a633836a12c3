import { describe, expect, test } from 'vitest'
import { appId } from '../support/backend.ts'
import { user } from '../support/person.ts'
import { recoveryMethodOf, recoveryMethods, withRecoveryMethod } from '../support/recovery-methods.ts'

describe('a drive', () => {
  const drives = recoveryMethods.filter(({ name }) => name === 'Google Drive' || name === 'iCloud')

  test.each(drives)('$name of another account has no such file', async (method) => {
    const { address, openDevice, drives } = await withRecoveryMethod(method)
    const other = method.name === 'iCloud' ? drives.icloudToken('two') : drives.googleToken('two')
    const { me } = openDevice()
    const { error } = await me.recover(address, { recoveryAccessToken: other })
    expect(error).toEqual({ type: 'error', message: 'The recovery file was not found in this drive' })
    expect(await me.recover(address, method.use(drives))).toEqual({ entropyId: address })
  })

  test.each(drives)('$name with a file that somebody has changed gives no key', async (method) => {
    const { address, openDevice, drives } = await withRecoveryMethod(method)
    const { me, device } = openDevice()
    for (const [id, text] of drives.google.get('one') ?? [])
      drives.google.get('one')?.set(id, text.replace(/"secret":"./, '"secret":"?'))
    for (const fields of drives.icloud.get('one')?.values() ?? []) fields.secret = { value: 'another secret' }
    const { error } = await me.recover(address, method.use(drives))
    expect(error).toEqual({ type: 'error', message: 'This recovery secret does not open the wallet' })
    expect(await device.store.list(appId, user)).toEqual([])
  })

  test.each(drives)(
    '$name that does not keep what it takes: the old recovery method stays',
    async (method) => {
      const { address, me, stored, drives, openDevice } = await withRecoveryMethod(
        recoveryMethodOf('automatic'),
      )
      drives.faults.after = () => {
        drives.google.get('one')?.clear()
        drives.icloud.get('one')?.clear()
      }
      expect((await me.setRecovery(address, method.set(drives))).error?.type).toBe('error')
      expect(stored.recovery.method).toBe('privy')
      expect(await openDevice().me.recover(address)).toEqual({ entropyId: address })
    },
  )

  test.each(drives)('$name is not written to while the wallet is not on the device', async (method) => {
    const { address, openDevice, drives } = await withRecoveryMethod(recoveryMethodOf('automatic'))
    const { error } = await openDevice().me.setRecovery(address, method.set(drives))
    expect(error?.type).toBe('wallet_not_on_device')
    expect(drives.calls).toEqual([])
  })

  test.each(drives)('$name gets nothing but a random secret and whose it is', async (method) => {
    const { drives, stored } = await withRecoveryMethod(method)
    const sent = drives.calls.map(({ init }) => String(init.body)).join('\n')
    expect(sent).toContain(stored.walletId)
    expect(sent).not.toContain(stored.recovery.package.split('.')[1])
    for (const share of stored.sets.values()) expect(sent).not.toContain(share)
    const kept = JSON.stringify([...(drives.google.get('one') ?? []), ...(drives.icloud.get('one') ?? [])])
    const secret =
      /secret[^\w-]+(?:value[^\w-]+)?([\w-]{43})/.exec(kept)?.[1] ?? expect.unreachable('no secret')
    expect(JSON.stringify(stored)).not.toContain(secret)
  })

  test('of a native app’s making has its own file: its secret opens the wallet, the website’s drive does not', async () => {
    const { address, openDevice, drives } = await withRecoveryMethod(
      recoveryMethodOf('iCloud of a native app'),
    )
    const { me } = openDevice()
    const { error } = await me.recover(address, { recoveryAccessToken: drives.icloudToken() })
    expect(error?.message).toBe('The recovery file was not found in this drive')
    expect(await me.recover(address, recoveryMethodOf('iCloud of a native app').use(drives))).toEqual({
      entropyId: address,
    })
  })

  test('whose settings make no sense is not asked', async () => {
    const { backend, address, me, drives } = await withRecoveryMethod(recoveryMethodOf('automatic'))
    const good = backend.routes.icloud
    for (const bad of [
      {},
      { ...good, environment: '../../public' },
      { ...good, container_identifier: 'a/b' },
      { ...good, api_token: 5 },
    ]) {
      backend.routes.icloud = bad
      expect((await me.setRecovery(address, recoveryMethodOf('iCloud').set(drives))).error?.type).toBe(
        'error',
      )
    }
    expect(drives.calls).toEqual([])
  })
})
