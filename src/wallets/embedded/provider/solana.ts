import type {
  SolanaSignAndSendTransactionFeature,
  SolanaSignAndSendTransactionInput,
  SolanaSignInFeature,
  SolanaSignMessageFeature,
  SolanaSignTransactionFeature,
  SolanaSignTransactionInput,
} from '@solana/wallet-standard-features'
import type { IdentifierString, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base'
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
  StandardEventsListeners,
} from '@wallet-standard/features'
import { KitError } from '../../../errors/kit-error.ts'
import { toByteArray } from '../../../lib/byte-array.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import { isLoopbackHost } from '../../../lib/origin.ts'
import type { Readable } from '../../../lib/store.ts'
import { type SiwsFields, siwsMessage } from '../../../protocol/siws-message.ts'
import { parseBase58 } from '../../../solana/base58.ts'
import type { SolanaCluster } from '../../../solana/clusters.ts'
import type { SolanaSendOptions } from '../../../solana/send-options.ts'
import { fieldOf } from '../../external/claims.ts'
import { disconnectedError, ProviderRpcError } from '../../external/provider-error.ts'
import { walletsLimits } from '../../limits.ts'
import type { EmbeddedAccount } from '../embedded-wallets.ts'
import { notOurAccount, toProviderError } from './rpc-error.ts'
import { readSendOptions } from './solana-options.ts'

/** Asks the person, and has it signed. Everything rejects with what `toProviderError` knows. */
export interface SolanaRequestHandler {
  signMessage(account: EmbeddedAccount, bytes: Uint8Array): Promise<Uint8Array>
  /** With `send` it is also sent to the network. */
  transact(
    account: EmbeddedAccount,
    input: { bytes: Uint8Array; cluster: SolanaCluster; send?: SolanaSendOptions },
  ): Promise<{ bytes: Uint8Array; signature: string | undefined }>
}

export interface SolanaWalletOptions {
  readonly name: string
  readonly icon: WalletIcon
  /** The accounts of the person who is logged in. */
  readonly accounts: Readable<readonly EmbeddedAccount[]>
  readonly clusters: () => readonly SolanaCluster[]
  /** The page's own origin, the only one that a user logs in to here. */
  readonly origin: string
  readonly handler: SolanaRequestHandler
}

/** Marks it as ours, so that it does not appear in our own list of external wallets. */
const ownFeature = 'latchkey:embedded'

const signing = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'] as const
const versions = ['legacy', 0] as const

/**
 * All embedded Solana wallets as one wallet of the Wallet Standard, and what a host gets for one of its
 * accounts.
 */
export interface OwnSolanaWallet {
  readonly wallet: Wallet
  accountOf(address: string): WalletAccount
}

