import { Closed, type Stage } from '../../../dialog/stage.ts'
import { VaultError } from '../../errors.ts'
import {
  approveRequest,
  type DeviceRequest,
  denyRequest,
  fetchRequests,
} from '../../server/device-requests.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import { untilReached } from '../recover/ask.ts'
import { deviceAnswered, approveDevice as screen } from './screens.ts'

type Context = ApprovalContext<'approve-device'>
type Outcome = 'approved' | 'denied' | 'wrong' | 'none'

/**
 * Has the user say, in the vault's own window, whether a browser that wants to use their wallets is theirs. Everything that they
 * see of it comes from the server, and they choose the number that is shown there among others: a page can press nothing here, and
 * a user who agrees without looking is wrong more often than right.
 */
export const approveDevice: PurposeFlow<'approve-device'> = async (cx) => {
  const outcome = await cx.approving('high', (stage) => approveOn(cx, stage), 'approve-device')
  return { outcome: outcome === 'wrong' ? 'denied' : outcome }
}

async function approveOn(cx: Context, stage: Stage): Promise<Outcome> {
  const { id } = cx.asked.get()
  const requests = await untilReached(cx, stage, async () => fetchRequests(cx.vault, await cx.token()))
  const request = requests.find((each) => id === undefined || each.id === id)
  const outcome = request ? await decide(cx, stage, request) : 'none'
  // The outcome stands, however the user leaves it.
  await stage.ask(deviceAnswered, { outcome }).catch((cause: unknown) => {
    if (!(cause instanceof Closed)) throw cause
  })
  return outcome
}

async function decide(cx: Context, stage: Stage, request: DeviceRequest): Promise<Outcome> {
  const { name, place, createdAt, numbers } = request
  for (let failed = false; ; failed = true) {
    const answer = await stage.ask(screen, { name, place, createdAt, numbers, failed })
    if (answer === 'not-now') throw new Closed('The user decides later')
    try {
      if (answer === 'deny') {
        await denyRequest(cx.vault, await cx.token(), request.id)
        return 'denied'
      }
      await approveRequest(cx.vault, await cx.token(), request, answer.number)
      return 'approved'
    } catch (cause) {
      stage.signal.throwIfAborted()
      const outcome = cause instanceof VaultError ? outcomes[cause.code ?? ''] : undefined
      if (outcome) return outcome
      if (cause instanceof Closed || (cause instanceof VaultError && cause.type !== 'error')) throw cause
      cx.shown(cause)
    }
  }
}

/** Refusals after which there is nothing left to decide. */
const outcomes: Readonly<Record<string, Outcome | undefined>> = {
  invalid_credentials: 'wrong',
  linked_account_not_found: 'none',
}
