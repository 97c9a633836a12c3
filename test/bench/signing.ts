/** What a user waits for before a preview: nodes of set latencies, and the time that reading a request takes. Nothing but Node is needed. */
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  Keypair,
  type PublicKey,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { createSource, describeTransaction, readDescriptors } from '../../src/clear-signing/index.ts'
import { prepareTransaction } from '../../src/ethereum/prepare-transaction.ts'
import { createNode } from '../../src/ethereum/rpc.ts'
import { readToken } from '../../src/ethereum/tokens.ts'
import { parseTransaction, withSender } from '../../src/ethereum/transaction.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { Fetch } from '../../src/lib/retrying-fetch.ts'
import { decodeActions } from '../../src/solana/decode.ts'
import { decodeTransaction } from '../../src/solana/message.ts'
import { parseRequest, prepare } from '../../src/solana/prepare.ts'
import { createSolanaRpc } from '../../src/solana/rpc.ts'
import { simulate } from '../../src/solana/simulate.ts'
import { fakeNode, type NodeAnswer } from '../support/chain-node.ts'
import {
  account,
  inContext,
  legacyTransaction,
  solanaBlockhash,
  solanaKeys,
  transferTo,
  walletNode,
} from '../support/solana-node.ts'
import { type Figure, median } from './figures.ts'

/** A second round is for what the first one decides: a fee that is added, or accounts out of a lookup table. */
const budgets = { preview: 1.2, secondRound: 2.2, instructions: 10, values: 50 }
const turns = 7
/** Milliseconds that the node takes for its answers, one after the other. */
const latencies = [120, 180, 250, 150, 200]

const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const oracle = '0x420000000000000000000000000000000000000F'
const one = `0x${'1'.padStart(64, '0')}`
const history = { reward: [['0x3b9aca00', '0x77359400', '0xb2d05e00']] }

export async function signingFigures(): Promise<Figure[]> {
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to, 5n] })
  return [
    await previewFigure('Ethereum, a transfer', ethereumPreview({ to, value: '0x1' })),
    await previewFigure('Ethereum, an allowance', ethereumPreview({ to, data: approve })),
    await previewFigure('the OP stack, an allowance', ethereumPreview({ to, data: approve }, oracle)),
    await previewFigure('Solana, as the app wants it', solanaPreview(false)),
    await previewFigure('Solana, with a priority fee', solanaPreview(true), budgets.secondRound),
    await previewFigure(
      'Solana, with a lookup table',
      solanaPreview(false, lookupTransaction()),
      budgets.secondRound,
    ),
    decodeFigure(),
    describeFigure(),
  ]
}

/** A request up to all that its preview displays, by a node that is asked through `fetch`. */
type Preview = (slow: (fetch: Fetch) => Fetch) => Promise<unknown>

async function previewFigure(
  name: string,
  preview: Preview,
  budget: number = budgets.preview,
): Promise<Figure> {
  const ratios: number[] = []
  let asked = 0
  for (let turn = 0; turn < turns; turn++) {
    const taken: number[] = []
    const slow =
      (fetch: Fetch): Fetch =>
      async (url, init) => {
        const started = performance.now()
        const answer = await fetch(url, init)
        await systemClock.sleep(latencies[asked++ % latencies.length] ?? 0)
        taken.push(performance.now() - started)
        return answer
      }
    const started = performance.now()
    await preview(slow)
    ratios.push((performance.now() - started) / Math.max(...taken))
  }
  return {
    what: `request to preview: ${name}`,
    value: median(ratios),
    unit: '×',
    budget,
    note: `of the node's slowest answer, ${asked / turns} requests`,
  }
}

const ethereumPreview =
  (fields: object, gasPriceOracle?: string): Preview =>
  async (slow) => {
    const { fetch } = fakeNode({ eth_feeHistory: history, eth_call: one })
    const node = createNode({ url: 'https://node.example/', clock: systemClock, fetch: slow(fetch) })
    const request = withSender(parseTransaction(fields, { chainId: 1 }), from)
    await Promise.all([
      prepareTransaction(node, request, { gasPriceOracle }),
      request.data === '0x' ? undefined : readToken(node, to, { owner: from }),
    ])
  }

