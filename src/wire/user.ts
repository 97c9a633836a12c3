/** A person as the client sees them; the wire's snake case ends here. Spec §3 "User". */
export interface User {
  readonly id: string
  readonly createdAt: Date
  readonly linkedAccounts: readonly LinkedAccount[]
  readonly mfaMethods: readonly string[]
  readonly hasAcceptedTerms: boolean
  readonly isGuest: boolean
  readonly customMetadata: Readonly<Record<string, string | number | boolean>>
  /** The account of that type that was verified first. */
  readonly email: EmailAccount | undefined
  readonly phone: PhoneAccount | undefined
  readonly wallet: WalletAccount | undefined
}

interface Verified {
  readonly verifiedAt: Date
  readonly firstVerifiedAt: Date | undefined
  readonly latestVerifiedAt: Date | undefined
}
export interface EmailAccount extends Verified {
  readonly type: 'email'
  readonly address: string
}
export interface PhoneAccount extends Verified {
  readonly type: 'phone'
  readonly number: string
}
/** Spec §3 "Wallet (linked account)". `walletClientType` 'privy' on the wire means `embedded`. */
export interface WalletAccount extends Verified {
  readonly type: 'wallet'
  readonly address: string
  readonly chainType: string
  readonly chainId: string | undefined
  readonly embedded: boolean
  readonly walletClientType: string | undefined
  readonly connectorType: string | undefined
  readonly imported: boolean
  readonly delegated: boolean
  readonly walletIndex: number | undefined
  readonly recoveryMethod: string | undefined
}
/** An account of a kind that this version does not know; its fields stay readable. */
export interface OtherAccount extends Verified {
  readonly type: 'other'
  readonly kind: string
  readonly fields: Readonly<Record<string, unknown>>
}
export type LinkedAccount = EmailAccount | PhoneAccount | WalletAccount | OtherAccount
