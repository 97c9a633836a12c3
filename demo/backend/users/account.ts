import { oauthProviders, type RecoveryMethod, type SmartWalletType } from '../settings/names.ts'

/** Characters in the id that an app's own login gives to a person. */
export const LONGEST_CUSTOM_ID = 255

/** How a page was connected to a wallet outside, in the page's own words. */
interface WalletDetails {
  clientType: string | null
  connectorType: string | null
}

/** What is kept of each kind of account besides its subject, which is unique within the app. */
export interface AccountDetails {
  /** Subject: the normalised address. */
  email: Record<never, never>
  /** Subject: the number in E.164. */
  phone: Record<never, never>
  /** Subject of the social accounts: the provider's own id of the person. An e-mail address only if it is verified. */
  google: { email: string | null; name: string | null }
  twitter: { username: string | null; name: string | null; profilePictureUrl: string | null }
  discord: { username: string | null; email: string | null }
  github: { username: string | null; name: string | null; email: string | null }
  spotify: { email: string | null; name: string | null }
  instagram: { username: string | null }
  tiktok: { username: string | null; name: string | null }
  linkedin: { name: string | null; email: string | null; vanityName: string | null }
  apple: { email: string | null }
  /** Subject: the fid in decimal digits. */
  farcaster: {
    ownerAddress: string
    username: string | null
    displayName: string | null
    bio: string | null
    pictureUrl: string | null
    /** The key of the user's vault that may sign for the account, 0x-hex. */
    signerPublicKey?: string | null
  }
  /** Subject: Telegram's user id. */
  telegram: {
    firstName: string | null
    lastName: string | null
    username: string | null
    photoUrl: string | null
  }
  /** Subject: the credential id, base64url. Its key is in a table of its own. */
  passkey: {
    authenticatorName: string | null
    createdWithBrowser: string | null
    createdWithOs: string | null
    createdWithDevice: string | null
  }
  /** Subject: the user id that the app's own login gave. */
  custom: Record<never, never>
  /** Subject: `<provider app id>:<user id there>`. */
  'cross-app': {
    providerAppId: string
    userId: string
    embeddedWallets: string[]
    smartWallets: string[]
  }
  /** Subject: the address in EIP-55 form. What its last login said about it. */
  'ethereum-wallet': WalletDetails & { chainId: number }
  /** Subject: the address in base58. */
  'solana-wallet': WalletDetails
  /** Subject: the address of the contract in EIP-55 form. It stands for a user who is there already. */
  'smart-wallet': { smartWalletType: SmartWalletType; smartWalletVersion: string | null }
  /** Subject: a keyed hash of the guest credential. Never shown. A revoked one stays, so that it can't be registered again. */
  guest: { revoked?: true }
}
export type ProvedType = keyof AccountDetails
/** As the database has it; an embedded wallet is the one kind that nobody logs in with. */
export type AccountType = ProvedType | 'wallet'

interface Verified {
  verifiedAt: number
  firstVerifiedAt: number | null
  latestVerifiedAt: number | null
}
export type ProvedAccount = {
  [T in ProvedType]: Verified & { type: T; subject: string; details: AccountDetails[T] }
}[ProvedType]
export interface EmbeddedWalletAccount extends Verified {
  type: 'embedded-wallet'
  id: string
  address: string
  chainType: 'ethereum' | 'solana'
  walletIndex: number
  imported: boolean
  delegated: boolean
  recoveryMethod: RecoveryMethod
}
export type Account = ProvedAccount | EmbeddedWalletAccount

/** Kinds that a user may take over from another one. */
const transferable: ReadonlySet<string> = new Set([
  'email',
  'phone',
  'farcaster',
  'telegram',
  'ethereum-wallet',
  ...oauthProviders,
])
/** Whether a user may take over such an account from another one. */
export const isTransferable = (type: ProvedType) => transferable.has(type)

/** Wallets of the person's own, which may be several. */
export const externalWallets = ['ethereum-wallet', 'solana-wallet'] as const satisfies ProvedType[]
/** Accounts that nobody logs in with. */
export const isNoLogin = (type: Account['type']) =>
  type === 'embedded-wallet' || type === 'smart-wallet' || type === 'guest'
/** What the protocol calls a kind of account. */
export const shownType = (type: ProvedType) => (type === 'ethereum-wallet' ? 'wallet' : type)

/** The details of an account that go with it to another user: a signer is a key of the vault of the user before. */
export function transferredDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { signerPublicKey: _, ...rest } = details
  return rest
}
