/** The key with which users of Farcaster let an app post for them, derived from the secret of their wallets. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { RpcRequest } from '../../protocol/frame/calls.ts'
import { toBase64url } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import type { RootName, WalletKey } from '../model.ts'
import { initSigner, type SignerAnswer } from '../server/farcaster.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import type { Token } from '../token.ts'
import { assertFarcasterHash } from './farcaster-hash.ts'

/** Has the server ask for the signer of a root on this device, in the app's name. Throws a `VaultError`. */
export async function initFarcasterSigner(
  cx: VaultContext,
  token: Token,
  { chainType, address }: RootName,
): Promise<SignerAnswer> {
  const root = { chainType, address }
  const path = { chainType: 'solana', index: 0, use: 'farcaster' } as const
  const key = await withDeviceRoot(cx, token, root, (open) => open.withKey(path, publicKeyOf))
  return initSigner(cx, token, key)
}

const publicKeyOf = ({ privateKey }: WalletKey): string =>
  `0x${Array.from(ed25519.getPublicKey(privateKey), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Reads `farcaster_sign` with the hash in base64url and the wallet's address. Throws `InvalidRequest`. */
export function parseFarcasterRequest({ params }: RpcRequest): {
  readonly use: 'farcaster'
  sign(key: Pick<WalletKey, 'privateKey'>): { readonly hash: string; readonly signature: string }
} {
  const [hash, address] = Array.isArray(params) && params.length === 2 ? params : []
  if (typeof hash !== 'string' || typeof address !== 'string')
    throw new InvalidRequest('farcaster_sign takes a hash and an address')
  const bytes = assertFarcasterHash(hash)
  return {
    use: 'farcaster',
    sign: ({ privateKey }) => ({ hash, signature: toBase64url(ed25519.sign(bytes, privateKey)) }),
  }
}
