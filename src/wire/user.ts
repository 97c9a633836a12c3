import * as v from 'valibot'
import { flag, maybeSeconds, maybeText, seconds } from './decode.ts'

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
  readonly farcaster: FarcasterAccount | undefined
  readonly telegram: TelegramAccount | undefined
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
export interface TelegramAccount extends Verified {
  readonly type: 'telegram'
  readonly telegramUserId: string
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  readonly username: string | undefined
  readonly photoUrl: string | undefined
}
/** Somebody whom the host's own login knows. `custom_auth` on the wire. */
export interface CustomAccount extends Verified {
  readonly type: 'custom'
  readonly customUserId: string
}
/** Spec §3 "Passkey linked account". */
export interface PasskeyAccount extends Verified {
  readonly type: 'passkey'
  readonly credentialId: string
  readonly authenticatorName: string | undefined
  readonly createdWithBrowser: string | undefined
  readonly createdWithOs: string | undefined
  readonly enrolledInMfa: boolean
}
/** Spec §3: how a person recognises a passkey in a list. */
export function passkeyName(account: PasskeyAccount): string {
  const { authenticatorName, createdWithBrowser, createdWithOs } = account
  if (authenticatorName && createdWithBrowser) return `${authenticatorName} on ${createdWithBrowser}`
  if (createdWithBrowser && createdWithOs) return `${createdWithBrowser} on ${createdWithOs}`
  return createdWithBrowser ?? 'Unknown device'
}
export interface FarcasterAccount extends Verified {
  readonly type: 'farcaster'
  readonly fid: number
  /** What owns the fid. */
  readonly ownerAddress: string
  readonly username: string | undefined
  readonly displayName: string | undefined
  readonly bio: string | undefined
  /** The address of a picture. */
  readonly pfp: string | undefined
  readonly url: string | undefined
  /** The key that posts for the person, where they allowed that. */
  readonly signerPublicKey: string | undefined
}
/** An account of a kind that this version does not know; its fields stay readable. */
export interface OtherAccount extends Verified {
  readonly type: 'other'
  readonly kind: string
  readonly fields: Readonly<Record<string, unknown>>
}
export type LinkedAccount =
  | EmailAccount
  | PhoneAccount
  | WalletAccount
  | TelegramAccount
  | CustomAccount
  | PasskeyAccount
  | FarcasterAccount
  | OtherAccount

const verified = {
  verified_at: v.fallback(seconds, new Date(0)),
  first_verified_at: maybeSeconds,
  latest_verified_at: maybeSeconds,
}
const emailAccount = v.object({ ...verified, type: v.literal('email'), address: v.string() })
const phoneAccount = v.object({ ...verified, type: v.literal('phone'), phoneNumber: v.string() })
const walletAccount = v.object({
  ...verified,
  type: v.literal('wallet'),
  address: v.string(),
  chain_type: v.fallback(v.string(), 'ethereum'),
  chain_id: maybeText,
  wallet_client: maybeText,
  wallet_client_type: maybeText,
  connector_type: maybeText,
  imported: flag,
  delegated: flag,
  wallet_index: v.fallback(v.optional(v.number()), undefined),
  recovery_method: maybeText,
})
const telegramAccount = v.object({
  ...verified,
  type: v.literal('telegram'),
  telegram_user_id: v.string(),
  first_name: maybeText,
  last_name: maybeText,
  username: maybeText,
  photo_url: maybeText,
})
const customAccount = v.object({ ...verified, type: v.literal('custom_auth'), custom_user_id: v.string() })
const passkeyAccount = v.object({
  ...verified,
  type: v.literal('passkey'),
  credential_id: v.string(),
  authenticator_name: maybeText,
  created_with_browser: maybeText,
  created_with_os: maybeText,
  enrolled_in_mfa: flag,
})
const farcasterAccount = v.object({
  ...verified,
  type: v.literal('farcaster'),
  fid: v.number(),
  owner_address: v.string(),
  username: maybeText,
  display_name: maybeText,
  bio: maybeText,
  profile_picture: maybeText,
  profile_picture_url: maybeText,
  homepage_url: maybeText,
  signer_public_key: maybeText,
})
const otherAccount = v.looseObject({ ...verified, type: v.string() })

function times(account: v.InferOutput<v.ObjectSchema<typeof verified, undefined>>): Verified {
  return {
    verifiedAt: account.verified_at,
    firstVerifiedAt: account.first_verified_at,
    latestVerifiedAt: account.latest_verified_at,
  }
}

