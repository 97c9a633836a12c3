/** Another wallet of a user's with money on networks that tests decide about, and a bridge between them. */

import type { ActivityEntry } from '../../src/activity/entry.ts'
import { resolveConfig } from '../../src/app/config.ts'
import { createTranslate } from '../../src/copy/copy.ts'
import { createRuns } from '../../src/dialog/runs.ts'
import type { KitError } from '../../src/errors/kit-error.ts'
import type { ChainNode } from '../../src/ethereum/rpc.ts'
import type { WalletTransaction } from '../../src/ethereum/transaction.ts'
import { fund } from '../../src/funding/flow.ts'
import type { FundingTarget } from '../../src/funding/target.ts'
import { transferring } from '../../src/funding/transfer/flow.ts'
import { createPaymentStore } from '../../src/funding/transfer/payments.ts'
import type { TransferServices } from '../../src/funding/transfer/services.ts'
import { bridgeDeposits } from '../../src/lib/bridge-deposits.ts'
import { NodeError } from '../../src/lib/node-errors.ts'
import { memoryStorage, type Storage } from '../../src/lib/storage.ts'
import { createStore } from '../../src/lib/store.ts'
import { usdcOn } from '../../src/lib/usdc.ts'
import type {
  BridgeClient,
  BridgeQuote,
  BridgeRequest,
  BridgeStatus,
  EthereumItem,
} from '../../src/protocol/bridge.ts'
import type { ConnectedAccount } from '../../src/wallets/external/connector.ts'
import { type TestClock, testClock } from '../support/clock.ts'
import { type Step, scriptedPerson } from '../support/person.ts'

export const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const owned = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
export const depository = '0x4cd00e387622c35BDDB9b4c962c136462338bc31'
export const requestId = `0x${'5e'.repeat(32)}`
export const hashOf = (at: number) => `0x${at.toString(16).padStart(64, '0')}`
export const ether = (text: string) => BigInt(Math.round(Number(text) * 1e6)) * 10n ** 12n

export const baseTarget: FundingTarget = {
  address: owned,
  chain: 'eip155:8453',
  network: 'Base',
  chainType: 'ethereum',
  asset: 'native-currency',
  symbol: 'ETH',
  decimals: 18,
  amount: ether('0.02'),
}
export const usdcTarget: FundingTarget = {
  ...baseTarget,
  asset: 'USDC',
  token: usdcOn('eip155:8453'),
  symbol: 'USDC',
  decimals: 6,
  amount: 25_000_000n,
}

interface Mined {
  hash: string
  from: string
  nonce: bigint
  to: string
  value: bigint
  input: string
  block: bigint
}
interface TriedCall {
  readonly from?: string
  readonly to: string
  readonly value?: string
  readonly input?: string
}
/** keccak-256 of `Transfer(address,address,uint256)`. */
const TRANSFERRED = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const COINS = `0x${'ee'.repeat(20)}`
/** A log by which something goes from one address to another. */
export const moved = (token: string, from: string, to: string, amount: bigint) => ({
  address: token.toLowerCase(),
  topics: [TRANSFERRED, ...[from, to].map((each) => `0x${each.slice(2).toLowerCase().padStart(64, '0')}`)],
  data: `0x${amount.toString(16).padStart(64, '0')}`,
})
/** One network, as its node tells it. */
export interface FakeChain {
  readonly node: ChainNode
  coin: bigint
  usdc: bigint
  allowance: bigint
  /** Transactions that the node has in blocks. */
  readonly mined: Mined[]
  block: bigint
  /** Nonces that wait in no block. */
  waiting: bigint
  isDown: boolean
  /** What a trial run of a call logs beside what it asks for; `undefined`: the node has no trial runs. */
  trial: ((call: TriedCall) => readonly object[]) | undefined
  /** The node's answer to `eth_estimateGas`. */
  estimate: () => string
  readonly receipts: Set<string>
}

