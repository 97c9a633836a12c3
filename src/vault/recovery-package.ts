import { envelopeLength, openShare, type Share, type ShareLabel, sealShare } from './envelope.ts'
import { ShareError } from './errors.ts'

/** Seals what brings a wallet back without any device: the auth and the recovery share of its first set. */
export async function sealPackage(key: CryptoKey, auth: Share, recovery: Share): Promise<string> {
  return (await sealShare(key, auth)) + (await sealShare(key, recovery))
}

/** Opens a recovery package of the given wallet. Throws {@link ShareError}. */
export async function openPackage(
  key: CryptoKey,
  text: string,
  wallet: Pick<ShareLabel, 'walletId' | 'address'>,
): Promise<{ auth: Share; recovery: Share }> {
  if (text.length !== 2 * envelopeLength) throw new ShareError('malformed')
  const auth = await openShare(key, text.slice(0, envelopeLength), { ...wallet, kind: 'auth' })
  const recovery = await openShare(key, text.slice(envelopeLength), { ...wallet, kind: 'recovery' })
  return { auth, recovery }
}
