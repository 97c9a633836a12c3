/** The vault's own types. What the protocol calls `entropy` is here a root: the secret from which wallets are derived. */
import type { ChainType, RecoveryMethod, recoveryMethods } from '../protocol/frame/calls.ts'
import type { Bytes } from './bytes.ts'

export type { ChainType, RecoveryMethod }

/**
 * What a root's secret is: BIP-39 entropy, from which wallets of both chains and of any index come; or the one private
 * key of a wallet that was imported (32 bytes: a secp256k1 key, or an ed25519 seed).
 */
export type SecretKind = 'entropy' | 'key'

/** A root as a page names it: one of its index-0 addresses (docs/protocol.md). Ethereum's is in lower case. */
export interface RootName {
  readonly chainType: ChainType
  readonly address: string
}
/** A wallet of a root. */
export interface WalletPath {
  readonly chainType: ChainType
  /** 0 for an imported key, and for nothing else of its chain. */
  readonly index: number
  /** No wallet: a key of ed25519 that signs for the user on Farcaster. */
  readonly use?: 'farcaster' | undefined
}

/** A root whose secret is whole for the moment. Everything in it is zeroed when its borrower is done. */
export interface OpenRoot {
  /** The root's lower-case UUID, by which shares and the server know it. */
  readonly walletId: string
  readonly kind: SecretKind
  readonly secret: Bytes
  /**
   * Derives one wallet's key and lends it to `work`. Throws `invalid_request_arguments` for a path that an imported key
   * does not have.
   */
  withKey<T>(path: WalletPath, work: (key: WalletKey) => T | Promise<T>): Promise<T>
}
/** A wallet's key, while it is lent. */
export interface WalletKey extends WalletPath {
  /** A secp256k1 key, or an ed25519 seed; 32 bytes. */
  readonly privateKey: Bytes
  /** EIP-55, or base58. */
  readonly address: string
  /** Signs one of our own statements for the server: EIP-191 as 0x-hex, or ed25519 as base64url. */
  prove(statement: string): string
}

/** The recovery method that a page asks for, with what it needs. */
export type RecoveryRequest =
  | { readonly method: typeof recoveryMethods.automatic }
  | { readonly method: 'user-passcode'; readonly password: string }
  | { readonly method: 'google-drive'; readonly accessToken: string }
  | { readonly method: 'icloud'; readonly accessToken: string }
  /** A native app has put the secret into iCloud by itself. */
  | { readonly method: 'icloud'; readonly secret: string; readonly recordName: string }
  | { readonly method: 'recovery-encryption-key'; readonly key: string }

/** What the server stores for a recovery method. */
export interface RecoveryRecord {
  readonly method: RecoveryMethod
  /** The sealed package with its open header (recovery/package.ts). */
  readonly package: string
  /** Automatic: the key itself, base64url of 32 bytes. */
  readonly key?: string
  /** Password: the server's own secret, by its id, and the salt of the header. */
  readonly secretId?: string
  readonly salt?: string
  /** Password: how often it is stretched, as in the header. */
  readonly rounds?: number
  /** The person's own drive: where the secret is. */
  readonly fileId?: string
  readonly recordName?: string
  /** All but automatic recovery and passwords: what is shown to prove the method (recovery/keys.ts). */
  readonly verifier?: string
}
