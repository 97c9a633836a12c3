import '../../support/quick-stretching.ts'
import { describe, expect, test } from 'vitest'
import { toBase64url } from '../../../../src/vault/bytes.ts'
import { limit } from '../../../support/limit.ts'
import { appId, makeToken } from '../../support/backend.ts'
import { createDevice, openTab, person } from '../../support/device.ts'
import { user } from '../../support/person.ts'
import {
  password,
  recoveryMethodOf,
  recoveryMethods,
  withRecoveryMethod,
} from '../../support/recovery-methods.ts'

const damaged = { type: 'error', message: 'The recovery data of this wallet is damaged' }
const unsupported = { type: 'error', message: 'This wallet has a recovery method that is not supported here' }
const headerOf = (text: string) => JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString())
const withHeader = (text: string, change: object) => {
  const header = { ...headerOf(text), ...change }
  const first = Buffer.from(JSON.stringify(header)).toString('base64url')
  return [first, ...text.split('.').slice(1)].join('.')
}

describe('a server that is wrong', { timeout: limit(60_000) }, () => {
  test.each(recoveryMethods)(
    'gives no key away by any exchange of what it keeps for $name',
    { timeout: limit(30_000) },
    async (method) => {
      const { drives, address, stored, openDevice, me } = await withRecoveryMethod(method)
      const another = await withRecoveryMethod(method)
      await me.importKey('ethereum', '17'.repeat(32))
      const { recovery } = stored
      const good = { ...recovery }
      const [header = '', auth = '', rest = ''] = good.package.split('.')
      const [, foreignAuth = '', foreignRest = ''] = another.stored.recovery.package.split('.')
      const { device, me: there } = openDevice()
      const other = method.method === 'icloud' ? 'google-drive' : 'icloud'
      const bad: [string, object][] = [
        ['nothing', { package: '' }],
        ['a longer one', { package: `${good.package}A` }],
        ['another wallet’s', { package: another.stored.recovery.package }],
        ['another’s auth share', { package: [header, foreignAuth, rest].join('.') }],
        ['another’s recovery share', { package: [header, auth, foreignRest].join('.') }],
        ['twice the same share', { package: [header, auth, auth].join('.') }],
        ['another method', { package: withHeader(good.package, { method: other }) }],
        ['another method of its own', { method: other }],
        ['another check', { package: withHeader(good.package, { check: toBase64url(new Uint8Array(16)) }) }],
        [
          'weak stretching',
          {
            package: withHeader(good.package, {
              kdf: { name: 'PBKDF2-SHA256', iterations: 1, salt: 'A'.repeat(22) },
            }),
          },
        ],
      ]
      let refused = 0
      for (const [what, change] of bad) {
        Object.assign(recovery, good, change)
        const { error } = await there.recover(address, method.use(drives))
        // Fields of the header that belong to passwords are still authenticated.
        expect(error?.type, what).toMatch(/^(error|invalid_recovery_pin)$/)
        expect(await device.store.list(appId, user), what).toEqual([])
        refused++
      }
      console.log(`${method.name}: ${refused} exchanges by the server, 0 keys`)
      Object.assign(recovery, good)
      expect(await there.recover(address, method.use(drives))).toEqual({ entropyId: address })
    },
  )

  test('can’t pass the package of one root off as another’s', async () => {
    const { backend, address, me, openDevice, stored } = await withRecoveryMethod(
      recoveryMethodOf('automatic'),
    )
    const { address: imported = '' } = await me.importKey('ethereum', '17'.repeat(32))
    const other = backend.rootsOf(user)[1] ?? expect.unreachable('no second root')
    const answerFor = (root: typeof other) => ({ ...root.recovery, wallet_id: root.walletId })
    backend.faults.after = ({ path }) => {
      const swapped = path.startsWith(`/${address}/`) ? answerFor(other) : answerFor(stored)
      if (path.endsWith('/recovery/package'))
        return Response.json({
          wallet_id: swapped.wallet_id,
          recovery_method: swapped.method,
          recovery_package: swapped.package,
        })
      if (path.endsWith('/recovery/key_material'))
        return Response.json({ recovery_type: 'privy_generated_recovery_key', recovery_key: swapped.key })
    }
    for (const name of [address, imported]) {
      const { me: there, device } = openDevice()
      expect((await there.recover(name)).error).toEqual(damaged)
      expect(await device.store.list(appId, user)).toEqual([])
    }
  })

  test('that does not store a new package exactly is not asked to confirm it', async () => {
    const { backend, address, me, drives, openDevice } = await withRecoveryMethod(
      recoveryMethodOf('automatic'),
    )
    backend.faults.after = ({ path }) =>
      path.endsWith('/changes') ? Response.json({ recovery_package: 'another' }) : undefined
    expect((await me.setRecovery(address, recoveryMethodOf('own key').set(drives))).error?.type).toBe('error')
    expect(backend.calls.filter(({ path }) => path.endsWith('/confirm'))).toEqual([])
    backend.faults.after = undefined
    expect(await openDevice().me.recover(address)).toEqual({ entropyId: address })
  })

  test('a newer one’s recovery method is named, and nothing is lost', async () => {
    const { backend, address, me, stored, openDevice } = await withRecoveryMethod(
      recoveryMethodOf('automatic'),
    )
    const good = { ...stored.recovery }
    for (const change of [
      { method: 'carrier-pigeon' },
      { package: withHeader(good.package, { v: 3 }) },
      { package: withHeader(good.package, { method: 'carrier-pigeon' }) },
    ]) {
      Object.assign(stored.recovery, good, change)
      expect((await openDevice().me.recover(address)).error).toEqual(unsupported)
    }
    Object.assign(stored.recovery, good)
    backend.faults.after = ({ path }) =>
      path.endsWith('/key_material') ? Response.json({ recovery_type: 'newer' }) : undefined
    expect((await openDevice().me.recover(address)).error).toEqual(unsupported)
    expect(await me.sign(address, 'x')).toHaveProperty('response')
  })

  test('answers of any kind end in a typed error', async () => {
    const { backend, address, openDevice } = await withRecoveryMethod(recoveryMethodOf('password'))
    const answers = [
      () => new Response('<h1>Oops</h1>'),
      () => Response.json([]),
      () => Response.json({}),
      () => Response.json({ evaluation: 'AAAA', wallet_id: 'x', recovery_package: 5, recovery_method: 5 }),
      () => new Response('{}', { status: 500 }),
      () => new Response('{}', { status: 429 }),
      () => Response.json({ code: 'invalid_auth_token' }, { status: 401 }),
    ]
    for (const end of ['/package', '/evaluate', '/devices'])
      for (const answer of answers) {
        backend.faults.before = ({ path }) => (path.endsWith(end) ? answer() : undefined)
        const { me, device } = openDevice()
        const { error } = await me.recover(address, { recoveryPassword: password })
        if (end === '/devices' && !error) continue
        expect(error?.type).toBe('error')
        backend.faults.before = undefined
        expect((await device.store.list(appId, user)).every(({ committed }) => !committed)).toBe(true)
      }
  })
})

