import { addWords } from '../../../copy/copy.ts'
import { password as passwordWords } from '../../../copy/en/password.ts'
import { recovery } from '../../../copy/en/recovery.ts'
import type { Stage } from '../../../dialog/stage.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { recoveryMethods } from '../../../protocol/frame/calls.ts'
import { withNewPassword } from '../../../wallets/recovery/password/flow.ts'
import { parseRecoveryRequest } from '../../recovery/request.ts'
import { createWallet } from '../../wallets/create-wallet.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { TurnedBack } from '../turned-back.ts'

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
    (password) =>
      committed(cx, async () =>
        createWallet(vault, await cx.token(), chainType, { method: recoveryMethods.password, password }),
      ),
  )
  return came === 'back' ? ({ wants: 'back' } as const) : { address: came.done }
}

/** The user signs in at their drive in the vault's window, and agrees there to what is stored. */
async function withDrive(cx: Context, { provider }: Drive) {
  const { canGoBack } = cx.asked.get()
  const reason = { purpose: 'create', stake: driveNames[provider], canGoBack } as const
  const createOn = async (stage: Stage) => {
    const { withDrive: signIn } = await import('../providers/drive.ts')
    const came = await signIn(cx, stage, provider, 'create', async (accessToken) => {
      const request = parseRecoveryRequest(methods[provider], { recoveryAccessToken: accessToken })
      return committed(cx, async () =>
        createWallet(cx.vault, await cx.token(), cx.asked.get().chainType, request),
      )
    })
    return came === 'back' ? ({ wants: 'back' } as const) : { address: came.done }
  }
  try {
    return await cx.approving('high', createOn, reason)
  } catch (cause) {
    if (cause instanceof TurnedBack) return { wants: 'back' } as const
    throw cause
  }
}

/** The wallet exists once the server has it, whatever is closed afterwards. */
const committed = ({ commit }: Context, work: () => Promise<string>) =>
  commit(work, (address) => ({ address }))

const driveNames = { 'google-drive': 'Google Drive', icloud: 'iCloud' } as const
const methods = { 'google-drive': recoveryMethods.googleDrive, icloud: recoveryMethods.icloud } as const
