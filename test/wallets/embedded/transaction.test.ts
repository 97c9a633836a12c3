import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  keccak256,
  maxUint256,
  parseAbi,
  parseTransaction,
  recoverTransactionAddress,
} from 'viem'
import { base } from 'viem/chains'
import { describe, expect, test } from 'vitest'
// Pages load these when there is something to sign; here no test should wait for their compilation.
import '../../../src/ethereum/rpc.ts'
import '../../../src/ethereum/transaction.ts'
import { KitError } from '../../../src/errors/kit-error.ts'
import { rankWarnings, type TransactionPreview } from '../../../src/signing/preview.ts'
import { fakeNode, type NodeAnswer } from '../../support/chain-node.ts'
import {
  embeddedKit,
  ethereumAccount,
  exampleChain,
  secondAccount,
  vaultAnswer,
} from '../../support/embedded-kit.ts'
import type { Step } from '../../support/person.ts'

const { address } = ethereumAccount
const to = secondAccount.address
const host = {
  supportedChains: [exampleChain()],
}
type Raw = `0x02${string}`
const named = ([raw]: readonly unknown[]): NodeAnswer => ({ result: keccak256(raw as Raw) })
const refusal = (message: string) => (): NodeAnswer => ({ error: { code: -32000, message } })

function setUp(answers: Parameters<typeof fakeNode>[0] = {}, more: Parameters<typeof embeddedKit>[0] = {}) {
  const node = fakeNode({ eth_sendRawTransaction: named, ...answers })
  const set = embeddedKit({ host, fetch: node.fetch, ...more })
  set.login()
  const send = async (
    script: Step[],
    fields: object = { value: '0x16345785d8a0000' },
    method = 'eth_sendTransaction',
  ) => {
    const done = set
      .provider()
      .request({ method, params: [{ from: address, to, ...fields }] })
      .then(
        (value) => ({ value: value as Raw, error: undefined }),
        (error: { code: number; message: string; data?: unknown }) => ({ value: undefined, error }),
      )
    await set.person.follow([...script, { wait: 2_000 }])
    return done
  }
  const rawSent = () =>
    node.asked
      .filter(({ method }) => method === 'eth_sendRawTransaction')
      .map(({ params }) => params[0] as Raw)
  return { ...set, node, send, rawSent }
}
const warningsOf = ({ preview }: Record<string, unknown>) => (preview as TransactionPreview).warnings
const approve: Step = ['approve-transaction', 'approve']

test('is shown with all that it may cost, signed for its chain, and sent', async () => {
  const { send, rawSent, node } = setUp()
  const seen: unknown[] = []
  const { value } = await send([
    { on: 'approve-transaction', expect: (props) => seen.push(props), answer: 'approve' },
  ])
  const [raw] = rawSent()
  expect(value).toBe(keccak256(raw as Raw))
  expect(parseTransaction(raw as Raw)).toMatchObject({
    chainId: 1,
    nonce: 7,
    to: to.toLowerCase(),
    value: 10n ** 17n,
    gas: 21_000n,
    type: 'eip1559',
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  })
  expect(await recoverTransactionAddress({ serializedTransaction: raw as Raw })).toBe(address)
  expect(seen).toMatchObject([
    {
      action: 'send',
      preview: {
        origin: 'https://host.example',
        wallet: address,
        network: { name: 'Ethereum' },
        coin: { symbol: 'ETH', decimals: 18 },
        actions: [{ kind: 'transfer', to, amount: 10n ** 17n }],
        value: 10n ** 17n,
        fee: 63n * 10n ** 12n,
        total: 100_063n * 10n ** 12n,
        balance: 10n ** 19n,
        isUnderfunded: false,
        warnings: [],
      },
    },
  ])
  // Before it is prepared and simulated, before it is broadcast, and before its receipt is believed.
  expect(node.methods().filter((method) => method === 'eth_chainId')).toHaveLength(4)
})

test.each([
  ['legacy', { gasPrice: '0x77359400' }, 'legacy'],
  ['with an access list', { gasPrice: '0x1', accessList: [{ address: to, storageKeys: [] }] }, 'eip2930'],
  ['of a contract that is made', { to: null, data: '0x6001600101', gas: '0x186a0' }, 'eip1559'],
])('one %s', async (_, fields, type) => {
  const { send, rawSent } = setUp()
  await send([approve], fields)
  expect(parseTransaction(rawSent()[0] as Raw).type).toBe(type)
})

