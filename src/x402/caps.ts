/** The greatest amounts that an app lets its users pay for requests. Nothing is paid without one per payment and one per day. */
import type { PaymentCap } from '../app/config.ts'
import { KitError } from '../errors/kit-error.ts'
import { USDC_DECIMALS } from '../lib/usdc.ts'
import { x402Limits } from './limits.ts'

/** Caps as an app sets them. */
export interface PaymentCaps {
  readonly perPayment?: PaymentCap | undefined
  readonly perDay?: PaymentCap | undefined
}

/** A limit of one asset. */
export interface Limit {
  readonly per: 'payment' | 'day'
  readonly unit: 'units' | 'usd'
  /** In smallest units, or in millionths of a US dollar. */
  readonly most: bigint
}

export const assetKey = (chain: string, token: string): string => `${chain}/erc20:${token.toLowerCase()}`

/**
 * All limits that hold for an asset.
 * @throws KitError `payment_cap_missing` where there is none per payment or none per day
 */
export function limitsOf(sources: readonly PaymentCaps[], asset: string): readonly Limit[] {
  const limits = sources.flatMap(({ perPayment, perDay }) => [
    ...limitOf('payment', perPayment, asset),
    ...limitOf('day', perDay, asset),
  ])
  for (const per of ['payment', 'day'] as const)
    if (!limits.some((limit) => limit.per === per))
      throw new KitError(
        'payment_cap_missing',
        `Nothing is paid with this asset without a greatest amount per ${per}`,
        { data: { asset } },
      )
  return limits
}

function limitOf(per: Limit['per'], cap: PaymentCap | undefined, asset: string): readonly Limit[] {
  const units = cap?.assets?.[asset]
  if (units !== undefined) return [{ per, unit: 'units', most: units }]
  return cap?.usd === undefined ? [] : [{ per, unit: 'usd', most: toMicroDollars(cap.usd) }]
}

/** Reads a cap of the host's. @throws KitError `invalid_request_arguments` */
export function readCap(cap: PaymentCap | undefined, name: string): PaymentCap | undefined {
  if (cap === undefined) return undefined
  const { usd, assets } = cap
  const isAmount = usd === undefined || (Number.isFinite(usd) && usd > 0 && usd <= x402Limits.dollars)
  const entries = Object.entries(assets ?? {})
  const areAssets = entries.every(
    ([key, units]) => ASSET.test(key) && typeof units === 'bigint' && units > 0n,
  )
  if (!isAmount || !areAssets || (usd === undefined && entries.length === 0))
    throw new KitError(
      'invalid_request_arguments',
      `${name} must have US dollars above 0, or amounts as bigints by CAIP-19 asset`,
    )
  return {
    ...(usd !== undefined && { usd }),
    assets: Object.fromEntries(entries.map(([key, units]) => [key.toLowerCase(), units])),
  }
}

const ASSET = /^eip155:\d{1,20}\/erc20:0x[0-9a-f]{40}$/i
const MICRO = 1_000_000

const toMicroDollars = (usd: number): bigint => BigInt(Math.round(usd * MICRO))

/** The value of an amount in millionths of a US dollar, rounded up. @param price US dollars for one whole token */
export function toDollarValue(amount: bigint, decimals: number, price: number): bigint {
  const unit = 10n ** BigInt(decimals)
  return (amount * toMicroDollars(price) + unit - 1n) / unit
}

export const formatDollars = (micro: bigint): string =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: USDC_DECIMALS,
  }).format(Number(micro) / MICRO)
