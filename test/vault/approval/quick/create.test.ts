/** How a new wallet gets a recovery method of the person's own in a strict app. */
import '../../support/quick-stretching.ts'
import { describe, expect, test } from 'vitest'
import { Closed } from '../../../../src/dialog/stage.ts'
import { create } from '../../../../src/vault/approval/create/flow.ts'
import { rootNameOf } from '../../../../src/vault/keys/address.ts'
import { recoverRoot } from '../../../../src/vault/recovery/recover.ts'
import { approvalOf, vaultOn } from '../../support/approval.ts'
import { makeToken } from '../../support/backend.ts'
import { createDevice } from '../../support/device.ts'
import { user } from '../../support/person.ts'
import { createCloud } from '../../support/recovery-methods.ts'

const drives = ['google-drive', 'icloud'] as const

function newPerson() {
  const { backend, drives: kept } = createCloud()
  return { kept, backend, token: makeToken(user), vault: vaultOn(backend, createDevice()) }
}

describe.each(drives)('with %s', (provider) => {
  test('the person is asked in the vault’s window, and the drive recovers the wallet elsewhere', async () => {
    const { kept, backend, token, vault } = newPerson()
    const access = () => (provider === 'icloud' ? kept.icloudToken() : kept.googleToken())
    const returned = provider === 'icloud' ? { ckWebAuthToken: access() } : { code: access() }
    const asked = { chainType: 'ethereum', automatic: true, canGoBack: true } as const
    const { cx, act, risks, trace, seen } = approvalOf<'create'>(vault, token, {
      ...asked,
      drive: { provider },
    })
    const done = create(cx)
    await act(['visit-provider', 'open'], { returns: returned }, ['confirm-drive', 'confirm'])
    const account = provider === 'icloud' ? 'one' : 'one@example.com'
    expect(seen.find(({ screen }) => screen === 'confirm-drive')?.props).toMatchObject({ account })
    const answer = await done
    if (!('address' in answer)) throw new Error('There is no wallet')
    expect(risks).toEqual(['high'])
    expect(trace().every((each) => each.startsWith('window '))).toBe(true)
    expect(backend.rootOf(user).recovery.method).toBe(provider)
    const there = vaultOn(backend, createDevice())
    await recoverRoot(there, await cx.token(), rootNameOf('ethereum', answer.address), {
      recoveryAccessToken: access(),
    })
  })

  test('a person who says no has no wallet, and nothing is in the drive', async () => {
    const { kept, backend, token, vault } = newPerson()
    const returned =
      provider === 'icloud' ? { ckWebAuthToken: kept.icloudToken() } : { code: kept.googleToken() }
    const asked = { chainType: 'ethereum', automatic: true, canGoBack: true } as const
    const { cx, act } = approvalOf<'create'>(vault, token, { ...asked, drive: { provider } })
    const done = create(cx).catch((cause: unknown) => cause)
    await act(['visit-provider', 'open'], { returns: returned }, ['confirm-drive', 'cancel'])
    expect(await done).toBeInstanceOf(Closed)
    expect(backend.rootsOf(user)).toEqual([])
  })
})
