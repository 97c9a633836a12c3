import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, hex } from '@scure/base'
import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignInFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
} from '@solana/wallet-standard-features'
import type { IdentifierString, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from '@wallet-standard/features'
import { demoIcon } from './icon.ts'
import {
  type Approve,
  agreed,
  createListeners,
  createScript,
  type Memory,
  providerError,
  type Script,
} from './script.ts'
import { nodeFor, sendTransaction, signInText, signTransaction } from './solana-requests.ts'

const chainNames = ['solana:mainnet', 'solana:devnet', 'solana:testnet', 'solana:localnet'] as const
const featureNames = [
  ...(['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'] as const),
  'solana:signIn' as const,
]
type FeatureName = (typeof featureNames)[number]

export interface SolanaWalletSettings {
  /** 32 bytes, as hex: the seed of its ed25519 key. */
  secretKey: string
  name: string
  icon?: string | undefined
  /** All of them without it. Connecting, disconnecting and events are always there. */
  features?: readonly FeatureName[] | undefined
  chains?: readonly IdentifierString[] | undefined
  /** Nodes by chain (`solana:mainnet`), for what it sends itself. */
  rpcUrls?: Readonly<Record<string, string>> | undefined
  approve?: Approve | undefined
  memory?: Memory | undefined
}
export interface SolanaControl extends Script {
  /** The person picks another account. */
  pickAccount(secretKey: string): void
  /** The person ends the connection in the wallet. */
  revoke(): void
  /** The extension goes: the page's list loses it, and it answers 4900. */
  disappear(): void
  emit(event: string, ...input: unknown[]): void
  listeners(): number
}
export interface SolanaWallet {
  readonly address: string
  /** What the page gets, as the Wallet Standard has it. */
  readonly wallet: Wallet
  /** Makes the wallet known to a page. Returns what takes it back. */
  announce(target?: EventTarget, how?: { times?: number; after?: number }): () => void
  readonly control: SolanaControl
}
type Register = (wallet: Wallet) => () => void

/** The event by which a wallet makes itself known; its detail takes what the page registers with. */
class RegisterWallet extends Event {
  constructor(readonly detail: (api: { register: Register }) => void) {
    super('wallet-standard:register-wallet')
  }
}

/** A wallet for Solana that an extension would put into a page: an ed25519 key behind the Wallet Standard. */
export function createSolanaWallet(settings: SolanaWalletSettings): SolanaWallet {
  const { name, approve, memory, rpcUrls = {}, chains = chainNames } = settings
  const has = settings.features ?? featureNames
  const { script, play } = createScript()
  const { on, off, emit, count } = createListeners()
  const stops: (() => void)[] = []
  let permitted = memory?.read() === 'permitted'
  let accounts: readonly WalletAccount[] = []
  let gone = false
  const keys = new Map<string, Uint8Array>()
  let active = accountOf(settings.secretKey)

  function accountOf(secretKey: string): WalletAccount {
    const secret = hex.decode(secretKey)
    const publicKey = ed25519.getPublicKey(secret)
    const address = base58.encode(publicKey)
    keys.set(address, secret)
    return Object.freeze({ address, publicKey, chains, features: has })
  }
  function show(next: readonly WalletAccount[]) {
    accounts = next
    emit('change', { accounts })
  }
  function permit(next: boolean) {
    permitted = next
    memory?.write(next ? 'permitted' : '')
    show(next ? [active] : [])
  }
  /** The key that is to sign: 4100 where the account is not open to the page. */
  function keyOf(account: WalletAccount | undefined, fault: string | undefined): Uint8Array {
    const key =
      accounts.some(({ address }) => address === account?.address) && keys.get(account?.address ?? '')
    if (!key) throw providerError(4100, 'The requested account has not been authorized by the user.')
    return fault === 'other-key' ? ed25519.utils.randomSecretKey() : key
  }
  /** A method of the standard that takes any number of inputs. */
  const each =
    <In, Out>(method: string, answer: (input: In, fault: string | undefined) => Promise<Out>) =>
    (...inputs: readonly In[]): Promise<readonly Out[]> =>
      play({ method, params: inputs }, async (fault) => {
        if (gone) throw providerError(4900, 'The wallet is disconnected.')
        const answers: Out[] = []
        for (const input of inputs) answers.push(await answer(input, fault))
        return answers
      })
  const agree = (kind: 'connect' | 'sign' | 'send', text?: string) =>
    agreed(approve, { wallet: name, kind, text })

  const connecting: StandardConnectFeature & StandardDisconnectFeature & StandardEventsFeature = {
    'standard:connect': {
      version: '1.0.0',
      connect: ({ silent } = {}) =>
        play({ method: 'standard:connect', params: { silent } }, async (fault) => {
          if (gone) throw providerError(4900, 'The wallet is disconnected.')
          if (fault === 'nothing') return { accounts: [] }
          if (!permitted && silent) return { accounts: [] }
          if (!permitted) await agree('connect')
          if (accounts.length === 0) permit(true)
          return { accounts }
        }),
    },
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: () => play({ method: 'standard:disconnect', params: [] }, async () => permit(false)),
    },
    'standard:events': {
      version: '1.0.0',
      on(event, listener) {
        on(event, listener as (...input: never[]) => void)
        return () => off(event, listener as (...input: never[]) => void)
      },
    },
  }
  const signing: SolanaSignMessageFeature &
    SolanaSignTransactionFeature &
    SolanaSignAndSendTransactionFeature &
    SolanaSignInFeature = {
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: each('solana:signMessage', async ({ account, message }, fault) => {
        const key = keyOf(account, fault)
        await agree('sign', new TextDecoder().decode(message))
        return { signedMessage: message, signature: ed25519.sign(message, key), signatureType: 'ed25519' }
      }),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signTransaction: each('solana:signTransaction', async ({ account, transaction }, fault) => {
        const key = keyOf(account, fault)
        await agree('sign', `A transaction of ${transaction.length} bytes`)
        return { signedTransaction: signTransaction(transaction, account.address, key).bytes }
      }),
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signAndSendTransaction: each('solana:signAndSendTransaction', async (input, fault) => {
        const key = keyOf(input.account, fault)
        await agree('send', `A transaction of ${input.transaction.length} bytes`)
        const signed = signTransaction(input.transaction, input.account.address, key)
        await sendTransaction(nodeFor(rpcUrls, input.chain), signed.bytes, input.options)
        return { signature: signed.signature }
      }),
    },
    'solana:signIn': {
      version: '1.0.0',
      signIn: each('solana:signIn', async (input, fault) => {
        const account = active
        const domain = typeof location === 'undefined' ? 'localhost' : location.host
        const text = signInText({ domain, ...input, address: account.address })
        await agree('sign', text)
        if (!permitted) permit(true)
        const signedMessage = new TextEncoder().encode(text)
        const signature = ed25519.sign(signedMessage, keyOf(account, fault))
        return { account, signedMessage, signature, signatureType: 'ed25519' }
      }),
    },
  }

  const wallet: Wallet = Object.freeze({
    version: '1.0.0',
    name,
    icon: (settings.icon ?? demoIcon) as WalletIcon,
    chains,
    features: Object.freeze({
      ...connecting,
      ...Object.fromEntries(has.map((feature) => [feature, signing[feature]])),
    }),
    get accounts() {
      return accounts
    },
  })

  function announce(target: EventTarget = window, { times = 1, after = 0 } = {}) {
    const taken: (() => void)[] = []
    const register = (api: { register: Register }) => void taken.push(api.register(wallet))
    const ready = (event: Event) => register((event as CustomEvent<{ register: Register }>).detail)
    const begin = () => {
      for (let made = 0; made < times; made++) target.dispatchEvent(new RegisterWallet(register))
      target.addEventListener('wallet-standard:app-ready', ready)
    }
    const timer = after > 0 ? setTimeout(begin, after) : begin()
    const stop = () => {
      clearTimeout(timer as number | undefined)
      target.removeEventListener('wallet-standard:app-ready', ready)
      for (const takeBack of taken.splice(0)) takeBack()
    }
    stops.push(stop)
    return stop
  }

  return {
    get address() {
      return active.address
    },
    wallet,
    announce,
    control: {
      ...script,
      pickAccount(secretKey) {
        active = accountOf(secretKey)
        if (permitted) show([active])
      },
      revoke: () => permit(false),
      disappear() {
        gone = true
        for (const stop of stops) stop()
        show([])
      },
      emit,
      listeners: count,
    },
  }
}
