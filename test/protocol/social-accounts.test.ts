import * as v from 'valibot'
import { expect, test } from 'vitest'
import { isAccountOf } from '../../src/protocol/oauth.ts'
import { user } from '../../src/protocol/user.ts'
import { wireUser } from '../support/api.ts'

const parsed = (...linked: object[]) => v.parse(user, wireUser('did:privy:u', { linked_accounts: linked }))

test('social accounts have names and fields of their own', () => {
  const google = {
    type: 'google_oauth',
    subject: 'g-1',
    email: 'ada@example.com',
    name: 'Ada',
    verified_at: 1,
  }
  const twitter = { type: 'twitter_oauth', subject: 't-1', username: 'ada', verified_at: 1 }
  const person = parsed(google, { ...twitter, profile_picture_url: 'https://pictures.example/ada' })
  expect(person.google).toMatchObject({
    type: 'google',
    subject: 'g-1',
    email: 'ada@example.com',
    name: 'Ada',
  })
  expect(person.twitter).toMatchObject({ username: 'ada', profilePictureUrl: 'https://pictures.example/ada' })
  expect(person.github).toBeUndefined()
  expect(person.linkedAccounts.filter(isAccountOf('google'))).toEqual([person.google])
})

test('one that can’t be read stays an account of another kind', () => {
  const [account] = parsed({ type: 'google_oauth', verified_at: 1 }).linkedAccounts
  expect(account).toMatchObject({ type: 'other', kind: 'google_oauth' })
})
