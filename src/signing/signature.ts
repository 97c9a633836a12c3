import { type BytesCoder, base64, base64urlnopad } from '@scure/base'
import { KitError } from '../errors/kit-error.ts'
import type { Plain } from '../lib/plain.ts'
import type { EditedContent } from '../protocol/frame/approval.ts'
import type { RpcRequest } from '../protocol/frame/calls.ts'
import type { FrameSmartAccount, SignContent } from '../protocol/frame/sign-request.ts'

/** What is to be signed, and how the vault's result is read. */
export interface Signature<T> {
  readonly content: SignContent
  /**
   * The call that signs it where the page has reviewed it, for what a key signs in another form than it is displayed in: the vault derives that
   * from the content by itself.
   */
  readonly rpc?: RpcRequest | undefined
  /**
   * @param edited what was signed instead, where the user has changed it in the vault
   * @throws KitError `unable_to_sign` for a result that is no signature
   */
  read(result: string | object, edited?: EditedContent): T
}

/** A smart account that signs in place of its owner's key (`user-operation/content.ts`). */
export interface AccountSigner {
  /** As the vault's requests name it. */
  readonly account: FrameSmartAccount
  /** The owner's call for a message or typed data, and the account's signature out of its result. */
  sign(content: SignedContent): Pick<Signature<string>, 'rpc' | 'read'>
}
/** `message`: its bytes in 0x-hex. */
export type SignedContent = { readonly message: string } | { readonly typedData: Plain }

/** Reads a signature of an Ethereum wallet, or a transaction that it has signed: both are hex text. */
export function readHex(result: string | object): string {
  if (typeof result !== 'string') throw noSignature()
  return result
}

/** Bytes of a signature of ed25519. */
const ED25519_SIGNATURE_SIZE = 64

/** Reads a signature of a Solana wallet. */
export function readSolanaSignature(result: string | object): Uint8Array {
  const { signature } = result as { signature?: unknown }
  const bytes = typeof signature === 'string' ? decode(signature) : undefined
  if (bytes?.length !== ED25519_SIGNATURE_SIZE) throw noSignature()
  return bytes
}

/** Reads a signature of the key that signs for the user on Farcaster. */
export function readFarcasterSignature(result: string | object): Uint8Array {
  const { signature } = result as { signature?: unknown }
  const bytes = typeof signature === 'string' ? decode(signature, base64urlnopad) : undefined
  if (bytes?.length !== ED25519_SIGNATURE_SIZE) throw noSignature()
  return bytes
}

const noSignature = () => new KitError('unable_to_sign', 'Unable to sign message')

function decode(text: string, coder: BytesCoder = base64): Uint8Array | undefined {
  try {
    return coder.decode(text)
  } catch {
    return undefined
  }
}
