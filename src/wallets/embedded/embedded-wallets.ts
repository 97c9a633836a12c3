import type { ChainType, RpcRequest } from '../../wire/frame/calls.ts'
import type { WalletAccount } from '../../wire/user.ts'

/** An embedded wallet of whoever is logged in, on a chain that this version knows. */
export type EmbeddedAccount = WalletAccount & { readonly chainType: ChainType }

/** What a person brings for a way of recovery. What is secret in it is handed on and kept nowhere. */
export type RecoverySecret =
  | { readonly method: 'automatic' }
  | { readonly method: 'password'; readonly password: string }
  /** A token for the person's own drive. */
  | { readonly method: 'google-drive' | 'icloud'; readonly accessToken: string }

export interface CreateEmbedded {
  readonly chainType: ChainType
  /** 0 without it. Spec §5: another one needs the wallet of index 0. */
  readonly walletIndex?: number | undefined
  /** Automatic without it; a wallet of a root that is there has that one's. */
  readonly recovery?: RecoverySecret | undefined
}

/** The wallets whose keys live in the vault. All that reject, reject with a {@link KitError}; §: wire 7. */
export interface EmbeddedWallets {
  /** Loads the vault ahead of its use. */
  prepare(): void
  /** The person's embedded wallets, those of index 0 first. */
  list(): readonly EmbeddedAccount[]
  /** The one with `address`; the first Ethereum one, or else the first, without it. */
  find(address?: string): EmbeddedAccount | undefined
  /** The wallet by which the vault knows the secret behind one: itself if it was imported. Wire 7.4. */
  rootOf(wallet: EmbeddedAccount): EmbeddedAccount
  /**
   * Makes a wallet, or finds the one that is there. Callers share one creation of the same wallet. Throws
   * `must_be_authenticated`, `invalid_wallet_index`, `wallet_not_on_device` where a root must be recovered first,
   * `embedded_wallet_create_error`, or one of the proxy's.
   */
  create(input: CreateEmbedded, signal?: AbortSignal): Promise<EmbeddedAccount>
  /** Takes a private key (0x-hex, or base58 for Solana) into the vault as a wallet of its own. */
  importKey(
    input: { chainType: ChainType; privateKey: string },
    signal?: AbortSignal,
  ): Promise<EmbeddedAccount>
  /** Makes sure that the wallet can be used here. Throws `wallet_not_on_device` when it must be recovered first. */
  connect(wallet: EmbeddedAccount, signal?: AbortSignal): Promise<void>
  /** Brings a wallet to this device. Throws `invalid_recovery_pin`, `embedded_wallet_recovery_error` and others. */
  recover(wallet: EmbeddedAccount, secret: RecoverySecret, signal?: AbortSignal): Promise<void>
  /** Changes the way of recovery; the old one works until the new one is confirmed. Throws `wallet_not_on_device`. */
  setRecovery(wallet: EmbeddedAccount, secret: RecoverySecret, signal?: AbortSignal): Promise<EmbeddedAccount>
  /**
   * Has the vault do a request of wire 7.6 with the wallet's key, without a screen. Resolves with `response.data`.
   * Throws `wallet_not_on_device` when the wallet must be recovered first, or one of the proxy's errors.
   */
  rpc(wallet: EmbeddedAccount, request: RpcRequest, signal?: AbortSignal): Promise<string | object>
  /** Lets the vault forget what it keeps for a person between two requests; at logout. */
  forget(userId: string): void
  close(): void
}
