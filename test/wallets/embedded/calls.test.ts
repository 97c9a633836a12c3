/** Batches of calls (EIP-5792) of a wallet that is a key, from the provider and from the kit, against a scripted network. */
import { encodeFunctionData, erc20Abi, keccak256, parseTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
// Pages load these when there is something to sign; here no test should wait for their compilation.
import '../../../src/ethereum/rpc.ts'
import '../../../src/ethereum/track.ts'
import '../../../src/ethereum/transaction.ts'
import type { HostConfig } from '../../../src/app/config.ts'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { simple7702Account } from '../../../src/ethereum/wallet-code.ts'
import type { SendCallsOptions } from '../../../src/kit/api.ts'
import { callsStatusForHost, sendCallsForHost } from '../../../src/kit/host/send-calls.ts'
import { memoryStorage } from '../../../src/lib/storage.ts'
import type { ApproveCallsProps } from '../../../src/signing/calls/approve-calls.tsx'
import { callsLimits } from '../../../src/signing/calls/limits.ts'
import { fakeApprovals } from '../../support/approvals.ts'
import { fakeNode, type NodeAnswer } from '../../support/chain-node.ts'
import { testClock } from '../../support/clock.ts'
import {
  embeddedKit,
  ethereumAccount,
  exampleChain,
  secondAccount,
  vaultAnswer,
  walletAccount,
} from '../../support/embedded-kit.ts'
import type { Step } from '../../support/person.ts'

const { address } = ethereumAccount
const to = secondAccount.address
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const blockHash = `0x${'b0'.repeat(32)}`
type Raw = `0x02${string}`
const host = { supportedChains: [exampleChain(), exampleChain(8453, 'Base')] }
const gift = { to, value: '0x16345785d8a0000' }
const approval = {
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, 5n] }),
}
const move = {
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] }),
}
const log = { address: token.toLowerCase(), data: '0x05', topics: [`0x${'aa'.repeat(32)}`] }

interface Fate {
  /** By place in the order of broadcasts, from 0. */
  readonly reverts?: readonly number[]
  readonly refuses?: readonly number[]
  readonly isMining?: boolean
  /** Of the wallet, in wei; enough by default. */
  readonly balance?: bigint
}

/** A network that mines what it is sent, with a fate for each. */
function createNetwork({ reverts = [], refuses = [], isMining = true, balance }: Fate = {}) {
  const sent: string[] = []
  const asked: string[] = []
  const network = { sent, asked, isMining, isSilent: false }
  const receiptOf = (hash: string) => {
    const at = sent.findIndex((raw) => keccak256(raw as Raw) === hash)
    const transaction = parseTransaction(sent[at] as Raw)
    const hasFailed = reverts.includes(at)
    return {
      transactionHash: hash,
      status: hasFailed ? '0x0' : '0x1',
      blockNumber: `0x${(16 + at).toString(16)}`,
      blockHash,
      from: address.toLowerCase(),
      to: transaction.to,
      gasUsed: '0x5208',
      effectiveGasPrice: '0x77359400',
      logs: hasFailed ? [] : [log],
    }
  }
  const { fetch } = fakeNode({
    eth_sendRawTransaction([raw]): NodeAnswer {
      if (network.isSilent) return 'lost'
      if (refuses.includes(sent.length))
        return { error: { code: -32_000, message: 'transaction underpriced' } }
      if (!sent.includes(raw as string)) sent.push(raw as string)
      return { result: keccak256(raw as Raw) }
    },
    eth_getTransactionReceipt: ([hash]) => ({
      result:
        network.isMining && sent.some((raw) => keccak256(raw as Raw) === hash)
          ? receiptOf(hash as string)
          : null,
    }),
    eth_getTransactionByHash: ([hash]) => ({
      result: sent.some((raw) => keccak256(raw as Raw) === hash) ? { hash, blockNumber: null } : null,
    }),
    eth_getTransactionCount: () => ({ result: `0x${(7 + sent.length).toString(16)}` }),
    ...(balance !== undefined && { eth_getBalance: `0x${balance.toString(16)}` }),
    eth_blockNumber: '0x40',
    eth_getBlockByNumber: ([block]) => ({
      result:
        block === 'latest'
          ? { gasLimit: '0x1c9c380', baseFeePerGas: '0x3b9aca00' }
          : { hash: blockHash, transactions: sent.map((raw) => keccak256(raw as Raw)) },
    }),
    eth_simulateV1(params): NodeAnswer {
      const [{ blockStateCalls }] = params as [{ blockStateCalls: { calls: object[] }[] }]
      const calls = blockStateCalls[0]?.calls.map(() => ({
        status: '0x1',
        returnData: '0x',
        gasUsed: '0xc350',
        logs: [],
      }))
      if (blockStateCalls.length !== 1)
        return { error: { code: -32_601, message: 'the method does not exist' } }
      return { result: [{ number: '0x10', baseFeePerGas: '0x3b9aca00', calls }] }
    },
  })
  return { ...network, network, fetch, sent }
}

