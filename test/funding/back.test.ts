/** From a transaction whose wallet has too little to funding, and back into that transaction. */

import { decodeFunctionData, encodeAbiParameters, encodeFunctionData, erc20Abi, keccak256 } from 'viem'
import { base } from 'viem/chains'
import { describe, expect, test } from 'vitest'
// Pages load these when there is something to sign; here no test should wait for their compilation.
import '../../src/ethereum/rpc.ts'
import '../../src/ethereum/transaction.ts'
import { funding as words } from '../../src/copy/en/funding.ts'
import { transaction } from '../../src/copy/en/transaction.ts'
import { erc20Selectors } from '../../src/ethereum/tokens.ts'
import type { FundingSettings } from '../../src/protocol/app-config.ts'
import type { SignRequest } from '../../src/protocol/frame/sign-request.ts'
import type { TransactionPreview } from '../../src/signing/preview.ts'
import { shortageOf } from '../../src/signing/transaction/funding.ts'
import { type Ending, fakeApprovals } from '../support/approvals.ts'
import { fakeNode, type NodeAnswer } from '../support/chain-node.ts'
import {
  embeddedKit,
  ethereumAccount,
  exampleChain,
  onSolana,
  secondAccount,
  vaultAnswer,
  walletAccount,
} from '../support/embedded-kit.ts'
import { fundingSettings } from '../support/funding-settings.ts'
import type { Step } from '../support/person.ts'

const { address } = ethereumAccount
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const dai = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const ether = 10n ** 18n
const settings = { ...fundingSettings, amount: '0.5' }
const hex = (amount: bigint) => `0x${amount.toString(16)}`
const word = (amount: bigint) => `0x${amount.toString(16).padStart(64, '0')}`
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])

function setUp({
  coins = 0n,
  tokens = 0n,
  funding = settings,
  approvals,
}: {
  coins?: bigint
  tokens?: bigint
  funding?: FundingSettings | 'none'
  approvals?: ReturnType<typeof fakeApprovals>
} = {}) {
  const held = { coins, tokens }
  const answers: Record<string, () => string> = {
    [erc20Selectors.name]: () => text('USD Coin'),
    [erc20Selectors.symbol]: () => text('USDC'),
    [erc20Selectors.decimals]: () => word(6n),
    [erc20Selectors.balanceOf]: () => word(held.tokens),
  }
  const node = fakeNode({
    eth_sendRawTransaction: ([raw]): NodeAnswer => ({ result: keccak256(raw as `0x${string}`) }),
    eth_getBalance: () => ({ result: hex(held.coins) }),
    eth_call: ([call]): NodeAnswer => {
      const { to, data } = call as { to: string; data: string }
      const known = [usdc, dai].find((token) => to.toLowerCase() === token.toLowerCase())
      const answer =
        known === dai && data.startsWith(erc20Selectors.symbol)
          ? () => text('DAI')
          : known && answers[data.slice(0, 10)]
      return answer ? { result: answer() } : { error: { code: 3, message: 'execution reverted' } }
    },
    eth_estimateGas: ([call]): NodeAnswer => {
      const { data = '0x' } = call as { data?: `0x${string}` }
      if (data === '0x') return { result: '0x5208' }
      const { args } = decodeFunctionData({ abi: erc20Abi, data })
      return (args?.[1] as bigint) > held.tokens
        ? { error: { code: 3, message: 'execution reverted: ERC20: transfer amount exceeds balance' } }
        : { result: '0xd6d8' }
    },
  })
  const kit = embeddedKit({
    wallets: [walletAccount(), onSolana],
    host: {
      supportedChains: [exampleChain()],
      solanaClusters: [{ name: 'devnet', rpcUrl: 'https://node.example/solana' }],
    },
    fetch: node.fetch,
    ...(funding !== 'none' && { funding }),
    ...(approvals && { approvals }),
  })
  kit.login()
  const send = async (script: readonly Step[], fields: object = { value: hex(ether) }) => {
    const work = kit
      .provider()
      .request({
        method: 'eth_sendTransaction',
        params: [{ from: address, to: secondAccount.address, ...fields }],
      })
      .then(
        (value) => ({ value, error: undefined }),
        (error: { code: number }) => ({ value: undefined, error }),
      )
    await kit.person.follow([...script, { wait: 2_000 }])
    return work
  }
  return { ...kit, node, held, send, sent: () => node.methods().includes('eth_sendRawTransaction') }
}
const previewOf = (props: Record<string, unknown>) => props.preview as TransactionPreview
const on = (screen: string, expected: object, answer?: unknown): Step => ({
  on: screen,
  expect: (props) => expect(props).toMatchObject(expected),
  ...(answer !== undefined && { answer }),
})
const then = (screen: string, work: () => void): Step => ({ on: screen, expect: work })