export function fakeChain(chainId: number, coin = 0n, usdc = 0n): FakeChain {
  const chain: FakeChain = {
    coin,
    usdc,
    allowance: 0n,
    mined: [],
    block: 100n,
    waiting: 0n,
    isDown: false,
    trial: () => [],
    estimate: () => '0x5208',
    receipts: new Set(),
    node: { ask },
  }
  const hex = (value: bigint | number) => `0x${value.toString(16)}`
  const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
  const written = ({ hash, from, nonce, to, value, input }: Mined) => ({
    hash,
    from: from.toLowerCase(),
    nonce: hex(nonce),
    to: to.toLowerCase(),
    value: hex(value),
    input,
  })
  /** Coins go where they are sent, and a deposit of tokens goes to the depository. */
  function logsOf(call: TriedCall): readonly object[] {
    const { from = '', to, value = '0x0', input = '0x' } = call
    const isDeposit = input.startsWith('0xe8017952')
    return [
      ...(BigInt(value) > 0n ? [moved(COINS, from, to, BigInt(value))] : []),
      ...(isDeposit
        ? [moved(`0x${input.slice(98, 138)}`, from, to, BigInt(`0x${input.slice(138, 202)}`))]
        : []),
      ...(chain.trial?.(call) ?? []),
    ]
  }
  async function ask(method: string, params: readonly unknown[] = []): Promise<unknown> {
    if (chain.isDown) throw new NodeError(-32603, 'down')
    const [first, second] = params as [never, never]
    switch (method) {
      case 'eth_chainId':
        return hex(chainId)
      case 'eth_blockNumber':
        return hex(chain.block)
      case 'eth_getBalance':
        return hex(chain.coin)
      case 'eth_call':
        return word((first as { data: string }).data.startsWith('0xdd62ed3e') ? chain.allowance : chain.usdc)
      case 'eth_getTransactionCount': {
        const until = second === 'latest' || second === 'pending' ? chain.block : BigInt(second)
        const count = chain.mined.filter(({ block }) => block <= until).length
        return hex(BigInt(count) + (second === 'pending' ? chain.waiting : 0n))
      }
      case 'eth_getBlockByNumber':
        return first === 'latest'
          ? { gasLimit: '0x1c9c380', baseFeePerGas: '0x3b9aca00' }
          : { transactions: chain.mined.filter(({ block }) => block === BigInt(first)).map(written) }
      case 'eth_estimateGas':
        return chain.estimate()
      case 'eth_simulateV1':
        if (!chain.trial) throw new NodeError(-32601, 'no eth_simulateV1')
        return (first as { blockStateCalls: { calls: TriedCall[] }[] }).blockStateCalls.map(({ calls }) => ({
          number: hex(chain.block + 1n),
          baseFeePerGas: '0x3b9aca00',
          calls: calls.map((call) => ({
            status: '0x1',
            gasUsed: '0x5208',
            // Contracts say nothing, so their logs stand.
            returnData: '0x',
            logs: call.from === undefined ? [] : logsOf(call),
          })),
        }))
      case 'eth_maxPriorityFeePerGas':
        return '0x3b9aca00'
      case 'eth_gasPrice':
        return '0x77359400'
      case 'eth_getTransactionByHash': {
        const found = chain.mined.find(({ hash }) => hash === first)
        return found ? written(found) : null
      }
      case 'eth_getTransactionReceipt':
        return chain.receipts.has(first) ? { status: '0x1' } : null
      default:
        throw new NodeError(-32601, `no ${method}`)
    }
  }
  return chain
}

/** A wallet that is connected, on the chain that it is on. */
export function fakeAccount({
  name = 'MetaMask',
  address = payer,
  chainId = 8453,
  stays = false,
}: {
  name?: string
  address?: string
  chainId?: number
  stays?: boolean
} = {}) {
  const on = (id: number) => [{ address, chainId: `eip155:${id}` }]
  const accounts = createStore<readonly object[]>(on(chainId))
  const switched: number[] = []
  let refusal: unknown
  return {
    switched,
    refuse(cause: unknown) {
      refusal = cause
    },
    account: {
      address,
      chainType: 'ethereum',
      chainId: `eip155:${chainId}`,
      connectorType: 'injected',
      walletClientType: name.toLowerCase(),
      meta: { id: name.toLowerCase(), name, icon: undefined },
      connectedAt: 0,
      connector: {
        accounts,
        async switchChain(id: number) {
          switched.push(id)
          if (refusal) throw refusal
          if (!stays) accounts.set(on(id))
        },
      },
    } as unknown as ConnectedAccount,
  }
}