test('that is only signed stays here', async () => {
  const { send, rawSent, node } = setUp()
  const { value } = await send([approve], {}, 'eth_signTransaction')
  expect(parseTransaction(value as Raw)).toMatchObject({ nonce: 7, chainId: 1 })
  expect([rawSent(), node.methods().includes('eth_sendRawTransaction')]).toEqual([[], false])
})

test('figures are on their way while the person sees what is known; nothing is approved before', async () => {
  let go = () => {}
  const node = fakeNode({ eth_sendRawTransaction: named })
  const { provider, person } = setUp(
    {},
    {
      fetch: async (url, init) => {
        if (String(init?.body).includes('eth_estimateGas'))
          await new Promise<void>((resolve) => {
            go = resolve
          })
        return node.fetch(url, init)
      },
    },
  )
  const work = provider().request({ method: 'eth_sendTransaction', params: [{ from: address, to }] })
  await person.follow([
    {
      on: 'approve-transaction',
      expect: (props) => expect(props).toMatchObject({ preparing: true, preview: { value: 0n } }),
    },
  ])
  go()
  await person.follow([
    {
      on: 'approve-transaction',
      expect: (props) => expect(props).toMatchObject({ preview: { fee: 63n * 10n ** 12n } }),
      answer: 'approve',
    },
    { wait: 2_000 },
  ])
  expect(await work).toMatch(/^0x/)
})

describe('that the person does not want', () => {
  test.each([
    ['cancelled', ['approve-transaction', 'cancel'] as Step],
    ['closed', { on: 'approve-transaction', close: true } as Step],
  ])('%s: 4001, and nothing was signed', async (_, step) => {
    const { send, asked, rawSent } = setUp()
    expect((await send([step])).error).toMatchObject({ code: 4001, message: 'User rejected the request.' })
    expect([asked, rawSent()]).toEqual([[], []])
  })
})

describe('that can’t be prepared', () => {
  const reverted = { code: 3, message: 'execution reverted: not yours', data: '0x08c379a0' }

  const warning = { code: 'reverts', severity: 'danger', reason: 'not yours' }

  test('warns in the node’s own words, and is sent if the person wants it all the same', async () => {
    const { send, rawSent, told } = setUp({ eth_estimateGas: () => ({ error: reverted }) })
    const seen: unknown[] = []
    const { value } = await send(
      [{ on: 'approve-transaction', expect: (props) => seen.push(...warningsOf(props)), answer: 'approve' }],
      { data: '0xa9059cbb' },
    )
    // The data lack their arguments.
    expect(seen).toEqual([
      { code: 'odd-encoding', severity: 'danger' },
      warning,
      { code: 'undescribed', severity: 'warning' },
    ])
    expect(value).toBe(keccak256(rawSent()[0] as Raw))
    expect(parseTransaction(rawSent()[0] as Raw).gas).toBe(1_000_000n)
    expect(told).toMatchObject([{ code: 'transaction_failure' }])
  })

  test('asks for no more gas than the wallet can pay for', async () => {
    const { send, rawSent } = setUp({
      eth_estimateGas: () => ({ error: reverted }),
      eth_getBalance: '0x38d7ea4c68000',
    })
    await send([approve], { value: '0x0', data: '0xa9059cbb' })
    expect(parseTransaction(rawSent()[0] as Raw).gas).toBe(10n ** 15n / 3_000_000_000n)
  })

  test('for a node that does not answer: says so, and is prepared again', async () => {
    let tries = 0
    const { send } = setUp({
      eth_getBalance: () => (tries++ < 4 ? 'lost' : { result: '0x8ac7230489e80000' }),
    })
    const seen: unknown[] = []
    const { value } = await send([
      {
        on: 'transaction-failed',
        expect: ({ detail, action }) => seen.push(detail, action),
        answer: 'retry',
      },
      approve,
    ])
    expect(seen).toEqual(["We can't reach the server. Check your connection.", 'retry'])
    expect(value).toMatch(/^0x/)
  })

  test.each([
    ['cancelled', ['transaction-failed', 'cancel'] as Step],
    ['closed', { on: 'transaction-failed', close: true } as Step],
  ])('and is %s then: 4001', async (_, step) => {
    const { send } = setUp({ eth_chainId: '0x2105' })
    expect((await send([step])).error).toMatchObject({ code: 4001, message: 'User rejected the request.' })
  })

  test.each([
    ['the node says so', { eth_estimateGas: refusal('insufficient funds for transfer') }],
    ['its figures do', { eth_getBalance: '0x1' }],
  ])('for want of money: %s', async (_, answers) => {
    const { send, asked } = setUp(answers)
    const words: unknown[] = []
    await send([
      { on: 'approve-transaction', expect: (props) => words.push(...warningsOf(props)), answer: 'recheck' },
      { on: 'approve-transaction', expect: (props) => words.push(...warningsOf(props)), answer: 'cancel' },
    ])
    expect(words).toEqual(Array(2).fill({ code: 'insufficient-funds', severity: 'danger' }))
    expect(asked).toEqual([])
  })

  test('on a node of another chain: nothing is signed', async () => {
    const { send, asked } = setUp({ eth_chainId: '0x2105' })
    const seen: unknown[] = []
    await send([{ on: 'transaction-failed', expect: ({ reason }) => seen.push(reason), answer: 'cancel' }])
    expect(seen).toEqual([{ code: -32603, message: 'The node did not return the ID of chain 1' }])
    expect(asked).toEqual([])
  })
})

