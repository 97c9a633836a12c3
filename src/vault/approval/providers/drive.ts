/** The sign-in at a user's own drive, which the vault's window runs: no page has a drive's token. */
import { Closed, type Stage } from '../../../dialog/stage.ts'
import { VaultError } from '../../errors.ts'
import { driveOwner } from '../../recovery/drives/owner.ts'
import { beginDriveVisit, fetchDriveToken } from '../../server/visits.ts'
import type { Asking } from '../recover/ask.ts'
import { confirmDrive } from '../recover/screens.ts'
import { type Returned, visit } from './visit.ts'

export type DriveProvider = 'google-drive' | 'icloud'
type Purpose = 'recover' | 'back-up' | 'create' | 'present'

/**
 * Has the user sign in at their drive, shows them whose it is, and runs `use` with its token once they have agreed. A failure of `use` is
 * shown, and they may sign in again. Resolves with its result, or with 'back'.
 */
export async function withDrive<T>(
  cx: Asking,
  stage: Stage,
  provider: DriveProvider,
  purpose: Purpose,
  use: (accessToken: string) => Promise<T>,
): Promise<{ done: T } | 'back'> {
  const { vault } = cx
  // A proof changes nothing, so the right drive is all that it takes.
  const isAsked = purpose !== 'present'
  const about = { provider, purpose: purpose === 'create' ? 'back-up' : purpose } as const
  return visit(
    cx,
    stage,
    about,
    async () => beginDriveVisit(vault, await cx.token(), provider),
    async (fields) => {
      const accessToken = await tokenOf(cx, provider, fields)
      if (isAsked) {
        const account = await driveOwner(vault, await cx.token(), provider, accessToken)
        const shown = { provider, purpose: purpose as 'recover' | 'back-up' | 'create', account }
        if ((await stage.ask(confirmDrive, shown)) === 'cancel') throw new Closed('The user turned back')
      }
      return use(accessToken)
    },
  )
}

async function tokenOf(cx: Asking, provider: DriveProvider, fields: Returned): Promise<string> {
  const { state = '', code, ckWebAuthToken } = fields
  const given = provider === 'icloud' ? ckWebAuthToken : code
  if (!given) throw new VaultError('error', 'The drive sent no answer that can be used')
  return provider === 'icloud' ? given : fetchDriveToken(cx.vault, await cx.token(), { state, code: given })
}
