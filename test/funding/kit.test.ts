/** `kit.fundWallet`: what is asked of the network, what the host is told, and what it is refused. */
import { expect, test } from 'vitest'
// Pages load these when a balance is read; here no test should wait for their compilation.
import '../../src/ethereum/rpc.ts'
import type { FundWalletOptions } from '../../src/kit/api.ts'
import { fundWallet } from '../../src/kit/host/funding.ts'
import { fakeNode } from '../support/chain-node.ts'
import { ethereumAccount, onSolana, solanaAddress, walletAccount } from '../support/embedded-kit.ts'
import { fundingSettings } from '../support/funding-settings.ts'
import type { Step } from '../support/person.ts'
import { type FundingKitOptions, fundingKit } from './funding-kit.ts'

const ether = (amount: bigint) => ({ result: `0x${amount.toString(16)}` })

function setUp(app: Pick<FundingKitOptions, 'funding' | 'server'> = {}) {
  let balance = 5n
  let signatures: readonly object[] = []
  const nodes: Record<string, ReturnType<typeof fakeNode>> = {
    'https://node.example/1': fakeNode({ eth_getBalance: () => ether(balance) }),
    'https://node.example/solana': fakeNode({
      getBalance: () => ({ result: { context: { slot: 5 }, value: Number(balance) } }),
      getSignaturesForAddress: () => ({ result: signatures }),
    }),
  }
  const kit = fundingKit({
    ...app,
    wallets: [walletAccount(), onSolana],
    host: {
      rpcConfig: { rpcUrls: { 1: 'https://node.example/1' } },
      solanaClusters: [{ name: 'devnet', rpcUrl: 'https://node.example/solana' }],
    },
    fetch: (url, init) => {
      const node = nodes[url]
      if (!node) throw new TypeError(`There is no node at ${url}`)
      return node.fetch(url, init)
    },
  })
  const told: unknown[] = []
  kit.events.on('funded', (detail) => told.push(detail))
  return {
    ...kit,
    told,
    open: (options: FundWalletOptions, script: readonly Step[]) =>
      kit.run(fundWallet(kit.context, kit.sending, options), script),
    nodes,
    arrive(amount: bigint, list: readonly object[] = []) {
      balance += amount
      signatures = list
    },
  }
}
const then = (work: () => void): Step => ({ on: 'receive-funds', expect: work })

test('fundWallet: resolves with what has come into the first wallet, and the host is told once', async () => {
  const { login, open, arrive, told } = setUp()
  login()
  const { value } = await open({}, [
    ['funding-method', 'manual'],
    then(() => arrive(10n ** 16n)),
    { wait: 4_000 },
    ['receive-funds', 'continue'],
  ])
  expect(value).toEqual({
    method: 'manual',
    status: 'confirmed',
    address: ethereumAccount.address,
    chain: 'eip155:1',
    asset: 'native-currency',
    symbol: 'ETH',
    amount: '0.01',
    transactionHash: undefined,
  })
  expect(told).toEqual([value])
})

test('fundWallet: the payment to a Solana wallet is named, unless it has failed', async () => {
  for (const [err, hash] of [
    [null, 'sig'],
    [{ InstructionError: [0, 'x'] }, undefined],
  ] as const) {
    const { login, open, arrive } = setUp()
    login()
    const { value } = await open(
      { address: solanaAddress, chain: 'solana:devnet', defaultMethod: 'manual' },
      [
        { wait: 2_000 },
        then(() => arrive(1_500_000_000n, [{ signature: 'sig', err }])),
        { wait: 4_000 },
        ['receive-funds', 'continue'],
      ],
    )
    expect(value).toMatchObject({ address: solanaAddress, amount: '1.5', transactionHash: hash })
  }
})

test('fundWallet: an app whose methods this version does not have offers none', async () => {
  const { login, open } = setUp({ funding: { ...fundingSettings, methods: ['teleport'] } })
  login()
  expect((await open({}, [])).error).toMatchObject({
    code: 'invalid_configuration',
    shortMessage: "Couldn't find funding config",
  })
})

test('fundWallet: nobody is logged in', async () => {
  const { open } = setUp()
  expect((await open({}, [])).error?.code).toBe('must_be_authenticated')
})