const solanaPreview =
  (mayChange: boolean, bytes = legacyTransaction()): Preview =>
  async (slow) => {
    const wallet = Keypair.fromSeed(new Uint8Array(32).fill(11)).publicKey.toBase58()
    const { fetch } = fakeNode({
      ...walletNode(wallet),
      getMultipleAccounts: ([addresses]): NodeAnswer => ({
        result: inContext((addresses as string[]).map((each) => (each === table ? tableState : null))),
      }),
      getRecentPrioritizationFees: () => ({ result: [{ slot: 1, prioritizationFee: 5_000 }] }),
    })
    const rpc = createSolanaRpc({ urls: ['https://node.example'], clock: systemClock, fetch: slow(fetch) })
    const cx = { rpc, clock: systemClock }
    const prepared = await prepare(cx, parseRequest(bytes, wallet), {
      mayChange,
      isReviewed: true,
    })
    await simulate(cx, prepared)
  }

const [payer, recipient, tableKey] = solanaKeys.map(({ publicKey }) => publicKey) as [
  PublicKey,
  PublicKey,
  PublicKey,
]
const table = tableKey.toBase58()
/** The header of a table, and one address. */
const tableState = account(
  1,
  AddressLookupTableProgram.programId.toBase58(),
  Uint8Array.from([1, ...new Uint8Array(55), ...recipient.toBytes()]),
)

function lookupTransaction(): Uint8Array<ArrayBuffer> {
  const state = {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [recipient],
  }
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: solanaBlockhash,
    instructions: [transferTo(recipient, 5_000_000)],
  }).compileToV0Message([new AddressLookupTableAccount({ key: tableKey, state })])
  return Uint8Array.from(new VersionedTransaction(message).serialize())
}

/** The best of several runs says what the code takes, and not what else the machine does. */
function bestOf(what: string, budget: number, act: () => void): Figure {
  for (let round = 0; round < 5; round++) act()
  const times = Array.from({ length: 15 }, () => {
    const started = performance.now()
    act()
    return performance.now() - started
  })
  const value = Math.min(...times)
  return { what, value, unit: 'ms', budget, note: `best of 15, median ${median(times).toFixed(1)}` }
}

function decodeFigure(): Figure {
  const friend = Keypair.fromSeed(new Uint8Array(32).fill(12)).publicKey
  const bytes = legacyTransaction(...Array.from({ length: 50 }, (_, at) => transferTo(friend, at + 1)))
  const { message } = decodeTransaction(bytes)
  const hundred = { ...message, instructions: [...message.instructions, ...message.instructions] }
  if (decodeActions(hundred).length !== 100) throw new Error('These are not 100 instructions')
  return bestOf('100 instructions of Solana, decoded', budgets.instructions, () => decodeActions(hundred))
}

function describeFigure(): Figure {
  const key = 'f(uint256[] n)'
  const descriptors = createSource(
    readDescriptors(
      [
        {
          context: { contract: { deployments: [{ chainId: 1, address: to }] } },
          metadata: { owner: 'Harbor' },
          display: {
            formats: { [key]: { intent: 'Do', fields: [{ path: 'n.[0]', label: 'First', format: 'raw' }] } },
          },
        },
      ],
      'registry',
    ),
  )
  const data = encodeFunctionData({
    abi: parseAbi(['function f(uint256[] n)']),
    args: [Array.from({ length: 16_384 }, (_, at) => BigInt(at))],
  })
  const describeCall = () => describeTransaction({ chainId: 1, to, data }, { descriptors })
  if (!describeCall().isDescribed) throw new Error('The call was not described')
  return bestOf('clear signing of 16,384 values', budgets.values, describeCall)
}
