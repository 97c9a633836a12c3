/** Funding that is offered once a login has created a wallet. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
// Pages load these when they are needed; here no test should wait for their compilation.
import '../../src/ethereum/rpc.ts'
import '../../src/kit/host/funding.ts'
import { makeToken, wireUser } from '../support/api.ts'
import { testClock } from '../support/clock.ts'
import { embeddedWallet, kitWithPerson, paths, walletAddress } from '../support/kit.ts'
import type { Step } from '../support/person.ts'
import { fakeVault } from '../support/vault.ts'

const funding = {
  default_recommended_currency: { chain: 'eip155:8453', asset: 'native-currency' },
  default_recommended_amount: '0.02',
  methods: ['external'],
  options: [],
  prompt_funding_on_wallet_creation: true,
  cross_chain_bridging_enabled: false,
}
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

const typed: Step[] = [
  ['landing', { email: 'ada@example.com' }],
  ['enter-code', { code: '123456' }],
]
const created: Step = ['wallet-created', 'continue']

/** A user who logs in for the first time, in an app that creates a wallet then. */
async function setUp(settings: object | null = funding) {
  const clock = testClock()
  const user = wireUser('did:privy:u1', { linked_accounts: [embeddedWallet] })
  const set = await kitWithPerson({
    clock,
    app: {
      embedded_wallet_config: { create_on_login: 'users-without-wallets' },
      ...(settings && { funding_config: settings }),
    },
    routes: { [paths.me]: { body: { user, identity_token: await makeToken(clock) } } },
    vault: fakeVault({ createWallet: () => ({ address: walletAddress }) }),
  })
  const told: string[] = []
  set.kit.on('login', () => told.push('login'))
  set.kit.on('funded', () => told.push('funded'))
  return { ...set, told }
}

test('prompt: after a login that created a wallet, adding funds is offered; the login does not wait for it', async () => {
  const { kit, person, told } = await setUp()
  const login = kit.login()
  await person.follow([
    ...typed,
    created,
    {
      on: 'funding-method',
      expect(props) {
        expect(told).toEqual(['login'])
        expect(props).toMatchObject({
          exit: 'skip',
          methods: ['wallet', 'manual'],
          target: { address: walletAddress, chain: 'eip155:8453', symbol: 'ETH' },
        })
      },
      answer: 'skip',
    },
  ])
  expect((await login).wallet).toMatchObject({ address: walletAddress })
  expect(person.scene).toBeUndefined()
  expect(person.ends.map(({ completed }) => completed)).toEqual([true, true])
  expect(told).toEqual(['login'])
})

test('prompt: closing it is no failure of the login, and nothing is reported', async () => {
  const { kit, person, errors } = await setUp()
  const login = kit.login()
  await person.follow([...typed, created, { on: 'funding-method', close: true }])
  await login
  expect(kit.authenticated).toBe(true)
  expect(errors).toEqual([])
})

test.each([
  ['that does not want it', { ...funding, prompt_funding_on_wallet_creation: false }],
  ['that offers no method', { ...funding, methods: ['teleport'] }],
  ['without funding', null],
])('prompt: an app %s offers none', async (_, settings) => {
  const { kit, person, clock, told } = await setUp(settings)
  const login = kit.login()
  await person.follow([...typed, created])
  await login
  await clock.advance(5_000)
  expect(told).toEqual(['login'])
  expect(person.scene).toBeUndefined()
  expect(person.ends).toHaveLength(1)
})

test('prompt: a user who has closed the dialog on the way is not asked again', async () => {
  const { kit, person, clock } = await setUp()
  const login = kit.login()
  await person.follow([...typed, { on: 'wallet-created', close: true }])
  await login
  await clock.advance(5_000)
  expect(person.scene).toBeUndefined()
  expect(person.ends).toHaveLength(1)
})