function setUp(fate: Fate = {}, more: Parameters<typeof embeddedKit>[0] = {}) {
  const network = createNetwork(fate)
  const set = embeddedKit({ host, fetch: network.fetch, ...more })
  set.login()
  const ask = (method: string, ...params: unknown[]) => set.provider().request({ method, params })
  const send = (over: object = {}) =>
    ask('wallet_sendCalls', {
      version: '2.0.0',
      from: address,
      chainId: '0x1',
      atomicRequired: false,
      calls: [gift, approval],
      ...over,
    }) as Promise<{ id: string }>
  const status = async (id: string) => (await ask('wallet_getCallsStatus', id)) as Record<string, unknown>
  const sendByKit = (options: Partial<SendCallsOptions> = {}) =>
    sendCallsForHost(set.hostContext, set.sending, {
      calls: [{ to, value: 1n }, approval],
      chainId: 1,
      ...options,
    })
  return { ...set, ...network, ask, send, status, sendByKit }
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was done'),
    ({ code, message }: { code: number; message: string }) => ({ code, message }),
  )
const approve: Step = ['approve-calls', 'approve']
const close: Step = { on: 'calls-detail', close: true }
interface VaultRequest {
  readonly kind: string
  readonly state?: string
  readonly transactions: readonly { readonly transaction: { readonly nonce?: number } }[]
}
const noncesOf = (sent: readonly string[]) => sent.map((raw) => parseTransaction(raw as Raw).nonce)

