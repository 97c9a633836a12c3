import { addWords } from '../../../copy/copy.ts'
import { password as passwordWords } from '../../../copy/en/password.ts'
import { recovery } from '../../../copy/en/recovery.ts'
import { Closed, type Stage } from '../../../dialog/stage.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { recoveryMethods } from '../../../protocol/frame/calls.ts'
import { withNewPassword } from '../../../wallets/recovery/password/flow.ts'
import { parseRecoveryRequest } from '../../recovery/request.ts'
import { createWallet } from '../../wallets/create-wallet.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { confirmDrive, recoveryOAuth } from '../recover/screens.ts'
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

/** A page can bring access to a drive that is not the person's, so they are asked where it can bend nothing. */
async function withDrive(cx: Context, { provider, accessToken }: Drive) {
  const { canGoBack } = cx.asked.get()
  const createOn = async (stage: Stage) => {
    if ((await stage.ask(confirmDrive, { provider, purpose: 'create' })) === 'cancel')
      throw new Closed('The person cancelled')
    const props = { provider, purpose: 'back-up', phase: 'working' } as const
    const address = await stage.during(recoveryOAuth, props, async () => {
      const request = parseRecoveryRequest(methods[provider], { recoveryAccessToken: accessToken })
      return committed(cx, async () =>
        createWallet(cx.vault, await cx.token(), cx.asked.get().chainType, request),
      )
    })
    return { address }
  }
  try {
    return await cx.approving('high', createOn, { purpose: 'create', stake: driveNames[provider], canGoBack })
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
