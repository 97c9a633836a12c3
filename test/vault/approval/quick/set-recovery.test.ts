/** How a person changes the recovery of their wallet in a strict app: in a window of the vault, and by the present method first. */
import '../../support/quick-stretching.ts'
import { describe, expect, test } from 'vitest'
import { Closed } from '../../../../src/dialog/stage.ts'
import { setRecovery } from '../../../../src/vault/approval/set-recovery/flow.ts'
import { type Act, approvalOf, vaultOn } from '../../support/approval.ts'
import { createDevice } from '../../support/device.ts'
import { password, recoveryMethodOf, withRecoveryMethod } from '../../support/recovery-methods.ts'

const methods = {
  automatic: 'automatic',
  password: 'password',
  'google-drive': 'Google Drive',
  icloud: 'iCloud',
} as const
type Method = keyof typeof methods
const isDrive = (method: Method) => method === 'google-drive' || method === 'icloud'
const next = 'neues-Pferd-und-Wagen'

/** Somebody with a wallet on this device, who showed its recovery long ago. */
async function withPresent(present: Method) {
  const world = await withRecoveryMethod(recoveryMethodOf(methods[present]))
  for (const device of world.backend.state.devices) device.present.clear()
  const vault = vaultOn(world.backend, world.device)
  const access = (method: Method, account?: string) =>
    method === 'icloud' ? world.drives.icloudToken(account) : world.drives.googleToken(account)
  const wish = (method: Method, more: object = {}) => ({
    root: { chainType: 'ethereum', address: world.address } as const,
    address: world.address,
    method,
    canGoBack: true,
    ...more,
  })
  const signingIn = (to: Method, account?: string): readonly Act[] =>
    isDrive(to)
      ? [
          ['visit-provider', 'open'],
          {
            returns:
              to === 'icloud' ? { ckWebAuthToken: access(to, account) } : { code: access(to, account) },
          },
        ]
      : []
  const inForce = () => world.stored.recovery.method
  return { ...world, vault, wish, access, signingIn, inForce }
}
const ended = (work: Promise<unknown>) => work.then(String, (cause: unknown) => cause)
const toPassword: readonly Act[] = [
  ['set-password', { password: next }],
  ['save-password', 'continue'],
  ['confirm-password', 'continue'],
  ['finish-password', 'set'],
  ['password-result', 'close'],
]
const stepsTo: Record<Method, readonly Act[]> = {
  automatic: [['automatic-recovery', 'confirm']],
  password: toPassword,
  'google-drive': [['confirm-drive', 'confirm']],
  icloud: [['confirm-drive', 'confirm']],
}
const showing = (present: Method): readonly Act[] =>
  present === 'password' ? [['password-recovery', { password }]] : []

const all = Object.keys(methods) as Method[]
const directions = all.flatMap((from) =>
  all.filter((to) => to !== from || to === 'password').map((to) => [from, to] as const),
)

test.each(directions)(
  '%s → %s: the new method recovers the wallet, in the vault’s window alone',
  async (from, to) => {
    const { backend, vault, token, wish, access, signingIn, inForce, address } = await withPresent(from)
    const { cx, act, trace, risks } = approvalOf<'set-recovery'>(vault, token, wish(to))
    const done = setRecovery(cx)
    await act(...showing(from), ...signingIn(from), ...signingIn(to), ...stepsTo[to])
    expect(await done).toEqual({ set: true })
    expect(inForce()).toBe(recoveryMethodOf(methods[to]).method)
    expect(risks).toEqual(['high'])
    expect(trace().every((each) => each.startsWith('window '))).toBe(true)

    const { recoverRoot } = await import('../../../../src/vault/recovery/recover.ts')
    const { rootNameOf } = await import('../../../../src/vault/keys/address.ts')
    const there = vaultOn(backend, createDevice())
    const given =
      to === 'password' ? { recoveryPassword: next } : isDrive(to) ? { recoveryAccessToken: access(to) } : {}
    await recoverRoot(there, await cx.token(), rootNameOf('ethereum', address), given)
  },
)

