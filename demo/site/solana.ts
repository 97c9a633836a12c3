import {
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase58Decoder,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import type { SolanaProvider } from '../../src/index.ts'

/** Somebody who has no wallet here. */
const friend = 'FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T' as Address
const system = '11111111111111111111111111111111' as Address
const lamportsPerSol = 1_000_000_000n
/** The number of a transfer among the system program's instructions. */
const transferInstruction = 2

async function call<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = (await answer.json()) as { result?: T; error?: { message: string } }
  if (error) throw new Error(error.message)
  return result as T
}

/** Gives an address play money: the network is this machine's. */
export const getSol = (url: string, address: string, sol: number) =>
  call<string>(url, 'requestAirdrop', [address, sol * Number(lamportsPerSol)])

/** Has the wallet sign a transfer and send it. @returns the transaction's signature, in base58 */
export async function sendSol(url: string, provider: SolanaProvider, sol: number): Promise<string> {
  const { wallet, account } = provider
  const from = account.address as Address
  const { value } = await call<{ value: { blockhash: string; lastValidBlockHeight: number } }>(
    url,
    'getLatestBlockhash',
    [],
  )
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(from, m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        {
          blockhash: value.blockhash as Blockhash,
          lastValidBlockHeight: BigInt(value.lastValidBlockHeight),
        },
        m,
      ),
    (m) =>
      appendTransactionMessageInstruction(
        {
          programAddress: system,
          // Writable and signing; writable.
          accounts: [
            { address: from, role: 3 },
            { address: friend, role: 1 },
          ],
          data: transferData(BigInt(Math.round(sol * Number(lamportsPerSol)))),
        },
        m,
      ),
  )
  const transaction = Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)))
  const feature = wallet.features['solana:signAndSendTransaction'] as {
    signAndSendTransaction(input: object): Promise<readonly { signature: Uint8Array }[]>
  }
  const [sent] = await feature.signAndSendTransaction({ account, transaction, chain: 'solana:mainnet' })
  if (!sent) throw new Error('The wallet has sent nothing')
  return getBase58Decoder().decode(sent.signature)
}

function transferData(lamports: bigint): Uint8Array {
  const data = new DataView(new ArrayBuffer(12))
  data.setUint32(0, transferInstruction, true)
  data.setBigUint64(4, lamports, true)
  return new Uint8Array(data.buffer)
}