/** It lives as long as the page: at logout its accounts go, and it refuses with 4900. */
export function createSolanaWallet(options: SolanaWalletOptions): OwnSolanaWallet {
  const { accounts, handler } = options
  const listeners = new Set<StandardEventsListeners['change']>()
  const made = new Map<string, WalletAccount>()
  const chains = () => [...clustersByChain().keys()]
  /** A library may close the wallet; the next request opens it again. */
  let open = true
  let known: readonly WalletAccount[] = visible()

  function accountOf(address: string): WalletAccount {
    const account = made.get(address) ?? walletAccount(address, chains())
    made.set(address, account)
    return account
  }

  function visible(): readonly WalletAccount[] {
    return open ? accounts.get().map(({ address }) => accountOf(address)) : []
  }

  function update(): void {
    if (accounts.get().length === 0) open = true
    const next = visible()
    if (next.length === known.length && next.every((account, at) => account === known[at])) return
    known = next
    for (const listener of [...listeners]) {
      try {
        listener({ accounts: next })
      } catch (error) {
        reportError(error)
      }
    }
  }
  accounts.subscribe(update)

  function accountFor(input: unknown): EmbeddedAccount {
    if (accounts.get().length === 0) throw disconnectedError()
    const address = fieldOf(fieldOf(input, 'account'), 'address')
    const account = accounts.get().find((each) => each.address === address)
    if (!account) throw notOurAccount()
    return account
  }

  /** The account that a sign-in names; without a name the first. */
  function signInAccount(address: unknown): EmbeddedAccount {
    const [first] = accounts.get()
    if (!first) throw disconnectedError()
    return address ? accountFor({ account: { address } }) : first
  }

  /** One after the other, because a person reads each. */
  async function each<I, O>(inputs: readonly I[], work: (input: I) => Promise<O>): Promise<O[]> {
    try {
      if (inputs.length > walletsLimits.walletRequestsWaiting)
        throw new InvalidRequest('Too much data to sign at once')
      const outputs: O[] = []
      for (const input of inputs) outputs.push(await work(input))
      return outputs
    } catch (cause) {
      throw accounts.get().length === 0 ? disconnectedError() : toProviderError(cause)
    }
  }

  /**
   * The app's clusters by the chains that libraries name. One whose node is on this machine has a second name: adapters of wallets tell
   * clusters by the addresses of their nodes.
   */
  function clustersByChain(): ReadonlyMap<IdentifierString, SolanaCluster> {
    const named = new Map<IdentifierString, SolanaCluster>()
    for (const cluster of options.clusters()) if (!named.has(cluster.chain)) named.set(cluster.chain, cluster)
    const local = options.clusters().find(isLocal)
    if (local && !named.has(LOCALNET)) named.set(LOCALNET, local)
    return named
  }

  function clusterOf(chain: unknown): SolanaCluster {
    const named = clustersByChain()
    const found = chain === undefined ? options.clusters()[0] : named.get(chain as IdentifierString)
    if (!found) throw new ProviderRpcError(4901, `The app has no cluster ${String(chain).slice(0, 64)}`)
    return found
  }

  const sign = (input: SolanaSignTransactionInput, send?: SolanaSendOptions) =>
    handler.transact(accountFor(input), {
      bytes: bytesOf(fieldOf(input, 'transaction')),
      cluster: clusterOf(fieldOf(input, 'chain')),
      ...(send && { send }),
    })

  const features: StandardConnectFeature &
    StandardDisconnectFeature &
    StandardEventsFeature &
    SolanaSignInFeature &
    SolanaSignMessageFeature &
    SolanaSignTransactionFeature &
    SolanaSignAndSendTransactionFeature & { [ownFeature]: object } = {
    'standard:connect': {
      version: '1.0.0',
      connect: async (input) => {
        if (accounts.get().length === 0) throw disconnectedError()
        if (!fieldOf(input, 'silent')) open = true
        update()
        return { accounts: known }
      },
    },
    'standard:disconnect': {
      version: '1.0.0',
      disconnect: async () => {
        open = false
        update()
      },
    },
    'standard:events': {
      version: '1.0.0',
      on: (event, listener) => {
        if (event === 'change') listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    'solana:signIn': {
      version: '1.0.0',
      signIn: (...inputs) =>
        each(inputs.length > 0 ? inputs : [{}], async (input) => {
          open = true
          update()
          const account = signInAccount(fieldOf(input, 'address'))
          const text = signInText(input, { domain: new URL(options.origin).host, address: account.address })
          const signedMessage = new TextEncoder().encode(text)
          const signature = await handler.signMessage(account, Uint8Array.from(signedMessage))
          return {
            account: accountOf(account.address),
            signedMessage,
            signature,
            signatureType: 'ed25519' as const,
          }
        }),
    },
    'solana:signMessage': {
      version: '1.1.0',
      signMessage: (...inputs) =>
        each(inputs, async (input) => {
          const account = accountFor(input)
          const signedMessage = bytesOf(fieldOf(input, 'message'))
          const signature = await handler.signMessage(account, Uint8Array.from(signedMessage))
          return { signedMessage, signature, signatureType: 'ed25519' as const }
        }),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: versions,
      signTransaction: (...inputs) =>
        each(inputs, async (input) => ({ signedTransaction: (await sign(input)).bytes })),
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: versions,
      signAndSendTransaction: (...inputs) =>
        each(inputs, async (input: SolanaSignAndSendTransactionInput) => {
          const sent = await sign(input, readSendOptions(fieldOf(input, 'options')))
          const signature = parseBase58(sent.signature, 64)
          if (!signature) throw new InvalidRequest('The transaction is not signed by its fee payer')
          return { signature }
        }),
    },
    [ownFeature]: { version: '1.0.0' },
  }

  const wallet: Wallet = Object.freeze({
    version: '1.0.0' as const,
    name: options.name,
    icon: options.icon,
    get chains() {
      return chains()
    },
    features: Object.freeze(features),
    get accounts() {
      return known
    },
  })
  return { wallet, accountOf }
}

const LOCALNET = 'solana:localnet'
const isLocal = ({ rpcUrl }: SolanaCluster): boolean =>
  URL.canParse(rpcUrl) && isLoopbackHost(new URL(rpcUrl).hostname)

function walletAccount(address: string, chains: readonly IdentifierString[]): WalletAccount {
  const key = parseBase58(address, 32) ?? new Uint8Array()
  return Object.freeze({
    address,
    get publicKey() {
      return Uint8Array.from(key)
    },
    chains: Object.freeze([...chains]),
    features: signing,
  })
}

/** A copy, because the page could change its own bytes while somebody reads them. */
function bytesOf(value: unknown): Uint8Array {
  const bytes = toByteArray(value)
  if (!bytes || bytes.length === 0) throw new InvalidRequest('A non-empty Uint8Array is required')
  if (bytes.length * 2 > walletsLimits.walletRequestSize) throw new InvalidRequest('The message is too long')
  return bytes
}

const textFields = [
  ...(['domain', 'statement', 'uri', 'version', 'chainId', 'nonce', 'issuedAt', 'expirationTime'] as const),
  ...(['notBefore', 'requestId'] as const),
]

/** The text of a sign-in. What an input leaves empty is left out, as libraries do it. */
function signInText(input: unknown, own: Pick<SiwsFields, 'domain' | 'address'>): string {
  const given = textFields.flatMap((name) => {
    const value = fieldOf(input, name)
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  const resources = fieldOf(input, 'resources')
  if (resources !== undefined && !Array.isArray(resources))
    throw new InvalidRequest('The resources of a sign-in are a list')
  const fields = { ...own, ...Object.fromEntries(given), ...(resources && { resources: [...resources] }) }
  try {
    return siwsMessage(fields as SiwsFields)
  } catch (cause) {
    if (!(cause instanceof KitError)) throw cause
    throw new InvalidRequest(`The sign-in can't be written: ${cause.details ?? ''}`, { cause })
  }
}