describe('a transaction that lacks funds', () => {
  test('add funds: the shortage is received, and the same transaction is prepared, shown and pressed anew', async () => {
    const { send, held, sent, person, events, asked } = setUp({ coins: ether / 2n })
    const told: unknown[] = []
    events.on('funded', (detail) => told.push(detail))
    // 1 ETH, and 21,000 gas of at most 3 gwei each.
    const missing = ether / 2n + 63n * 10n ** 12n
    const { value } = await send([
      on('approve-transaction', { isFundable: true, preview: { isUnderfunded: true, missing } }, 'add-funds'),
      on(
        'funding-method',
        {
          methods: ['manual'],
          exit: 'back',
          target: { address, chain: 'eip155:1', asset: 'native-currency' },
        },
        'manual',
      ),
      on('receive-funds', { target: { amount: missing, network: 'Ethereum' } }),
      then('receive-funds', () => {
        expect(asked).toEqual([])
        held.coins += missing
      }),
      { wait: 2_000 },
      ['receive-funds', 'continue'],
      on('approve-transaction', { preview: { isUnderfunded: false, balance: ether + 63n * 10n ** 12n } }),
      then('approve-transaction', () => expect(sent()).toBe(false)),
      ['approve-transaction', 'approve'],
    ])
    expect(value).toMatch(/^0x[\da-f]{64}$/)
    expect(told).toMatchObject([
      { method: 'manual', status: 'confirmed', address, chain: 'eip155:1', amount: '0.500063' },
    ])
    expect(person.trace().join(' ')).toMatch(
      /> add-funds funding-method .*> manual receive-funds .*> continue approve-transaction/,
    )
  })

  test('add funds: less than what is missing leads back to a review that still lacks the rest', async () => {
    const { send, held, sent } = setUp({ coins: 0n })
    const { error } = await send([
      ['approve-transaction', 'add-funds'],
      ['funding-method', 'manual'],
      then('receive-funds', () => {
        held.coins = ether / 4n
      }),
      { wait: 2_000 },
      ['receive-funds', 'continue'],
      on(
        'approve-transaction',
        { isFundable: true, preview: { missing: (3n * ether) / 4n + 63n * 10n ** 12n } },
        'cancel',
      ),
    ])
    expect(error?.code).toBe(4001)
    expect(sent()).toBe(false)
  })

  test('add funds: going back from funding leads to the review, and closing the dialog rejects the request', async () => {
    const { send, person } = setUp()
    const { error } = await send([
      ['approve-transaction', 'add-funds'],
      ['funding-method', 'manual'],
      ['receive-funds', 'back'],
      ['funding-method', 'back'],
      on('approve-transaction', { isFundable: true }, 'add-funds'),
      { on: 'funding-method', close: true },
    ])
    expect(error?.code).toBe(4001)
    expect(person.trace().at(-1)).toBe('closed')
  })

  test('add funds: the balance can be checked again without funding', async () => {
    const { send, held } = setUp()
    const { value } = await send([
      then('approve-transaction', () => {
        held.coins = 2n * ether
      }),
      ['approve-transaction', 'recheck'],
      on('approve-transaction', { preview: { isUnderfunded: false } }, 'approve'),
    ])
    expect(value).toMatch(/^0x/)
  })

  test('add funds: a chain that the host removes meanwhile leads back to the review, and the host gets the error', async () => {
    const { send, configure, told } = setUp()
    await send([
      then('approve-transaction', () => configure({ supportedChains: [base] })),
      ['approve-transaction', 'add-funds'],
      ['approve-transaction', 'cancel'],
    ])
    expect(told.map(({ code }) => code)).toContain('unsupported_chain_id')
  })

  test.each([
    ['without funding', 'none'],
    ['whose methods this version does not have', { ...settings, methods: ['teleport'] }],
  ])('add funds: an app %s offers to check the balance alone', async (_, funding) => {
    const { send } = setUp({ funding: funding as FundingSettings | 'none' })
    const seen: unknown[] = []
    await send([
      { on: 'approve-transaction', expect: ({ isFundable }) => seen.push(isFundable), answer: 'cancel' },
    ])
    expect(seen).toEqual([undefined])
  })
})

