import { recoveryMethods } from '../../protocol/frame/calls.ts'
import { type Bytes, wipe } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import type { RootName } from '../model.ts'
import { provePresentMethod } from '../server/devices.ts'
import { fetchMaterial, fetchPackage } from '../server/recovery.ts'
import type { Token } from '../token.ts'
import { driveKey } from './drives/key.ts'
import { isWrongProof, wrongPassword } from './errors.ts'
import { proofOf, stretch, verifierOf } from './keys.ts'
import { readPackage } from './package.ts'

/** What a person gives of the recovery method that is in force. */
export interface PresentSecret {
  readonly password?: string | undefined
  /** For their own drive. */
  readonly accessToken?: string | undefined
}

/**
 * Proves to the server that the person has the recovery method that is in force, which it asks for before it takes
 * another one in its place. Automatic recovery needs no proof. Throws {@link VaultError}: `invalid_recovery_pin` for a
 * wrong password.
 */
export async function provePresent(
  cx: VaultContext,
  token: Token,
  root: RootName,
  { password, accessToken }: PresentSecret,
): Promise<void> {
  const { walletId, method, package: text } = await fetchPackage(cx, token, root)
  let secret: Bytes | undefined
  try {
    if (method === recoveryMethods.password && password !== undefined) {
      const { stretching } = readPackage(text)
      if (!stretching) throw new VaultError('error', 'The recovery data of this wallet is damaged')
      secret = await stretch(password, stretching)
      await provePresentMethod(cx, token, root, { proof: await proofOf(secret) })
    } else if (accessToken !== undefined) {
      const { fileId, recordName } = await fetchMaterial(cx, token, root, method)
      secret = await driveKey(cx, token, { method, accessToken, fileId, recordName, walletId })
      await provePresentMethod(cx, token, root, { verifier: await verifierOf(secret) })
    }
  } catch (cause) {
    throw isWrongProof(cause) && method === recoveryMethods.password ? wrongPassword() : cause
  } finally {
    wipe(secret)
  }
}
