/** A contact that a purchase needs is verified in its dialog: a first one, the same one again, and going back from it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import '../../src/kit/host/funding.ts'
import { emailAccount, kitOfSomebody, phoneAccount, type refusal } from '../support/accounts.ts'
import type { Call } from '../support/api.ts'
import { walletAddress } from '../support/kit.ts'
import type { Step } from '../support/person.ts'

beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}))
afterEach(() => vi.restoreAllMocks())

const linking = '/api/v1/passwordless_sms/link'
const wallet = {
  type: 'wallet',
  address: walletAddress,
  chain_type: 'ethereum',
  wallet_client_type: 'metamask',
  verified_at: 1_700_000_000,
}
const quoteOf = (missing: readonly string[]) => ({
  provider: 'coinbase-onramp',
  name: 'Coinbase',
  method: 'apple-pay',
  opens: 'frame',
  is_sandbox: true,
  receives: { amount: '0.02', symbol: 'ETH' },
  total: '61.5',
  currency: 'USD',
  countries: ['US'],
  missing,
})

/** A user whose purchase needs a number, which the server accepts once it was verified. */
async function setUp({
  number,
  verify = () => undefined,
  after = [quoteOf([])],
}: {
  /** The number that the user has. */
  number?: string
  verify?: (call: Call) => ReturnType<typeof refusal> | undefined
  after?: readonly object[]
} = {}) {
  let isVerified = false
  const set = await kitOfSomebody({
    accounts: [emailAccount(), wallet, ...(number ? [phoneAccount(number)] : [])],
    changes: {
      [linking](call, linked) {
        const refused = verify(call)
        if (refused) return refused
        isVerified = true
        const found = linked.findIndex((each) => 'phoneNumber' in each)
        linked.splice(found < 0 ? linked.length : found, 1, phoneAccount(number))
        return undefined
      },
    },
    app: {
      funding_config: {
        default_recommended_currency: { chain: 'eip155:1' },
        default_recommended_amount: '0.02',
        methods: ['coinbase-onramp'],
        options: [{ method: 'payment-request', provider: 'coinbase' }],
        prompt_funding_on_wallet_creation: false,
        cross_chain_bridging_enabled: false,
        providers: [{ id: 'coinbase-onramp', name: 'Coinbase', methods: ['apple-pay'], is_sandbox: true }],
      },
    },
    options: { config: { rpcConfig: { rpcUrls: { 1: 'https://node.example/1' } } } },
    routes: {
      '/api/v1/funding/quotes': () => ({
        body: { quotes: isVerified ? after : [quoteOf(['phone'])], unavailable: [] },
      }),
      '/api/v1/funding/purchases': { body: { purchases: [] } },
    },
  })
  const changes: unknown[] = []
  set.kit.on('linked', ({ account }) => changes.push(account))
  return {
    ...set,
    changes,
    async fund(script: readonly Step[]) {
      const work = set.kit.fundWallet({ defaultMethod: 'card' }).catch(({ code }: { code: string }) => code)
      await set.person.follow(script)
      return work
    },
  }
}
const verify: Step = ['funding-quotes', { verify: 'phone', for: 'coinbase-onramp apple-pay' }]
const quotesShow = (expected: object): Step => ({
  on: 'funding-quotes',
  expect: (props) => expect(props).toMatchObject(expected),
})
const leave: Step = { on: 'funding-quotes', close: true }

test('verify: a first number is linked in the dialog of the purchase, and the quotes follow', async () => {
  const { fund, changes, kit } = await setUp()
  await fund([
    { wait: 0 },
    quotesShow({ quotes: [{ missing: ['phone'], countries: ['United States'] }] }),
    verify,
    {
      on: 'enter-address',
      expect: (props) => expect(props).toMatchObject({ via: 'sms', value: '' }),
      answer: { address: '+12025550123' },
    },
    ['enter-code', { code: '123456' }],
    { wait: 2_000 },
    quotesShow({ quotes: [{ missing: [] }], notice: undefined }),
    leave,
  ])
  expect(changes).toMatchObject([{ type: 'phone', number: '+12025550123' }])
  expect(kit.user?.phone?.number).toBe('+12025550123')
})

test('verify: a number that was verified long ago is verified again, and need not be typed', async () => {
  const { fund, api } = await setUp({ number: '+12025550124' })
  await fund([
    { wait: 0 },
    verify,
    {
      on: 'enter-address',
      expect: (props) => expect(props).toMatchObject({ via: 'sms', value: '+12025550124' }),
      answer: { address: '+12025550124' },
    },
    ['enter-code', { code: '123456' }],
    { wait: 2_000 },
    quotesShow({ quotes: [{ missing: [] }] }),
    leave,
  ])
  expect(api.to(linking)[0]?.body).toMatchObject({ phoneNumber: '+12025550124' })
})

test('verify: going back leads to the quotes, and changes nothing', async () => {
  const { fund, changes, errors } = await setUp()
  const code = await fund([
    { wait: 0 },
    verify,
    ['enter-address', 'back'],
    quotesShow({ quotes: [{ missing: ['phone'] }], error: undefined, notice: undefined }),
    leave,
  ])
  expect([code, changes, errors]).toEqual(['exited_funding_flow', [], []])
})

test('verify: a number of another country takes the method away, and says why', async () => {
  const { fund } = await setUp({ after: [] })
  await fund([
    { wait: 0 },
    verify,
    ['enter-address', { address: '+4915112345678' }],
    ['enter-code', { code: '123456' }],
    { wait: 2_000 },
    quotesShow({ quotes: [], notice: "Coinbase: Isn't available where you are" }),
    leave,
  ])
})