const transfer = (amount: bigint, to = usdc) => ({
  to,
  data: encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [secondAccount.address, amount],
  }),
})

describe('a transfer of too many tokens', () => {
  test('add funds: USDC that is missing is received as USDC, and then its transfer goes on', async () => {
    const { send, held } = setUp({ coins: ether, tokens: 1_000_000n })
    const { value } = await send(
      [
        on(
          'approve-transaction',
          {
            isFundable: true,
            preview: {
              isUnderfunded: false,
              tokenShortage: { token: usdc, missing: 1_500_000n, asset: { symbol: 'USDC', decimals: 6 } },
              warnings: [{ code: 'insufficient-funds' }],
            },
          },
          'add-funds',
        ),
        on('funding-method', { target: { asset: 'USDC', token: usdc } }, 'manual'),
        on('receive-funds', { target: { amount: 1_500_000n, symbol: 'USDC' } }),
        then('receive-funds', () => {
          held.tokens = 2_500_000n
        }),
        { wait: 2_000 },
        ['receive-funds', 'continue'],
        {
          on: 'approve-transaction',
          expect: (props) => expect(previewOf(props).tokenShortage).toBeUndefined(),
          answer: 'approve',
        },
      ],
      transfer(2_500_000n),
    )
    expect(value).toMatch(/^0x/)
  })

  const withTokens = (...tokens: FundingSettings['tokens']) => ({ ...settings, tokens })

  test.each([
    ['as the app writes it', dai],
    ['in lower case', dai.toLowerCase()],
  ])(
    'add funds: a token that the app names, %s, is received as that token, and then its transfer goes on',
    async (_, named) => {
      const { send, held, sent } = setUp({
        coins: ether,
        tokens: 1_000_000n,
        funding: withTokens({ chain: 'eip155:1', address: named }),
      })
      const { value } = await send(
        [
          on(
            'approve-transaction',
            {
              isFundable: true,
              preview: {
                isUnderfunded: false,
                tokenShortage: { token: dai, missing: 1_500_000n, asset: { symbol: 'DAI', decimals: 6 } },
              },
            },
            'add-funds',
          ),
          on('funding-method', { target: { token: dai, symbol: 'DAI' } }, 'manual'),
          on('receive-funds', { target: { amount: 1_500_000n, symbol: 'DAI', token: dai } }),
          then('receive-funds', () => {
            expect(sent()).toBe(false)
            held.tokens = 2_500_000n
          }),
          { wait: 2_000 },
          ['receive-funds', 'continue'],
          {
            on: 'approve-transaction',
            expect: (props) => expect(previewOf(props).tokenShortage).toBeUndefined(),
            answer: 'approve',
          },
        ],
        transfer(2_500_000n, dai),
      )
      expect(value).toMatch(/^0x/)
      expect(sent()).toBe(true)
    },
  )

  test.each([
    ['that the app names on another network', withTokens({ chain: 'eip155:8453', address: dai })],
    ['whose contract has no decimals', withTokens({ chain: 'eip155:1', address: secondAccount.address })],
    ['that no method brings', { ...withTokens({ chain: 'eip155:1', address: dai }), methods: [] }],
  ])('add funds: a token %s is not offered, and the coin still is where it can be', async (_, funding) => {
    const { send } = setUp({ coins: ether, funding })
    const seen: unknown[] = []
    await send(
      [{ on: 'approve-transaction', expect: ({ isFundable }) => seen.push(isFundable), answer: 'cancel' }],
      transfer(5n, dai),
    )
    expect(seen).toEqual([undefined])
  })

  test('add funds: a token that the app does not name can not be funded, and its transfer can be sent as before', async () => {
    const { send } = setUp({ coins: ether })
    const other = dai
    const seen: unknown[] = []
    await send(
      [
        {
          on: 'approve-transaction',
          expect: ({ isFundable }) => seen.push(isFundable),
          answer: 'cancel',
        },
      ],
      transfer(5n, other),
    )
    expect(seen).toEqual([undefined])
  })
})