describe('that the network does not take', () => {
  const once = (message: string) => {
    let tries = 0
    return (params: readonly unknown[]): NodeAnswer =>
      tries++ === 0 ? { error: { code: -32000, message } } : named(params)
  }
  const retry: Step = ['transaction-failed', 'retry']
  /** The number of the node's next transaction, as it is before and after the first one was refused. */
  const counting = (before: string, after: string) => {
    let tries = 0
    return ([, block]: readonly unknown[]): NodeAnswer => ({
      result: block === 'latest' || tries++ === 0 ? before : after,
    })
  }

  test('is shown with the node’s number and words', async () => {
    const { send, told } = setUp({ eth_sendRawTransaction: once('tx pool is full') })
    const seen: unknown[] = []
    await send([
      approve,
      { on: 'transaction-failed', expect: (props) => seen.push(props), answer: 'retry' },
      approve,
    ])
    expect(seen).toMatchObject([
      {
        title: 'Transaction failure',
        detail: 'The network has no room for it at present. Please try again later.',
        action: 'retry',
        reason: { code: -32000, message: 'tx pool is full' },
      },
    ])
    expect(told).toHaveLength(1)
  })

  test('is made anew with the same number, and pays more if it was too cheap', async () => {
    const { send, rawSent } = setUp({
      eth_getTransactionCount: counting('0x7', '0x8'),
      eth_sendRawTransaction: once('replacement transaction underpriced'),
    })
    expect((await send([approve, retry, approve])).value).toMatch(/^0x/)
    const [first, second] = rawSent().map((raw) => parseTransaction(raw))
    expect([first?.nonce, second?.nonce]).toEqual([7, 7])
    for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const)
      expect(Number(second?.[fee])).toBeGreaterThanOrEqual(Number(first?.[fee]) * 1.1)
  })

  test.each([
    [
      'a fee',
      'max fee per gas less than block base fee',
      { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' },
    ],
    ['a limit', 'intrinsic gas too low', { gas: '0x1' }],
  ])('for %s that the page gave: the node’s own takes its place', async (_, message, fields) => {
    const { send, rawSent } = setUp({ eth_sendRawTransaction: once(message) })
    await send([approve, retry, approve], fields)
    expect(parseTransaction(rawSent()[1] as Raw)).toMatchObject({
      gas: 21_000n,
      maxFeePerGas: 3_000_000_000n,
    })
  })

  test('gets another number when that one is used', async () => {
    const { send, rawSent } = setUp({
      eth_getTransactionCount: counting('0x7', '0x8'),
      eth_sendRawTransaction: once('nonce too low'),
    })
    await send([approve, retry, approve])
    expect(rawSent().map((raw) => parseTransaction(raw).nonce)).toEqual([7, 8])
  })

  test.each([
    ['closed', ['transaction-failed', 'close'] as Step],
    ['left', { on: 'transaction-failed', close: true } as Step],
  ])(
    'for a number that the page gave: not again, since it would pay twice; %s, the page gets why',
    async (_, step) => {
      const { send, rawSent } = setUp({ eth_sendRawTransaction: refusal('nonce too low') })
      const seen: unknown[] = []
      const { error } = await send(
        [
          approve,
          { on: 'transaction-failed', expect: ({ action, detail }) => seen.push(action, detail) },
          step,
        ],
        { nonce: '0x3' },
      )
      expect(seen).toEqual([
        'close',
        'Another transaction of this wallet has gone through with the same number.',
      ])
      expect(error).toMatchObject({ code: -32000, message: 'nonce too low' })
      expect(rawSent()).toHaveLength(1)
    },
  )

  test.each([
    ['cancelled', ['transaction-failed', 'cancel'] as Step],
    ['closed', { on: 'transaction-failed', close: true } as Step],
  ])('and that is %s then: 4001', async (_, step) => {
    const { send } = setUp({ eth_sendRawTransaction: refusal('underpriced') })
    expect((await send([approve, step])).error).toMatchObject({
      code: 4001,
      message: 'User rejected the request.',
    })
  })
})

