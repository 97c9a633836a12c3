import { verify } from 'node:crypto'
import * as v from 'valibot'
import { canonicalJson } from '../../../src/lib/canonical-json.ts'
import { Refusal } from '../lib/refusal.ts'

/** Carries the signature of a request: P-256 with SHA-256, as 64 bytes in base64url. */
export const SIGNATURE_HEADER = 'latchkey-signature'
const MOST_BYTES = 65_536

const common = {
  app: v.pipe(v.string(), v.maxLength(64)),
  /** Unix seconds. */
  expires_at: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
}
const grantId = v.pipe(v.string(), v.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/))

export const bodies = {
  transaction: v.strictObject({
    ...common,
    grant: grantId,
    idempotency_key: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{16,128}$/)),
    /** CAIP-2. */
    chain: v.pipe(v.string(), v.maxLength(64)),
    /** An object on Ethereum, the message in base64 on Solana. */
    transaction: v.union([
      v.record(v.string(), v.union([v.string(), v.number()])),
      v.pipe(v.string(), v.maxLength(2_048)),
    ]),
  }),
  status: v.strictObject({ ...common, grant: grantId }),
  find: v.strictObject({
    ...common,
    permission: v.pipe(v.string(), v.maxLength(40)),
    address: v.pipe(v.string(), v.maxLength(64)),
  }),
} as const
export type TransactionBody = v.InferOutput<typeof bodies.transaction>

/**
 * Reads a request that must be canonical JSON to the letter, since the signature is over its bytes.
 * @throws Refusal `invalid_data`
 */
export function readCanonical<T>(bytes: Uint8Array, schema: v.GenericSchema<unknown, T>): T {
  const result = v.safeParse(schema, parseCanonical(bytes))
  if (result.success) return result.output
  throw new Refusal('invalid_data', `Invalid or missing: ${v.getDotPath(result.issues[0]) ?? 'request'}`)
}

function parseCanonical(bytes: Uint8Array): unknown {
  try {
    if (bytes.length > MOST_BYTES) throw new TypeError('too long')
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    if (canonicalJson(value) === text) return value
  } catch {
    // Not JSON at all, or nested beyond what any request is.
  }
  throw new Refusal('invalid_data', 'The request must be canonical JSON (RFC 8785).')
}

/** Verifies that a key signed these bytes for this path. */
export function isSignedBy(
  publicKey: string,
  { path, bytes, signature }: { path: string; bytes: Uint8Array; signature: string },
): boolean {
  const raw = Buffer.from(signature, 'base64url')
  if (raw.length !== 64 || raw.toString('base64url') !== signature) return false
  const signed = Buffer.concat([Buffer.from(`POST ${path}\n`), bytes])
  return verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, raw)
}
