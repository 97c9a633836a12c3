/** Funding a wallet: what the app's settings and the page may ask for, the payment request in the QR code, and a balance that rises. */
import { describe, expect, test } from 'vitest'
import { type HostConfig, resolveConfig } from '../../src/app/config.ts'
import { createRuns } from '../../src/dialog/runs.ts'
import type { FundingOptions } from '../../src/funding/flow.ts'
import { fund } from '../../src/funding/flow.ts'
import { type ReceivingOptions, receiving } from '../../src/funding/receive/flow.ts'
import { paymentLink } from '../../src/funding/receive/payment-link.ts'
import {
  type FundingChoice,
  type FundingTarget,
  readFundingSettings,
  readFundingTarget,
} from '../../src/funding/target.ts'
import { usdcOn } from '../../src/lib/usdc.ts'
import type { FundingSettings } from '../../src/protocol/app-config.ts'
import { testClock } from '../support/clock.ts'
import { fundingSettings } from '../support/funding-settings.ts'
import { type Step, scriptedPerson } from '../support/person.ts'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const solanaAddress = '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK'
const wallets = [
  { address, chainType: 'ethereum' },
  { address: solanaAddress, chainType: 'solana' },
] as const
const settings: FundingSettings = { ...fundingSettings, chain: 'eip155:8453' }
const host: HostConfig = { solanaClusters: [{ name: 'mainnet-beta', rpcUrl: 'https://node.example/solana' }] }
const configOf = (funding: FundingSettings | undefined) =>
  resolveConfig(host, { name: 'Harbor', loginMethods: new Set(), funding } as never)
const targetOf = (choice: FundingChoice, over: Partial<FundingSettings> = {}): FundingTarget =>
  readFundingTarget(configOf(settings), { ...settings, ...over }, wallets, choice)
const refusalOf = (work: () => unknown): unknown => {
  try {
    work()
  } catch (cause) {
    return cause
  }
  return undefined
}

describe('settings', () => {
  test('funding: an app without it says so', () => {
    expect(refusalOf(() => readFundingSettings(configOf(undefined)))).toMatchObject({
      code: 'feature_not_enabled',
      shortMessage: 'Funding wallet is not enabled',
    })
  })

  test('funding: neither page nor app name a chain', () => {
    expect(refusalOf(() => targetOf({}, { chain: undefined }))).toMatchObject({
      shortMessage: "Couldn't find funding config",
    })
  })
})

