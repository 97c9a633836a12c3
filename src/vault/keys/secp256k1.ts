/**
 * The curve of Ethereum's keys. @noble/secp256k1 rather than @noble/curves, of the same hands and with the same vectors:
 * the vault needs this one curve before the first signature, and it is a quarter of the code.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { hashes, Point } from '@noble/secp256k1'

export { getPublicKey, sign } from '@noble/secp256k1'

// RFC 6979 draws a signature's nonce from them.
hashes.sha256 = sha256
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

/** How many private keys there are, and one more. */
export const order: bigint = Point.CURVE().n
