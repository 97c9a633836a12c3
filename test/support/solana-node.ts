import { base58, base64 } from '@scure/base'
import { Keypair, PublicKey, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { decodeActions } from '../../src/solana/decode.ts'
import { lamportsSent } from '../../src/solana/fees.ts'
import { decodeTransaction } from '../../src/solana/message.ts'
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

export type Answers = NonNullable<Parameters<typeof fakeNode>[0]>
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

/**
 * A node with one wallet on it that has lamports, for kits: it carries transfers out in trial runs, takes what is sent, and confirms
 * it at once.
 */
export function walletNode(
  wallet: string,
  { lamports = 5_000_000_000n, fee = 5_000n }: { lamports?: bigint; fee?: bigint } = {},
): Answers {
  const sent = new Map<string, { accounts: number; paid: bigint }>()
  const read = (raw: unknown) => {
    const { message } = decodeTransaction(base64.decode(String(raw)))
    const own = message.payer === wallet ? fee : 0n
    return { message, paid: lamportsSent(decodeActions(message), wallet) + own }
  }
  const stateOf = (address: string, paid = 0n) =>
    address === wallet ? account(Number(lamports - paid)) : account(1_000_000)
  return {
    ...healthy,
    getBalance: inContext(String(lamports)),
    getMultipleAccounts: ([addresses]): NodeAnswer => ({
      result: inContext((addresses as string[]).map((each) => (each === wallet ? stateOf(each) : null))),
    }),
    getFeeForMessage: inContext(Number(fee)),
    simulateTransaction: ([raw, config]): NodeAnswer => {
      const { addresses } = (config as { accounts: { addresses: string[] } }).accounts
      const { paid } = read(raw)
      if (paid > lamports) {
        const logs = [`Transfer: insufficient lamports ${lamports - fee}, need ${paid - fee}`]
        const err = { InstructionError: [0, { Custom: 1 }] }
        return { result: inContext({ err, logs, unitsConsumed: 150, accounts: null }) }
      }
      const accounts = addresses.map((each) => stateOf(each, paid))
      return {
        result: inContext({ err: null, logs: [], unitsConsumed: 150, accounts, innerInstructions: [] }),
      }
    },
    sendTransaction: ([raw]): NodeAnswer => {
      const { message, paid } = read(raw)
      const signature = base58.encode(base64.decode(String(raw)).slice(1, 65))
      sent.set(signature, { accounts: message.accounts.length, paid })
      return { result: signature }
    },
    getSignatureStatuses: ([signatures]): NodeAnswer => ({
      result: inContext(
        (signatures as string[]).map((each) =>
          sent.has(each) ? { slot: 6, confirmations: 1, err: null, confirmationStatus: 'confirmed' } : null,
        ),
      ),
    }),
    getTransaction: ([signature]): NodeAnswer => {
      const found = sent.get(String(signature))
      if (!found) return { result: null }
      const { accounts, paid } = found
      const rest = Array.from({ length: accounts - 1 }, () => 1_000_000)
      return {
        result: {
          slot: 6,
          blockTime: 1_700_000_000,
          meta: {
            err: null,
            fee: Number(fee),
            preBalances: [Number(lamports), ...rest],
            postBalances: [Number(lamports - paid), ...rest],
            preTokenBalances: [],
            postTokenBalances: [],
            logMessages: [],
            computeUnitsConsumed: 150,
          },
        },
      }
    },
  }
}
