import { addWords } from '../../../copy/copy.ts'
import { password as passwordWords } from '../../../copy/en/password.ts'
import { recovery } from '../../../copy/en/recovery.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { recoveryMethods } from '../../../protocol/frame/calls.ts'
import { withNewPassword } from '../../../wallets/recovery/password/flow.ts'
import { parseRecoveryRequest } from '../../recovery/request.ts'
import { createWallet } from '../../wallets/create-wallet.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'

addWords(passwordWords, recovery)

type Context = ApprovalContext<'create'>
type Drive = NonNullable<ApprovalRequests['create']['drive']>

/** Creates a person's first wallet with a recovery method of their own: a password that no page reads, or a drive. */
export const create: PurposeFlow<'create'> = async (cx) => {
  const { drive } = cx.asked.get()
  return drive ? withDrive(cx, drive) : withPassword(cx)
}

async function withPassword(cx: Context) {
  const { vault, stage, t } = cx
  const { chainType, automatic, canGoBack } = cx.asked.get()
  const came = await withNewPassword(
    { stage, clock: vault.clock, t, report: (error) => cx.shown(error.cause ?? error) },
    { reset: false, automatic, canGoBack, site: new URL(cx.origin).host },
    async (password) =>
      createWallet(vault, await cx.token(), chainType, { method: recoveryMethods.password, password }),
  )
  return came === 'back' ? ({ wants: 'back' } as const) : { address: came.done }
}

/** The user signs in at their drive in the vault's window, and agrees there to what is stored. */
const withDrive = (cx: Context, { provider }: Drive) =>
  cx.approving('high', async (stage) => {
    const { withDrive: signIn } = await import('../providers/drive.ts')
    const came = await signIn(cx, stage, provider, 'create', async (accessToken) => {
      const request = parseRecoveryRequest(methods[provider], { recoveryAccessToken: accessToken })
      return createWallet(cx.vault, await cx.token(), cx.asked.get().chainType, request)
    })
    return came === 'back' ? ({ wants: 'back' } as const) : { address: came.done }
  })

const methods = { 'google-drive': recoveryMethods.googleDrive, icloud: recoveryMethods.icloud } as const