describe('in a strict app', () => {
  /** A vault whose user decides in turn; each decision sees the request that is complete. */
  function vaultOf(...decisions: readonly ((request: SignRequest) => Ending | Promise<Ending>)[]) {
    const left = [...decisions]
    const seen: SignRequest[] = []
    const approvals = fakeApprovals((_, request) => {
      const asked = request as SignRequest
      if ('state' in asked && asked.state === 'preparing') return undefined
      seen.push(asked)
      return left.shift()?.(asked) as Ending | undefined
    })
    return { approvals, seen }
  }
  const signedBy = async (asked: SignRequest) =>
    vaultAnswer(walletAccount(), {
      method: 'eth_signTransaction',
      params: [(asked as { transaction: unknown }).transaction],
    } as never)

  test('add funds: the vault says that its user wants to add funds, and what it found missing counts', async () => {
    const { approvals, seen } = vaultOf(
      () => ({ answer: { wants: 'funds', missing: String(2n * ether) } }),
      () => 'rejected',
    )
    const { send, held } = setUp({ approvals })
    const { error } = await send([
      ['funding-method', 'manual'],
      on('receive-funds', { target: { amount: 2n * ether } }),
      then('receive-funds', () => {
        held.coins = 3n * ether
      }),
      { wait: 2_000 },
      ['receive-funds', 'continue'],
    ])
    expect(error?.code).toBe(4001)
    expect(seen).toMatchObject([
      { state: 'underfunded', isFundable: true },
      { isFundable: true, transaction: { value: hex(ether) } },
    ])
    expect(seen[1]).not.toHaveProperty('state')
    expect(approvals.opened.map(({ isOpen }) => isOpen)).toEqual([false, false])
  })

  test('add funds: without a figure of the vault the page counts by its own', async () => {
    const { approvals } = vaultOf(
      () => ({ answer: { wants: 'funds' } }),
      () => 'rejected',
    )
    const { send } = setUp({ approvals })
    await send([
      on('funding-method', {}, 'manual'),
      on('receive-funds', { target: { amount: ether + 63n * 10n ** 12n } }, 'back'),
      ['funding-method', 'back'],
    ])
    expect(approvals.opened).toHaveLength(2)
  })

  test('add funds: USDC that the vault finds missing is received as USDC', async () => {
    const { approvals, seen } = vaultOf(
      () => ({ answer: { wants: 'funds', token: usdc, missing: '1500000' } }),
      () => 'rejected',
    )
    const { send } = setUp({ approvals, coins: ether, tokens: 1_000_000n })
    await send(
      [
        on('funding-method', { target: { asset: 'USDC' } }, 'manual'),
        on('receive-funds', { target: { amount: 1_500_000n, token: usdc } }, 'back'),
        ['funding-method', 'back'],
      ],
      transfer(2_500_000n),
    )
    expect(seen).toHaveLength(2)
    expect(seen[0]).toMatchObject({ state: 'reverts', fundableToken: usdc })
  })

  test('add funds: an app without funding offers the vault none', async () => {
    const { approvals, seen } = vaultOf(() => 'rejected')
    const { send } = setUp({ approvals, funding: 'none' })
    await send([])
    expect(seen[0]).not.toHaveProperty('isFundable')
  })

  test('add funds: the transaction that goes on is signed once it has what it needs', async () => {
    let signature = ''
    const { approvals } = vaultOf(
      () => ({ answer: { wants: 'funds' } }),
      () => ({ answer: { signed: signature } }),
    )
    const set = setUp({ approvals })
    signature = (await signedBy(complete)) as string
    const { value } = await set.send([
      ['funding-method', 'manual'],
      then('receive-funds', () => {
        set.held.coins = 2n * ether
      }),
      { wait: 2_000 },
      ['receive-funds', 'continue'],
    ])
    expect(value).toBe(keccak256(signature as `0x${string}`))
  })

  /** The request as the page completes it; its fees are those of the node. */
  const complete = {
    kind: 'evmTransaction',
    transaction: {
      to: secondAccount.address,
      value: hex(ether),
      chainId: 1,
      nonce: '0x7',
      type: 2,
      gasLimit: '0x5208',
      maxFeePerGas: '0xb2d05e00',
      maxPriorityFeePerGas: '0x3b9aca00',
    },
  } as never as SignRequest
})

