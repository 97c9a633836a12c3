import { createHash, createPublicKey } from 'node:crypto'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import { assetKey, type Permission, unitsOf } from '../settings/permissions.ts'

/** A transfer of one asset of a chain, to some recipients or to anybody. */
export interface AllowedTransfer {
  chain: string
  transfer: string
  to: string[] | null
}
/** Calls of one contract, by the signatures of its functions. */
export interface AllowedCalls {
  chain: string
  contract: string
  functions: string[]
}
/** Limits of one asset of one chain; amounts are digits in smallest units. */
export interface GrantLimit {
  chain: string
  /** `native`, a contract in lower case, or a mint. */
  asset: string
  symbol: string
  decimals: number
  perTransaction: string
  perWindow: string
  windowSeconds: number
  total: string
}
/** All that a grant allows, with nothing left to the app's settings. */
export interface GrantTerms {
  permission: string
  /** The public key is P-256, SPKI in PEM. */
  signer: { name: string; publicKey: string }
  purpose: string
  allow: (AllowedTransfer | AllowedCalls)[]
  limits: GrantLimit[]
  days: number
  maxUses: number | null
  simulate: 'require' | 'off'
}

/** The terms of a permission as the settings are now. */
export function termsOf(permission: Permission): GrantTerms {
  const { id, signer, purpose, allow, limits, days, maxUses = null, simulate } = permission
  return {
    permission: id,
    signer,
    purpose,
    allow: allow.map((each) =>
      'transfer' in each
        ? { chain: each.chain, transfer: assetKey(each.transfer), to: each.to?.map(assetKey) ?? null }
        : { chain: each.chain, contract: assetKey(each.contract), functions: each.functions },
    ),
    limits: limits.map(({ asset, perTransaction, perWindow, total, ...rest }) => {
      const units = (amount: string) => String(unitsOf(amount, rest.decimals) ?? 0n)
      return {
        ...rest,
        asset: assetKey(asset),
        perTransaction: units(perTransaction),
        perWindow: units(perWindow),
        total: units(total),
      }
    }),
    days,
    maxUses,
    simulate,
  }
}

/** The chains on which a grant is of use. */
export const chainsOf = ({ allow }: GrantTerms): string[] => [...new Set(allow.map(({ chain }) => chain))]

/** Terms in the form of the protocol. docs/protocol.md, "Permissions" */
export const termsView = (terms: GrantTerms) => ({
  permission: terms.permission,
  signer: { name: terms.signer.name, key: keyThumbprint(terms.signer.publicKey) },
  purpose: terms.purpose,
  chains: chainsOf(terms),
  allow: terms.allow.map((each) => ({ ...each })),
  limits: terms.limits.map(({ perTransaction, perWindow, windowSeconds, ...rest }) => ({
    ...rest,
    per_transaction: perTransaction,
    per_window: perWindow,
    window_seconds: windowSeconds,
  })),
  days: terms.days,
  max_uses: terms.maxUses,
  simulate: terms.simulate,
})

/** SHA-256 of the terms as the vault has shown them. */
export const termsHash = (terms: GrantTerms): string =>
  createHash('sha256')
    .update(canonicalJson(termsView(terms)))
    .digest('base64url')

/** Names a signer's key: SHA-256 of its SPKI form. */
export const keyThumbprint = (pem: string): string =>
  createHash('sha256')
    .update(createPublicKey(pem).export({ type: 'spki', format: 'der' }))
    .digest('base64url')
