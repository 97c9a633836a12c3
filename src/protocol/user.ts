import * as v from 'valibot'
import { flag, optionalText, optionalUnixTime, readableItems, unixTime } from './schema.ts'

const socials = [
  ...(['google', 'apple', 'twitter', 'discord', 'github'] as const),
  ...(['linkedin', 'spotify', 'instagram', 'tiktok'] as const),
] as const
/** A provider of social logins. */
export type SocialName = (typeof socials)[number]
const socialKinds = socials.map((name) => `${name}_oauth` as const)

/** A person as the client sees them. */
export interface User extends Readonly<Record<SocialName, SocialAccount | undefined>> {
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
  readonly smartWallet: SmartWalletAccount | undefined
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
export interface WalletAccount extends Verified {
  readonly type: 'wallet'
  readonly address: string
  readonly chainType: string
  readonly chainId: string | undefined
  /** Made by the app, and not one that the person brought along. */
  readonly embedded: boolean
  readonly walletClientType: string | undefined
  readonly connectorType: string | undefined
  readonly imported: boolean
  readonly delegated: boolean
  readonly walletIndex: number | undefined
  readonly recoveryMethod: string | undefined
}
/** An account with code (ERC-4337), owned by the key of one of the user's embedded wallets. */
export interface SmartWalletAccount extends Verified {
  readonly type: 'smart_wallet'
  readonly address: string
  /** The contract, such as `safe` or `coinbase_smart_wallet`; a newer server knows others. */
  readonly smartWalletType: string
  /** The contract's own version, where the server has stored it. */
  readonly smartWalletVersion: string | undefined
}
export interface TelegramAccount extends Verified {
  readonly type: 'telegram'
  readonly telegramUserId: string
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  readonly username: string | undefined
  readonly photoUrl: string | undefined
}
/** Somebody whom the host's own login knows. */
export interface CustomAccount extends Verified {
  readonly type: 'custom'
  readonly customUserId: string
}
export interface PasskeyAccount extends Verified {
  readonly type: 'passkey'
  readonly credentialId: string
  readonly authenticatorName: string | undefined
  readonly createdWithBrowser: string | undefined
  readonly createdWithOs: string | undefined
  readonly enrolledInMfa: boolean
}
/** How a person recognises a passkey in a list. */
export function passkeyName(account: PasskeyAccount): string {
  const { authenticatorName, createdWithBrowser, createdWithOs } = account
  if (authenticatorName && createdWithBrowser) return `${authenticatorName} on ${createdWithBrowser}`
  if (createdWithBrowser && createdWithOs) return `${createdWithBrowser} on ${createdWithOs}`
  return createdWithBrowser ?? 'Unknown device'
}
export interface FarcasterAccount extends Verified {
  readonly type: 'farcaster'
  readonly fid: number
  /** The address that owns the fid. */
  readonly ownerAddress: string
  readonly username: string | undefined
  readonly displayName: string | undefined
  readonly bio: string | undefined
  /** The address of a picture. */
  readonly pfp: string | undefined
  readonly url: string | undefined
  /** The key that may post for the person, if they allowed it. */
  readonly signerPublicKey: string | undefined
}
/** An account at a provider of social logins; which fields there are depends on the provider. */
export interface SocialAccount extends Verified {
  readonly type: SocialName
  /** The provider's own name for the person, which never changes. */
  readonly subject: string
  readonly email: string | undefined
  readonly name: string | undefined
  readonly username: string | undefined
  /** The address of a picture. */
  readonly profilePictureUrl: string | undefined
  /** LinkedIn's name in addresses. */
  readonly vanityName: string | undefined
}
/** An account of a kind that this version does not know, or can't read; its fields stay readable. */
export interface OtherAccount extends Verified {
  readonly type: 'other'
  readonly kind: string
  readonly fields: Readonly<Record<string, unknown>>
}
export type LinkedAccount =
  | EmailAccount
  | PhoneAccount
  | WalletAccount
  | SmartWalletAccount
  | TelegramAccount
  | CustomAccount
  | PasskeyAccount
  | FarcasterAccount
  | SocialAccount
  | OtherAccount

/** The client type of the embedded wallet: no wallet outside may call itself so. */
export const embeddedClientType = 'privy'

/** Every account has these in addition to its `type`. */
const verified = {
  verified_at: v.fallback(unixTime, () => new Date(0)),
  first_verified_at: optionalUnixTime,
  latest_verified_at: optionalUnixTime,
}
const verifiedTimes = (raw: {
  verified_at: Date
  first_verified_at?: Date | undefined
  latest_verified_at?: Date | undefined
}): Verified => ({
  verifiedAt: raw.verified_at,
  firstVerifiedAt: raw.first_verified_at,
  latestVerifiedAt: raw.latest_verified_at,
})

const emailAccount = v.pipe(
  v.object({ ...verified, type: v.literal('email'), address: v.string() }),
  v.transform((raw) => ({ ...verifiedTimes(raw), type: 'email' as const, address: raw.address })),
)
const phoneAccount = v.pipe(
  v.object({ ...verified, type: v.literal('phone'), phoneNumber: v.string() }),
  v.transform((raw) => ({ ...verifiedTimes(raw), type: 'phone' as const, number: raw.phoneNumber })),
)
const walletAccount = v.pipe(
  v.object({
    ...verified,
    type: v.literal('wallet'),
    address: v.string(),
    chain_type: v.fallback(v.string(), 'ethereum'),
    chain_id: optionalText,
    wallet_client: optionalText,
    wallet_client_type: optionalText,
    connector_type: optionalText,
    imported: flag,
    delegated: flag,
    wallet_index: v.fallback(v.optional(v.number()), undefined),
    recovery_method: optionalText,
  }),
  v.transform((raw) => ({
    ...verifiedTimes(raw),
    type: 'wallet' as const,
    address: raw.address,
    chainType: raw.chain_type,
    chainId: raw.chain_id,
    embedded: [raw.wallet_client, raw.wallet_client_type].includes(embeddedClientType),
    walletClientType: raw.wallet_client_type,
    connectorType: raw.connector_type,
    imported: raw.imported,
    delegated: raw.delegated,
    walletIndex: raw.wallet_index,
    recoveryMethod: raw.recovery_method,
  })),
)
const smartWalletAccount = v.pipe(
  v.object({
    ...verified,
    type: v.literal('smart_wallet'),
    address: v.string(),
    smart_wallet_type: v.string(),
    smart_wallet_version: optionalText,
  }),
  v.transform((raw) => ({
    ...verifiedTimes(raw),
    type: 'smart_wallet' as const,
    address: raw.address,
    smartWalletType: raw.smart_wallet_type,
    smartWalletVersion: raw.smart_wallet_version,
  })),
)
const telegramAccount = v.pipe(
  v.object({
    ...verified,
    type: v.literal('telegram'),
    telegram_user_id: v.string(),
    first_name: optionalText,
    last_name: optionalText,
    username: optionalText,
    photo_url: optionalText,
  }),
  v.transform((raw) => ({
    ...verifiedTimes(raw),
    type: 'telegram' as const,
    telegramUserId: raw.telegram_user_id,
    firstName: raw.first_name,
    lastName: raw.last_name,
    username: raw.username,
    photoUrl: raw.photo_url,
  })),
)
const customAccount = v.pipe(
  v.object({ ...verified, type: v.literal('custom_auth'), custom_user_id: v.string() }),
  v.transform((raw) => ({
    ...verifiedTimes(raw),
    type: 'custom' as const,
    customUserId: raw.custom_user_id,
  })),
)
const passkeyAccount = v.pipe(
  v.object({
    ...verified,
    type: v.literal('passkey'),
    credential_id: v.string(),
    authenticator_name: optionalText,
    created_with_browser: optionalText,
    created_with_os: optionalText,
    enrolled_in_mfa: flag,
  }),
  v.transform((raw) => ({
    ...verifiedTimes(raw),
    type: 'passkey' as const,
    credentialId: raw.credential_id,
    authenticatorName: raw.authenticator_name,
    createdWithBrowser: raw.created_with_browser,
    createdWithOs: raw.created_with_os,
    enrolledInMfa: raw.enrolled_in_mfa,
  })),
)
const farcasterAccount = v.pipe(
  v.object({
    ...verified,
    type: v.literal('farcaster'),
    fid: v.number(),
    owner_address: v.string(),
    username: optionalText,
    display_name: optionalText,
    bio: optionalText,
    profile_picture: optionalText,
    profile_picture_url: optionalText,
    homepage_url: optionalText,
    signer_public_key: optionalText,
  }),
  v.transform((raw) => ({
    ...verifiedTimes(raw),
    type: 'farcaster' as const,
    fid: raw.fid,
    ownerAddress: raw.owner_address,
    username: raw.username,
    displayName: raw.display_name,
    bio: raw.bio,
    pfp: raw.profile_picture_url ?? raw.profile_picture,
    url: raw.homepage_url,
    signerPublicKey: raw.signer_public_key,
  })),
)
const socialAccount = v.pipe(
  v.object({
    ...verified,
    type: v.picklist(socialKinds),
    subject: v.string(),
    email: optionalText,
    name: optionalText,
    username: optionalText,
    profile_picture_url: optionalText,
    vanity_name: optionalText,
  }),
  v.transform(
    (raw): SocialAccount => ({
      ...verifiedTimes(raw),
      type: raw.type.replace('_oauth', '') as SocialName,
      subject: raw.subject,
      email: raw.email || undefined,
      name: raw.name,
      username: raw.username,
      profilePictureUrl: raw.profile_picture_url,
      vanityName: raw.vanity_name,
    }),
  ),
)
const otherAccount = v.pipe(
  v.looseObject({ ...verified, type: v.string() }),
  v.transform((raw): OtherAccount => ({ ...verifiedTimes(raw), type: 'other', kind: raw.type, fields: raw })),
)

const linkedAccount = v.union([
  v.variant('type', [
    emailAccount,
    phoneAccount,
    walletAccount,
    smartWalletAccount,
    telegramAccount,
    customAccount,
    passkeyAccount,
    farcasterAccount,
  ]),
  socialAccount,
  otherAccount,
])

/** A person, as every endpoint writes one. What is neither a known nor another kind of account is left out. */
export const user = v.pipe(
  v.object({
    id: v.string(),
    created_at: v.fallback(unixTime, () => new Date(0)),
    linked_accounts: readableItems(linkedAccount),
    mfa_methods: v.fallback(readableItems(v.object({ type: v.string() })), []),
    has_accepted_terms: flag,
    is_guest: flag,
    custom_metadata: v.fallback(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  }),
  v.transform((raw): User => {
    const linkedAccounts = raw.linked_accounts
    return {
      id: raw.id,
      createdAt: raw.created_at,
      linkedAccounts,
      mfaMethods: raw.mfa_methods.map((method) => method.type),
      hasAcceptedTerms: raw.has_accepted_terms,
      isGuest: raw.is_guest,
      customMetadata: raw.custom_metadata,
      email: earliest(linkedAccounts, 'email'),
      phone: earliest(linkedAccounts, 'phone'),
      wallet: earliest(linkedAccounts, 'wallet'),
      farcaster: earliest(linkedAccounts, 'farcaster'),
      telegram: earliest(linkedAccounts, 'telegram'),
      smartWallet: earliest(linkedAccounts, 'smart_wallet'),
      ...socialsOf(linkedAccounts),
    }
  }),
)

const socialsOf = (accounts: readonly LinkedAccount[]) =>
  Object.fromEntries(socials.map((name) => [name, earliest(accounts, name)])) as Record<
    SocialName,
    SocialAccount | undefined
  >

/** The account of a type; each social one has the same shape. */
type AccountOf<Type extends LinkedAccount['type']> =
  Extract<LinkedAccount, { type: Type }> extends never
    ? SocialAccount
    : Extract<LinkedAccount, { type: Type }>

function earliest<Type extends LinkedAccount['type']>(accounts: readonly LinkedAccount[], type: Type) {
  const time = (account: LinkedAccount) => (account.firstVerifiedAt ?? account.verifiedAt).getTime()
  return accounts
    .filter((account): account is AccountOf<Type> => account.type === type)
    .sort((a, b) => time(a) - time(b))[0]
}
