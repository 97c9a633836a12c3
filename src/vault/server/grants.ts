/** The vault's requests to the server about what an app's servers may do with a wallet. docs/protocol.md, "Permissions" */
import * as v from 'valibot'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { type Bytes, fromBase64url, toBase64url, utf8 } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import type { ChainType } from '../model.ts'
import { statementShown, statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const units = v.pipe(v.string(), v.regex(/^\d{1,78}$/))
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const allowed = v.union([
  v.strictObject({ chain: text, transfer: text, to: v.nullable(v.array(text)) }),
  v.strictObject({ chain: text, contract: text, functions: v.array(text) }),
])
const limit = v.strictObject({
  chain: text,
  asset: text,
  symbol: text,
  decimals: v.pipe(whole, v.maxValue(36)),
  per_transaction: units,
  per_window: units,
  window_seconds: whole,
  total: units,
})
/** Strict: what the vault doesn't know it can't show, and what it hasn't shown isn't approved. */
const terms = v.strictObject({
  permission: text,
  signer: v.strictObject({ name: text, key: text }),
  purpose: text,
  chains: v.pipe(v.array(text), v.minLength(1)),
  allow: v.pipe(v.array(allowed), v.minLength(1)),
  limits: v.pipe(v.array(limit), v.minLength(1)),
  days: v.pipe(whole, v.minValue(1)),
  max_uses: v.nullable(whole),
  simulate: v.picklist(['require', 'off']),
})
type WireTerms = v.InferOutput<typeof terms>
/** Terms of a permission. Amounts are in smallest units. */
export interface GrantTerms
  extends Readonly<Pick<WireTerms, 'permission' | 'signer' | 'purpose' | 'chains' | 'allow' | 'days'>> {
  readonly limits: readonly GrantLimit[]
  readonly maxUses: number | undefined
}
export interface GrantLimit {
  readonly chain: string
  /** `native`, a contract, or a mint. */
  readonly asset: string
  readonly symbol: string
  readonly decimals: number
  readonly perTransaction: bigint
  readonly perWindow: bigint
  readonly windowSeconds: number
  readonly total: bigint
}

const readTerms = ({ max_uses: maxUses, limits, simulate, ...rest }: WireTerms): GrantTerms => ({
  ...rest,
  maxUses: maxUses ?? undefined,
  limits: limits.map(({ chain, asset, symbol, decimals, ...each }) => ({
    ...{ chain, asset, symbol, decimals },
    perTransaction: BigInt(each.per_transaction),
    perWindow: BigInt(each.per_window),
    windowSeconds: each.window_seconds,
    total: BigInt(each.total),
  })),
})
const offer = v.object({
  address: text,
  chain_type: v.picklist(['ethereum', 'solana'] satisfies ChainType[]),
  terms,
  key: v.object({ id: text, public_key: text }),
})

/** Terms as the server says them, and the key to which the wallet's is encrypted. */
export interface GrantOffer {
  readonly address: string
  readonly chainType: ChainType
  readonly terms: GrantTerms
  /** The same as the server has written them: what the device's key signs. */
  readonly canonical: string
  readonly key: { readonly id: string; readonly publicKey: Bytes }
}

const pathOf = (address: string) => `/embedded_wallets/${encodeURIComponent(address)}/grants`
const named = (permission: string | undefined) => (permission === undefined ? {} : { permission })

/** Reads the terms from the server itself. Throws a `VaultError`: `already_delegated` where the wallet has been given before. */
export async function reviewGrant(
  cx: VaultContext,
  token: Token,
  address: string,
  permission: string | undefined,
): Promise<GrantOffer> {
  const answer = v.safeParse(offer, await cx.api(token, `${pathOf(address)}/review`, named(permission)))
  const publicKey = answer.success ? fromBase64url(answer.output.key.public_key) : undefined
  if (!answer.success || !publicKey) throw unexpectedAnswer()
  const { address: exact, chain_type: chainType, key, terms: given } = answer.output
  return {
    address: exact,
    chainType,
    terms: readTerms(given),
    canonical: canonicalJson(given),
    key: { id: key.id, publicKey },
  }
}

/** Gives a permission. The device's key signs the terms that were shown with the request. Throws a `VaultError`. */
export async function giveGrant(
  cx: VaultContext,
  token: Token,
  { address, terms: shown, canonical, key }: GrantOffer,
  {
    permission,
    encryptedShare,
    share,
  }: { permission: string | undefined; encryptedShare: string; share: string },
): Promise<{ id: string; expiresAt: number }> {
  const hash = await crypto.subtle.digest('SHA-256', utf8(canonical))
  const statement = statements.permissionGiven({
    app: cx.settings.appId,
    user: token.user,
    address,
    permission: shown.permission,
    terms: toBase64url(new Uint8Array(hash)),
  })
  const { id, expires_at: expiresAt } = await cx.api(
    token,
    pathOf(address),
    { ...named(permission), key_id: key.id, encrypted_share: encryptedShare, share },
    statementShown(cx, statement),
  )
  if (typeof id !== 'string' || typeof expiresAt !== 'number') throw unexpectedAnswer()
  return { id, expiresAt }
}
