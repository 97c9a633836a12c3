import { type RecoveryData, recoveryMethods } from '../../protocol/frame/calls.ts'
import { type Bytes, fromBase64url, wipe } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import { ShareError, VaultError } from '../errors.ts'
import type { RootName } from '../model.ts'
import { evaluate, fetchMaterial, unsupportedHere } from '../server/recovery.ts'
import type { Share } from '../shares/envelope.ts'
import type { Token } from '../token.ts'
import { driveKey } from './drives/key.ts'
import { wrongPassword } from './errors.ts'
import { passwordKey, proofOf, type Stretching, secretKey, stretch } from './keys.ts'
import { type SealedPackage, WrongKey } from './package.ts'

/**
 * Opens a root's recovery package with what the person gave. The caller wipes the shares. Throws {@link VaultError}:
 * `invalid_recovery_pin` for a wrong password, 'error' for all else that does not fit.
 */
export async function openRecovery(
  cx: VaultContext,
  token: Token,
  {
    root,
    walletId,
    sealed,
    data,
  }: { root: RootName; walletId: string; sealed: SealedPackage; data: RecoveryData },
): Promise<{ auth: Share; recovery: Share }> {
  const key = await keyFor(cx, token, root, walletId, sealed, data)
  try {
    return await sealed.open(key, walletId)
  } catch (cause) {
    if (!(cause instanceof WrongKey)) throw cause
    if (sealed.method === recoveryMethods.password) throw wrongPassword()
    throw new VaultError('error', 'This recovery secret does not open the wallet')
  } finally {
    wipe(key)
  }
}

async function keyFor(
  cx: VaultContext,
  token: Token,
  root: RootName,
  walletId: string,
  { method, stretching }: SealedPackage,
  data: RecoveryData,
): Promise<Bytes> {
  /** The secret in the person's own drive, by the name that the server has kept. */
  const fromDrive = async (accessToken: string) => {
    const { fileId, recordName } = await fetchMaterial(cx, token, root, method)
    return driveKey(cx, token, { method, accessToken, fileId, recordName, walletId })
  }
  switch (method) {
    case recoveryMethods.automatic: {
      const key = fromBase64url((await fetchMaterial(cx, token, root, method)).key)
      if (key?.length !== 32) throw new ShareError('malformed')
      return key
    }
    case recoveryMethods.password:
      if (!stretching) throw new ShareError('malformed')
      return keyOfPassword(cx, token, root, stretching, given(data.recoveryPassword))
    case recoveryMethods.googleDrive:
      return fromDrive(given(data.recoveryAccessToken))
    case recoveryMethods.icloud:
      if (data.recoverySecretOverride !== undefined) return secretKey(data.recoverySecretOverride)
      return fromDrive(given(data.recoveryAccessToken))
    case recoveryMethods.ownKey:
      return secretKey(given(data.recoveryKey))
    default:
      throw unsupportedHere()
  }
}

async function keyOfPassword(
  cx: VaultContext,
  token: Token,
  root: RootName,
  stretching: Stretching,
  password: string,
): Promise<Bytes> {
  let stretched: Bytes | undefined
  let evaluation: Bytes | undefined
  try {
    stretched = await stretch(password, stretching)
    evaluation = await evaluate(cx, token, root, await proofOf(stretched))
    return await passwordKey(stretched, evaluation, stretching.salt)
  } finally {
    wipe(stretched, evaluation)
  }
}

function given(value: string | undefined): string {
  if (value !== undefined) return value
  throw new VaultError(
    'invalid_request_arguments',
    'The request lacks a field that the recovery of this wallet needs',
  )
}
