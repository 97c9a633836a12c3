import type { VaultContext } from '../../context.ts'
import type { Token } from '../../token.ts'
import { driveToken } from '../request.ts'
import { googleDrive } from './google-drive.ts'
import { openIcloud } from './open-icloud.ts'

/** The e-mail address or the name of a drive's account, as the drive tells; `undefined` where it tells neither. Throws `VaultError`. */
export async function driveOwner(
  cx: VaultContext,
  token: Token,
  provider: 'google-drive' | 'icloud',
  accessToken: string,
): Promise<string | undefined> {
  const given = driveToken(accessToken)
  const drive = provider === 'icloud' ? await openIcloud(cx, token, given) : googleDrive(cx, given)
  return drive.owner()
}
