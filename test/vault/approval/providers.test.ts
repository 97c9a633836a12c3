/** A fresh login at a provider that the vault's window runs, as its flow sees it. */
import { describe, expect, test } from 'vitest'
import { Closed } from '../../../src/dialog/stage.ts'
import { proveWithProvider } from '../../../src/vault/approval/providers/prove.ts'
import { recover } from '../../../src/vault/approval/recover/flow.ts'
import { telegramResult } from '../../../src/vault/server/telegram-result.ts'
import { limit } from '../../support/limit.ts'
import { approvalOf, vaultOn } from '../support/approval.ts'
import { createDevice } from '../support/device.ts'
import { recoveryMethodOf, withRecoveryMethod } from '../support/recovery-methods.ts'

/** A user on a device that the server does not know, with nothing to show but an account at a provider. */
async function elsewhere(provider: 'google' | 'telegram' = 'google') {
  const world = await withRecoveryMethod(recoveryMethodOf('automatic'))
  const { options } = world.backend.state
  options.loginEnrols = false
  options.reachable = false
  options.provider = provider
  const vault = vaultOn(world.backend, createDevice())
  const { thumbprint } = await vault.device()
  const asked = { root: { chainType: 'ethereum', address: world.address } as const, address: world.address }
  const approval = approvalOf<'recover'>(vault, world.token, asked)
  const by = () => world.backend.state.devices.map(({ enrolledBy }) => enrolledBy)
  const phases = () =>
    approval.seen.filter(({ screen }) => screen === 'visit-provider').map(({ props }) => props.phase)
  return { ...world, ...approval, vault, code: `code-${thumbprint}`, by, phases }
}
const ended = (work: Promise<unknown>) => work.then(String, (cause: unknown) => cause)

describe('a provider in the vault’s window', () => {
  test('provider: a fresh login enrols this device and brings the wallet here, in one window', async () => {
    const { cx, act, code, by, risks, trace } = await elsewhere()
    const done = recover(cx)
    await act(['visit-provider', 'open'], { returns: { code } })
    expect(await done).toEqual({ recovered: true })
    expect(by()).toEqual(['login', 'provider'])
    expect(risks).toEqual(['high'])
    expect(trace().every((each) => each.startsWith('window '))).toBe(true)
  })

  test('provider: another account is said, and the right one still counts', async () => {
    const { cx, act, code, by, phases } = await elsewhere()
    const done = recover(cx)
    await act(['visit-provider', 'open'], { returns: { code: 'code-of-another-account' } })
    await act(['visit-provider', 'open'], { returns: { code } })
    expect(await done).toEqual({ recovered: true })
    expect(phases()).toContain('other')
    expect(by()).toEqual(['login', 'provider'])
  })

  test('provider: a popup that looks closed is said, and its answer still counts', async () => {
    const { cx, act, code, phases } = await elsewhere()
    const done = recover(cx)
    await act(['visit-provider', 'open'], { popup: 'closed' }, { returns: { code } })
    expect(await done).toEqual({ recovered: true })
    expect(phases()).toContain('closed')
  })

  test('provider: a user who denies there may try again', async () => {
    const { cx, act, code, phases } = await elsewhere()
    const done = recover(cx)
    await act(['visit-provider', 'open'], { returns: { ended: 'denied' } })
    await act(['visit-provider', 'open'], { returns: { code } })
    expect(await done).toEqual({ recovered: true })
    expect(phases()).toContain('denied')
  })

  test('provider: a popup that the browser blocks is asked for again', async () => {
    const { cx, act, code, phases } = await elsewhere()
    const done = recover(cx)
    await act(['visit-provider', 'blocked'], ['visit-provider', 'open'], { returns: { code } })
    expect(await done).toEqual({ recovered: true })
    expect(phases()).toContain('blocked')
  })

  test('provider: one that stays silent is given up, and a later try has another state', async () => {
    const { cx, act, code, seen } = await elsewhere()
    const done = recover(cx)
    await act(['visit-provider', 'open'])
    await expect
      .poll(() => seen.some(({ props }) => props.phase === 'silent'), { timeout: limit(10_000) })
      .toBe(true)
    await act(['visit-provider', 'open'], { returns: { code } })
    expect(await done).toEqual({ recovered: true })
    const states = seen.flatMap(({ props }) => (props.visit as { state: string } | undefined)?.state ?? [])
    expect(new Set(states).size).toBe(2)
  })

  test('provider: going back and closing the window enrol nothing', async () => {
    const one = await elsewhere()
    const back = ended(recover(one.cx))
    await one.act(['visit-provider', 'back'])
    expect(await back).toBeInstanceOf(Closed)
    const two = await elsewhere()
    const closed = ended(recover(two.cx))
    await two.act(['visit-provider', 'open'], { close: 'visit-provider' })
    expect(await closed).toBeInstanceOf(Closed)
    expect([one.by(), two.by()]).toEqual([['login'], ['login']])
  })

  test('provider: a code of another key enrols nothing', async () => {
    const { cx, act, by, phases } = await elsewhere()
    const done = ended(recover(cx))
    await act(['visit-provider', 'open'], { returns: { code: 'code-of-another-key' } })
    await act(['visit-provider', 'back'])
    expect(await done).toBeInstanceOf(Closed)
    expect(phases()).toContain('failed')
    expect(by()).toEqual(['login'])
  })

  test('provider: what Telegram has signed becomes a code first', async () => {
    const { cx, act, code, by, backend } = await elsewhere('telegram')
    const done = recover(cx)
    const fields = { id: '12', first_name: 'Ann', auth_date: '1700000000', hash: code }
    await act(['visit-provider', 'open'], { returns: fields })
    expect(await done).toEqual({ recovered: true })
    expect(by()).toEqual(['login', 'provider'])
    const sent = backend.asked.find(({ call }) => call.path === '/providers/answer')
    expect(sent?.call.body).toMatchObject({ result: { id: 12, auth_date: 1_700_000_000, hash: code } })
  })

  test('provider: one that this version does not know is refused', async () => {
    const { cx } = await elsewhere()
    const factor = { type: 'provider', id: '7', provider: 'unheard-of' as 'google', hint: '' } as const
    expect(await ended(proveWithProvider(cx, cx.stage, factor))).toMatchObject({
      type: 'invalid_request_arguments',
    })
  })
})

test('telegram: its answer is read from one field or from many, and a refusal from none', () => {
  const signed = { id: 12, first_name: 'Änne', auth_date: 5, hash: 'ab' }
  const bytes = new TextEncoder().encode(JSON.stringify({ ...signed, more: 1 }))
  const tgAuthResult = btoa(String.fromCharCode(...bytes))
  expect(telegramResult({ tgAuthResult })).toEqual({ ...signed, more: 1 })
  expect(telegramResult({ id: '12', first_name: 'Änne', auth_date: '5', hash: 'ab', state: 'x' })).toEqual(
    signed,
  )
  for (const fields of [{}, { tgAuthResult: 'false' }, { tgAuthResult: '%%%' }, { state: 'x' }])
    expect(telegramResult(fields)).toBeUndefined()
})