export type QuoteChange = (quote: BridgeQuote, at: number) => BridgeQuote
/** A bridge that takes half a percent, with the steps that a wallet signs. */
export function fakeBridge() {
  const asked: BridgeRequest[] = []
  let states: (BridgeStatus['state'] | 'lost')[] = ['success']
  let change: QuoteChange = (quote) => quote
  let quoteFailure: unknown
  const client: BridgeClient = {
    async quote(request) {
      asked.push(request)
      if (quoteFailure !== undefined) {
        if (quoteFailure === 'invalid-address') return undefined
        throw quoteFailure
      }
      return change(quoteOf(request), asked.length)
    },
    async status() {
      const [state = 'success', ...rest] = states
      if (rest.length > 0) states = rest
      if (state === 'lost') throw new TypeError('Failed to fetch')
      return {
        state,
        deposits: state === 'waiting' ? [] : [hashOf(1)],
        payments: state === 'success' || state === 'refund' ? [hashOf(0xa1)] : [],
      }
    },
  }
  return {
    client,
    asked,
    say: (...next: typeof states) => {
      states = next
    },
    changeQuotes: (next: QuoteChange) => {
      change = next
    },
    fail: (cause: unknown) => {
      quoteFailure = cause
    },
  }
}

/** Price of one whole ether in USDC. */
const RATE = 2_500n
export function quoteOf({ user, recipient, from, to, amount }: BridgeRequest): BridgeQuote {
  const isCoin = (address: string) => /^0x0+$/.test(address)
  const side = ({ chainId, address }: BridgeRequest['from'], sum: bigint) => ({
    chainId,
    address,
    symbol: isCoin(address) ? 'ETH' : 'USDC',
    decimals: isCoin(address) ? 18 : 6,
    amount: sum,
  })
  const same = isCoin(from.address) === isCoin(to.address)
  const plain = same
    ? amount
    : isCoin(from.address)
      ? (amount * 10n ** 12n) / RATE
      : (amount * RATE) / 10n ** 12n
  const pays = plain + plain / 200n
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const call = (item: Partial<EthereumItem>): EthereumItem => ({
    kind: 'ethereum',
    chainId: from.chainId,
    from: user,
    to: depository,
    value: 0n,
    data: isCoin(from.address)
      ? `0x49290c1c${word(BigInt(user))}${requestId.slice(2)}`
      : `0xe8017952${word(BigInt(user))}${word(BigInt(from.address))}${word(pays)}${requestId.slice(2)}`,
    ...item,
  })
  const approval = call({
    to: from.address,
    data: `0x095ea7b3${word(BigInt(depository))}${word(pays)}`,
  })
  return {
    sender: user,
    recipient,
    pays: side(from, pays),
    receives: side(to, amount),
    fee: side(from, plain / 200n),
    seconds: 2,
    steps: [
      ...(isCoin(from.address) ? [] : [{ id: 'approve', requestId, items: [approval] }]),
      { id: 'deposit', requestId, items: [call({ value: isCoin(from.address) ? pays : 0n })] },
    ],
  }
}

export interface WorldOptions {
  readonly target?: FundingTarget
  readonly chains?: Readonly<Record<number, FakeChain>>
  readonly accounts?: readonly ReturnType<typeof fakeAccount>[]
  readonly hasBridge?: boolean
  /** Shared by the tabs of a browser, and by what follows a reload. */
  readonly storage?: Storage
  readonly clock?: TestClock
  readonly bridge?: ReturnType<typeof fakeBridge>
  readonly entries?: ReturnType<typeof createStore<readonly ActivityEntry[]>>
}

