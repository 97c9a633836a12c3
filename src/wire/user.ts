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
  const other = v.safeParse(otherAccount, raw)
  return other.success
    ? { ...times(other.output), type: 'other', kind: other.output.type, fields: other.output }
    : undefined
}

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