describe('sending calls: what a library may ask', () => {
  test.each<[string, object]>([
    ['another version', { version: '1.0' }],
    ['no version', { version: undefined }],
    ['no atomicRequired', { atomicRequired: undefined }],
    ['atomicRequired as text', { atomicRequired: 'false' }],
    ['no chain', { chainId: undefined }],
    ['a chain as a number', { chainId: 1 }],
    ['a chain without 0x', { chainId: '1' }],
    ['leading zeros in the chain', { chainId: '0x01' }],
    ['the chain 0x0', { chainId: '0x0' }],
    ['no calls', { calls: undefined }],
    ['an empty list of calls', { calls: [] }],
    ['calls that are no list', { calls: gift }],
    ['a call that is text', { calls: ['0x'] }],
    ['a recipient that is no address', { calls: [{ to: '0x12' }] }],
    ['a value as a number', { calls: [{ to, value: 1 }] }],
    ['a value without 0x', { calls: [{ to, value: '10' }] }],
    ['data of half a byte', { calls: [{ to, data: '0xabc' }] }],
    ['a call without a recipient or data', { calls: [{ value: '0x1' }] }],
    ['a call with a nonce', { calls: [{ ...gift, nonce: '0x1' }] }],
    ['a call with gas', { calls: [{ ...gift, gas: '0x5208' }] }],
    ['an empty id', { id: '' }],
    ['an id that is a number', { id: 7 }],
    ['an id of 4,097 bytes in hex', { id: `0x${'00'.repeat(4_097)}` }],
    ['an id of 4,097 bytes of text', { id: 'ž'.repeat(2_049) }],
    ['a sender that is no address', { from: '0x1' }],
    ['capabilities that are a list', { capabilities: [] }],
    ['a capability that is text', { capabilities: { paymasterService: 'yes' } }],
    ['an optional mark that is text', { capabilities: { x: { optional: 'true' } } }],
    ['capabilities of a call that are text', { calls: [{ ...gift, capabilities: 'none' }] }],
  ])('%s: -32602, and nobody is asked', async (_, over) => {
    const { send, person } = setUp()
    expect((await failure(send(over))).code).toBe(-32_602)
    expect(person.scene).toBeUndefined()
  })

  test.each([
    [[], -32_602],
    [[{}, {}], -32_602],
    [undefined, 4200],
    ['text', 4200],
  ])('wallet_sendCalls: parameters %j are refused with %i', async (params, code) => {
    const { provider } = setUp()
    expect((await failure(provider().request({ method: 'wallet_sendCalls', params }))).code).toBe(code)
  })

  test.each<[string, number, object]>([
    ['a sender that is somebody else', 4100, { from: to }],
    ['a chain that the app doesn’t have', 5710, { chainId: '0xa' }],
    ['atomicity that a key doesn’t have', 5760, { atomicRequired: true }],
    [
      'a capability that nobody marked as optional',
      5700,
      { capabilities: { paymasterService: { url: 'https://p' } } },
    ],
    ['a capability that is marked as needed', 5700, { capabilities: { x: { optional: false } } }],
    ['such a capability of one call', 5700, { calls: [gift, { ...approval, capabilities: { x: {} } }] }],
    ['too many calls', 5740, { calls: Array.from({ length: 21 }, () => gift) }],
    ['calls that are too large', 5740, { calls: [{ to, data: `0x${'00'.repeat(60_000)}` }] }],
  ])('%s: %i, and nobody is asked', async (_, code, over) => {
    const { send, person, network } = setUp()
    expect((await failure(send(over))).code).toBe(code)
    expect(person.scene).toBeUndefined()
    expect(network.sent).toEqual([])
  })

  test.each<[string, object]>([
    ['an optional capability', { capabilities: { paymasterService: { url: 'https://p', optional: true } } }],
    ['an id of 4,096 bytes in hex', { id: `0x${'00'.repeat(4_096)}` }],
    ['an id of 4,096 bytes of text', { id: 'ž'.repeat(2_048) }],
    ['no sender', { from: undefined }],
    ['a sender in lower case', { from: address.toLowerCase() }],
    ['20 calls', { calls: Array.from({ length: 20 }, () => gift) }],
    ['empty fields', { calls: [{ ...gift, data: null, capabilities: null }], capabilities: null }],
    ['an unknown field beside the calls', { note: 'hello' }],
  ])('%s is fine', async (_, over) => {
    const { send, person } = setUp()
    const work = send(over)
    await person.follow([approve])
    const { id } = await work
    expect(id).toBe((over as { id?: string }).id ?? id)
    expect(id).toMatch(/^(0x([\da-f]{2}){32,4096}|ž+)$/)
  })

  test('a rejection is 4001, sends nothing, and leaves the id free', async () => {
    const { send, person, network, ask } = setUp()
    const work = failure(send({ id: 'order-1' }))
    await person.follow([['approve-calls', 'cancel']])
    expect((await work).code).toBe(4001)
    expect(network.sent).toEqual([])
    expect((await failure(ask('wallet_getCallsStatus', 'order-1'))).code).toBe(5730)
    const again = send({ id: 'order-1' })
    await person.follow([approve])
    expect(await again).toEqual({ id: 'order-1' })
  })

  test('an id is used once per wallet, also while its batch is read', async () => {
    const { send, person } = setUp()
    const work = send({ id: 'order-1' })
    await person.follow([{ on: 'approve-calls' }])
    expect((await failure(send({ id: 'order-1' }))).code).toBe(5720)
    await person.follow([approve, close])
    await work
    expect((await failure(send({ id: 'order-1' }))).code).toBe(5720)
  })

  test('another wallet of the user may use the same id', async () => {
    const wallets = [walletAccount(), walletAccount({ address: secondAccount.address, walletIndex: 1 })]
    const { provider, person } = setUp({}, { wallets })
    const request = { version: '2.0.0', id: 'same', chainId: '0x1', atomicRequired: false, calls: [gift] }
    for (const at of [0, 1]) {
      const work = provider(at).request({ method: 'wallet_sendCalls', params: [request] })
      await person.follow([approve, close])
      expect(await work).toEqual({ id: 'same' })
    }
  })
})

