/** A prompt that the host asks for where no dialog is open. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import '../../src/kit/host/mfa.ts'
import '../../src/kit/services/second-factors.ts'
import type { KitError } from '../../src/errors/kit-error.ts'
import { kitOfSomebody } from '../support/accounts.ts'
import { fakeVault } from '../support/vault.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

/** Somebody with an authenticator app, whom the host has verified. */
async function prompted() {
  const set = await kitOfSomebody({
    factors: ['totp'],
    vault: fakeVault({ verifyMfa: () => ({ error: { type: 'missing_or_invalid_mfa', message: '' } }) }),
  })
  const code = set.kit.mfa.prompt().then(
    () => 'verified',
    (error: KitError) => error.code,
  )
  return { ...set, code }
}

test('saying no to it is told to the host as that, and the dialog closes', async () => {
  const { person, code } = await prompted()
  await person.follow([{ wait: 500 }, ['mfa-code', 'not-now'], { wait: 1_000 }])
  expect(await code).toBe('mfa_canceled')
  expect(person.ends).toEqual([{ completed: false, code: 'mfa_canceled' }])
})

test('leaving it once its five minutes are over is told to the host as that', async () => {
  const { person, code } = await prompted()
  await person.follow([
    { wait: 500 },
    { on: 'mfa-code' },
    { wait: 300_000 },
    ['mfa-code', 'not-now'],
    { wait: 1_000 },
  ])
  expect(await code).toBe('mfa_timeout')
})
