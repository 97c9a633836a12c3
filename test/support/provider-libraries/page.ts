/** A host's own code: libraries as their vendors ship them, each of which finds the embedded wallet by the standards alone. */
import {
  appendTransactionMessageInstruction,
  assertIsSendableTransaction,
  assertIsTransactionWithBlockhashLifetime,
  compileTransaction,
  createNoopSigner,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  getTransactionDecoder,
  getTransactionEncoder,
  isSolanaError,
  lamports,
  pipe,
  type SendableTransaction,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  address as toAddress,
} from '@solana/kit'
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import {
  Connection,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { getTransferSolInstruction } from '@solana-program/system'
import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import type { StandardConnectFeature } from '@wallet-standard/features'
import * as ethers from 'ethers'
import { createStore, type EIP1193Provider } from 'mipd'
import {
  type Address,
  BaseError,
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  erc20Abi,
  recoverTransactionAddress,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import type { LoginModal } from '../../../src/index.ts'

const announced = createStore()
const solanaWallets = getWallets()

/** Some of the demo's pages have wallets of their own beside the embedded one. */
const ownEthereum = () =>
  announced.getProviders().filter(({ info }) => info.rdns !== 'org.example.demo-wallet')
const ownSolana = () => solanaWallets.get().filter(({ name }) => name !== 'Demo Solana Wallet')

/** The provider of the user's smart wallet, once a step has chosen it. */
let smartProvider: EIP1193Provider | undefined

function ethereumProvider(): EIP1193Provider {
  if (smartProvider) return smartProvider
  const [only, ...others] = ownEthereum()
  if (!only || others.length > 0) throw new Error(`${ownEthereum().length} wallets`)
  return only.provider as EIP1193Provider
}

/** What each library has to do, one step a call. A step that a user decides about waits for that. */
interface Steps {
  readonly [name: string]: (...input: never[]) => Promise<unknown>
}

const domain = { name: 'Harbor', version: '1', chainId: 1 } as const
const types = {
  Berth: [
    { name: 'number', type: 'uint256' },
    { name: 'owner', type: 'address' },
  ],
} as const
const message = { number: 7n, owner: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as const
const text = 'Hello from a library'

const browserProvider = () => new ethers.BrowserProvider(ethereumProvider() as ethers.Eip1193Provider)
const signer = () => browserProvider().getSigner()
const withEthers = {
  connect: async () => (await signer()).address,
  async signMessage() {
    return ethers.verifyMessage(text, await (await signer()).signMessage(text))
  },
  async signTypedData() {
    const plain = { Berth: [...types.Berth] }
    const signature = await (await signer()).signTypedData(domain, plain, message)
    return ethers.verifyTypedData(domain, plain, message, signature)
  },
  async signTransaction(to: string) {
    const raw = await (await signer()).signTransaction({ to, value: 1n, nonce: 0, gasLimit: 21_000n })
    return ethers.Transaction.from(raw).from
  },
  async send(to: string, value: string) {
    const sent = await (await signer()).sendTransaction({ to, value: BigInt(value) })
    return (await sent.wait(1, 30_000))?.status
  },
  async contract(token: string, to: string, amount: string) {
    const abi = [
      'function transfer(address to, uint256 amount)',
      'function balanceOf(address) view returns (uint256)',
    ]
    const contract = new ethers.Contract(token, abi, await signer())
    await (await contract.getFunction('transfer')(to, BigInt(amount))).wait(1, 30_000)
    return String(await contract.getFunction('balanceOf')(to))
  },
  async moveTo(chainId: string) {
    const provider = browserProvider()
    await provider.send('wallet_switchEthereumChain', [{ chainId }])
    return Number((await provider.getNetwork()).chainId)
  },
  async callRefused(token: string, to: string) {
    const abi = ['function transfer(address to, uint256 amount)']
    await new ethers.Contract(token, abi, await signer()).getFunction('transfer').staticCall(to, 10n ** 18n)
  },
  signAs: (address: string) => browserProvider().send('personal_sign', ['0x6869', address]),
  ask: (method: string, params: unknown[]) => browserProvider().send(method, params),
} satisfies Steps

const chain = (id: number) =>
  defineChain({
    id,
    name: `Chain ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: ['http://localhost'] } },
  })
function clients() {
  const transport = custom(ethereumProvider())
  return {
    client: createWalletClient({ transport }),
    reader: createPublicClient({ transport, pollingInterval: 50 }),
  }
}
async function viemAccount() {
  const { client, reader } = clients()
  const [account] = await client.requestAddresses()
  if (!account) throw new Error('No account')
  return { client, reader, account }
}
const withViem = {
  /** From then on the steps mean the smart wallet, whose provider the kit has. */
  async chooseSmartWallet() {
    const [smart] = (document.querySelector('login-modal') as LoginModal).kit?.smartWallets.get() ?? []
    smartProvider = smart?.getProvider() as EIP1193Provider | undefined
    return smart?.address
  },
  connect: async () => (await viemAccount()).account,
  async signMessage() {
    const { client, account } = await viemAccount()
    const signature = await client.signMessage({ account, message: text })
    return (await verifyMessage({ address: account, message: text, signature })) && account
  },
  async signTypedData() {
    const { client, account } = await viemAccount()
    const typed = { domain, types, primaryType: 'Berth', message } as const
    const signature = await client.signTypedData({ account, ...typed })
    return (await verifyTypedData({ ...typed, address: account, signature })) && account
  },
  async signTransaction(to: Address) {
    const { client, account } = await viemAccount()
    const serializedTransaction = await client.signTransaction({
      account,
      chain: chain(1),
      to,
      value: 1n,
      nonce: 0,
      gas: 21_000n,
    })
    return recoverTransactionAddress({ serializedTransaction: serializedTransaction as `0x02${string}` })
  },
  async send(to: Address, value: string) {
    const { client, reader, account } = await viemAccount()
    const hash = await client.sendTransaction({ account, to, value: BigInt(value), chain: chain(1) })
    return (await reader.waitForTransactionReceipt({ hash })).status === 'success' ? 1 : 0
  },
  async contract(token: Address, to: Address, amount: string) {
    const { client, reader, account } = await viemAccount()
    const call = { abi: erc20Abi, address: token } as const
    const hash = await client.writeContract({
      ...call,
      account,
      functionName: 'transfer',
      args: [to, BigInt(amount)],
      chain: chain(1),
    })
    await reader.waitForTransactionReceipt({ hash })
    return String(await reader.readContract({ ...call, functionName: 'balanceOf', args: [to] }))
  },
  async moveTo(chainId: string) {
    const { client } = clients()
    await client.switchChain({ id: Number(chainId) })
    return client.getChainId()
  },
  async callRefused(token: Address, to: Address) {
    const { reader, account } = await viemAccount()
    const call = { abi: erc20Abi, address: token, functionName: 'transfer', args: [to, 10n ** 18n] } as const
    await reader.simulateContract({ ...call, account })
  },
  async signAs(account: Address) {
    return clients().client.signMessage({ account, message: text })
  },
  async capabilities() {
    const { client, account } = await viemAccount()
    return client.getCapabilities({ account, chainId: 1 })
  },
  async sendCalls(
    calls: readonly { to: Address; data?: `0x${string}`; value?: string }[],
    more: { id?: string; forceAtomic?: boolean } = {},
  ) {
    const { client, account } = await viemAccount()
    const wanted = calls.map(({ value, ...call }) => ({ ...call, ...(value && { value: BigInt(value) }) }))
    return (await client.sendCalls({ account, chain: chain(1), calls: wanted, ...more })).id
  },
  async waitForCalls(id: string) {
    const { status, statusCode, atomic, receipts } = await clients().client.waitForCallsStatus({
      id,
      pollingInterval: 100,
      timeout: 90_000,
    })
    return { status, statusCode, atomic, receipts: receipts?.map((each) => each.status) }
  },
  async showCalls(id: string) {
    await clients().client.showCallsStatus({ id })
  },
  ask: (method: string, params: unknown[]) => clients().client.request({ method, params } as never),
} satisfies Steps

type SolanaWallet = Wallet & {
  features: StandardConnectFeature &
    SolanaSignMessageFeature &
    SolanaSignTransactionFeature &
    SolanaSignAndSendTransactionFeature
}
async function solanaAccount() {
  const [only, ...others] = ownSolana()
  if (!only || others.length > 0) throw new Error(`${ownSolana().length} wallets`)
  const { features } = only as SolanaWallet
  const [account] = (await features['standard:connect'].connect()).accounts
  if (!account) throw new Error('No account')
  return { features, account }
}
async function signSolanaMessage() {
  const { features, account } = await solanaAccount()
  const bytes = new TextEncoder().encode(text)
  const [signed] = await features['solana:signMessage'].signMessage({ account, message: bytes })
  const key = await crypto.subtle.importKey('raw', account.publicKey as BufferSource, 'Ed25519', false, [
    'verify',
  ])
  return (
    (await crypto.subtle.verify('Ed25519', key, signed?.signature as BufferSource, bytes)) && account.address
  )
}
const network = 'solana:mainnet'

/** A wallet that the page has held on to, which its list no longer has once the user has logged out. */
let held: Awaited<ReturnType<typeof solanaAccount>> | undefined
const refusals = {
  async connect() {
    held = await solanaAccount()
    return held.account.address
  },
  async signAs(address: string) {
    const { account, features } = await solanaAccount()
    const message = new TextEncoder().encode(text)
    await features['solana:signMessage'].signMessage({ account: { ...account, address }, message })
  },
  async signUnreadable() {
    const { account, features } = await solanaAccount()
    const transaction = Uint8Array.of(1, 2, 3)
    await features['solana:signTransaction'].signTransaction({ account, transaction, chain: network })
  },
  async signElsewhere() {
    const { account, features } = await solanaAccount()
    const transaction = Uint8Array.of(1, 2, 3)
    await features['solana:signTransaction'].signTransaction({
      account,
      transaction,
      chain: 'solana:devnet',
    })
  },
  async signLater() {
    if (!held) throw new Error('No wallet')
    const message = new TextEncoder().encode(text)
    await held.features['solana:signMessage'].signMessage({ account: held.account, message })
  },
} satisfies Steps

const withWeb3 = {
  ...refusals,
  signMessage: signSolanaMessage,
  /** A legacy transaction that the wallet signs, and the page sends by its own connection. */
  async sendSigned(url: string, to: string, amount: number) {
    const { features, account } = await solanaAccount()
    const connection = new Connection(url, 'confirmed')
    const latest = await connection.getLatestBlockhash()
    const from = new PublicKey(account.publicKey)
    const transaction = new Transaction({ feePayer: from, ...latest }).add(
      SystemProgram.transfer({ fromPubkey: from, toPubkey: new PublicKey(to), lamports: amount }),
    )
    const bytes = Uint8Array.from(transaction.serialize({ requireAllSignatures: false }))
    const [signed] = await features['solana:signTransaction'].signTransaction({
      account,
      transaction: bytes,
      chain: network,
    })
    const signature = await connection.sendRawTransaction(signed?.signedTransaction ?? new Uint8Array())
    const { value } = await connection.confirmTransaction({ signature, ...latest })
    return value.err
  },
  /** A versioned one that the wallet sends. */
  async send(url: string, to: string, amount: number) {
    const { features, account } = await solanaAccount()
    const connection = new Connection(url, 'confirmed')
    const payerKey = new PublicKey(account.publicKey)
    const { blockhash } = await connection.getLatestBlockhash()
    const compiled = new TransactionMessage({
      payerKey,
      recentBlockhash: blockhash,
      instructions: [
        SystemProgram.transfer({ fromPubkey: payerKey, toPubkey: new PublicKey(to), lamports: amount }),
      ],
    }).compileToV0Message()
    const [sent] = await features['solana:signAndSendTransaction'].signAndSendTransaction({
      account,
      transaction: new VersionedTransaction(compiled).serialize(),
      chain: network,
      options: { commitment: 'confirmed' },
    })
    return sent?.signature.length
  },
} satisfies Steps

async function kitMessage(url: string, to: string, amount: number) {
  const { account, features } = await solanaAccount()
  const rpc = createSolanaRpc(url)
  const { value: latest } = await rpc.getLatestBlockhash().send()
  const source = createNoopSigner(toAddress(account.address))
  const transaction = compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (now) => setTransactionMessageFeePayer(source.address, now),
      (now) => setTransactionMessageLifetimeUsingBlockhash(latest, now),
      (now) =>
        appendTransactionMessageInstruction(
          getTransferSolInstruction({ source, destination: toAddress(to), amount: lamports(BigInt(amount)) }),
          now,
        ),
    ),
  )
  return { account, features, rpc, latest, transaction }
}
const withKit = {
  ...refusals,
  signMessage: signSolanaMessage,
  async sendSigned(url: string, to: string, amount: number, socket: string) {
    const { account, features, rpc, latest, transaction } = await kitMessage(url, to, amount)
    const [signed] = await features['solana:signTransaction'].signTransaction({
      account,
      transaction: Uint8Array.from(getTransactionEncoder().encode(transaction)),
      chain: network,
    })
    const decoded = {
      ...getTransactionDecoder().decode(signed?.signedTransaction ?? new Uint8Array()),
      lifetimeConstraint: latest,
    }
    assertIsSendableTransaction(decoded)
    assertIsTransactionWithBlockhashLifetime(decoded)
    const rpcSubscriptions = createSolanaRpcSubscriptions(socket)
    await sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions })(
      decoded as typeof decoded & SendableTransaction,
      {
        commitment: 'confirmed',
      },
    )
    return null
  },
  async send(url: string, to: string, amount: number) {
    const { account, features, transaction } = await kitMessage(url, to, amount)
    const [sent] = await features['solana:signAndSendTransaction'].signAndSendTransaction({
      account,
      transaction: Uint8Array.from(getTransactionEncoder().encode(transaction)),
      chain: network,
      options: { commitment: 'confirmed' },
    })
    return sent?.signature.length
  },
} satisfies Steps

const libraries = { ethers: withEthers, viem: withViem, 'web3.js': withWeb3, '@solana/kit': withKit }
export type Library = keyof typeof libraries

/** A step's result, or its error as the library's own classes and codes have it. */
export interface StepOutcome {
  readonly result?: unknown
  /** Names and codes from the outer error to its causes. */
  readonly errors?: readonly (string | number)[]
}

function namesOf(cause: unknown): (string | number)[] {
  const found: (string | number)[] = []
  for (let at: unknown = cause; typeof at === 'object' && at !== null && found.length < 16; ) {
    const { name, code, error, info, cause: inner } = at as Record<string, unknown>
    if (typeof name === 'string') found.push(name)
    if (typeof code === 'string' || typeof code === 'number') found.push(code)
    if (at instanceof BaseError) at = at.cause
    else at = inner ?? error ?? (info as { error?: unknown } | undefined)?.error
  }
  if (isSolanaError(cause, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
    found.push('preflight')
  return found
}

export const providerLibraries = {
  run: async (library: Library, step: string, ...input: unknown[]): Promise<StepOutcome> => {
    const steps = libraries[library] as Record<string, (...input: unknown[]) => Promise<unknown>>
    try {
      return { result: await steps[step]?.(...input) }
    } catch (cause) {
      return { errors: namesOf(cause) }
    }
  },
  found: () => [ownEthereum().length, ownSolana().length],
}
export type ProviderLibraries = typeof providerLibraries
Object.assign(window, { providerLibraries })