describe('somebody else', { timeout: limit(30_000) }, () => {
  test('with a login of their own reaches nothing of the wallet', async () => {
    const { backend, address, drives, stored } = await withRecoveryMethod(recoveryMethodOf('password'))
    const other = person(openTab(backend, createDevice()), makeToken('did:privy:two'))
    expect((await other.recover(address, { recoveryPassword: password })).error?.type).toBe('error')
    const { error } = await other.setRecovery(address, recoveryMethodOf('Google Drive').set(drives))
    expect(error?.type).toBe('wallet_not_on_device')
    expect(stored.recovery.method).toBe('user-passcode')
  })

  test('with the person’s login, and without a device, changes nothing', async () => {
    const { backend, address, stored, drives, openDevice } = await withRecoveryMethod(
      recoveryMethodOf('password'),
    )
    const before = { ...stored.recovery }
    for (const method of recoveryMethods) {
      const { error } = await openDevice().me.setRecovery(address, method.set(drives))
      expect(error?.type).toBe('wallet_not_on_device')
    }
    expect(stored.recovery).toEqual(before)
    expect(backend.calls.filter(({ path }) => path.includes('/changes'))).toEqual([])
  })
})

test('a confirmation whose answer was lost is asked for once more', async () => {
  const { backend, address, me, drives, stored } = await withRecoveryMethod(recoveryMethodOf('automatic'))
  let lost = 0
  backend.faults.after = ({ path }) =>
    path.endsWith('/confirm') && lost++ === 0 ? new Response('{}', { status: 429 }) : undefined
  expect(await me.setRecovery(address, recoveryMethodOf('own key').set(drives))).toHaveProperty(
    'recoveryMethod',
  )
  expect(stored.recovery.method).toBe('recovery-encryption-key')
  expect(lost).toBe(2)
})
