import { ed25519 } from '@noble/curves/ed25519.js'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { isPlainObject } from '../../lib/plain.ts'
import type { RpcRequest } from '../../protocol/frame/calls.ts'
import { isStatement } from '../reserved.ts'
import { reservedStatement, unsupported } from './errors.ts'
import type { SignatureRequest } from './ethereum.ts'

/**
 * Reads what a Solana wallet is asked to sign: `signMessage` with `{ message }` in base64, which may also be the message
 * of a transaction. Throws `InvalidRequest`, or a `VaultError` for an unknown method.
 */
export function parseSolanaRequest(request: RpcRequest): SignatureRequest {
  const bytes = parseMessageParams(request)
  if (isStatement(bytes)) throw reservedStatement()
  return { sign: ({ privateKey }) => ({ signature: toBase64(ed25519.sign(bytes, privateKey)) }) }
}

/** The bytes that a request asks to be signed. Throws like {@link parseSolanaRequest}. */
export function parseMessageParams({ method, params }: RpcRequest): Uint8Array {
  if (method !== 'signMessage') throw unsupported('This method')
  const { message, ...more } = isPlainObject(params) ? params : Object.create(null)
  const bytes =
    typeof message === 'string' && Object.keys(more).length === 0 ? fromBase64(message) : undefined
  if (!bytes) throw new InvalidRequest('signMessage requires a message in base64')
  return bytes
}

const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** Only with padding and without bits that are left over, so that the same bytes have one text. */
function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return toBase64(bytes) === text ? bytes : undefined
}