describe('sending calls: review and order', () => {
  test('all calls are displayed with their fees together, signed with consecutive nonces, and sent in their order', async () => {
    const { send, person, network, status } = setUp()
    const seen: ApproveCallsProps[] = []
    const work = send({ calls: [gift, approval, move] })
    await person.follow([
      { on: 'approve-calls', expect: (props) => seen.push(props as never), answer: 'approve' },
      { on: 'calls-detail' },
      { wait: 10_000 },
    ])
    const { id } = await work
    const { preview } = seen[0] as ApproveCallsProps
    expect(preview.calls.map(({ value, actions }) => [value, actions[0]?.kind])).toEqual([
      [10n ** 17n, 'transfer'],
      [0n, 'token'],
      [0n, 'token'],
    ])
    const fees = preview.calls.map(({ fee = 0n }) => fee)
    expect(preview.fee).toBeGreaterThanOrEqual(fees.reduce((sum, fee) => sum + fee))
    expect(preview.total).toBe(10n ** 17n + (preview.fee ?? 0n))
    expect(noncesOf(network.sent)).toEqual([7, 8, 9])
    expect(network.sent.map((raw) => parseTransaction(raw as Raw).to)).toEqual(
      [to, token, token].map((each) => each.toLowerCase()),
    )
    // The simulation's gas with a half more, because later calls can't be estimated alone.
    expect(parseTransaction(network.sent[2] as Raw).gas).toBe(75_000n)
    expect(await status(id)).toMatchObject({
      version: '2.0.0',
      id,
      chainId: '0x1',
      status: 200,
      atomic: false,
    })
  })

  test('the status goes from 100 to 200, and its receipts have the logs of these calls alone', async () => {
    const { send, person, network, status, fetch: _ } = setUp({ isMining: false })
    const work = send()
    await person.follow([approve, { on: 'calls-detail' }])
    const { id } = await work
    expect(await status(id)).toEqual({ version: '2.0.0', id, chainId: '0x1', status: 100, atomic: false })
    expect(network.sent).toHaveLength(1)
    network.isMining = true
    await person.follow([{ wait: 10_000 }])
    expect(await status(id)).toEqual({
      version: '2.0.0',
      id,
      chainId: '0x1',
      status: 200,
      atomic: false,
      receipts: network.sent.map((raw, at) => ({
        logs: [log],
        status: '0x1',
        blockHash,
        blockNumber: `0x${(16 + at).toString(16)}`,
        gasUsed: '0x5208',
        transactionHash: keccak256(raw as Raw),
      })),
    })
  })

  test.each<[string, Fate, number, readonly string[], number]>([
    ['all confirmed', {}, 200, ['0x1', '0x1', '0x1'], 3],
    ['the first one refused by the node', { refuses: [0] }, 400, [], 0],
    ['the first one reverted', { reverts: [0] }, 500, ['0x0'], 1],
    ['the second one refused', { refuses: [1] }, 600, ['0x1'], 1],
    ['the second one reverted', { reverts: [1] }, 600, ['0x1', '0x0'], 2],
    ['the last one reverted', { reverts: [2] }, 600, ['0x1', '0x1', '0x0'], 3],
  ])('%s', async (_, fate, code, receipts, count) => {
    const { send, person, network, status } = setUp(fate)
    const work = send({ calls: [gift, approval, move] })
    await person.follow([approve, { on: 'calls-detail' }, { wait: 10_000 }])
    const { id } = await work
    const found = await status(id)
    expect(found.status).toBe(code)
    expect(((found.receipts ?? []) as { status: string }[]).map((each) => each.status)).toEqual(receipts)
    expect(network.sent).toHaveLength(count)
  })

  test('one call alone is a batch as well', async () => {
    const { send, person, status } = setUp()
    const work = send({ calls: [gift] })
    await person.follow([approve, { on: 'calls-detail' }, { wait: 5_000 }])
    expect((await status((await work).id)).status).toBe(200)
  })

  test('a wallet that can’t pay all of them approves none', async () => {
    const { send, person, network } = setUp()
    const work = send({
      calls: [
        { to, value: '0x6f05b59d3b20000' },
        { to, value: '0x8ac7230489e80000' },
      ],
    })
    work.catch(() => {})
    const seen: ApproveCallsProps[] = []
    await person.follow([
      { on: 'approve-calls', expect: (props) => seen.push(props as never), answer: 'cancel' },
    ])
    expect(seen[0]?.preview.isUnderfunded).toBe(true)
    expect(seen[0]?.preview.missing).toBeGreaterThan(5n * 10n ** 17n)
    expect(network.sent).toEqual([])
  })

  test('closing the dialog after the approval stops nothing', async () => {
    const { send, person, network, status } = setUp({ isMining: false })
    const work = send({ calls: [gift, approval, move] })
    await person.follow([approve, close])
    const { id } = await work
    network.isMining = true
    await person.follow([{ wait: 30_000 }])
    expect(noncesOf(network.sent)).toEqual([7, 8, 9])
    expect((await status(id)).status).toBe(200)
  })

  test('a node that is silent for a while is given the very same bytes again', async () => {
    const { send, person, network, status } = setUp()
    network.isSilent = true
    const work = send()
    await person.follow([approve, { on: 'calls-detail' }, { wait: 1_000 }])
    const { id } = await work
    expect((await status(id)).status).toBe(100)
    network.isSilent = false
    await person.follow([{ wait: 20_000 }])
    expect(noncesOf(network.sent)).toEqual([7, 8])
    expect((await status(id)).status).toBe(200)
  })

  test('without a screen all are signed and sent', async () => {
    const { send, person, network } = setUp(
      {},
      { host: { ...host, embeddedWallets: { showWalletUIs: false } } as never },
    )
    await send()
    await person.follow([{ wait: 10_000 }])
    expect(noncesOf(network.sent)).toEqual([7, 8])
    expect(person.trace()).toEqual([])
  })

  test('without a screen what the wallet can’t pay is neither signed nor sent', async () => {
    const { send, network } = setUp(
      { balance: 1_000n },
      { host: { ...host, embeddedWallets: { showWalletUIs: false } } as never },
    )
    await expect(send()).rejects.toMatchObject({ code: -32_003, data: { code: 'insufficient_funds' } })
    expect(network.sent).toEqual([])
  })
})

