/** Calls whose change waits at the server until its user has approved it. */
import { expect, test } from 'vitest'
import { KitError } from '../../src/errors/kit-error.ts'
import { type Approvals, approvingHttp } from '../../src/protocol/account-changes.ts'
import { countDeviceRequests, listDeviceProofs } from '../../src/protocol/devices.ts'
import type { Http } from '../../src/protocol/http.ts'
import { listUserSessions } from '../../src/protocol/user-sessions.ts'

/** A server that refuses the first call with a code, and what the user is asked because of it. */
function refusing(code: 'account_frozen' | 'approval_required', data?: object) {
  const asked: string[] = []
  let refused = false
  const http = {
    base: 'https://api.example',
    moveTo() {},
    async call() {
      if (refused) return []
      refused = true
      throw new KitError(code, 'Refused', data && { data })
    },
  } as unknown as Http
  const approvals: Approvals = {
    approve: async ({ id }) => void asked.push(`approve ${id}`),
    unfreeze: async () => void asked.push('unfreeze'),
  }
  return { http, asked, approvals: async () => approvals }
}

test('a call of a frozen account: goes out again once its user has shown that it is theirs', async () => {
  const { http, asked, approvals } = refusing('account_frozen')
  expect(await listUserSessions(approvingHttp(http, approvals))).toEqual([])
  expect(asked).toEqual(['unfreeze'])
})

test.each([
  ['the number of new devices', countDeviceRequests],
  ['the kinds of proofs', listDeviceProofs],
])('a frozen account: asking for %s in the background shows nothing and fails', async (_, call) => {
  const { http, asked, approvals } = refusing('account_frozen')
  await expect(call(approvingHttp(http, approvals))).rejects.toMatchObject({ code: 'account_frozen' })
  expect(asked).toEqual([])
})

test('a change: counts as being approved until the answer of its call is there', async () => {
  const { http, asked, approvals } = refusing('approval_required', { change: 'c1', action: 'grant' })
  const phases: string[] = []
  const watched = approvingHttp(http, approvals, async (work) => {
    phases.push(`begin ${asked.length}`)
    const done = await work()
    phases.push(`end ${asked.length}`)
    return done
  })
  expect(await listUserSessions(watched)).toEqual([])
  expect(phases).toEqual(['begin 0', 'end 1'])
})
