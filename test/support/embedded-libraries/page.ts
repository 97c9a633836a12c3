/** A host's own code: libraries that look for wallets in the page, and know nothing of Latchkey. */
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import type { StandardConnectFeature } from '@wallet-standard/features'
import { createStore, type EIP1193Provider, type EIP6963ProviderDetail } from 'mipd'
import {
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  verifyTypedData,
} from 'viem'

const store = createStore()
const solanaWallets = getWallets()
const heard: string[] = []

const found = () => ({
  ethereum: store.getProviders().map(({ info: { name, rdns, icon } }) => [name, rdns, icon.slice(0, 11)]),
  solana: solanaWallets.get().map(({ name, accounts }) => [name, accounts.length]),
})

function ethereumWallet(): EIP6963ProviderDetail {
  const [only, ...others] = store.getProviders()
  if (!only || others.length > 0) throw new Error(`${store.getProviders().length} wallets`)
  return only
}
const chain = (id: number, name: string) =>
  defineChain({
    id,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: ['http://localhost'] } },
  })

const typed = {
  domain: { name: 'Harbor', version: '1', chainId: 1 },
  primaryType: 'Berth',
  message: { number: 7n, owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  types: {
    Berth: [
      { name: 'number', type: 'uint256' },
      { name: 'owner', type: 'address' },
    ],
  },
} as const

function clients() {
  const { provider } = ethereumWallet()
  const transport = custom(provider as EIP1193Provider)
  return {
    client: createWalletClient({ transport }),
    reader: createPublicClient({ transport, pollingInterval: 50 }),
  }
}

/** As wagmi does it: what is announced is connected, and from then on heard. */
async function connect(): Promise<string[]> {
  const { provider } = ethereumWallet()
  for (const event of ['connect', 'disconnect', 'accountsChanged', 'chainChanged'])
    provider.on(event as 'connect', (detail: unknown) =>
      heard.push(
        `${event} ${detail instanceof Error ? (detail as Error & { code: number }).code : JSON.stringify(detail)}`,
      ),
    )
  return [...(await clients().client.requestAddresses())]
}

async function signTypedData(): Promise<boolean> {
  const { client } = clients()
  const [account] = await client.getAddresses()
  if (!account) throw new Error('No account')
  const signature = await client.signTypedData({ account, ...typed })
  return verifyTypedData({ ...typed, address: account, signature })
}

async function send(to: Address, value: string): Promise<[string, string]> {
  const { client, reader } = clients()
  const [account] = await client.getAddresses()
  if (!account) throw new Error('No account')
  const before = await reader.getBalance({ address: to })
  const hash = await client.sendTransaction({
    account,
    to,
    value: BigInt(value),
    chain: chain(1, 'Ethereum'),
  })
  const { status } = await reader.waitForTransactionReceipt({ hash })
  return [status, String((await reader.getBalance({ address: to })) - before)]
}

async function moveTo(id: number): Promise<number> {
  const { client } = clients()
  await client.switchChain(chain(id, 'Base'))
  return client.getChainId()
}

/** What a request that can't be done ends with. */
const failure = async (method: string, params?: unknown): Promise<number | undefined> =>
  ethereumWallet()
    .provider.request({ method, params } as never)
    .then(
      () => undefined,
      ({ code }) => code,
    )

function solanaWallet(): Wallet & {
  features: StandardConnectFeature &
    SolanaSignMessageFeature &
    SolanaSignTransactionFeature &
    SolanaSignAndSendTransactionFeature
} {
  const [only, ...others] = solanaWallets.get()
  if (!only || others.length > 0) throw new Error(`${solanaWallets.get().length} wallets`)
  return only as ReturnType<typeof solanaWallet>
}

async function solanaAccount(rpcUrl: string) {
  const wallet = solanaWallet()
  const { accounts } = await wallet.features['standard:connect'].connect()
  const [account] = accounts
  if (!account) throw new Error('No account')
  return {
    ...wallet.features,
    account,
    key: new PublicKey(account.publicKey),
    connection: new Connection(rpcUrl, 'confirmed'),
  }
}

async function airdrop(rpcUrl: string): Promise<string> {
  const { connection, key } = await solanaAccount(rpcUrl)
  const signature = await connection.requestAirdrop(key, 2 * LAMPORTS_PER_SOL)
  await connection.confirmTransaction({ signature, ...(await connection.getLatestBlockhash()) })
  return key.toBase58()
}

async function signSolana(rpcUrl: string): Promise<boolean> {
  const { account, key, ...features } = await solanaAccount(rpcUrl)
  const message = new TextEncoder().encode('Hello from Solana')
  const [signed] = await features['solana:signMessage'].signMessage({ account, message })
  const imported = await crypto.subtle.importKey('raw', key.toBytes() as BufferSource, 'Ed25519', false, [
    'verify',
  ])
  return crypto.subtle.verify('Ed25519', imported, signed?.signature as BufferSource, message)
}

/** An old transaction that the page sends itself, and a new one that the wallet sends. */
async function sendSolana(rpcUrl: string, kind: 'signed here' | 'sent by the wallet'): Promise<number> {
  const { account, key, connection, ...features } = await solanaAccount(rpcUrl)
  const to = Keypair.generate().publicKey
  const step = SystemProgram.transfer({ fromPubkey: key, toPubkey: to, lamports: 250_000_000 })
  const latest = await connection.getLatestBlockhash()
  const chain = 'solana:mainnet'
  if (kind === 'signed here') {
    const transaction = new Transaction({ feePayer: key, ...latest }).add(step)
    const bytes = Uint8Array.from(transaction.serialize({ requireAllSignatures: false }))
    const [signed] = await features['solana:signTransaction'].signTransaction({
      account,
      transaction: bytes,
      chain,
    })
    const signature = await connection.sendRawTransaction(signed?.signedTransaction ?? new Uint8Array())
    await connection.confirmTransaction({ signature, ...latest })
  } else {
    const message = new TransactionMessage({
      payerKey: key,
      recentBlockhash: latest.blockhash,
      instructions: [step],
    })
    const transaction = new VersionedTransaction(message.compileToV0Message()).serialize()
    await features['solana:signAndSendTransaction'].signAndSendTransaction({
      account,
      transaction,
      chain,
      options: { commitment: 'confirmed' },
    })
  }
  return connection.getBalance(to)
}

export const embeddedLibraries = {
  found,
  connect,
  signTypedData,
  send,
  moveTo,
  failure,
  heard: () => heard,
  airdrop,
  signSolana,
  sendSolana,
}
export type EmbeddedLibraries = typeof embeddedLibraries
Object.assign(window, { embeddedLibraries })
