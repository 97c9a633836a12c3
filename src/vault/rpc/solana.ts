import { ed25519 } from '@noble/curves/ed25519.js'
import type { RpcRequest } from '../../wire/frame/calls.ts'
import { isPlainObject } from '../../wire/frame/plain.ts'
import { isStatement } from '../statements.ts'
import type { Signing } from './ethereum.ts'
import { invalid, ownStatement, unsupported } from './invalid.ts'

/**
 * Reads what a Solana wallet is asked: `signMessage` with `{ message }` in base64, which may also be the message of a
 * transaction (wire 7.6). Throws a VaultError.
 */
export function readSolanaRequest({ method, params }: RpcRequest): Signing {
  if (method !== 'signMessage') throw unsupported('This method')
  const { message, ...more } = isPlainObject(params) ? params : Object.create(null)
  const bytes =
    typeof message === 'string' && Object.keys(more).length === 0 ? fromBase64(message) : undefined
  if (!bytes) throw invalid('signMessage takes a message in base64')
  if (isStatement(bytes)) throw ownStatement()
  return { sign: ({ privateKey }) => ({ signature: toBase64(ed25519.sign(bytes, privateKey)) }) }
}

const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** With its padding, and with no bits left over: one text for the same bytes. */
function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return toBase64(bytes) === text ? bytes : undefined
}