describe('on a chain of the OP stack', () => {
  const onBase = {
    supportedChains: [
      {
        id: 8453,
        name: 'Base',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: ['https://node.example/8453'] } },
      },
    ],
  }
  const fee = 2n * 10n ** 14n
  const oracle = (params: readonly unknown[]): NodeAnswer => {
    // A chain without a fee of its operator.
    if (JSON.stringify(params).includes('0x275aedd2')) return refusal('execution reverted')()
    const [{ to: contract, data }] = params as [{ to: string; data: `0x${string}` }]
    const { functionName, args } = decodeFunctionData({
      abi: parseAbi(['function getL1Fee(bytes) view returns (uint256)']),
      data,
    })
    expect([contract, functionName]).toEqual([base.contracts.gasPriceOracle.address, 'getL1Fee'])
    expect(parseTransaction(args?.[0] as Raw)).toMatchObject({ chainId: 8453, value: 10n ** 17n })
    return { result: `0x${fee.toString(16).padStart(64, '0')}` }
  }
  const answers = { eth_chainId: '0x2105', eth_call: oracle }

  test('the fee for layer 1 is in what it may cost', async () => {
    const { send } = setUp(answers, { host: onBase })
    const seen: unknown[] = []
    await send([{ on: 'approve-transaction', expect: (props) => seen.push(props), answer: 'approve' }])
    expect(seen).toMatchObject([{ preview: { fee: 263n * 10n ** 12n, total: 100_263n * 10n ** 12n } }])
  })

  test('a wallet that has all but that fee has too little', async () => {
    // The value and the gas, but not what layer 1 takes.
    const balance = `0x${(10n ** 17n + 21_000n * 3_000_000_000n).toString(16)}`
    const { send, asked } = setUp({ ...answers, eth_getBalance: balance }, { host: onBase })
    const words: unknown[] = []
    await send([
      { on: 'approve-transaction', expect: (props) => words.push(props.preview), answer: 'cancel' },
    ])
    expect(words).toMatchObject([{ isUnderfunded: true, missing: 2n * 10n ** 14n }])
    expect(asked).toEqual([])
  })

  test('an oracle that does not say: the person is warned, and may send it', async () => {
    const { send } = setUp({ ...answers, eth_call: refusal('execution reverted') }, { host: onBase })
    const words: unknown[] = []
    const { value } = await send([
      { on: 'approve-transaction', expect: (props) => words.push(...warningsOf(props)), answer: 'approve' },
    ])
    expect(words).toMatchObject([{ code: 'reverts' }])
    expect(value).toMatch(/^0x/)
  })

  test('no oracle is asked on a chain without one', async () => {
    const { send, node } = setUp()
    await send([approve])
    expect(node.methods()).not.toContain('eth_call')
  })
})