describe('the present method', () => {
  test('a wrong password is said under the field, and changes nothing', async () => {
    const { vault, token, wish, inForce } = await withPresent('password')
    const { cx, act, errorsOn, seen } = approvalOf<'set-recovery'>(vault, token, wish('automatic'))
    const done = ended(setRecovery(cx))
    await act(['password-recovery', { password: 'nicht-das-Pferd' }], { close: 'password-recovery' })
    expect(await done).toBeInstanceOf(Closed)
    expect(errorsOn('password-recovery')).toContain('Invalid recovery password, please try again.')
    expect(seen.find(({ screen }) => screen === 'password-recovery')?.props.purpose).toBe('present')
    expect(inForce()).toBe('user-passcode')
  })

  test.each(['google-drive', 'icloud'] as const)(
    'drives: another account of %s is said, and the right one still counts',
    async (from) => {
      const { vault, token, wish, signingIn, inForce } = await withPresent(from)
      const { cx, act, seen } = approvalOf<'set-recovery'>(vault, token, wish('automatic'))
      const done = setRecovery(cx)
      await act(...signingIn(from, 'two'), ...signingIn(from), ['automatic-recovery', 'confirm'])
      expect(await done).toEqual({ set: true })
      expect(seen.some(({ props }) => props.phase === 'other')).toBe(true)
      expect(inForce()).toBe('privy')
    },
  )

  test.each(['google-drive', 'icloud'] as const)(
    'drives: a page’s own token of %s is not looked at',
    async (from) => {
      const { vault, token, wish, access, inForce } = await withPresent(from)
      const { cx, act } = approvalOf<'set-recovery'>(
        vault,
        token,
        wish('automatic', { presentAccessToken: access(from) }),
      )
      const done = setRecovery(cx)
      await act(['visit-provider', 'back'])
      expect(await done).toEqual({ wants: 'back' })
      expect(inForce()).toBe(from)
    },
  )

  test('that was set before it could be checked is not asked for', async () => {
    const { backend, vault, token, wish, inForce, stored } = await withPresent('google-drive')
    stored.recovery.method = 'privy'
    const { cx, act } = approvalOf<'set-recovery'>(vault, token, wish('automatic'))
    const done = setRecovery(cx)
    await act(['automatic-recovery', 'confirm'])
    expect(await done).toEqual({ set: true })
    expect(inForce()).toBe('privy')
    expect(backend.asked.some(({ call }) => call.path.endsWith('/recovery/present'))).toBe(false)
  })
})

test.each(['password-recovery', 'set-password', 'save-password', 'confirm-password', 'finish-password'])(
  'closing at %s leaves the old method in force',
  async (close) => {
    const { vault, token, wish, inForce, stored } = await withPresent('password')
    const before = stored.recovery.package
    const { cx, act } = approvalOf<'set-recovery'>(vault, token, wish('password'))
    const done = ended(setRecovery(cx))
    const steps = [...showing('password'), ...toPassword]
    await act(
      ...steps.slice(
        0,
        steps.findIndex((step) => 'length' in step && step[0] === close),
      ),
      { close },
    )
    expect(await done).toBeInstanceOf(Closed)
    expect(inForce()).toBe('user-passcode')
    expect(stored.recovery.package).toBe(before)
  },
)

test('back from the new password leads to the choice on the page', async () => {
  const { vault, token, wish } = await withPresent('automatic')
  const { cx, act } = approvalOf<'set-recovery'>(vault, token, wish('password'))
  const done = setRecovery(cx)
  await act(['set-password', 'back'])
  expect(await done).toEqual({ wants: 'back' })
})

test('a server that goes down at the change is said, and a second try succeeds', async () => {
  const { backend, vault, token, wish, inForce } = await withPresent('password')
  const { cx, act, errorsOn } = approvalOf<'set-recovery'>(vault, token, wish('automatic'))
  const done = setRecovery(cx)
  await act(['password-recovery', { password }], { on: 'automatic-recovery' })
  backend.faults.before = () => Promise.reject(new TypeError('connection refused'))
  await act(['automatic-recovery', 'confirm'], { on: 'automatic-recovery' })
  backend.faults.before = undefined
  await act(['automatic-recovery', 'retry'])
  expect(await done).toEqual({ set: true })
  expect(errorsOn('automatic-recovery')).toContainEqual({
    title: 'Something went wrong',
    detail: "We can't reach the server. Check your connection.",
  })
  expect(inForce()).toBe('privy')
})