describe('sending calls: strict apps', () => {
  test('the vault gets all transactions in one request, and what it signs is sent', async () => {
    const requests: VaultRequest[] = []
    const approvals = fakeApprovals((_, request) => {
      requests.push(request as VaultRequest)
      return undefined
    })
    const { ask, person, network } = setUp({}, { approvals })
    const work = ask('wallet_sendCalls', {
      version: '2.0.0',
      chainId: '0x1',
      atomicRequired: false,
      calls: [gift, approval],
    })
    work.catch(() => {})
    await person.follow([{ wait: 5_000 }])
    expect(requests[0]).toMatchObject({ kind: 'evmTransactions', state: 'preparing', address })
    const { transactions, state } = requests.at(-1) as VaultRequest
    expect(state).toBeUndefined()
    expect(transactions.map(({ transaction }) => transaction.nonce)).toEqual([7, 8])
    expect(approvals.opened).toHaveLength(1)
    expect(network.sent).toEqual([])
    person.close()
    expect((await failure(work)).code).toBe(4001)
  })

  test.each([1, 2])(
    '%i signatures of the vault for two calls: only as many as calls are sent',
    async (count) => {
      const signed = new Map<string, string>()
      // Signed as the vault does, with a library that isn't its own.
      const sign = async ({ transactions }: VaultRequest) => {
        for (const { transaction } of transactions)
          signed.set(
            JSON.stringify(transaction),
            String(
              await vaultAnswer(walletAccount(), {
                method: 'eth_signTransaction',
                params: [transaction],
              } as never),
            ),
          )
      }
      let isReady = false
      const approvals = fakeApprovals((_, request) => {
        const asked = request as VaultRequest
        if (asked.state === 'preparing') return undefined
        if (!isReady) {
          void sign(asked)
          return 'rejected'
        }
        const signatures = asked.transactions.map(({ transaction }) =>
          signed.get(JSON.stringify(transaction)),
        )
        return { answer: { signed: { signatures: signatures.slice(0, count) } } }
      })
      const { send, person, network } = setUp({}, { approvals })
      const first = failure(send())
      await person.follow([{ wait: 5_000 }])
      expect((await first).code).toBe(4001)
      isReady = true
      const work = send()
      if (count === 1) {
        const refused = failure(work)
        await person.follow([['transaction-failed', 'cancel']])
        expect((await refused).code).toBe(4001)
        return expect(network.sent).toEqual([])
      }
      await person.follow([{ on: 'calls-detail' }, { wait: 10_000 }])
      await work
      expect(noncesOf(network.sent)).toEqual([7, 8])
    },
  )
})