describe('of which nobody can say where it is', () => {
  const lost = (): NodeAnswer => ({ result: `0x${'11'.repeat(32)}` })

  test('is sent again unchanged, and never created again', async () => {
    let tries = 0
    const { send, rawSent, asked } = setUp({
      eth_sendRawTransaction: (params) => (tries++ < 2 ? lost() : named(params)),
    })
    const words: unknown[] = []
    const { value } = await send([
      approve,
      ['transaction-failed', 'retry'],
      {
        on: 'transaction-failed',
        expect: ({ detail, hash }) => words.push(detail, hash),
        answer: 'retry',
      },
    ])
    expect(value).toMatch(/^0x/)
    expect(new Set(rawSent()).size).toBe(1)
    expect(asked).toHaveLength(1)
    expect(words[1]).toBe(value)
    expect(words[0]).toMatch(/^Your transaction is signed, but the network hasn't confirmed/)
  })

  test('is not called rejected: the library gets its hash to look for', async () => {
    for (const leave of [
      ['transaction-failed', 'cancel'],
      { on: 'transaction-failed', close: true },
    ] as Step[]) {
      const { send, rawSent } = setUp({ eth_sendRawTransaction: lost })
      const { error } = await send([approve, leave])
      expect(error).toMatchObject({ code: -32603, data: { transactionHash: keccak256(rawSent()[0] as Raw) } })
    }
  })

  test('one whose dialog was closed while it was sent is not either', async () => {
    let answer = (_: Response) => {}
    const node = fakeNode()
    const { provider, person, clock } = setUp(
      {},
      {
        fetch: async (url, init) => {
          const { id, method, params } = JSON.parse(String(init?.body))
          if (method !== 'eth_sendRawTransaction') return node.fetch(url, init)
          const result = keccak256(params[0])
          await new Promise<void>((resolve) => {
            answer = () => resolve()
          })
          return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }))
        },
      },
    )
    const work = provider().request({ method: 'eth_sendTransaction', params: [{ from: address, to }] })
    await person.follow([approve, { wait: 10 }])
    person.close()
    await clock.advance(1_000)
    answer(new Response())
    expect(await work).toMatch(/^0x[0-9a-f]{64}$/)
  })
})

test('that the vault can’t sign is tried again; the network hears of nothing', async () => {
  let tries = 0
  const { send, rawSent } = setUp(
    {},
    {
      rpc: async (wallet, request) => {
        if (tries++ === 0) throw new KitError('vault_timeout', 'no answer')
        return vaultAnswer(wallet, request)
      },
    },
  )
  const { value } = await send([
    approve,
    {
      on: 'approve-transaction',
      expect: (props) => expect(props.error).toMatch(/wallet/i),
      answer: 'approve',
    },
  ])
  expect(value).toMatch(/^0x/)
  expect(rawSent()).toHaveLength(1)
})

test.each([
  ['insufficient funds for gas * price + value', 'insufficient_funds'],
  ['the harbor is closed', 'transaction_failure'],
])('without screens: the host learns by the code that the node says "%s"', async (words, code) => {
  const { sendForHost, rawSent } = setUp({ eth_sendRawTransaction: refusal(words) })
  const sending = sendForHost({ to, value: 1n }, { uiOptions: { showWalletUIs: false } })
  await expect(sending).rejects.toMatchObject({ code, cause: { message: words } })
  expect(rawSent()).toHaveLength(1)
})

test('without screens: what the wallet can’t pay is not signed, and the host learns it', async () => {
  const { sendForHost, rawSent } = setUp({ eth_getBalance: '0x1' })
  const sending = sendForHost({ to, value: 2n }, { uiOptions: { showWalletUIs: false } })
  await expect(sending).rejects.toMatchObject({ code: 'insufficient_funds' })
  expect(rawSent()).toEqual([])
})

test('a refusal that no retry can mend has its code for the host, once it was read', async () => {
  const { sendForHost, person } = setUp({ eth_sendRawTransaction: refusal('nonce too low') })
  const sending = sendForHost({ to, value: 1n, nonce: 3 }).then(
    () => undefined,
    ({ code }: { code: string }) => code,
  )
  await person.follow([approve, ['transaction-failed', 'close']])
  expect(await sending).toBe('transaction_failure')
})

test('a fee that nobody means to pay is an invalid request of the host', async () => {
  const { sendForHost } = setUp()
  const fees = { maxFeePerGas: 10n ** 19n, maxPriorityFeePerGas: 1n }
  await expect(sendForHost({ to, value: 1n, ...fees })).rejects.toMatchObject({
    code: 'invalid_request_arguments',
  })
})

test('an invalid one is refused without a dialog', async () => {
  const { send, person, node } = setUp()
  for (const fields of [{ chainId: '0xa' }, { value: '1 ether' }, { authorizationList: [] }])
    expect((await send([], fields)).error?.code).toBe(-32602)
  expect((await send([], { from: to })).error?.code).toBe(4100)
  expect([person.trace(), node.asked]).toEqual([[], []])
})

