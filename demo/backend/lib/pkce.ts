import { createHash } from 'node:crypto'

/** The code challenge that belongs to a verifier (RFC 7636, S256). */
export const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')