describe('sending calls: what a batch leaves behind', () => {
  const start = async (storage = memoryStorage(), clock = testClock(), fate: Fate = { isMining: false }) => {
    const first = setUp(fate, { storage, clock })
    const work = first.send({ id: 'order-1', calls: [gift, approval, move] })
    await first.person.follow([approve, { on: 'calls-detail' }])
    await work
    return { first, storage, clock }
  }

  test('after a reload the rest is sent, each with the very same bytes, and nothing twice', async () => {
    const { first, storage, clock } = await start()
    expect(first.network.sent).toHaveLength(1)
    first.close()
    first.network.isMining = true
    const second = embeddedKit({ host, fetch: first.fetch, storage, clock })
    second.login()
    await second.person.follow([{ wait: 30_000 }])
    expect(noncesOf(first.network.sent)).toEqual([7, 8, 9])
    expect(
      await second.provider().request({ method: 'wallet_getCallsStatus', params: ['order-1'] }),
    ).toMatchObject({
      status: 200,
    })
    expect(second.asked).toEqual([])
  })

  test('what was not sent in half an hour is never sent', async () => {
    const { first, storage, clock } = await start()
    first.close()
    first.network.isMining = true
    await clock.advance(callsLimits.sentWithin)
    const second = embeddedKit({ host, fetch: first.fetch, storage, clock })
    second.login()
    await second.person.follow([{ wait: 60_000 }])
    expect(noncesOf(first.network.sent)).toEqual([7])
    expect(
      await second.provider().request({ method: 'wallet_getCallsStatus', params: ['order-1'] }),
    ).toMatchObject({
      status: 600,
    })
  })

  test('a status is known for 24 hours, and its id is used until then', async () => {
    const { first, clock } = await start(undefined, undefined, {})
    await first.person.follow([{ wait: 10_000 }, close])
    await clock.advance(callsLimits.storedFor - 60_000)
    expect((await first.status('order-1')).status).toBe(200)
    expect((await failure(first.send({ id: 'order-1' }))).code).toBe(5720)
    await clock.advance(60_000)
    expect((await failure(first.ask('wallet_getCallsStatus', 'order-1'))).code).toBe(5730)
  })

  test('another tab tells the status as well', async () => {
    const { first, storage, clock } = await start(undefined, undefined, {})
    const second = embeddedKit({ host, fetch: first.fetch, storage, clock })
    second.login()
    await first.person.follow([{ wait: 10_000 }])
    expect(
      await second.provider().request({ method: 'wallet_getCallsStatus', params: ['order-1'] }),
    ).toMatchObject({
      status: 200,
    })
    expect(noncesOf(first.network.sent)).toEqual([7, 8, 9])
  })

  test('receipts that are not stored are read from the network', async () => {
    const { first, storage, clock } = await start(undefined, undefined, {})
    await first.person.follow([{ wait: 10_000 }])
    const key = 'lk:latchkey-demo-recover-013:calls:u1'
    const [batch] = JSON.parse(String(storage.get(key)))
    for (const each of batch.transactions) delete each.receipt
    storage.set(key, JSON.stringify([batch]))
    const second = embeddedKit({ host, fetch: first.fetch, storage, clock })
    second.login()
    const found = (await second
      .provider()
      .request({ method: 'wallet_getCallsStatus', params: ['order-1'] })) as { receipts: object[] }
    expect(found.receipts).toHaveLength(3)
    expect(found.receipts[0]).toMatchObject({ logs: [log], status: '0x1' })
  })

  test('after a logout nothing of it stays in the browser, and the next user knows nothing of it', async () => {
    const { first, storage } = await start()
    first.logout()
    expect(storage.get('lk:latchkey-demo-recover-013:calls:u1')).toBeUndefined()
    first.login(undefined, 'u2')
    await first.person.follow([{ wait: 5_000 }])
    expect((await failure(first.ask('wallet_getCallsStatus', 'order-1'))).code).toBe(5730)
  })
})