function toAccount(raw: unknown): LinkedAccount | undefined {
  const email = v.safeParse(emailAccount, raw)
  if (email.success) return { ...times(email.output), type: 'email', address: email.output.address }
  const phone = v.safeParse(phoneAccount, raw)
  if (phone.success) return { ...times(phone.output), type: 'phone', number: phone.output.phoneNumber }
  const wallet = v.safeParse(walletAccount, raw)
  if (wallet.success) return { ...times(wallet.output), ...toWallet(wallet.output) }
  const telegram = v.safeParse(telegramAccount, raw)
  if (telegram.success) return { ...times(telegram.output), ...toTelegram(telegram.output) }
  const custom = v.safeParse(customAccount, raw)
  if (custom.success)
    return { ...times(custom.output), type: 'custom', customUserId: custom.output.custom_user_id }
  const passkey = v.safeParse(passkeyAccount, raw)
  if (passkey.success) return { ...times(passkey.output), ...toPasskey(passkey.output) }
  const farcaster = v.safeParse(farcasterAccount, raw)
  if (farcaster.success) return { ...times(farcaster.output), ...toFarcaster(farcaster.output) }
  const other = v.safeParse(otherAccount, raw)
  return other.success
    ? { ...times(other.output), type: 'other', kind: other.output.type, fields: other.output }
    : undefined
}

const toPasskey = (account: v.InferOutput<typeof passkeyAccount>) =>
  ({
    type: 'passkey',
    credentialId: account.credential_id,
    authenticatorName: account.authenticator_name,
    createdWithBrowser: account.created_with_browser,
    createdWithOs: account.created_with_os,
    enrolledInMfa: account.enrolled_in_mfa,
  }) as const

const toWallet = (account: v.InferOutput<typeof walletAccount>) =>
  ({
    type: 'wallet',
    address: account.address,
    chainType: account.chain_type,
    chainId: account.chain_id,
    embedded: account.wallet_client === 'privy' || account.wallet_client_type === 'privy',
    walletClientType: account.wallet_client_type,
    connectorType: account.connector_type,
    imported: account.imported,
    delegated: account.delegated,
    walletIndex: account.wallet_index,
    recoveryMethod: account.recovery_method,
  }) as const

const toTelegram = (account: v.InferOutput<typeof telegramAccount>) =>
  ({
    type: 'telegram',
    telegramUserId: account.telegram_user_id,
    firstName: account.first_name,
    lastName: account.last_name,
    username: account.username,
    photoUrl: account.photo_url,
  }) as const

const toFarcaster = (account: v.InferOutput<typeof farcasterAccount>) =>
  ({
    type: 'farcaster',
    fid: account.fid,
    ownerAddress: account.owner_address,
    username: account.username,
    displayName: account.display_name,
    bio: account.bio,
    pfp: account.profile_picture_url ?? account.profile_picture,
    url: account.homepage_url,
    signerPublicKey: account.signer_public_key,
  }) as const

function toUser(raw: v.InferOutput<typeof wireUser>): User {
  const linkedAccounts = raw.linked_accounts.map(toAccount).filter((account) => account !== undefined)
  return {
    id: raw.id,
    createdAt: raw.created_at,
    linkedAccounts,
    mfaMethods: raw.mfa_methods.map((method) => method.type),
    hasAcceptedTerms: raw.has_accepted_terms,
    isGuest: raw.is_guest,
    customMetadata: raw.custom_metadata ?? {},
    email: earliest(linkedAccounts, 'email'),
    phone: earliest(linkedAccounts, 'phone'),
    wallet: earliest(linkedAccounts, 'wallet'),
    farcaster: earliest(linkedAccounts, 'farcaster'),
    telegram: earliest(linkedAccounts, 'telegram'),
  }
}

function earliest<Type extends LinkedAccount['type']>(accounts: readonly LinkedAccount[], type: Type) {
  const time = (account: LinkedAccount) => (account.firstVerifiedAt ?? account.verifiedAt).getTime()
  return accounts
    .filter((account): account is Extract<LinkedAccount, { type: Type }> => account.type === type)
    .sort((a, b) => time(a) - time(b))[0]
}

const wireUser = v.object({
  id: v.string(),
  created_at: v.fallback(seconds, new Date(0)),
  linked_accounts: v.array(v.unknown()),
  mfa_methods: v.fallback(v.array(v.object({ type: v.string() })), []),
  has_accepted_terms: flag,
  is_guest: flag,
  custom_metadata: v.fallback(
    v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
    undefined,
  ),
})

/** Wire 4.2 -> {@link User}. Accounts of an unknown kind are kept as such; broken ones are left out. */
export const user = v.pipe(wireUser, v.transform(toUser))
