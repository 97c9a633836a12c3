import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { emailAccount, kitOfSomebody, phoneAccount, refusal } from '../support/accounts.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

test('a new e-mail address takes the place of the old one, once its code is there', async () => {
  const path = '/api/v1/passwordless/update'
  const { kit, person, api, outcomeOf, told } = await kitOfSomebody({
    accounts: [emailAccount('old@example.com')],
    changes: { [path]: (_, linked) => void linked.splice(0, 1, emailAccount('new@example.com')) },
  })
  const outcome = outcomeOf(kit.updateEmail())
  await person.follow([
    {
      on: 'enter-address',
      expect: (props) => expect(props).toMatchObject({ via: 'email', old: 'old@example.com' }),
      answer: { address: 'OLD@example.com' },
    },
    {
      on: 'enter-address',
      expect: (props) => expect(props.error).toBe('This is your address already.'),
      answer: { address: 'new@example.com' },
    },
    ['enter-code', { code: '123456' }],
    { wait: 2_000 },
  ])
  expect((await outcome).person?.email?.address).toBe('new@example.com')
  expect(api.to(path)[0]?.body).toEqual({
    oldAddress: 'old@example.com',
    newAddress: 'new@example.com',
    code: '123456',
  })
  expect(told).toMatchObject([['updated', { method: 'email', account: { address: 'new@example.com' } }]])
})

test('a new phone number takes the place of the old one, which is shown as people write it', async () => {
  const path = '/api/v1/passwordless_sms/update'
  const { kit, person, api, outcomeOf } = await kitOfSomebody({
    accounts: [phoneAccount()],
    changes: { [path]: (_, linked) => void linked.splice(0, 1, phoneAccount('+12025550124')) },
  })
  const outcome = outcomeOf(kit.updatePhone())
  await person.follow([
    {
      on: 'enter-address',
      expect: (props) => expect(props).toMatchObject({ via: 'sms', old: '+1 202 555 0123' }),
      answer: { address: '+12025550124' },
    },
    ['enter-code', { code: '123456' }],
    { wait: 2_000 },
  ])
  expect((await outcome).person?.phone?.number).toBe('+12025550124')
  expect(api.to(path)[0]?.body).toEqual({
    old_phone_number: '+12025550123',
    new_phone_number: '+12025550124',
    code: '123456',
  })
})

test('without an old one there is nothing to update', async () => {
  const { kit, person } = await kitOfSomebody({ accounts: [phoneAccount()] })
  await expect(kit.updateEmail()).rejects.toMatchObject({
    code: 'failed_to_update_account',
    shortMessage: 'User is required to have an email address to update it.',
  })
  const other = await kitOfSomebody({ accounts: [emailAccount()] })
  await expect(other.kit.updatePhone()).rejects.toMatchObject({
    code: 'failed_to_update_account',
    shortMessage: 'User is required to have a phone number to update it.',
  })
  expect([person.trace(), other.person.trace()]).toEqual([[], []])
})

test('closing leaves the old one, and has a code of its own', async () => {
  const { kit, person, api, outcomeOf } = await kitOfSomebody()
  const outcome = outcomeOf(kit.updateEmail())
  await person.follow([{ on: 'enter-address', close: true }, { wait: 1_000 }])
  expect((await outcome).error?.code).toBe('exited_update_flow')
  expect(api.to('/api/v1/passwordless/update')).toEqual([])
})

test('an address of somebody else is refused, and never taken over', async () => {
  const { kit, person, outcomeOf } = await kitOfSomebody({
    changes: { '/api/v1/passwordless/update': () => refusal('linked_to_another_user', 'taken', 409) },
  })
  const outcome = outcomeOf(kit.updateEmail())
  await person.follow([
    ['enter-address', { address: 'new@example.com' }],
    ['enter-code', { code: '123456' }],
    ['failure', 'close'],
    { wait: 1_000 },
  ])
  expect((await outcome).error?.code).toBe('linked_to_another_user')
  expect(kit.user?.email?.address).toBe('ada@example.com')
})