describe('that gives an allowance', () => {
  const abi = parseAbi(['function approve(address spender, uint256 amount)'])
  const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
  const approval = (amount: bigint) =>
    encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
  const text = (words: string) => encodeAbiParameters([{ type: 'string' }], [words])
  const word = (number: bigint) => `0x${number.toString(16).padStart(64, '0')}`
  /** A token of 6 decimals, of which the wallet has 30. */
  const token = {
    eth_call: ([call]: readonly unknown[]): NodeAnswer => {
      const selector = (call as { data: string }).data.slice(0, 10)
      const results: Record<string, string> = {
        '0x06fdde03': text('USD Coin'),
        '0x95d89b41': text('USDC'),
        '0x313ce567': word(6n),
        '0x70a08231': word(30_000_000n),
      }
      return { result: results[selector] ?? '0x' }
    },
  }
  const previewOf = (props: Record<string, unknown>) => props.preview as TransactionPreview
  const amountOf = (raw: Raw | undefined) =>
    decodeFunctionData({ abi, data: parseTransaction(raw as Raw).data ?? '0x' }).args[1]

  test.each(['eth_sendTransaction', 'eth_signTransaction'])(
    '%s: the amount that the user has chosen is prepared, reviewed and signed',
    async (method) => {
      const { send, rawSent, node } = setUp(token)
      const seen: TransactionPreview[] = []
      const see = (props: Record<string, unknown>) => void seen.push(previewOf(props))
      const { value } = await send(
        [
          {
            on: 'approve-transaction',
            expect: see,
            answer: { edited: { allowance: { at: 0, amount: 30_000_000n } } },
          },
          {
            on: 'approve-transaction',
            expect: see,
            answer: { edited: { allowance: { at: 0, amount: 1_500_000n } } },
          },
          { on: 'approve-transaction', expect: see, answer: 'approve' },
        ],
        { value: '0x0', data: approval(maxUint256) },
        method,
      )
      const asset = { symbol: 'USDC', decimals: 6 }
      const offered = {
        at: 0,
        token: to,
        spender,
        asked: maxUint256,
        isMaximum: true,
        once: 30_000_000n,
        asset,
      }
      expect(seen.map(({ allowances }) => allowances?.[0])).toEqual([
        { ...offered, amount: maxUint256 },
        { ...offered, amount: 30_000_000n },
        { ...offered, amount: 1_500_000n },
      ])
      expect(seen.map(({ warnings }) => rankWarnings(warnings).map(({ code }) => code))).toEqual([
        ['unlimited-allowance'],
        ['unlimited-allowance'],
        [],
      ])
      expect(seen.at(-1)?.data).toBe(approval(1_500_000n))
      const raw = method === 'eth_sendTransaction' ? rawSent()[0] : (value as Raw)
      expect(amountOf(raw)).toBe(1_500_000n)
      // The gas of what is signed has been estimated, and of nothing else.
      const estimates = node.asked.filter((each) => each.method === 'eth_estimateGas')
      expect(estimates.at(-1)?.params[0]).toMatchObject({ data: approval(1_500_000n) })
    },
  )

  test('an amount that the request names is what it needs, and can only be lowered by an own amount', async () => {
    const { send, rawSent } = setUp(token)
    const seen: unknown[] = []
    await send(
      [
        {
          on: 'approve-transaction',
          expect: (props) => seen.push(previewOf(props).allowances),
          answer: 'approve',
        },
      ],
      { value: '0x0', data: approval(2_000_000n) },
    )
    expect(seen).toEqual([
      [
        {
          at: 0,
          token: to,
          spender,
          asked: 2_000_000n,
          amount: 2_000_000n,
          isMaximum: false,
          once: 2_000_000n,
          asset: { symbol: 'USDC', decimals: 6 },
        },
      ],
    ])
    expect(amountOf(rawSent()[0])).toBe(2_000_000n)
  })

  test('a contract that says no decimals, such as of NFTs, offers nothing to change', async () => {
    const { send, rawSent } = setUp({ eth_call: { code: -32000 } })
    const seen: unknown[] = []
    await send(
      [
        {
          on: 'approve-transaction',
          expect: (props) => seen.push(previewOf(props).allowances),
          answer: 'approve',
        },
      ],
      { value: '0x0', data: approval(7n) },
    )
    expect(seen).toEqual([undefined])
    expect(amountOf(rawSent()[0])).toBe(7n)
  })
})