describe('looking batches up', () => {
  test.each(['wallet_getCallsStatus', 'wallet_showCallsStatus'])(
    '%s: 5730 for an unknown id',
    async (method) => {
      const { ask, person } = setUp()
      expect((await failure(ask(method, '0x00'))).code).toBe(5730)
      expect(person.scene).toBeUndefined()
    },
  )

  test.each(['wallet_getCallsStatus', 'wallet_showCallsStatus'])(
    '%s: -32602 for what is no id',
    async (method) => {
      const { ask, provider } = setUp()
      for (const id of [undefined, '', 7, {}, `0x${'00'.repeat(4_097)}`])
        expect((await failure(ask(method, id))).code).toBe(-32_602)
      expect((await failure(provider().request({ method }))).code).toBe(4200)
    },
  )

  test('showing a batch opens it, and returns as soon as it is displayed', async () => {
    const { send, person, ask } = setUp()
    const work = send({ id: 'order-1' })
    await person.follow([approve, { on: 'calls-detail' }, { wait: 10_000 }, ['calls-detail', 'close']])
    await work
    const shown = ask('wallet_showCallsStatus', 'order-1')
    const seen: unknown[] = []
    await person.follow([{ on: 'calls-detail', expect: (props) => seen.push(props) }])
    expect(await shown).toBeNull()
    expect(seen).toMatchObject([
      {
        status: 200,
        network: 'Ethereum',
        calls: [{ kind: 'transfer', state: 'confirmed' }, { kind: 'approve' }],
      },
    ])
  })
})

describe('batches in the activity', () => {
  test('a batch is one entry, which opens its calls and leads back from each', async () => {
    const { send, person, sendForHost, openActivity } = setUp()
    const work = send({ id: 'order-1' })
    await person.follow([approve, { on: 'calls-detail' }, { wait: 10_000 }, ['calls-detail', 'close']])
    await work
    const single = sendForHost({ to, value: 1n, chainId: 1 })
    await person.follow([
      ['approve-transaction', 'approve'],
      { wait: 10_000 },
      ['transaction-receipt', 'close'],
    ])
    await single
    const open = openActivity()
    const seen: Record<string, unknown>[] = []
    const look = (on: string): Step => ({ on, expect: (props) => seen.push(props) })
    await person.follow([
      look('activity-list'),
      ['activity-list', { entry: `batch ${address} order-1` }],
      look('calls-detail'),
      ['calls-detail', { call: 1 }],
      look('activity-detail'),
      ['activity-detail', 'back'],
      ['calls-detail', 'back'],
      look('activity-list'),
    ])
    person.close()
    await open
    expect(seen).toMatchObject([
      {
        pending: [],
        done: [
          { kind: 'transfer', status: 'confirmed' },
          { kind: 'batch', count: 2, status: 'confirmed', network: 'Ethereum' },
        ],
      },
      { canGoBack: true, calls: [{ kind: 'transfer' }, { kind: 'approve' }] },
      { kind: 'approve', status: 'confirmed' },
      { done: [{ kind: 'transfer' }, { kind: 'batch' }] },
    ])
    expect((seen[0] as { done: readonly unknown[] }).done).toHaveLength(2)
  })
})

describe('capabilities', () => {
  const unsupported = { atomic: { status: 'unsupported' } }
  test.each<[string, unknown[], object]>([
    ['of all chains', [address], { '0x1': unsupported, '0x2105': unsupported }],
    ['of one chain', [address, ['0x2105']], { '0x2105': unsupported }],
    ['of a chain that the app doesn’t have', [address, ['0xa', '0x1']], { '0x1': unsupported }],
    ['of what holds for all chains', [address, ['0x0']], { '0x0': unsupported }],
    ['of no chain', [address, []], {}],
  ])('%s', async (_, params, expected) => {
    const { ask } = setUp()
    expect(await ask('wallet_getCapabilities', ...params)).toEqual(expected)
  })

  test.each<[string, number, unknown[]]>([
    ['another address', 4100, [to]],
    ['no address', -32_602, []],
    ['what is no address', -32_602, ['0x12']],
    ['chains that are text', -32_602, [address, '0x1']],
    ['a chain with leading zeros', -32_602, [address, ['0x01']]],
  ])('%s: %s', async (_, code, params) => {
    const { ask } = setUp()
    expect((await failure(ask('wallet_getCapabilities', ...params))).code).toBe(code)
  })
})