describe('the shortage of a preview', () => {
  const preview = (change: Partial<TransactionPreview>) => change as TransactionPreview

  test('shortage: what the balance lacks of the total, and never less than what was found missing', () => {
    const coins = { isUnderfunded: true, balance: 1n, total: 1_234_567n }
    expect(shortageOf(preview(coins))).toEqual({ missing: 1_234_566n })
    expect(shortageOf(preview({ ...coins, missing: 2_000_000n }))).toEqual({ missing: 2_000_000n })
  })

  test('shortage: of a balance that nobody knows only the fact is known', () => {
    expect(shortageOf(preview({ isUnderfunded: true }))).toEqual({})
  })

  test('shortage: the coin that pays the fee comes before the token', () => {
    const tokenShortage = { token: usdc, asset: { symbol: 'USDC', decimals: 6 }, missing: 5n }
    expect(shortageOf(preview({ isUnderfunded: true, missing: 7n, tokenShortage }))).toEqual({ missing: 7n })
    expect(shortageOf(preview({ isUnderfunded: false, tokenShortage }))).toEqual({ token: usdc, missing: 5n })
    expect(shortageOf(preview({ isUnderfunded: false }))).toBeUndefined()
  })
})

test('words: the texts of the specification are those of the screens', () => {
  expect({
    button: transaction['transaction.addFunds'],
    banner: transaction['transaction.addFunds.detail'],
    ethereum: transaction['transaction.short'],
    solana: transaction['transaction.short.solana'],
    wallet: transaction['transaction.short.wallet'],
    needed: transaction['transaction.short.needed'],
    selection: words['funding.title'],
    receive: words['funding.receive'],
    receiving: words['funding.receive.title'],
  }).toEqual({
    button: 'Add funds',
    banner: 'Add funds on {chain} to complete transaction.',
    ethereum: 'Wallet has insufficient funds for this transaction.',
    solana: 'Solana wallet has insufficient funds for this transaction.',
    wallet: 'Wallet {address} does not have enough funds.',
    needed: '{amount} are needed to complete the transaction.',
    selection: 'Add funds to your {wallet} wallet',
    receive: 'Receive funds',
    receiving: 'Receive {amount} {symbol}',
  })
})
