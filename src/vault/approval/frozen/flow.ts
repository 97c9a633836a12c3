import { Closed, type Stage } from '../../../dialog/stage.ts'
import { isPlainObject } from '../../../lib/plain.ts'
import type { ApprovalPurpose, ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { VaultError } from '../../errors.ts'
import { parseRootName } from '../../keys/address.ts'
import type { ApprovalContext, PurposeFlow } from '../purpose.ts'
import type { Asking } from '../recover/ask.ts'
import { enrolOn, type Wanted } from '../recover/enrol.ts'
import { accountFrozen } from './screens.ts'

/**
 * Explains that the account is frozen, and has the user show that it's them, which ends that. `stage` belongs to the vault's window.
 * Throws {@link Closed} if they don't, and what {@link enrolOn} throws.
 */
export async function unfreezeOn(cx: Asking, stage: Stage, wanted: Wanted): Promise<void> {
  if ((await stage.ask(accountFrozen, {})) === 'cancel') throw new Closed('The user cancelled')
  await enrolOn(cx, stage, wanted)
}

/** Has the user show that a frozen account is theirs, which ends the freeze. */
export const unfreeze: PurposeFlow<'unfreeze'> = async (cx) => {
  await unfreezeFor(cx, new VaultError('invalid_request_arguments', 'The root is not an address'))
  return { unfrozen: true }
}

/** The same before another request goes on. Throws `cause` where the page names no wallet by which they could show it. */
export async function unfreezeFor(cx: ApprovalContext<ApprovalPurpose>, cause: unknown): Promise<void> {
  const wanted = await walletIn(cx.asked.get())
  if (!wanted) throw cause
  await cx.approving('high', (stage) => unfreezeOn(cx, stage, wanted), 'unfreeze')
}

async function walletIn(request: ApprovalRequests[ApprovalPurpose]): Promise<Wanted | undefined> {
  if (!('root' in request) || !isPlainObject(request.root)) return undefined
  const { chainType, address } = request.root
  const root = await parseRootName(chainType, address)
  return root && { root, address: 'address' in request ? (request.address ?? address) : address }
}