describe('capabilities and the chains’ nodes', () => {
  const delegated = `0xef0100${simple7702Account.address.slice(2).toLowerCase()}`
  function asking(host: HostConfig) {
    const node = fakeNode({ eth_getCode: delegated })
    const set = setUp({}, { host, fetch: node.fetch })
    const get = async (...params: unknown[]) =>
      Object.entries((await set.ask('wallet_getCapabilities', address, ...params)) as object).map(
        ([chain, { atomic }]) => `${chain} ${atomic.status}`,
      )
    return { ...set, get, node }
  }

  test.each<[string, HostConfig, unknown[], string[]]>([
    ['an app that names no chain', {}, [], []],
    ['an app that names no chain, asked for one', {}, [['0x1', '0x0']], []],
    [
      'an app that has a node of its own for one chain',
      { rpcConfig: { rpcUrls: { 10: 'https://own.example' } } },
      [['0xa', '0x1', '0x2105']],
      ['https://own.example/'],
    ],
    ['an app that names its chains', host, [], ['https://node.example/1', 'https://node.example/8453']],
  ])(
    '%s: the user’s address reaches the nodes that the app has chosen, and no others',
    async (_, config, params, nodes) => {
      const { get, node } = asking(config)
      await get(...params)
      expect([...new Set(node.asked.map(({ url }) => url))].sort()).toEqual(nodes)
    },
  )

  test('what was found is known for a minute, and asked again afterwards', async () => {
    const { get, node, clock } = asking(host)
    expect([await get(['0x1']), await get(['0x1'])]).toEqual([['0x1 supported'], ['0x1 supported']])
    const first = node.asked.length
    await clock.advance(60_000)
    expect([await get(['0x1']), node.asked.length]).toEqual([['0x1 supported'], 2 * first])
  })
})

describe('calls of a host', () => {
  const rejection = (work: Promise<unknown>) =>
    work.then(
      () => expect.unreachable('it was done'),
      ({ code, data }: KitError) => ({ code, data }),
    )

  test('resolve with the status and the receipts, also after the dialog was closed', async () => {
    const { sendByKit, person, network } = setUp()
    const work = sendByKit({ id: 'order-1' })
    await person.follow([approve, close, { wait: 10_000 }])
    expect(await work).toMatchObject({
      id: 'order-1',
      status: 200,
      chain: 'eip155:1',
      atomic: false,
      receipts: network.sent.map((raw) => ({
        transactionHash: keccak256(raw as Raw),
        status: 'success',
        gasUsed: 21_000n,
      })),
    })
  })

  test('that fail in the middle resolve with 600', async () => {
    const { sendByKit, person } = setUp({ reverts: [1] })
    const work = sendByKit({ calls: [{ to, value: 1n }, approval, move] })
    await person.follow([approve, { on: 'calls-detail' }, { wait: 10_000 }, ['calls-detail', 'close']])
    expect(await work).toMatchObject({
      status: 600,
      receipts: [{ status: 'success' }, { status: 'reverted' }],
    })
  })

  test('that the user rejects were not sent', async () => {
    const { sendByKit, person, network } = setUp()
    const work = rejection(sendByKit())
    await person.follow([['approve-calls', 'cancel']])
    expect(await work).toMatchObject({ code: 'unable_to_sign' })
    expect(network.sent).toEqual([])
  })

  test.each<[string, string, Partial<SendCallsOptions>]>([
    ['no calls', 'invalid_request_arguments', { calls: [] }],
    ['too many calls', 'invalid_request_arguments', { calls: Array.from({ length: 21 }, () => gift) }],
    ['a call that can’t be read', 'invalid_request_arguments', { calls: [{ to: '0x1' }] }],
    ['a call with a nonce', 'invalid_request_arguments', { calls: [{ to, nonce: 1 } as never] }],
    ['an id that is too long', 'invalid_request_arguments', { id: 'x'.repeat(4_097) }],
    ['an unknown chain', 'unsupported_chain_id', { chainId: 10 }],
    ['somebody else’s wallet', 'embedded_wallet_not_found', { address: to }],
  ])('with %s: %s', async (_, code, options) => {
    const { sendByKit } = setUp()
    expect(await rejection(sendByKit(options))).toMatchObject({ code })
  })

  test('with an id that was used: the library’s code is in the data', async () => {
    const { sendByKit, person } = setUp()
    const work = sendByKit({ id: 'order-1' })
    await person.follow([approve, close, { wait: 10_000 }])
    await work
    expect(await rejection(sendByKit({ id: 'order-1' }))).toEqual({
      code: 'invalid_request_arguments',
      data: { code: 5720 },
    })
  })

  test('are looked up by their id, and nothing is found for another one', async () => {
    const { sendByKit, person, hostContext, sending } = setUp()
    const work = sendByKit({ id: 'order-1' })
    await person.follow([approve, close, { wait: 10_000 }])
    const done = await work
    expect(await callsStatusForHost(hostContext, sending, 'order-1')).toEqual(done)
    expect(await callsStatusForHost(hostContext, sending, 'order-2')).toBeNull()
  })
})
