import { Closed, type Stage } from '../../../dialog/stage.ts'
import { VaultError } from '../../errors.ts'
import type { Asking } from '../recover/ask.ts'
import { enrolOn, type Wanted } from '../recover/enrol.ts'
import { accountFrozen } from './screens.ts'

/** Whether the server refuses everything until the user has shown that it's them: a link in a notice has frozen the account. */
export const isFrozen = (cause: unknown): boolean =>
  cause instanceof VaultError && cause.type === 'account_frozen'

/**
 * Explains that the account is frozen, and has the user show that it's them, which ends that. `stage` belongs to the vault's window.
 * Throws {@link Closed} if they don't, and what {@link enrolOn} throws.
 */
export async function unfreezeOn(cx: Asking, stage: Stage, wanted: Wanted): Promise<void> {
  if ((await stage.ask(accountFrozen, {})) === 'cancel') throw new Closed('The user cancelled')
  await enrolOn(cx, stage, wanted)
}
