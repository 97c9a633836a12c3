import { handleFailure } from '../../app/failure/flow.ts'
import type { FlowContext } from '../../app/flow-context.ts'
import { errorScreenVerdict } from '../../errors/error-screen.ts'
import { toKitError } from '../../errors/kit-error.ts'
import type { Transfer } from '../../protocol/transfer.ts'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import type { Login, LoginContext } from '../context.ts'
import { loginLimits } from '../limits.ts'
import { type LinkConflictAnswer, linkConflict } from './link-conflict.tsx'

/**
 * An account belongs to another user: the person takes it over, which deletes that user, or leaves it.
 * Resolves with the person after a transfer.
 */
export async function resolveConflict(
  cx: FlowContext & Pick<LoginContext, 'mayTransfer'>,
  conflict: Transfer & { title: string; account: string },
  transfer: () => Promise<Login>,
): Promise<Login | 'declined'> {
  const { stage } = cx
  const { title, walletAddress, walletAddresses } = conflict
  const name = conflict.displayName ?? conflict.account
  const account = /^0x[0-9a-f]{40}$/i.test(name) ? shortAddress(name) : name
  if (cx.mayTransfer?.({ account: name }) === false) return 'declined'
  const props = { title, account, walletAddress, walletAddresses }
  let page: 'ask' | 'check' = 'ask'
  for (;;) {
    const answer: LinkConflictAnswer = await stage.ask(linkConflict, { ...props, page })
    if (answer === 'decline' || (answer === 'back' && page === 'ask')) return 'declined'
    if (answer === 'continue' || answer === 'back') {
      page = answer === 'continue' ? 'check' : 'ask'
      continue
    }
    try {
      const login = await transfer()
      await stage.hold(linkConflict, { ...props, page, done: true }, loginLimits.transferVisible)
      return { ...login, transferred: true }
    } catch (cause) {
      stage.signal.throwIfAborted()
      const failure = toKitError(cause)
      const settled = await handleFailure(cx, failure, errorScreenVerdict(failure))
      if (settled.next === 'start') return 'declined'
    }
  }
}