describe('target', () => {
  test('funding: chain, asset and amount are those of the app where the page names none', () => {
    expect(targetOf({})).toMatchObject({
      address,
      chain: 'eip155:8453',
      network: 'Base',
      symbol: 'ETH',
      decimals: 18,
      amount: 20_000_000_000_000_000n,
    })
  })

  test("funding: the app's amount is not proposed for another asset or chain", () => {
    expect(targetOf({ asset: 'USDC' }).amount).toBeUndefined()
    expect(targetOf({ chain: 'eip155:1' }).amount).toBeUndefined()
  })

  test('funding: USDC has the contract of its issuer on that chain', () => {
    expect(targetOf({ asset: 'USDC', amount: '12.5' })).toMatchObject({
      token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      symbol: 'USDC',
      decimals: 6,
      amount: 12_500_000n,
    })
  })

  test('funding: a Solana wallet is funded on the first cluster, where the page names no chain', () => {
    expect(targetOf({ address: solanaAddress })).toMatchObject({
      address: solanaAddress,
      chain: 'solana:mainnet',
      symbol: 'SOL',
      amount: undefined,
    })
  })

  test('funding: an address in lower case is the wallet that it names', () => {
    expect(targetOf({ address: address.toLowerCase() }).address).toBe(address)
  })

  test.each<[string, FundingChoice, string]>([
    ['zero', { amount: '0' }, 'invalid_request_arguments'],
    ['an empty amount', { amount: '' }, 'invalid_request_arguments'],
    ['a point', { amount: '.' }, 'invalid_request_arguments'],
    ['two points', { amount: '1.2.3' }, 'invalid_request_arguments'],
    ['an exponent', { amount: '1e3' }, 'invalid_request_arguments'],
    ['a negative amount', { amount: '-1' }, 'invalid_request_arguments'],
    ['too many decimals', { asset: 'USDC', amount: '0.0000001' }, 'invalid_request_arguments'],
    ['an amount above 2^256', { amount: `1${'0'.repeat(80)}` }, 'invalid_request_arguments'],
    ['an unknown asset', { asset: 'EURC' as never }, 'invalid_request_arguments'],
    ['USDC on a chain without it', { chain: 'eip155:7777777', asset: 'USDC' }, 'invalid_request_arguments'],
    ['an unknown chain', { chain: 'eip155:424242' }, 'unsupported_chain_id'],
    ['a chain that is none', { chain: 'base' }, 'unsupported_chain_id'],
    [
      'a wallet of the other kind',
      { chain: 'eip155:1', address: solanaAddress },
      'invalid_request_arguments',
    ],
    [
      'a wallet of somebody else',
      { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      'embedded_wallet_not_found',
    ],
  ])('funding: %s is refused', (_, choice, code) => {
    expect(refusalOf(() => targetOf(choice))).toMatchObject({ code })
  })

  test('funding: a user without a wallet of that kind has to create one first', () => {
    const work = () => readFundingTarget(configOf(settings), settings, [], {})
    expect(refusalOf(work)).toMatchObject({ code: 'embedded_wallet_not_found' })
  })
})

describe('payment request', () => {
  test('payment request: ether has the chain and an integer amount of wei', () => {
    expect(paymentLink(targetOf({}))).toBe(`ethereum:${address}@8453?value=20000000000000000`)
  })

  test('payment request: a token has its contract, the recipient and an integer amount', () => {
    expect(paymentLink(targetOf({ asset: 'USDC', amount: '1250' }))).toBe(
      `ethereum:${usdcOn('eip155:8453')}@8453/transfer?address=${address}&uint256=1250000000`,
    )
  })

  test('payment request: without an amount none is written', () => {
    expect(paymentLink(targetOf({ chain: 'eip155:1' }))).toBe(`ethereum:${address}@1`)
  })

  test('payment request: Solana Pay has whole units without separators, the mint and the reference', () => {
    const target = targetOf({ chain: 'solana:mainnet', asset: 'USDC', amount: '1250.5' })
    expect(paymentLink(target, 'Ref')).toBe(
      `solana:${solanaAddress}?amount=1250.5&spl-token=${usdcOn('solana:mainnet')}&reference=Ref`,
    )
  })
})

function setUp({
  target = targetOf({}),
  balances,
  findPayment,
  ...more
}: Partial<FundingOptions & ReceivingOptions> & {
  /** Result of each reading; the last one is repeated. */
  balances: readonly (bigint | 'lost' | 'silent')[]
}) {
  const clock = testClock()
  const person = scriptedPerson(clock)
  const runs = createRuns({ clock, makeSurface: () => person.surface, openWindow: () => null })
  const readAt: number[] = []
  const start = clock.now()
  const readBalance = async (): Promise<bigint> => {
    const found = balances[Math.min(readAt.length, balances.length - 1)] ?? 'lost'
    readAt.push(clock.now() - start)
    if (found === 'silent') return new Promise(() => {})
    if (found === 'lost') throw new TypeError('Failed to fetch')
    return found
  }
  const work = runs
    .run('fund', {}, (stage) =>
      fund({ stage, clock } as never, {
        target,
        methods: { manual: receiving({ readBalance, ...(findPayment && { findPayment }) }) },
        readBalance,
        ...more,
      }),
    )
    .then(
      (value) => ({
        value: value === 'back' ? undefined : value,
        isBack: value === 'back',
        error: undefined,
      }),
      (error: { code: string }) => ({ value: undefined, isBack: false, error }),
    )
  const run = async (script: readonly Step[]) => {
    await person.follow(script)
    return work
  }
  return { run, readAt, person, clock }
}
const shows = (expected: object): Step => ({
  on: 'receive-funds',
  expect: (props) => expect(props).toMatchObject(expected),
})

describe('receiving', () => {
  test('receiving: continues once the balance has risen, and says by how much', async () => {
    const { run, readAt } = setUp({ first: 'manual', balances: [5n, 5n, 8n] })
    const { value } = await run([
      shows({ balance: 5n, received: undefined }),
      { wait: 4_000 },
      shows({ balance: 8n, received: 3n }),
      ['receive-funds', 'continue'],
    ])
    expect(value).toEqual({ method: 'manual', status: 'confirmed', received: 3n })
    expect(readAt).toEqual([0, 2_000, 4_000])
  })

  test('receiving: is not over before anything has come', async () => {
    const { run } = setUp({ first: 'manual', balances: [5n] })
    const { error } = await run([
      ['receive-funds', 'continue'],
      shows({ received: undefined }),
      { on: 'receive-funds', close: true },
    ])
    expect(error?.code).toBe('exited_funding_flow')
  })

  test('receiving: the balance is read every two seconds, as the specification has it', async () => {
    const { run, readAt } = setUp({ first: 'manual', balances: [5n] })
    await run([{ wait: 8_000 }, { on: 'receive-funds', close: true }])
    expect(readAt).toEqual([0, 2_000, 4_000, 6_000, 8_000])
  })

  test('receiving: money that is spent meanwhile does not hide what comes', async () => {
    const { run } = setUp({ first: 'manual', balances: [10n, 4n, 7n] })
    const { value } = await run([
      { wait: 4_000 },
      shows({ balance: 7n, received: 3n }),
      ['receive-funds', 'continue'],
    ])
    expect(value?.received).toBe(3n)
  })

  test('receiving: a network that fails or is silent is said, and is asked again', async () => {
    const { run } = setUp({ first: 'manual', balances: ['lost', 'silent', 5n, 6n] })
    const { value } = await run([
      shows({ isUnreachable: true, balance: undefined }),
      { wait: 2_000 + 15_000 + 2_000 },
      shows({ isUnreachable: false, balance: 5n, received: undefined }),
      { wait: 2_000 },
      ['receive-funds', 'continue'],
    ])
    expect(value?.received).toBe(1n)
  })

  test('receiving: nothing is read after the dialog was closed', async () => {
    const { run, readAt, clock } = setUp({ first: 'manual', balances: [5n] })
    await run([{ wait: 2_000 }, { on: 'receive-funds', close: true }])
    const before = readAt.length
    await clock.advance(60_000)
    expect(readAt).toHaveLength(before)
    expect(clock.sleeping).toBe(0)
  })

  test('receiving: going back leads to the methods, which show the balance, and the method can be chosen again', async () => {
    const { run, person } = setUp({ first: 'manual', balances: [5n] })
    const { error } = await run([
      ['receive-funds', 'back'],
      { on: 'funding-method', expect: (props) => expect(props).toMatchObject({ balance: 5n }) },
      ['funding-method', 'manual'],
      { on: 'receive-funds', close: true },
    ])
    expect(error?.code).toBe('exited_funding_flow')
    expect(person.trace().at(-1)).toBe('closed')
  })

  test('receiving: a payment on Solana is found by the key that its request names', async () => {
    const asked: string[] = []
    const { run } = setUp({
      first: 'manual',
      target: targetOf({ chain: 'solana:mainnet' }),
      balances: [0n, 9n],
      findPayment: async (reference) => {
        asked.push(reference)
        return 'signature'
      },
    })
    let link = ''
    const { value } = await run([
      {
        on: 'receive-funds',
        expect: (props) => {
          link = String(props.link)
        },
      },
      { wait: 2_000 },
      ['receive-funds', 'continue'],
    ])
    expect(value).toMatchObject({ received: 9n, transactionHash: 'signature' })
    expect(link).toBe(`solana:${solanaAddress}?reference=${asked[0]}`)
    expect(asked[0]).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/)
  })

  test('receiving: a payment that can not be looked up is confirmed all the same', async () => {
    const { run } = setUp({
      first: 'manual',
      target: targetOf({ chain: 'solana:mainnet' }),
      balances: [0n, 9n],
      findPayment: async () => {
        throw new TypeError('Failed to fetch')
      },
    })
    const { value } = await run([{ wait: 2_000 }, ['receive-funds', 'continue']])
    expect(value).toEqual({ method: 'manual', status: 'confirmed', received: 9n })
  })
})
