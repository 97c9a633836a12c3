import type { AskedSigner } from '../../protocol/farcaster-signer.ts'
import type { ChainType, RpcRequest } from '../../protocol/frame/calls.ts'
import type { WalletAccount } from '../../protocol/user.ts'
import type { FactorCalls } from './second-factors.ts'

/** An embedded wallet of the person who is logged in, on a chain that this version knows. */
export type EmbeddedAccount = WalletAccount & { readonly chainType: ChainType }

/** What a person provides for a recovery method. Secrets in it are passed on and not kept. */
export type RecoverySecret =
  | { readonly method: 'automatic' }
  | { readonly method: 'password'; readonly password: string }
  /** A token for the person's own drive. */
  | { readonly method: 'google-drive' | 'icloud'; readonly accessToken: string }

export interface CreateEmbedded {
  readonly chainType: ChainType
  /** 0 by default. Any other index needs the wallet of index 0. */
  readonly walletIndex?: number | undefined
  /** Automatic by default; a wallet of an existing root has that root's method. */
  readonly recovery?: RecoverySecret | undefined
}

/** The wallets whose keys are in the vault. Everything that rejects does so with a {@link KitError}. */
export interface EmbeddedWallets {
  /** Loads the vault ahead of its use. */
  prepare(): void
  /** The person's embedded wallets, those of index 0 first. */
  list(): readonly EmbeddedAccount[]
  /** The one with `address`; by default the first Ethereum wallet, or else the first. */
  find(address?: string): EmbeddedAccount | undefined
  /**
   * The wallet by which the vault knows a wallet's secret: the wallet itself if it was imported. As it is now, however old
   * the given one is.
   */
  rootOf(wallet: EmbeddedAccount): EmbeddedAccount
  /**
   * Creates a wallet, or finds the existing one. Callers share one creation of the same wallet. Throws
   * `must_be_authenticated`, `invalid_wallet_index`, `wallet_not_on_device` if a root must be recovered
   * first, `embedded_wallet_create_error`, or an error of the proxy.
   */
  create(input: CreateEmbedded, signal?: AbortSignal): Promise<EmbeddedAccount>
  /** The wallet that the vault has just created by itself. Throws `embedded_wallet_create_error` if there is none. */
  created(input: CreateEmbedded): Promise<EmbeddedAccount>
  /** Imports a private key (0x-hex, or base58 for Solana) into the vault as a wallet of its own. */
  importKey(
    input: { chainType: ChainType; privateKey: string },
    signal?: AbortSignal,
  ): Promise<EmbeddedAccount>
  /** The wallet that the vault has taken in, as the server has it. Throws `embedded_wallet_create_error` if it has none. */
  imported(address: string): Promise<EmbeddedAccount>
  /**
   * Learns what other devices have changed about the person's wallets, such as how they are recovered. A server that can't
   * be asked leaves what is known.
   */
  refresh(signal?: AbortSignal): Promise<void>
  /**
   * Makes sure that the wallet can be used here. Throws `wallet_not_on_device` if it must be recovered first.
   */
  connect(wallet: EmbeddedAccount, signal?: AbortSignal): Promise<void>
  /**
   * Recovers a wallet to this device. Throws `invalid_recovery_pin`, `embedded_wallet_recovery_error` and
   * others.
   */
  recover(wallet: EmbeddedAccount, secret: RecoverySecret, signal?: AbortSignal): Promise<void>
  /**
   * Changes the recovery method; the old one works until the new one is confirmed. Throws
   * `wallet_not_on_device`, and `recovery_proof_required` unless the person has shown just now on this device that they have
   * the present method.
   * @param present what they have of it
   */
  setRecovery(
    wallet: EmbeddedAccount,
    secret: RecoverySecret,
    signal?: AbortSignal,
    present?: RecoverySecret,
  ): Promise<EmbeddedAccount>
  /**
   * Sends the vault a request for the wallet's key (docs/protocol.md, "Wallet methods"), without a screen.
   * Resolves with `response.data`. Throws `wallet_not_on_device` if the wallet must be recovered first, or an
   * error of the proxy.
   */
  rpc(wallet: EmbeddedAccount, request: RpcRequest, signal?: AbortSignal): Promise<string | object>
  /**
   * Has the app ask for the key of the vault that signs for the user on Farcaster. It comes from the secret of the wallet. Throws
   * `wallet_not_on_device` if the wallet must be recovered first, the server's code, or an error of the proxy.
   */
  initFarcasterSigner(wallet: EmbeddedAccount, signal?: AbortSignal): Promise<AskedSigner>
  /**
   * Has the vault remove one of the person's devices. Throws an error of the proxy, and `recovery_proof_required` unless somebody
   * with a recovery of their own has shown it just now on this device.
   * @param present what they have of the recovery of one of their wallets
   */
  removeDevice(
    id: string,
    signal?: AbortSignal,
    present?: { wallet: EmbeddedAccount; secret: RecoverySecret },
  ): Promise<void>
  /** What the vault does about the person's second factors. */
  readonly factors: FactorCalls
  /** Lets the vault forget what it keeps for a person between two requests; at logout. */
  forget(userId: string): void
  close(): void
}
