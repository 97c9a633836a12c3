import { base64 } from '@scure/base'
import { Keypair, PublicKey, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { createSolanaRpc } from '../../src/solana/rpc.ts'
import { fakeNode, type NodeAnswer } from './chain-node.ts'
import { testClock } from './clock.ts'

export const solanaKeys = Array.from({ length: 6 }, (_, at) =>
  Keypair.fromSeed(new Uint8Array(32).fill(at + 11)),
)
const [payer, friend] = solanaKeys.map((key) => key.publicKey) as [PublicKey, PublicKey]
export const solanaBlockhash = new PublicKey(new Uint8Array(32).fill(9)).toBase58()

export const inContext = (value: unknown, slot = 5) => ({ context: { slot }, value })
export const account = (
  lamports: number,
  owner = SystemProgram.programId.toBase58(),
  data = new Uint8Array(),
) => ({
  lamports,
  owner,
  data: [base64.encode(data), 'base64'],
  executable: false,
  rentEpoch: 0,
})
export const transferTo = (to: PublicKey, lamports: number, from = payer) =>
  SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports })
/** An unsigned transaction of the older form, as bytes. */
export function legacyTransaction(...instructions: TransactionInstruction[]) {
  const built = new Transaction({ feePayer: payer, blockhash: solanaBlockhash, lastValidBlockHeight: 1 })
  built.add(...(instructions.length > 0 ? instructions : [transferTo(friend, 5_000_000)]))
  return Uint8Array.from(built.serialize({ requireAllSignatures: false, verifySignatures: false }))
}

type Answers = NonNullable<Parameters<typeof fakeNode>[0]>
const healthy: Answers = {
  getLatestBlockhash: inContext({ blockhash: solanaBlockhash, lastValidBlockHeight: 150 }),
  getBalance: inContext(2_000_000_000),
  getMinimumBalanceForRentExemption: ([size]): NodeAnswer => ({
    result: 890_880 + Number(size) * 6_960,
  }),
  getMultipleAccounts: ([addresses]): NodeAnswer => ({
    result: inContext((addresses as string[]).map(() => null)),
  }),
  getFeeForMessage: inContext(5_000),
  getRecentPrioritizationFees: (): NodeAnswer => ({ result: [] }),
  getBlockHeight: 100,
  getEpochInfo: { blockHeight: 100, absoluteSlot: 5 },
  getSignatureStatuses: inContext([null]),
  getTransaction: null,
}

/** Nodes of Solana that answer what a test says, each at a URL of its own, and a clock that a test moves. */
export function scriptedNodes(...scripts: Answers[]) {
  const nodes = scripts.map((answers) => fakeNode({ ...healthy, ...answers }))
  const clock = testClock()
  const urls = nodes.map((_, at) => `https://node-${at}.example`)
  const rpc = createSolanaRpc({
    urls,
    clock,
    fetch: (url, init) => {
      const node = nodes[urls.indexOf(url)]
      if (!node) throw new Error(`There is no node at ${url}`)
      return node.fetch(url, init)
    },
  })
  /** Lets time pass until the work is done. */
  async function finish<T>(work: Promise<T>, atMost = 400_000): Promise<T> {
    let isDone = false
    const end = work.finally(() => {
      isDone = true
    })
    end.catch(() => {})
    for (let passed = 0; !isDone && passed < atMost; passed += 500) await clock.advance(500)
    return end
  }
  return { rpc, clock, nodes, finish, methods: () => nodes.map((node) => node.methods()) }
}
