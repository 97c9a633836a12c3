import { limits } from '../../core/limits.ts'
import { errorScreenVerdict } from '../../errors/error-screen.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { type LinkConflictAnswer, linkConflict } from '../../screens/gate/link-conflict.tsx'
import { shortAddress } from '../../ui/address-text.ts'
import type { Transfer } from '../../wire/transfer.ts'
import type { FlowContext, Login } from '../login/context.ts'
import { settle } from '../login/gates.ts'

/**
 * An account belongs to another login: the person takes it over, which deletes that one, or leaves it. Resolves with
 * themselves after a transfer. Spec §2 "Account transfer".
 */
export async function resolveConflict(
  cx: FlowContext,
  conflict: Transfer & { title: string; account: string },
  transfer: () => Promise<Login>,
): Promise<Login | 'declined'> {
  const { stage, clock } = cx
  const { title, walletAddress } = conflict
  const name = conflict.displayName ?? conflict.account
  const account = /^0x[0-9a-f]{40}$/i.test(name) ? shortAddress(name) : name
  const props = { title, account, walletAddress }
  let page: 'ask' | 'check' = 'ask'
  for (;;) {
    const answer: LinkConflictAnswer = await stage.ask(linkConflict, { ...props, page })
    if (answer === 'decline') return 'declined'
    if (answer === 'continue' || answer === 'back') {
      page = answer === 'continue' ? 'check' : 'ask'
      continue
    }
    try {
      const login = await transfer()
      const wait = (signal: AbortSignal) => clock.sleep(limits.transferVisible, signal)
      await stage.during(linkConflict, { ...props, page, done: true }, wait).catch(() => {})
      return { ...login, transferred: true }
    } catch (cause) {
      stage.signal.throwIfAborted()
      const failure = toKitError(cause)
      const settled = await settle(cx, failure, errorScreenVerdict(failure))
      if (settled.next === 'start') return 'declined'
    }
  }
}