test('fundWallet: closing the dialog is an exit, and nothing is told', async () => {
  const { login, open, told } = setUp()
  login()
  const { error } = await open({}, [{ on: 'funding-method', close: true }])
  expect(error?.code).toBe('exited_funding_flow')
  expect(told).toEqual([])
})

test('fundWallet: a network that the app has no node for is refused before anything is shown', async () => {
  const { login, open, person } = setUp()
  login()
  expect((await open({ chain: 'eip155:424242' }, [])).error?.code).toBe('unsupported_chain_id')
  expect(person.trace()).toEqual([])
})

test('fundWallet: what is bought resolves with its purchase, and is told once', async () => {
  const at = new Date(0)
  const purchase = {
    ...{ id: 'lk1', provider: 'moonpay', name: 'MoonPay', method: 'card', isSandbox: true, currency: 'USD' },
    ...{ address: ethereumAccount.address, chain: 'eip155:1', asset: 'native-currency', symbol: 'ETH' },
    ...{ amount: '0.02', createdAt: at, updatedAt: at },
  }
  const replies: Record<string, unknown> = {
    '/api/v1/funding/quotes': {
      quotes: [
        {
          ...{ provider: 'moonpay', name: 'MoonPay', method: 'card', opens: 'url', isSandbox: true },
          ...{ receives: { amount: '0.02', symbol: 'ETH' }, total: '61.5', currency: 'USD' },
          ...{ countries: [], missing: [] },
        },
      ],
      unavailable: [],
    },
    '/api/v1/funding/purchases': {
      purchase: { ...purchase, status: 'started' },
      opening: { kind: 'url', url: 'https://provider.example/' },
    },
    '/api/v1/funding/purchases/lk1': { ...purchase, status: 'completed', received: '0.02' },
  }
  const calls: string[] = []
  const { login, open, told, storage } = setUp({
    funding: {
      ...fundingSettings,
      methods: ['moonpay', 'external'],
      options: [{ method: 'card', provider: 'moonpay' }],
      providers: [{ id: 'moonpay', name: 'MoonPay', methods: ['card'], isSandbox: true }],
    },
    server: {
      async call({ method, path }) {
        calls.push(`${method} ${path}`)
        return replies[path]
      },
    },
  })
  login()
  const { value } = await open({ defaultMethod: 'card' }, [
    ['funding-quotes', { start: 'moonpay card' }],
    // No browser opens a window in this test.
    { on: 'funding-status', expect: (props) => expect(props.phase).toBe('blocked') },
    { wait: 8_000 },
    ['funding-status', 'close'],
  ])
  expect(value).toMatchObject({
    method: 'card',
    status: 'completed',
    amount: '0.02',
    purchase: { id: 'lk1', provider: 'moonpay', isSandbox: true },
  })
  expect(told).toEqual([value])
  expect(calls).toContain('POST /api/v1/funding/purchases')
  expect(storage.get('lk:latchkey-demo-recover-013:purchases')).toBeUndefined()
})

test('fundWallet: what other wallets were asked for is forgotten with a logout', () => {
  const { login, logout, storage } = setUp()
  login()
  const key = 'lk:latchkey-demo-recover-013:payments:u1'
  storage.set(key, '[]')
  logout()
  expect(storage.get(key)).toBeUndefined()
})

test('fundWallet: the transfer from another wallet is loaded once the user chooses it', async () => {
  const { login, context, sending, run } = setUp()
  login()
  let loads = 0
  const work = fundWallet(
    context,
    sending,
    {},
    {
      transfer: async () => {
        loads++
        return { transfer: async () => ({ method: 'wallet', status: 'submitted', received: 5n }) as const }
      },
    },
  )
  const { value } = await run(work, [
    {
      on: 'funding-method',
      expect: ({ methods }) => {
        expect(methods).toEqual(['wallet', 'manual'])
        expect(loads).toBe(0)
      },
      answer: 'wallet',
    },
  ])
  expect(value).toMatchObject({ method: 'wallet', status: 'submitted', amount: '0.000000000000000005' })
  expect(loads).toBe(1)
})
