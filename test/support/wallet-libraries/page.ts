/** A host's own code: the libraries as their vendors ship them, and of Latchkey nothing but its elements. */

import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import { Connection, Keypair, LAMPORTS_PER_SOL, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  parseEther,
  verifyTypedData,
} from 'viem'
import type { ConnectedWallet } from '../../../src/index.ts'
import type { EthereumProvider, SolanaProvider } from '../../../src/wallets/external/connector.ts'

const wallets = () => document.querySelector('wallet-connector')?.kit?.wallets.get() ?? []
const walletOn = (chain: ConnectedWallet['chainType']): ConnectedWallet => {
  const wallet = wallets().find(({ chainType }) => chainType === chain)
  if (!wallet) throw new Error(`No wallet for ${chain} is connected`)
  return wallet
}
const base = defineChain({
  id: 8453,
  name: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://localhost'] } },
})

/** viem's own client on the provider: it reads, signs, sends and moves to another chain. */
async function ethereum(to: Address) {
  const provider = walletOn('ethereum').getProvider() as EthereumProvider
  const transport = custom(provider)
  const heard: unknown[] = []
  provider.on('chainChanged', (chainId: unknown) => heard.push(chainId))
  const client = createWalletClient({ transport })
  const reader = createPublicClient({ transport, pollingInterval: 50 })
  const [account] = await client.requestAddresses()
  if (!account) throw new Error('No account')
  const typed = {
    domain: { name: 'Harbor', chainId: 1 },
    primaryType: 'Berth',
    message: { number: 7n },
    types: { Berth: [{ name: 'number', type: 'uint256' }] },
  } as const
  const signature = await client.signTypedData({ account, ...typed })
  const before = await reader.getBalance({ address: to })
  const hash = await client.sendTransaction({ account, to, value: parseEther('1.5'), chain: null })
  const { status, from } = await reader.waitForTransactionReceipt({ hash })
  const after = await reader.getBalance({ address: to })
  await client.switchChain(base)
  const moved = await client.sendTransaction({ account, to, value: 1n, chain: base })
  const receipt = await reader.waitForTransactionReceipt({ hash: moved })
  return {
    addresses: [account, walletOn('ethereum').address, from],
    signed: await verifyTypedData({ ...typed, address: account, signature }),
    sent: [status, String(after - before)],
    moved: [receipt.status, await client.getChainId(), heard],
  }
}

/** web3.js with a connection of its own; the wallet signs, or signs and sends. */
async function solana(rpcUrl: string) {
  const { wallet, account } = walletOn('solana').getProvider() as SolanaProvider
  const connection = new Connection(rpcUrl, 'confirmed')
  const from = new PublicKey(account.address)
  const confirmed = async (signature: string) => {
    const latest = await connection.getLatestBlockhash()
    return (await connection.confirmTransaction({ signature, ...latest })).value.err
  }
  const airdrop = await confirmed(await connection.requestAirdrop(from, 2 * LAMPORTS_PER_SOL))
  const to = Keypair.generate().publicKey
  const transfer = async (lamports: number) => {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: from, blockhash, lastValidBlockHeight })
    transaction.add(SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports }))
    return Uint8Array.from(transaction.serialize({ requireAllSignatures: false }))
  }
  const features = wallet.features as SolanaSignTransactionFeature & SolanaSignAndSendTransactionFeature
  const { signTransaction } = features['solana:signTransaction']
  const { signAndSendTransaction } = features['solana:signAndSendTransaction']
  const chain = 'solana:mainnet'
  const [signed] = await signTransaction({ account, transaction: await transfer(500_000_000), chain })
  const first = await connection.sendRawTransaction(signed?.signedTransaction ?? new Uint8Array())
  const firstError = await confirmed(first)
  const [sent] = await signAndSendTransaction({ account, transaction: await transfer(250_000_000), chain })
  return {
    errors: [airdrop, firstError],
    signatures: [first.length > 80, sent?.signature.length],
    balance: await balanceOf(connection, to, 750_000_000),
  }
}

/** Once it has arrived; what is there otherwise. */
async function balanceOf(connection: Connection, to: PublicKey, expected: number): Promise<number> {
  let balance = 0
  for (let tries = 0; balance !== expected && tries < 50; tries++) {
    balance = await connection.getBalance(to)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return balance
}

export const libraries = { ethereum, solana }
export type Libraries = typeof libraries
Object.assign(window, { libraries })