/** A page of the app in which the user funds a wallet. */
export function openPage({
  target = baseTarget,
  chains = { 8453: fakeChain(8453, ether('1'), 100_000_000n) },
  accounts = [fakeAccount()],
  hasBridge = false,
  storage = memoryStorage(),
  clock = testClock(),
  bridge = fakeBridge(),
  entries = createStore<readonly ActivityEntry[]>([]),
}: WorldOptions = {}) {
  const person = scriptedPerson(clock)
  const runs = createRuns({ clock, makeSurface: () => person.surface, openWindow: () => null })
  const told: KitError[] = []
  const sent: WalletTransaction[] = []
  const ended = new Map<string, Partial<ActivityEntry> | 'open'>()
  let answer: (request: WalletTransaction, at: number) => Promise<{ hash: string }> = async (_, at) => ({
    hash: hashOf(at),
  })
  const connected = createStore(accounts.map(({ account }) => account))
  const external = {
    connected,
    offers: async () => [],
    onFound: () => () => {},
  }
  const services: TransferServices = {
    connecting: (cx) => ({ ...cx, wallets: { external: async () => external } }) as never,
    nodeOf: (id) => chains[id]?.node,
    solana: async () => undefined,
    activity: {
      entries,
      add: (entry) => entries.set([entry, ...entries.get()]),
      remove: ({ hash }) => entries.set(entries.get().filter((each) => each.hash !== hash)),
      async settled(id, signal) {
        const entry = entries.get().find(({ hash }) => hash === id.hash)
        if (!entry) throw new DOMException('gone', 'AbortError')
        for (;;) {
          const end = ended.get(id.hash)
          if (end !== 'open') return { entry: { ...entry, status: 'confirmed', ...end } }
          await clock.sleep(1_000, signal)
        }
      },
    },
    prices: { of: async () => undefined },
    payments: createPaymentStore(storage, { key: 'payments', now: clock.now }),
    bridge: hasBridge ? bridge.client : undefined,
    bridgeDeposits,
    async send(_, request) {
      sent.push(request)
      return answer(request, sent.length)
    },
    sign: async () => {
      throw new TypeError('No wallet of Solana is connected')
    },
  }
  const config = resolveConfig(
    {
      supportedChains: Object.keys(chains).map((id) => ({
        id: Number(id),
        name: ({ 1: 'Ethereum', 8453: 'Base', 10: 'Optimism' } as Record<string, string>)[id] ?? id,
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: { default: { http: [] } },
      })),
    },
    { name: 'Harbor', loginMethods: new Set() } as never,
  )
  const start = () =>
    runs
      .run('fund', {}, (stage) =>
        fund(
          {
            stage,
            clock,
            config,
            page: { language: 'en', userAgent: '' },
            t: createTranslate({}),
            report: (error: KitError) => void told.push(error),
            recentWallet: undefined,
          } as never,
          {
            target,
            methods: { wallet: transferring(services) },
            first: 'wallet',
            readBalance: async () => 0n,
          },
        ),
      )
      .then(
        (value) => ({ value: value === 'back' ? undefined : value, error: undefined }),
        (error: KitError) => ({ value: undefined, error }),
      )
  return {
    clock,
    person,
    storage,
    bridge,
    entries,
    told,
    sent,
    connected,
    start,
    payments: services.payments,
    async run(script: readonly Step[]) {
      const work = start()
      await person.follow(script)
      return work
    },
    /** Sets the wallet's answers. */
    wallet: (next: typeof answer) => {
      answer = next
    },
    /** Sets the network's decision about a transaction. */
    network: (hash: string, end: Partial<ActivityEntry> | 'open') => {
      ended.set(hash, end)
    },
  }
}

/** Chooses the wallet, and confirms the amount that is proposed. */
export const choose = (amount = '0.02', address = payer, name = 'metamask'): readonly Step[] => [
  ['transfer-wallet', { connected: `${name} injected ethereum ${address}` }],
  ['funding-amount', { amount }],
]
