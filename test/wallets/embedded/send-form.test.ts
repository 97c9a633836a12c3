/** The form with which users send: what is refused, what is warned of, the maximum, turning back, and what is sent in the end. */
import { decodeFunctionData, erc20Abi, keccak256, parseTransaction, type TransactionSerialized } from 'viem'
import { encodeAbiParameters } from 'viem/utils'
import { describe, expect, test } from 'vitest'
// Pages load these when there is something to sign; here no test should wait for their compilation.
import '../../../src/ethereum/names.ts'
import '../../../src/ethereum/rpc.ts'
import '../../../src/ethereum/track.ts'
import '../../../src/ethereum/transaction.ts'
import { erc20Selectors } from '../../../src/ethereum/tokens.ts'
import type { SendFormOptions } from '../../../src/kit/api.ts'
import { ProviderRpcError } from '../../../src/wallets/external/provider-error.ts'
import { fakeNode, type NodeAnswer } from '../../support/chain-node.ts'
import {
  embeddedKit,
  ethereumAccount,
  exampleChain,
  onSolana,
  secondAccount,
  solanaAddress,
  walletAccount,
} from '../../support/embedded-kit.ts'
import { fundingSettings } from '../../support/funding-settings.ts'
import type { Step } from '../../support/person.ts'
import { solanaKeys, walletNode } from '../../support/solana-node.ts'

const { address } = ethereumAccount
const to = secondAccount.address
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const solanaFriend = solanaKeys[1]?.publicKey.toBase58() ?? ''
/** Nobody has a key for it. */
const offCurve = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const blockHash = `0x${'b0'.repeat(32)}`
const host = {
  supportedChains: [exampleChain()],
  tokens: [{ chainId: 1, address: usdc }],
  solanaClusters: [{ name: 'devnet', rpcUrl: 'https://node.example/solana' }],
}
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const string = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])
const token: Record<string, string> = {
  [erc20Selectors.name]: string('USD Coin'),
  [erc20Selectors.symbol]: string('USDC'),
  [erc20Selectors.decimals]: word(6n),
  [erc20Selectors.balanceOf]: word(1_304_530_000n),
}

function setUp({
  over = {},
  ethereum = {},
  lamports = 5_000_000_000n,
  ...options
}: Partial<Parameters<typeof embeddedKit>[0]> & {
  over?: object
  ethereum?: Parameters<typeof fakeNode>[0]
  lamports?: bigint
} = {}) {
  const sent: string[] = []
  const hashes = () => sent.map((raw) => keccak256(raw as `0x${string}`))
  const nodes: Record<string, ReturnType<typeof fakeNode>> = {
    'https://node.example/1': fakeNode({
      eth_getCode: ([at]) => ({ result: at === usdc ? '0x6001' : '0x' }),
      eth_call: ([call]): NodeAnswer => {
        const { to: asked, data } = call as { to: string; data: string }
        const answer = asked.toLowerCase() === usdc.toLowerCase() ? token[data.slice(0, 10)] : undefined
        return answer ? { result: answer } : { error: { code: 3, message: 'execution reverted' } }
      },
      eth_sendRawTransaction([raw]): NodeAnswer {
        sent.push(String(raw))
        return { result: hashes().at(-1) }
      },
      eth_getTransactionReceipt: ([hash]) => {
        const at = hashes().indexOf(hash as `0x${string}`)
        if (at < 0) return { result: null }
        return {
          result: {
            transactionHash: hash,
            status: '0x1',
            blockNumber: '0x10',
            blockHash,
            from: address.toLowerCase(),
            to: parseTransaction(sent[at] as TransactionSerialized).to,
            gasUsed: '0x5208',
            effectiveGasPrice: '0x77359400',
            logs: [],
          },
        }
      },
      eth_getTransactionCount: () => ({ result: `0x${(7 + sent.length).toString(16)}` }),
      eth_blockNumber: '0x10',
      eth_getBlockByNumber: ([block]) => ({
        result:
          block === 'latest'
            ? { gasLimit: '0x1c9c380', baseFeePerGas: '0x3b9aca00' }
            : { hash: blockHash, transactions: hashes() },
      }),
      ...ethereum,
    }),
    'https://node.example/solana': fakeNode(walletNode(solanaAddress, { lamports })),
  }
  const kit = embeddedKit({
    host: { ...host, ...over },
    fetch: (url, init) => {
      const node = nodes[url]
      if (!node) throw new TypeError(`There is no node at ${url}`)
      return node.fetch(url, init)
    },
    ...options,
  })
  kit.login()
  /** Opens the form, and does what a user does. */
  async function send(script: readonly Step[], given?: SendFormOptions) {
    const work = kit.openSend(given).then(
      (value) => ({ value, error: undefined }),
      (error: { code: string; cause?: unknown }) => ({ value: undefined, error }),
    )
    // Balances come in while the user types.
    await kit.person.follow([{ wait: 500 }, ...script])
    return work
  }
  return { ...kit, nodes, sent, send }
}
const toFriend = { to, isAccepted: false }
const amount = (text: string, isMaximum = false) => ({ amount: text, isMaximum })
const approve: Step = ['approve-transaction', 'approve']
const close: Step = { on: 'send-recipient', close: true }
/** What the first screen says of an address. */
const says = (expected: object): Step => ({
  on: 'send-recipient',
  expect: (props) => expect(props).toMatchObject(expected),
})

