import { createPublicKey } from 'node:crypto'
import * as v from 'valibot'

/** Longest life of a permission, in days. */
const MOST_DAYS = 90
const LONGEST_PURPOSE = 140
const LONGEST_REVIEW = 280
const ethereumAddress = /^0x[\da-f]{40}$/i
const solanaAddress = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const ethereumChain = /^eip155:[1-9]\d{0,15}$/
const solanaChain = /^solana:(?:mainnet|devnet|testnet)$/

/**
 * Names whose functions usually let somebody else take assets, change who owns a contract, or carry calls of their own: an app that lists one
 * has made a mistake. No list of words knows what a function does, so each contract also names who has reviewed it, and every use is bounded
 * by its trial run.
 */
const forbiddenPart =
  /approv|allow|permit|operator|authori[sz]|owner|admin|govern|upgrade|delegat|implementation|multicall|multisend|batch|aggregate|exec|callback|proxy|fallback|initiali[sz]e|migrate|transferfrom|controller|minter|custodian|guardian|manager|trust/i
const forbiddenWords: ReadonlySet<string> = new Set([
  'hope',
  'nope',
  'rely',
  'deny',
  'wish',
  'role',
  'grant',
  'revoke',
  'guard',
  'module',
  'set',
  'sign',
  'signer',
])

/** A function that is refused by its name, or because one of its arguments could hold another call. */
export function isForbiddenFunction(signature: string): boolean {
  const name = signature.slice(0, signature.indexOf('('))
  const words = name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase())
  return (
    forbiddenPart.test(name) ||
    words.some((word) => forbiddenWords.has(word)) ||
    /\b(?:bytes|string)(?!\d)/.test(signature.slice(name.length))
  )
}

const chain = v.pipe(
  v.string(),
  v.check(
    (text) => ethereumChain.test(text) || solanaChain.test(text),
    "must have the form 'eip155:1', or be 'solana:mainnet', 'solana:devnet' or 'solana:testnet'",
  ),
)
const line = (most: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1),
    v.check((text) => [...text].length <= most, `must have at most ${most} characters`),
    v.check((text) => !/\p{C}|\p{Zl}|\p{Zp}/u.test(text), 'must be one line of visible characters'),
  )
const place = v.pipe(
  v.string(),
  v.check((text) => ethereumAddress.test(text) || solanaAddress.test(text), 'must be an address'),
)
const digits = v.pipe(v.string(), v.regex(/^\d{1,60}(?:\.\d{1,36})?$/, 'must be an amount, in digits'))

/** A transfer of one asset, or calls of one contract by the signatures of its functions. */
const allowed = v.union([
  v.strictObject({
    chain,
    /** `native`, the contract of an ERC-20 token, or a mint. */
    transfer: v.union([v.literal('native'), place]),
    /** Recipients; without them, anybody. */
    to: v.optional(v.pipe(v.array(place), v.minLength(1), v.maxLength(20))),
  }),
  v.strictObject({
    chain: v.pipe(chain, v.regex(ethereumChain, 'calls of contracts are for chains of Ethereum')),
    contract: v.pipe(v.string(), v.regex(ethereumAddress, "must be a contract's address")),
    /** Names with the types of their arguments, such as `claim(uint256)`. */
    functions: v.pipe(
      v.array(
        v.pipe(
          v.string(),
          v.regex(
            /^[A-Za-z_]\w{0,63}\((?:[a-z][a-z0-9[\]]*(?:,[a-z][a-z0-9[\]]*)*)?\)$/,
            "must have the form 'claim(uint256,address)'",
          ),
          v.check((text) => !isForbiddenFunction(text), 'names a function that no permission may call'),
        ),
      ),
      v.minLength(1),
      v.maxLength(16),
    ),
    /** Who has read the code of these functions, when, and what they do at worst. */
    reviewed: line(LONGEST_REVIEW),
  }),
])
const limit = v.strictObject({
  chain,
  /** `native`, whose limit every network fee counts against, the contract of an ERC-20 token, or a mint. */
  asset: v.union([v.literal('native'), place]),
  symbol: line(12),
  decimals: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(36)),
  /** In whole units, as in '0.05'. */
  perTransaction: digits,
  /** In any time of `windowSeconds`. */
  perWindow: digits,
  windowSeconds: v.pipe(v.number(), v.integer(), v.minValue(60), v.maxValue(MOST_DAYS * 86_400)),
  /** Over the whole life of the permission. */
  total: digits,
})

