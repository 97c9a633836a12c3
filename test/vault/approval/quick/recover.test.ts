/** A person on a device that the server does not know, or that does not have their wallet, in a strict app. */
import '../../support/quick-stretching.ts'
import { describe, expect, test } from 'vitest'
import { Closed } from '../../../../src/dialog/stage.ts'
import { recover } from '../../../../src/vault/approval/recover/flow.ts'
import { sign } from '../../../../src/vault/approval/sign/flow.ts'
import { type Act, approvalOf, vaultOn } from '../../support/approval.ts'
import { appId, sentCode } from '../../support/backend.ts'
import { createDevice } from '../../support/device.ts'
import { user } from '../../support/person.ts'
import { password, recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

/** Another device of somebody with a wallet; their login is not enough for it. */
async function elsewhere(method = 'automatic') {
  const world = await withRecoveryMethod(recoveryMethodOf(method))
  world.backend.state.options.loginEnrols = false
  const device = createDevice()
  const vault = vaultOn(world.backend, device)
  const root = { chainType: 'ethereum', address: world.address } as const
  const asked = () => ({ root, address: world.address })
  const code = sentCode((await vault.device()).thumbprint)
  const kept = async () => (await device.store.list(appId, user)).length
  const by = () => world.backend.state.devices.map(({ enrolledBy }) => enrolledBy)
  return { ...world, vault, asked, root, code, kept, by }
}
const down = () => Promise.reject(new TypeError('connection refused'))
const ended = (work: Promise<unknown>) => work.then(String, (cause: unknown) => cause)

describe('with automatic recovery', () => {
  test('a code that was sent for this device brings the wallet here, in a window of the vault', async () => {
    const { vault, token, asked, code, kept, by } = await elsewhere()
    const { cx, act, trace, risks } = approvalOf<'recover'>(vault, token, asked())
    const done = recover(cx)
    await act(['enter-code', { code }])
    expect(await done).toEqual({ recovered: true })
    expect(await kept()).toBe(1)
    expect(by()).toEqual(['login', 'code'])
    expect(risks).toEqual(['high'])
    expect(new Set(trace())).toEqual(new Set(['window enter-code']))
  })

  test('the boxes say where the code went and what it is for', async () => {
    const { vault, token, asked } = await elsewhere()
    const { cx, act, seen } = approvalOf<'recover'>(vault, token, asked())
    const done = ended(recover(cx))
    await act(['enter-code', 'back'])
    expect(await done).toBeInstanceOf(Closed)
    expect(seen.find(({ screen }) => screen === 'enter-code')?.props).toMatchObject({
      use: 'device',
      to: 'a•••@example.com',
      via: 'email',
    })
  })

  test('a wrong code is said at the boxes, and the right one still counts', async () => {
    const { vault, token, asked, code, by } = await elsewhere()
    const { cx, act, errorsOn, shown } = approvalOf<'recover'>(vault, token, asked())
    const done = recover(cx)
    await act(['enter-code', { code: '000000' }], ['enter-code', { code }])
    expect(await done).toEqual({ recovered: true })
    expect(errorsOn('enter-code')).toContain('Invalid or expired verification code')
    expect(shown).toHaveLength(1)
    expect(by()).toEqual(['login', 'code'])
  })

  test('a device that is enrolled is asked for nothing', async () => {
    const { vault, token, asked, kept, backend } = await elsewhere()
    backend.state.options.loginEnrols = true
    const { cx, trace, risks } = approvalOf<'recover'>(vault, token, asked())
    expect(await recover(cx)).toEqual({ recovered: true })
    expect(await kept()).toBe(1)
    expect([trace(), risks]).toEqual([[], []])
  })

  test.each(['enter-code'])('closing at %s changes nothing', async (close) => {
    const { vault, token, asked, kept, by } = await elsewhere()
    const { cx, act } = approvalOf<'recover'>(vault, token, asked())
    const done = ended(recover(cx))
    await act({ close })
    expect(await done).toBeInstanceOf(Closed)
    expect(await kept()).toBe(0)
    expect(by()).toEqual(['login'])
  })

  test('a server that is down between enrolment and release is asked again, without another code', async () => {
    const { backend, vault, token, asked, code, kept, by } = await elsewhere()
    const { cx, act } = approvalOf<'recover'>(vault, token, asked())
    const done = recover(cx)
    backend.faults.before = down
    await act(['enter-code', { code }], { on: 'failure' })
    backend.faults.before = undefined
    await act(['failure', 'retry'])
    expect(await done).toEqual({ recovered: true })
    expect(await kept()).toBe(1)
    expect(by()).toEqual(['login', 'code'])
    const sent = backend.asked.filter(({ call }) => call.path === '/devices/enroll/code')
    expect(sent.filter(({ answer }) => answer === 'done')).toHaveLength(1)
  })

  test('a server that is down from the start is said with a retry', async () => {
    const { backend, vault, token, asked, code } = await elsewhere()
    const { cx, act, seen } = approvalOf<'recover'>(vault, token, asked())
    backend.faults.onDevices = down
    const done = recover(cx)
    await act({ on: 'failure' })
    expect(seen.find(({ screen }) => screen === 'failure')?.props).toMatchObject({
      detail: "We can't reach the server. Check your connection.",
    })
    backend.faults.onDevices = undefined
    await act(['failure', 'retry'], ['enter-code', { code }])
    expect(await done).toEqual({ recovered: true })
  })
})

describe('with a recovery password', () => {
  test('the password enrols the device and recovers the wallet at once', async () => {
    const { backend, vault, token, asked, kept, by } = await elsewhere('password')
    const { cx, act, trace } = approvalOf<'recover'>(vault, token, asked())
    const done = recover(cx)
    await act(['password-recovery', { password }])
    expect(await done).toEqual({ recovered: true })
    expect(await kept()).toBe(1)
    expect(by()).toEqual(['login', 'recovery'])
    expect(trace()).toEqual(['window password-recovery'])
    expect(JSON.stringify(backend.asked.map(({ call }) => call.body))).not.toContain(password)
  })

  test('a wrong one is said under the field, and nothing has happened', async () => {
    const { vault, token, asked, kept, by } = await elsewhere('password')
    const { cx, act, errorsOn } = approvalOf<'recover'>(vault, token, asked())
    const done = ended(recover(cx))
    await act(['password-recovery', { password: 'nicht-das-Pferd' }], ['password-recovery', 'back'])
    expect(await done).toBeInstanceOf(Closed)
    expect(errorsOn('password-recovery')).toEqual([undefined, 'Invalid recovery password, please try again.'])
    expect(await kept()).toBe(0)
    expect(by()).toEqual(['login'])
  })

  test('on an enrolled device it is typed in the vault’s frame', async () => {
    const { backend, vault, token, asked, kept } = await elsewhere('password')
    backend.state.options.loginEnrols = true
    const { cx, act, trace, risks } = approvalOf<'recover'>(vault, token, asked())
    const done = recover(cx)
    await act(['password-recovery', { password }])
    expect(await done).toEqual({ recovered: true })
    expect(await kept()).toBe(1)
    expect([trace(), risks]).toEqual([['frame password-recovery'], []])
  })

  test('a server that goes down after it has enrolled costs the person no second typing', async () => {
    const { backend, vault, token, asked, kept } = await elsewhere('password')
    const { cx, act, trace } = approvalOf<'recover'>(vault, token, asked())
    backend.faults.before = down
    const done = recover(cx)
    await act(['password-recovery', { password }], { on: 'failure' })
    backend.faults.before = undefined
    await act(['failure', 'retry'])
    expect(await done).toEqual({ recovered: true })
    expect(await kept()).toBe(1)
    expect(trace().filter((each) => each === 'window password-recovery')).toHaveLength(1)
  })
})

describe.each(['Google Drive', 'iCloud'] as const)('with a backup in the person’s %s', (name) => {
  const signingIn = (
    drives: Awaited<ReturnType<typeof elsewhere>>['drives'],
    account?: string,
  ): readonly Act[] => [
    ['visit-provider', 'open'],
    {
      returns:
        name === 'iCloud'
          ? { ckWebAuthToken: drives.icloudToken(account) }
          : { code: drives.googleToken(account) },
    },
  ]

  test('one access enrols the device and recovers the wallet, once the person confirms', async () => {
    const { drives, vault, token, asked, kept, by } = await elsewhere(name)
    const { cx, act, trace } = approvalOf<'recover'>(vault, token, asked())
    const done = recover(cx)
    await act(...signingIn(drives), ['confirm-drive', 'confirm'])
    expect(await done).toEqual({ recovered: true })
    expect(await kept()).toBe(1)
    expect(by()).toEqual(['login', 'recovery'])
    expect(trace()[0]).toBe('window visit-provider')
  })

  test('another account of the drive is said, and going back leaves all as it was', async () => {
    const { drives, vault, token, asked, kept, by } = await elsewhere(name)
    const { cx, act, seen } = approvalOf<'recover'>(vault, token, asked())
    const done = ended(recover(cx))
    await act(...signingIn(drives, 'two'), ['confirm-drive', 'confirm'], ['visit-provider', 'back'])
    expect(await done).toBeInstanceOf(Closed)
    expect(seen.some(({ props }) => props.phase === 'other')).toBe(true)
    expect(await kept()).toBe(0)
    expect(by()).toEqual(['login'])
  })

  test('a person who says no has granted nothing', async () => {
    const { drives, vault, token, asked, kept, by } = await elsewhere(name)
    const { cx, act } = approvalOf<'recover'>(vault, token, asked())
    const done = ended(recover(cx))
    await act(...signingIn(drives), ['confirm-drive', 'cancel'])
    expect(await done).toBeInstanceOf(Closed)
    expect([await kept(), by()]).toEqual([0, ['login']])
  })
})

test('a wallet that a key of the page recovers stays as it is, and the page hears why', async () => {
  const { vault, token, asked, kept, by } = await elsewhere('own key')
  const { cx, trace } = approvalOf<'recover'>(vault, token, asked())
  expect(await ended(recover(cx))).toMatchObject({ type: 'recovery_method_not_supported' })
  expect(await kept()).toBe(0)
  expect(by()).toEqual(['login'])
  expect(trace()).toEqual([])
})

test('recovery: a user without any proof is told where the wallet is, and the device gets nothing', async () => {
  const { backend, vault, token, asked, kept, by } = await elsewhere()
  backend.state.options.reachable = false
  const { cx, act, seen } = approvalOf<'recover'>(vault, token, asked())
  const done = ended(recover(cx))
  await act(['failure', 'close'])
  expect(await done).toMatchObject({ type: 'enrolment_required' })
  expect(seen.find(({ screen }) => screen === 'failure')?.props).toMatchObject({
    title: 'Your wallet is on another device',
  })
  expect([await kept(), by()]).toEqual([0, ['login']])
})

describe('a signature on a new device', () => {
  const message = '0x68656c6c6f'

  test('is agreed to once: the wallet is recovered in between', async () => {
    const { vault, token, root, address, code } = await elsewhere()
    const { cx, act, trace } = approvalOf<'sign'>(vault, token, {
      kind: 'message',
      root,
      walletIndex: 0,
      address,
      message,
    })
    const done = sign(cx)
    await act(['sign-message', 'sign'], ['enter-code', { code }])
    expect(await done).toMatchObject({ signed: expect.stringMatching(/^0x[\da-f]{130}$/) })
    expect(trace().filter((each) => each.endsWith('sign-message'))).toHaveLength(1)
  })

  test('is asked for again when the person turns back from the recovery', async () => {
    const { vault, token, root, address, kept } = await elsewhere('password')
    const { cx, act } = approvalOf<'sign'>(vault, token, {
      kind: 'message',
      root,
      walletIndex: 0,
      address,
      message,
    })
    const done = ended(sign(cx))
    await act(['sign-message', 'sign'], ['password-recovery', 'back'], ['sign-message', 'cancel'])
    expect(await done).toBeInstanceOf(Closed)
    expect(await kept()).toBe(0)
  })
})
