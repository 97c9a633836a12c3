import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { readWalletAddress, type WalletAddress } from '../chains/address.ts'
import { Refusal } from '../lib/refusal.ts'
import type { RecoveryRecord } from './recovery/record.ts'
import type { TransactionRequest } from './transactions/request.ts'

/** An id that the vault has made. */
export const uuid = v.pipe(v.string(), v.uuid(), v.toLowerCase())
/** A share, or a package with one, as the vault encodes it. */
export const share = v.pipe(v.string(), v.minLength(1), v.maxLength(8_192))
/** The chains on which wallets are. */
export const chainType = v.picklist(['ethereum', 'solana'])
/** Text that may be an address; `exactAddress` judges it. */
export const address = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
/** EIP-191 in hex, or ed25519 in base64url. */
export const proof = v.pipe(v.string(), v.regex(/^(?:0x[\da-f]{130}|[\w-]{86})$/i))
/** ES256 in base64url. */
export const deviceProof = v.pipe(v.string(), v.regex(/^[\w-]{86}$/))
/** Bytes in base64url, in the one way in which it is written. */
export const bytes = (count: number) =>
  v.pipe(
    v.string(),
    v.check((text) => {
      const read = Buffer.from(text, 'base64url')
      return read.length === count && read.toString('base64url') === text
    }),
  )
/** What the vault makes of a recovery password. */
export const passwordProof = v.pipe(
  bytes(32),
  v.transform((text) => Buffer.from(text, 'base64url')),
)
/** An amount in the smallest units. */
const units = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}$/),
  v.transform((digits) => BigInt(digits)),
)
/** A transfer that the vault's frame would approve. */
export const frameTransfer = v.strictObject({
  address,
  chain: v.pipe(v.string(), v.regex(/^(eip155:[1-9]\d{0,15}|solana:mainnet)$/)),
  asset: v.optional(v.pipe(v.string(), v.regex(/^0x[\da-f]{40}$/i))),
  amount: units,
  fee: units,
  transaction: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)),
  reserve: v.boolean(),
})
/** A token of a wallet. */
export const walletToken = v.strictObject({
  address,
  chain_id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  token: v.pipe(v.string(), v.regex(/^0x[\da-f]{40}$/i)),
  /** The contract whose balance it is in place of the wallet's, such as a smart account's. */
  owner: v.optional(v.pipe(v.string(), v.regex(/^0x[\da-f]{40}$/i))),
})
/** Contracts on one chain, and hashes of message types: what one request may need descriptors of. */
export const descriptorSelection = v.strictObject({
  chain_id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  contracts: v.pipe(v.array(v.pipe(v.string(), v.regex(/^0x[\da-f]{40}$/i))), v.maxLength(16)),
  messages: v.pipe(v.array(v.pipe(v.string(), v.regex(/^0x[\da-f]{64}$/))), v.maxLength(16)),
})
const name = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,256}$/))

/** What tells, and does nothing else, that somebody has the recovery key; 32 random bytes need no slow hash. */
const verifier = v.optional(
  v.pipe(
    bytes(32),
    v.transform((text) => verifierHash(text)),
  ),
)
/** As which a verifier is kept. */
export const verifierHash = (text: string) =>
  createHash('sha256').update(Buffer.from(text, 'base64url')).digest('base64url')
const rounds = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000_000)))

const sealed = { package: share }
/** What is kept for a recovery method: for each its own fields, and no others. */
export const recovery = v.pipe(
  v.variant('method', [
    v.strictObject({ method: v.literal('privy'), ...sealed, key: bytes(32) }),
    v.strictObject({
      method: v.literal('user-passcode'),
      ...sealed,
      secret_id: uuid,
      salt: bytes(16),
      rounds,
    }),
    v.strictObject({ method: v.literal('google-drive'), ...sealed, file_id: name, verifier }),
    v.strictObject({ method: v.literal('icloud'), ...sealed, record_name: name, verifier }),
    v.strictObject({ method: v.literal('recovery-encryption-key'), ...sealed, verifier }),
  ]),
  v.transform((given): RecoveryRecord => {
    const { method, package: text } = given
    return {
      method,
      package: text,
      ...('key' in given && { key: given.key }),
      ...('secret_id' in given && { secretId: given.secret_id, salt: given.salt }),
      ...('rounds' in given && given.rounds !== undefined && { rounds: given.rounds }),
      ...('verifier' in given && given.verifier !== undefined && { verifierHash: given.verifier }),
      ...('file_id' in given && { fileId: given.file_id }),
      ...('record_name' in given && { recordName: given.record_name }),
    }
  }),
)

/** An address of the right chain in its one form. @throws Refusal `invalid_data` */
export function exactAddress(given: {
  chain_type: WalletAddress['chainType']
  address: string
}): WalletAddress {
  const read = readWalletAddress(given.address)
  if (read?.chainType !== given.chain_type || read.address !== given.address)
    throw new Refusal('invalid_data', 'Invalid or missing: address')
  return read
}

const hex = v.pipe(
  v.string(),
  v.regex(/^0x(?:[\da-f]{2})*$/i),
  v.transform((text) => text as `0x${string}`),
)
/** A number as JSON has it, in decimal digits or in hex. */
const quantity = v.pipe(
  v.union([
    v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    v.pipe(v.string(), v.regex(/^(?:0x[\da-f]{1,64}|\d{1,78})$/i)),
  ]),
  v.transform((text) => BigInt(text)),
  v.check((value) => value < 2n ** 256n),
)
const small = v.pipe(
  quantity,
  v.check((value) => value <= BigInt(Number.MAX_SAFE_INTEGER)),
  v.transform(Number),
)
const ethereumAddress = v.pipe(
  v.string(),
  v.check((text) => readWalletAddress(text)?.chainType === 'ethereum'),
  v.transform((text) => readWalletAddress(text)?.address ?? ''),
)
const accessList = v.pipe(
  v.array(
    v.strictObject({
      address: ethereumAddress,
      storageKeys: v.pipe(v.array(v.pipe(v.string(), v.regex(/^0x[\da-f]{64}$/i))), v.maxLength(1_000)),
    }),
  ),
  v.maxLength(1_000),
)
/** A transaction (docs/protocol.md), and what else one of those kinds may have. */
export const transaction = v.pipe(
  v.strictObject({
    to: v.nullish(ethereumAddress),
    from: v.nullish(ethereumAddress),
    value: v.nullish(quantity),
    data: v.nullish(hex),
    chainId: v.pipe(small, v.minValue(1)),
    nonce: v.nullish(small),
    gasLimit: v.nullish(quantity),
    gasPrice: v.nullish(quantity),
    maxFeePerGas: v.nullish(quantity),
    maxPriorityFeePerGas: v.nullish(quantity),
    type: v.nullish(v.picklist([0, 1, 2])),
    accessList: v.nullish(accessList),
  }),
  v.check(
    ({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }) =>
      (gasPrice ?? null) === null ||
      ((maxFeePerGas ?? null) === null && (maxPriorityFeePerGas ?? null) === null),
    'has fees of two kinds',
  ),
  v.transform(
    (given) =>
      Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
      ) as unknown as TransactionRequest,
  ),
)
/** The same for JSON. */
export const transactionView = (filled: TransactionRequest) =>
  Object.fromEntries(
    Object.entries(filled).map(([field, value]) => [
      field,
      typeof value === 'bigint' ? `0x${value.toString(16)}` : value,
    ]),
  )