/** A permission that a server of the app has once a user has agreed to it in the window of the vault. */
export const permission = v.pipe(
  v.strictObject({
    id: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/, 'must have 1 to 40 letters, digits, - or _')),
    /** The name that users read, and the public key of the server that acts (P-256, SPKI in PEM). */
    signer: v.strictObject({
      name: line(40),
      publicKey: v.pipe(
        v.string(),
        v.check(isP256, 'must be a public key of P-256 in PEM'),
        v.transform((text) => `${text.trim()}\n`),
      ),
    }),
    /** The reason that users read. */
    purpose: line(LONGEST_PURPOSE),
    allow: v.pipe(v.array(allowed), v.minLength(1), v.maxLength(16)),
    limits: v.pipe(v.array(limit), v.minLength(1), v.maxLength(16)),
    days: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_DAYS)),
    maxUses: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000))),
    /** `off` counts amounts by the call alone, and is for transfers only. */
    simulate: v.optional(v.picklist(['require', 'off']), 'require'),
  }),
  v.check(
    ({ limits }) => limits.every((each) => unitsInOrder(each)),
    'the amounts of a limit must fit its decimals and rise from perTransaction over perWindow to total',
  ),
  v.check(
    ({ limits }) => new Set(limits.map(keyOfLimit)).size === limits.length,
    'an asset of a chain has more than one limit',
  ),
  v.check(
    ({ allow, limits }) =>
      allow.every(({ chain: of }) => limits.some((each) => each.chain === of && each.asset === 'native')),
    'every chain needs a limit for its native asset, from which fees are paid',
  ),
  v.check(
    ({ allow, limits }) =>
      allow.every(
        (each) =>
          !('transfer' in each) ||
          limits.some((of) => keyOfLimit(of) === keyOfLimit({ chain: each.chain, asset: each.transfer })),
      ),
    'an asset that may be transferred needs a limit',
  ),
  v.check(
    ({ allow, simulate }) => simulate === 'require' || allow.every((each) => 'transfer' in each),
    "calls of contracts need simulate: 'require'",
  ),
  v.check(
    ({ allow, limits }) =>
      [...allow.flatMap(placesOf), ...limits.map(({ chain: of, asset }) => [of, asset] as const)].every(
        ([of, text]) =>
          text === 'native' || (ethereumChain.test(of) ? ethereumAddress : solanaAddress).test(text),
      ),
    'an address is not one of its chain',
  ),
)
export type Permission = v.InferOutput<typeof permission>

const placesOf = (each: v.InferOutput<typeof allowed>): (readonly [chain: string, text: string])[] =>
  'transfer' in each
    ? [each.transfer, ...(each.to ?? [])].map((text) => [each.chain, text] as const)
    : [[each.chain, each.contract]]

/** An asset in its one form: addresses of Ethereum in lower case. */
export const assetKey = (asset: string): string => (ethereumAddress.test(asset) ? asset.toLowerCase() : asset)
const keyOfLimit = ({ chain: of, asset }: { chain: string; asset: string }) => `${of} ${assetKey(asset)}`

/** An amount in smallest units. `undefined` for more decimals than there are. */
export function unitsOf(amount: string, decimals: number): bigint | undefined {
  const [whole = '', fraction = ''] = amount.split('.')
  return fraction.length > decimals ? undefined : BigInt(whole + fraction.padEnd(decimals, '0'))
}

function unitsInOrder({ decimals, perTransaction, perWindow, total }: v.InferOutput<typeof limit>): boolean {
  const [one, some, all] = [perTransaction, perWindow, total].map((amount) => unitsOf(amount, decimals))
  return one !== undefined && some !== undefined && all !== undefined && one <= some && some <= all
}

function isP256(pem: string): boolean {
  try {
    const key = createPublicKey(pem)
    return (
      /^-----BEGIN PUBLIC KEY-----/.test(pem.trim()) && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
    )
  } catch {
    return false
  }
}
