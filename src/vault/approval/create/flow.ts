import { addWords } from '../../../copy/copy.ts'
import { password as passwordWords } from '../../../copy/en/password.ts'
import { recovery } from '../../../copy/en/recovery.ts'
import { recoveryMethods } from '../../../protocol/frame/calls.ts'
import { withNewPassword } from '../../../wallets/recovery/password-flow.ts'
import { createWallet } from '../../wallets/create-wallet.ts'
import type { PurposeFlow } from '../purpose.ts'

addWords(passwordWords, recovery)

/** Creates a person's first wallet with a recovery password that no page reads. */
export const create: PurposeFlow<'create'> = async (cx) => {
  const { vault, stage, t } = cx
  const { chainType, automatic, canGoBack } = cx.asked.get()
  const came = await withNewPassword(
    { stage, clock: vault.clock, t, report: (error) => cx.shown(error.cause ?? error) },
    { reset: false, automatic, canGoBack, site: new URL(cx.origin).host },
    async (password) =>
      createWallet(vault, await cx.token(), chainType, { method: recoveryMethods.password, password }),
  )
  return came === 'back' ? { wants: 'back' } : { address: came.done }
}
