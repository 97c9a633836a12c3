/**
 * Transactions as hosts have them: bytes, or objects of `@solana/web3.js` 1.x or `@solana/kit`, known by their shape
 * because a page has a copy of its own of either library. The signed transaction is given back in the same form.
 */
import { compileTransaction } from '@solana/kit'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { decodeMessage, decodeTransaction, encodeTransaction } from './message.ts'
import { NO_BLOCKHASH } from './prepare.ts'

export interface HostTransaction {
  readonly kind: 'bytes' | 'legacy' | 'versioned' | 'kit' | 'kitMessage'
  /** In the network's own form; a missing blockhash is all zeros. */
  readonly bytes: Uint8Array
  /** The signed transaction in the form that came; of a message of kit it is a transaction of kit. */
  restore(signed: Uint8Array): unknown
}

type Shape = Readonly<Record<string, unknown>>

/**
 * Reads a transaction of a host.
 * @param wallet the address that is to sign; it pays the fee where an older transaction names nobody
 * @throws an {@link InvalidRequest} for anything that is none, or that its own library can't write
 */
export function readHostTransaction(value: unknown, wallet: string): HostTransaction {
  try {
    if (value instanceof Uint8Array || isForeignBytes(value))
      return ofBytes(Uint8Array.from(value as Uint8Array))
    if (typeof value !== 'object' || value === null) throw unreadable()
    const shape = value as Shape
    if (isBytes(shape.messageBytes) && isObject(shape.signatures)) return ofKit(shape)
    if (isObject(shape.message) && Array.isArray(shape.signatures) && isFunction(shape.serialize))
      return ofVersioned(shape)
    if (Array.isArray(shape.instructions) && isFunction(shape.serialize)) return ofLegacy(shape, wallet)
    if (Array.isArray(shape.instructions) && isObject(shape.feePayer) && 'version' in shape)
      return ofKitMessage(shape)
    throw unreadable()
  } catch (cause) {
    if (cause instanceof InvalidRequest) throw cause
    // The library's own words name what is missing.
    throw new InvalidRequest(cause instanceof Error ? cause.message : "The transaction can't be read", {
      cause,
    })
  }
}

const ofBytes = (bytes: Uint8Array): HostTransaction => ({
  kind: 'bytes',
  bytes,
  restore: (signed) => signed,
})

function ofVersioned(shape: Shape): HostTransaction {
  const bytes = Uint8Array.from((shape.serialize as () => Uint8Array).call(shape))
  const { deserialize } = constructorOf(shape) as { deserialize?: (bytes: Uint8Array) => unknown }
  if (!isFunction(deserialize)) throw unreadable()
  const type = constructorOf(shape)
  return { kind: 'versioned', bytes, restore: (signed) => deserialize.call(type, signed) }
}

function ofLegacy(shape: Shape, wallet: string): HostTransaction {
  const missing: PropertyDescriptorMap = {}
  if (!shape.recentBlockhash && !shape.nonceInfo)
    missing.recentBlockhash = { value: NO_BLOCKHASH, writable: true }
  if (!shape.feePayer && !(Array.isArray(shape.signatures) && shape.signatures.length > 0))
    missing.feePayer = { value: ownKey(shape, wallet), writable: true }
  // The host's own object stays as it is.
  const complete = Object.create(shape, missing) as Shape
  const serialize = shape.serialize as (options: object) => Uint8Array
  const bytes = Uint8Array.from(
    serialize.call(complete, { requireAllSignatures: false, verifySignatures: false }),
  )
  const type = constructorOf(shape) as { from?: (bytes: Uint8Array) => unknown }
  const { from } = type
  if (!isFunction(from)) throw unreadable()
  return { kind: 'legacy', bytes, restore: (signed) => from.call(type, signed) }
}

/** The wallet's key as an object of the host's library, which its instructions have. */
function ownKey(shape: Shape, wallet: string): unknown {
  for (const instruction of shape.instructions as readonly Shape[])
    for (const { pubkey } of (instruction.keys ?? []) as readonly Shape[])
      if (isObject(pubkey) && isFunction(pubkey.toBase58) && pubkey.toBase58() === wallet) return pubkey
  throw new InvalidRequest(`Transaction does not contain public key ${wallet}`)
}

function ofKit(shape: Shape): HostTransaction {
  const messageBytes = Uint8Array.from(shape.messageBytes as Uint8Array)
  const given = shape.signatures as Shape
  const { signers } = decodeMessage(messageBytes)
  const own = signers.map((signer) => {
    const signature = given[signer]
    if (signature !== null && signature !== undefined && !(isBytes(signature) && signature.length === 64))
      throw unreadable()
    return signature ? Uint8Array.from(signature as Uint8Array) : undefined
  })
  return {
    kind: 'kit',
    bytes: encodeTransaction(messageBytes, own),
    restore: (signed) => toKit(signed, shape),
  }
}

function ofKitMessage(shape: Shape): HostTransaction {
  const message = shape.lifetimeConstraint
    ? shape
    : { ...shape, lifetimeConstraint: { blockhash: NO_BLOCKHASH, lastValidBlockHeight: 0n } }
  const compiled = compileTransaction(message as never) as unknown as Shape
  const { bytes } = ofKit(compiled)
  return { kind: 'kitMessage', bytes, restore: (signed) => toKit(signed, compiled) }
}

function toKit(signed: Uint8Array, shape: Shape): unknown {
  const { message, signatures } = decodeTransaction(signed)
  return Object.freeze({
    ...shape,
    messageBytes: message.bytes,
    signatures: Object.freeze(
      Object.fromEntries(message.signers.map((signer, at) => [signer, signatures[at] ?? null])),
    ),
  })
}

const isObject = (value: unknown): value is Shape => typeof value === 'object' && value !== null
const isFunction = (value: unknown): value is (...args: never[]) => unknown => typeof value === 'function'
const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array || isForeignBytes(value)
/** Bytes of another frame are no instance of this one's class. */
const isForeignBytes = (value: unknown): value is Uint8Array =>
  Object.prototype.toString.call(value) === '[object Uint8Array]'
const constructorOf = (shape: Shape): unknown => (shape as { constructor?: unknown }).constructor ?? {}
const unreadable = () => new InvalidRequest("The transaction can't be read")
