import { recoveryMethods } from '../../../protocol/frame/calls.ts'
import type { Bytes } from '../../bytes.ts'
import type { VaultContext } from '../../context.ts'
import type { RecoveryMethod } from '../../model.ts'
import { unsupportedHere } from '../../server/recovery.ts'
import type { Token } from '../../token.ts'
import { secretKey } from '../keys.ts'
import { driveToken } from '../request.ts'
import { readSecret } from './file.ts'
import { googleDrive } from './google-drive.ts'
import { openIcloud } from './open-icloud.ts'

/** Where a person's own drive has a secret, and the token for it. */
export interface DriveAccess {
  readonly method: RecoveryMethod
  readonly accessToken: string
  readonly fileId?: string | undefined
  readonly recordName?: string | undefined
  /** Where it is known. */
  readonly walletId?: string | undefined
}

/** The recovery key that a person's own drive keeps; the caller wipes it. Throws `VaultError`. */
export async function driveKey(
  cx: VaultContext,
  token: Token,
  { method, accessToken: given, fileId = '', recordName = '', walletId }: DriveAccess,
): Promise<Bytes> {
  const accessToken = driveToken(given)
  const read = async () => {
    switch (method) {
      case recoveryMethods.googleDrive:
        return googleDrive(cx, accessToken).read(fileId)
      case recoveryMethods.icloud:
        return (await openIcloud(cx, token, accessToken)).read(recordName)
      default:
        throw unsupportedHere()
    }
  }
  return secretKey(readSecret(await read(), cx.settings.appId, walletId))
}
