import { InvalidRequest } from '../../lib/invalid-request.ts'
import { type Bytes, fromBase64url } from '../bytes.ts'

/** Bytes of the hash (BLAKE3) of what is done on Farcaster. No statement of the vault's own, and no transaction, is as short. */
const HASH_SIZE = 20

/** Reads a hash in base64url. Throws {@link InvalidRequest} for anything else. */
export function assertFarcasterHash(hash: string): Bytes {
  const bytes = fromBase64url(hash)
  if (bytes?.length !== HASH_SIZE) throw new InvalidRequest('The hash must be 20 bytes in base64url')
  return bytes
}