describe('send form', () => {
  test('send form: ether goes to the recipient after the review, with hash and receipt', async () => {
    const { send, sent, events } = setUp()
    const told: unknown[] = []
    events.on('submitted', (detail) => told.push(detail))
    const { value } = await send([
      {
        on: 'send-recipient',
        expect: (props) =>
          expect(props.asset).toMatchObject({ symbol: 'ETH', network: 'Ethereum', balance: 10n ** 19n }),
        answer: toFriend,
      },
      ['send-amount', amount('0.25')],
      approve,
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    const [raw = '0x'] = sent
    expect(parseTransaction(raw as TransactionSerialized)).toMatchObject({
      to: to.toLowerCase(),
      value: 25n * 10n ** 16n,
    })
    expect(value).toMatchObject({
      transactionHash: keccak256(raw as `0x${string}`),
      chain: 'eip155:1',
      address,
      receipt: { status: 'success' },
    })
    expect(told).toEqual([{ transactionHash: value?.transactionHash, chain: 'eip155:1', address }])
  })

  test('send form: a token of the app is chosen, and sent by its contract', async () => {
    const { send, sent } = setUp()
    await send([
      ['send-recipient', { change: to }],
      {
        on: 'send-asset',
        expect: ({ wallets }) =>
          expect(wallets).toMatchObject([
            { assets: [{ symbol: 'ETH' }, { symbol: 'USDC', balance: 1_304_530_000n }] },
          ]),
        answer: { asset: `${address} eip155:1 ${usdc}` },
      },
      { on: 'send-recipient', expect: (props) => expect(props.to).toBe(to), answer: toFriend },
      ['send-amount', amount('1304.53')],
      approve,
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    const call = parseTransaction((sent[0] ?? '0x') as TransactionSerialized)
    expect(call.to).toBe(usdc.toLowerCase())
    expect(decodeFunctionData({ abi: erc20Abi, data: call.data ?? '0x' })).toEqual({
      functionName: 'transfer',
      args: [to, 1_304_530_000n],
    })
  })

  test.each([
    ['', 'Enter an address.'],
    [
      '0x70997970c51812dc3A010C7d01b50e0d17dc79C8',
      'There is a mistake in this address. Copy it again from where you have it.',
    ],
    [solanaFriend, 'This address belongs to another network.'],
    ['friend.eth', "Names can't be used here. Enter the address."],
    [address, 'This is the wallet that you send from.'],
    [usdc, 'This is the address of a token, not of a wallet. What you send there is lost.'],
  ])('send form: nothing is sent to %j, with the reason', async (typed, error) => {
    const { send, sent } = setUp()
    const outcome = await send([
      ['send-recipient', { to: typed, isAccepted: false }],
      says({ error, to: typed }),
      close,
    ])
    expect(outcome.error?.code).toBe('unable_to_sign')
    expect(sent).toEqual([])
  })

  test('send form: the contract of a token that the app does not have is refused by what the chain says', async () => {
    const { send } = setUp({ over: { tokens: [] } })
    await send([
      ['send-recipient', { to: usdc, isAccepted: false }],
      says({ error: 'This is the address of a token, not of a wallet. What you send there is lost.' }),
      close,
    ])
  })

  test('send form: a look-alike of a recent address needs a second look, and the address that it looks like is shown', async () => {
    const { send } = setUp()
    const impostor = `0x7099${'1'.repeat(32)}79C8`.toLowerCase()
    await send([
      ['send-recipient', toFriend],
      ['send-amount', amount('0.1')],
      approve,
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    await send([
      says({ recent: [to] }),
      ['send-recipient', { to: impostor, isAccepted: false }],
      {
        on: 'send-recipient',
        expect: ({ caution }) => expect(caution).toMatchObject({ kind: 'looks-like', looksLike: to }),
      },
      ['send-recipient', { to: impostor, isAccepted: true }],
      {
        on: 'send-amount',
        expect: (props) => expect(String(props.to).toLowerCase()).toBe(impostor),
        close: true,
      },
    ])
  })

  test('send form: own wallets are offered, and none of them is warned of', async () => {
    const second = walletAccount({ address: to, walletIndex: 1 })
    const { send } = setUp({ wallets: [walletAccount(), second] })
    await send([
      says({ own: [to], recent: [] }),
      ['send-recipient', toFriend],
      { on: 'send-amount', close: true },
    ])
  })

  test.each([
    ['1,304.53', "Use '.' before the decimals, and no other separator."],
    ['', 'Enter an amount.'],
    ['0', 'Enter an amount.'],
    ['1e-7', 'Enter an amount.'],
    ['-1', 'Enter an amount.'],
    ['0.0000000000000000001', 'At most 18 decimals.'],
    ['10.000000000000000001', 'Insufficient balance'],
  ])('send form: the amount %j is refused, and stays in the field', async (typed, error) => {
    const { send, sent } = setUp()
    await send([
      ['send-recipient', toFriend],
      ['send-amount', amount(typed)],
      {
        on: 'send-amount',
        expect: (props) => expect(props).toMatchObject({ error, filled: { text: typed } }),
        close: true,
      },
    ])
    expect(sent).toEqual([])
  })

  test('send form: the maximum leaves exactly the highest fee, and is sent with the fee that it was reckoned with', async () => {
    const { send, sent } = setUp()
    await send([
      ['send-recipient', toFriend],
      ['send-amount', { maximum: '' }],
      {
        on: 'send-amount',
        expect: (props) => expect(props.filled).toEqual({ text: '9.999937', isMaximum: true }),
        answer: amount('9.999937', true),
      },
      approve,
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    const raw = (sent[0] ?? '0x') as TransactionSerialized
    const { maxFeePerGas = 0n, gas = 0n, value = 0n } = parseTransaction(raw)
    expect(value + gas * maxFeePerGas).toBe(10n ** 19n)
  })

  test('send form: a maximum that a new fee has changed is shown before the review', async () => {
    let baseFee = '0x3b9aca00'
    const { send, sent } = setUp({
      ethereum: {
        eth_getBlockByNumber: () => ({ result: { gasLimit: '0x1c9c380', baseFeePerGas: baseFee } }),
      },
    })
    await send([
      ['send-recipient', toFriend],
      ['send-amount', { maximum: '' }],
      {
        on: 'send-amount',
        expect: () => {
          baseFee = '0x77359400'
        },
        answer: amount('9.999937', true),
      },
      {
        on: 'send-amount',
        expect: (props) => {
          expect(props.filled).toEqual({ text: '9.999895', isMaximum: true })
          expect(props.notice).toMatch(/fee has changed/)
        },
        close: true,
      },
    ])
    expect(sent).toEqual([])
  })

  test('send form: the maximum of a token is its balance', async () => {
    const { send } = setUp()
    await send(
      [
        ['send-recipient', toFriend],
        ['send-amount', { maximum: '' }],
        {
          on: 'send-amount',
          expect: (props) => expect(props.filled).toEqual({ text: '1304.53', isMaximum: true }),
          close: true,
        },
      ],
      { asset: usdc },
    )
  })

  test('send form: going back keeps what was entered in both steps', async () => {
    const { send } = setUp()
    await send([
      ['send-recipient', toFriend],
      ['send-amount', { back: '0.25', isMaximum: false }],
      { on: 'send-recipient', expect: (props) => expect(props.to).toBe(to), answer: toFriend },
      {
        on: 'send-amount',
        expect: (props) => expect(props.filled).toEqual({ text: '0.25', isMaximum: false }),
        close: true,
      },
    ])
  })

  test('send form: turning back from the review leads to the form as it was, and nothing was sent', async () => {
    const { send, sent } = setUp()
    const { error } = await send([
      ['send-recipient', toFriend],
      ['send-amount', amount('0.25')],
      ['approve-transaction', 'cancel'],
      {
        on: 'send-amount',
        expect: (props) => expect(props.filled).toMatchObject({ text: '0.25' }),
        close: true,
      },
    ])
    expect(error?.code).toBe('unable_to_sign')
    expect(sent).toEqual([])
  })

  test('send form: a node that does not answer is said in the form, which can be tried again', async () => {
    let isDown = true
    const { send } = setUp({
      ethereum: { eth_getCode: () => (isDown ? 'lost' : { result: '0x' }) },
    })
    await send([
      ['send-recipient', toFriend],
      {
        on: 'send-recipient',
        expect: (props) => {
          expect(props.error).toMatch(/network can't be reached/)
          isDown = false
        },
        answer: toFriend,
      },
      { on: 'send-amount', close: true },
    ])
  })

  test('send form: a balance that nobody knows keeps nobody from continuing', async () => {
    const { send } = setUp({
      ethereum: { eth_getBalance: () => ({ error: { code: -32000, message: 'busy' } }) },
    })
    await send([
      ['send-recipient', toFriend],
      {
        on: 'send-amount',
        expect: (props) => expect(props.asset).not.toHaveProperty('balance', expect.anything()),
        close: true,
      },
    ])
  })

  test('send form: what the page fills in is there, and can be changed', async () => {
    const { send } = setUp()
    await send(
      [
        {
          on: 'send-recipient',
          expect: (props) => expect(props).toMatchObject({ to, asset: { symbol: 'USDC' } }),
          answer: toFriend,
        },
        {
          on: 'send-amount',
          expect: (props) => expect(props.filled).toMatchObject({ text: '5' }),
          close: true,
        },
      ],
      { to, amount: '5', asset: usdc.toLowerCase(), chain: 'eip155:1', from: address },
    )
  })

  test.each([
    [{ from: to }, 'embedded_wallet_not_found'],
    [{ chain: 'eip155:5' }, 'unsupported_chain_id'],
    [{ asset: to }, 'invalid_request_arguments'],
  ])('send form: the page gets an error for %j before anything is shown', async (given, code) => {
    const { openSend, person } = setUp()
    await expect(openSend(given)).rejects.toMatchObject({ code })
    expect(person.trace()).toEqual([])
  })

  test('send form: a user without a wallet is an error for the page', async () => {
    await expect(setUp({ wallets: [] }).openSend()).rejects.toMatchObject({
      code: 'embedded_wallet_not_found',
    })
  })

  test('send form: nobody who is logged out sends', async () => {
    const { openSend, logout } = setUp()
    logout()
    await expect(openSend()).rejects.toMatchObject({ code: 'must_be_authenticated' })
  })
})

describe('send form, names', () => {
  const registry = '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e'.toLowerCase()
  const resolver = `0x${'5'.repeat(40)}`
  const names = (found: string | undefined) => ({
    over: { ensNames: true },
    ethereum: {
      eth_call: ([call]: readonly unknown[]): NodeAnswer => {
        const asked = (call as { to: string }).to.toLowerCase()
        if (asked === registry) return { result: word(found ? BigInt(resolver) : 0n) }
        if (asked === resolver && found) return { result: word(BigInt(found)) }
        return { error: { code: 3, message: 'execution reverted' } }
      },
    },
  })

  test('send form: a name of ENS is resolved where the app allows it, and its address is shown', async () => {
    const { send } = setUp(names(to))
    await send([
      {
        on: 'send-recipient',
        expect: (props) => expect(props.allowsNames).toBe(true),
        answer: { to: 'Friend.eth', isAccepted: false },
      },
      {
        on: 'send-amount',
        expect: (props) => expect(props).toMatchObject({ to, toName: 'friend.eth' }),
        close: true,
      },
    ])
  })

  test('send form: a name that nobody has is said to be one', async () => {
    const { send } = setUp(names(undefined))
    await send([
      ['send-recipient', { to: 'friend.eth', isAccepted: false }],
      says({ error: 'Nobody has this name.' }),
      close,
    ])
  })

  test('send form: a name that stands for a token is refused like its address', async () => {
    const { send } = setUp(names(usdc))
    await send([
      ['send-recipient', { to: 'friend.eth', isAccepted: false }],
      says({ error: 'This is the address of a token, not of a wallet. What you send there is lost.' }),
      close,
    ])
  })
})

describe('send form, external wallets', () => {
  const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  const hash = `0x${'ab'.repeat(32)}`
  function connect(answer: (method: string, params: unknown) => Promise<unknown>) {
    const asked: [method: string, params: unknown][] = []
    const account = {
      address: other,
      chainType: 'ethereum',
      chainId: 'eip155:8453',
      connectorType: 'injected',
      walletClientType: 'metamask',
      meta: { id: 'metamask', name: 'MetaMask', icon: undefined },
      connectedAt: 0,
      connector: {
        switchChain: async (id: number) => void asked.push(['switch', id]),
        provider: () => ({
          request({ method, params }: { method: string; params: unknown }) {
            asked.push([method, params])
            return answer(method, params)
          },
        }),
      },
    }
    return { connected: [account as never], asked }
  }

  test('send form: an external wallet is moved to the chain, sends, and is followed by its hash', async () => {
    const { connected, asked } = connect(async () => hash)
    const { send, activity } = setUp({
      wallets: [],
      connected,
      ethereum: {
        eth_getTransactionByHash: {
          hash,
          from: other.toLowerCase(),
          nonce: '0x3',
          to: to.toLowerCase(),
          value: '0x1',
          input: '0x',
          gas: '0x5208',
          gasPrice: '0x77359400',
        },
        eth_getTransactionReceipt: {
          transactionHash: hash,
          status: '0x1',
          blockNumber: '0x10',
          blockHash,
          from: other.toLowerCase(),
          to: to.toLowerCase(),
          gasUsed: '0x5208',
          effectiveGasPrice: '0x77359400',
          logs: [],
        },
        eth_getBlockByNumber: ([block]) => ({
          result:
            block === 'latest'
              ? { gasLimit: '0x1c9c380', baseFeePerGas: '0x3b9aca00' }
              : { hash: blockHash, transactions: [hash] },
        }),
      },
    })
    const { value } = await send([
      {
        on: 'send-recipient',
        expect: (props) => expect(props.asset).toMatchObject({ wallet: other, walletName: 'MetaMask' }),
        answer: toFriend,
      },
      ['send-amount', amount('0.25')],
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    expect(asked).toEqual([
      ['switch', 1],
      ['eth_sendTransaction', [{ from: other, to, value: `0x${(25n * 10n ** 16n).toString(16)}` }]],
    ])
    expect(value).toMatchObject({ transactionHash: hash, address: other, receipt: { status: 'success' } })
    expect(activity.get()).toMatchObject([
      { hash, wallet: other, status: 'confirmed', amount: `${25n * 10n ** 16n}` },
    ])
  })

  test('send form: an external wallet that declines leads back to the amount, with the reason', async () => {
    const { connected } = connect(() => Promise.reject(new ProviderRpcError(4001, 'User rejected')))
    const { send, activity, told } = setUp({ wallets: [], connected })
    await send([
      ['send-recipient', toFriend],
      ['send-amount', amount('0.25')],
      {
        on: 'send-amount',
        expect: (props) =>
          expect(props).toMatchObject({ error: 'You declined it in MetaMask.', filled: { text: '0.25' } }),
        close: true,
      },
    ])
    expect(told.map(({ code }) => code)).toEqual(['wallet_rejected'])
    expect(activity.get()).toEqual([])
  })

  test('send form: an external wallet that gives no hash has sent nothing', async () => {
    const { connected } = connect(async () => ({ hash }))
    const { send, activity } = setUp({ wallets: [], connected })
    await send([
      ['send-recipient', toFriend],
      ['send-amount', amount('0.25')],
      {
        on: 'send-amount',
        expect: (props) => expect(props.error).toBe("MetaMask didn't send it. Please try again."),
        close: true,
      },
    ])
    expect(activity.get()).toEqual([])
  })
})

describe('send form, Solana', () => {
  test('send form: SOL goes to the recipient after the review', async () => {
    const { send, activity } = setUp({ wallets: [onSolana] })
    const { value } = await send([
      {
        on: 'send-recipient',
        expect: (props) =>
          expect(props.asset).toMatchObject({ symbol: 'SOL', network: 'Devnet', balance: 5_000_000_000n }),
        answer: { to: solanaFriend, isAccepted: false },
      },
      ['send-amount', amount('0.5')],
      approve,
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    expect(value).toMatchObject({ chain: 'solana:devnet', address: solanaAddress })
    expect(activity.get()).toMatchObject([
      { status: 'confirmed', to: solanaFriend, amount: '500000000', asset: { symbol: 'SOL' } },
    ])
  })

  test('send form: an address without a key needs a second look', async () => {
    const { send } = setUp({ wallets: [onSolana] })
    await send([
      ['send-recipient', { to: offCurve, isAccepted: false }],
      says({ caution: { kind: 'off-curve', address: offCurve } }),
      ['send-recipient', { to: offCurve, isAccepted: true }],
      { on: 'send-amount', close: true },
    ])
  })

  test('send form: the maximum of SOL is the balance less the fee', async () => {
    const { send, activity } = setUp({ wallets: [onSolana] })
    await send([
      ['send-recipient', { to: solanaFriend, isAccepted: false }],
      ['send-amount', { maximum: '' }],
      {
        on: 'send-amount',
        expect: (props) => expect(props.filled).toEqual({ text: '4.999995', isMaximum: true }),
        answer: amount('4.999995', true),
      },
      approve,
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    expect(activity.get()).toMatchObject([{ status: 'confirmed', amount: '4999995000' }])
  })

  test('send form: a maximum that no new account may begin with is refused', async () => {
    const { send } = setUp({ wallets: [onSolana], lamports: 500_000n })
    await send([
      ['send-recipient', { to: solanaFriend, isAccepted: false }],
      ['send-amount', { maximum: '' }],
      {
        on: 'send-amount',
        expect: (props) => expect(props.filled).toEqual({ text: '0.000495', isMaximum: true }),
        answer: amount('0.000495', true),
      },
      {
        on: 'send-amount',
        expect: (props) => expect(props.error).toMatch(/needs at least 0.00089088 SOL/),
        close: true,
      },
    ])
  })

  test.each([
    ['0.0001', 'A new account on Solana needs at least 0.00089088 SOL.'],
    ['4.9995', 'Leave at least 0.00089088 SOL in your wallet, or send the maximum.'],
    ['5.1', 'Insufficient balance'],
  ])('send form: the amount %s SOL is refused', async (typed, error) => {
    const { send } = setUp({ wallets: [onSolana] })
    await send([
      ['send-recipient', { to: solanaFriend, isAccepted: false }],
      ['send-amount', amount(typed)],
      { on: 'send-amount', expect: (props) => expect(props.error).toBe(error), close: true },
    ])
  })
})

describe('send form: funds that are missing', () => {
  const funding = { ...fundingSettings, amount: '0.5' }
  const ether = 10n ** 18n
  /** A wallet whose balance rises while its user receives. */
  function poor(more: Parameters<typeof setUp>[0] = {}) {
    const held = { coins: ether, tokens: 1_000_000n }
    const set = setUp({
      funding,
      ethereum: {
        eth_getBalance: () => ({ result: `0x${held.coins.toString(16)}` }),
        eth_call: ([call]): NodeAnswer => {
          const { to: asked, data } = call as { to: string; data: string }
          if (asked.toLowerCase() !== usdc.toLowerCase()) return { error: { code: 3, message: 'reverted' } }
          const selector = data.slice(0, 10)
          return {
            result: selector === erc20Selectors.balanceOf ? word(held.tokens) : (token[selector] ?? '0x'),
          }
        },
      },
      ...more,
    })
    const rises = (screen: string, change: Partial<typeof held>): Step => ({
      on: screen,
      expect: () => void Object.assign(held, change),
    })
    return { ...set, rises }
  }
  const receives = (expected: object): Step => ({
    on: 'receive-funds',
    expect: (props) => expect(props.target).toMatchObject(expected),
  })

  test('send form: what an amount and its fee lack is received, and the form goes on with the amount', async () => {
    const { send, sent, rises } = poor()
    await send([
      ['send-recipient', toFriend],
      ['send-amount', amount('1.5')],
      {
        on: 'send-amount',
        expect: (props) => expect(props).toMatchObject({ error: 'Insufficient balance', isFundable: true }),
        answer: { fund: '1.5' },
      },
      ['funding-method', 'manual'],
      // The fee of a transfer is part of it: 21,000 gas of at most 3 gwei each.
      receives({ amount: ether / 2n + 63n * 10n ** 12n, chain: 'eip155:1', address }),
      rises('receive-funds', { coins: 2n * ether }),
      { wait: 2_000 },
      ['receive-funds', 'continue'],
      { wait: 500 },
      {
        on: 'send-amount',
        expect: (props) =>
          expect(props).toMatchObject({ asset: { balance: 2n * ether }, filled: { text: '1.5' } }),
        answer: amount('1.5'),
      },
      approve,
      { wait: 3_000 },
      ['transaction-receipt', 'close'],
    ])
    expect(parseTransaction(sent[0] as TransactionSerialized).value).toBe((3n * ether) / 2n)
  })

  test('send form: USDC is received as USDC, and turning back leads to the amount', async () => {
    const { send, sent } = poor()
    await send(
      [
        ['send-recipient', toFriend],
        ['send-amount', amount('2.5')],
        { on: 'send-amount', expect: ({ isFundable }) => expect(isFundable).toBe(true) },
        ['send-amount', { fund: '2.5' }],
        ['funding-method', 'manual'],
        receives({ asset: 'USDC', amount: 1_500_000n }),
        ['receive-funds', 'back'],
        ['funding-method', 'back'],
        { on: 'send-amount', close: true },
      ],
      { asset: usdc },
    )
    expect(sent).toEqual([])
  })

  test('send form: an app without funding offers none', async () => {
    const { send } = poor({ funding: { ...funding, methods: [] } })
    await send([
      ['send-recipient', toFriend],
      ['send-amount', amount('1.5')],
      {
        on: 'send-amount',
        expect: (props) => {
          expect(props.error).toBe('Insufficient balance')
          expect(props.isFundable).toBeUndefined()
        },
        close: true,
      } as Step,
    ])
  })

  test('send form: what a Solana transaction lacks for its fee is received in SOL, and then it goes on', async () => {
    let lamports = 1_000_000_000n
    const nodes = () => walletNode(solanaAddress, { lamports })
    const call = (method: string) => (params: readonly unknown[]) => {
      const answer = nodes()[method]
      return typeof answer === 'function' ? answer(params) : { result: answer }
    }
    const live = Object.fromEntries(Object.keys(nodes()).map((method) => [method, call(method)]))
    const node = fakeNode(live as Parameters<typeof fakeNode>[0])
    const kit = embeddedKit({ host, fetch: node.fetch, wallets: [onSolana], funding })
    kit.login()
    const work = kit.openSend().catch((error: unknown) => error)
    await kit.person.follow([
      { wait: 500 },
      ['send-recipient', { to: solanaFriend, isAccepted: false }],
      // All of it, without anything for the fee.
      ['send-amount', amount('1')],
      {
        on: 'approve-transaction',
        expect: (props) => expect(props).toMatchObject({ isFundable: true, preview: { missing: 5_000n } }),
        answer: 'add-funds',
      },
      ['funding-method', 'manual'],
      receives({ chain: 'solana:devnet', address: solanaAddress, amount: 5_000n, symbol: 'SOL' }),
      {
        on: 'receive-funds',
        expect: () => {
          lamports = 3_000_000_000n
        },
      },
      { wait: 2_000 },
      ['receive-funds', 'continue'],
      {
        on: 'approve-transaction',
        expect: (props) => expect(props).toMatchObject({ preview: { isUnderfunded: false } }),
        answer: 'cancel',
      },
      { on: 'send-amount', close: true },
    ])
    await work
  })
})
