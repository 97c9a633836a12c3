import { untilLoaded } from '../../app/failure/until-loaded.ts'
import { Closed } from '../../dialog/stage.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import type { ApprovalAnswers, ApprovalPurpose, ApprovalRequests } from '../../protocol/frame/approval.ts'
import { askToRetry } from '../embedded/ask-to-retry.ts'
import type { WalletFlow } from '../flow-context.ts'
import { approvalScreen } from './approval.tsx'
import type { Approval } from './approval-frame.ts'

interface ApproveOptions<P extends ApprovalPurpose> {
  readonly back?: boolean
  readonly title?: string
  readonly isTurn?: (answer: ApprovalAnswers[P]) => boolean
}

/** Failures of the frame itself: nothing has happened, and a retry may succeed. */
export const unreachable: ReadonlySet<string> = new Set([
  'vault_unavailable',
  'vault_timeout',
  'vault_crashed',
])

/**
 * Has the person approve something in the vault's own frame, in place of the screen `id`. `prepare` shows the request, again
 * whenever more is known, and the vault's answer counts once it is done. A frame that can't be reached is shown with a retry, and with
 * the way back. What has happened in the vault is the answer, whoever closes what before the user has finished there. Throws
 * {@link Closed} if the user says no or turns back, what `prepare` throws, or the vault's error.
 * @param options.isTurn whether an answer asks for the request to be prepared and shown again, in the same frame
 */
export async function approve<P extends ApprovalPurpose, T>(
  cx: WalletFlow,
  id: string,
  purpose: P,
  prepare: (show: (request: ApprovalRequests[P]) => void, signal: AbortSignal) => Promise<T>,
  { back = true, title, isTurn = () => false }: ApproveOptions<P> = {},
): Promise<{ prepared: T; answer: ApprovalAnswers[P] }> {
  for (;;) {
    let approval: Approval<P> | undefined
    try {
      const approving = await untilLoaded(cx, cx.wallets.approving)
      if (approving === 'back') throw new Closed('The person turned back')
      const place = approving.open(purpose, cx.report, () => cx.stage.commit())
      approval = place
      const { answer } = place
      let ready: { prepared: T } | undefined
      // The frame may fail while the request is still being prepared.
      const prepared = async (signal: AbortSignal) => {
        ready = undefined
        ready = { prepared: await Promise.race([prepare(place.show, signal), answer.then(never)]) }
        return ready
      }
      const screen = { place, title }
      const during = cx.stage.during(approvalScreen(id), screen, async (signal) => {
        for (;;) {
          const turn = place.turn()
          const shown = await prepared(signal)
          const given = await Promise.race([answer, turn])
          if (place.gone.aborted || !isTurn(given)) return { ...shown, answer: given }
        }
      })
      return await during.catch((cause: unknown) => {
        const given = place.settled()
        if (!ready || !given) throw cause
        return { ...ready, answer: given }
      })
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const error = toKitError(cause)
      if (cause instanceof Closed || !(unreachable.has(error.code) || isUndrawn(approval, error))) throw cause
      // Retrying may never help: this has to be left even where the flow around it can't be.
      await cx.stage
        .unlock(() => askToRetry(cx, error, { back }))
        .catch((refused: unknown) => {
          throw new Closed('The person gave up', { cause: refused })
        })
    } finally {
      approval?.close()
    }
  }
}

/** Whether the frame itself has ended without a network, before there was anything to agree to. */
const isUndrawn = (approval: Approval<ApprovalPurpose> | undefined, { code }: KitError): boolean =>
  code === 'network_unavailable' && approval?.gone.aborted === true && approval.height.get() === undefined

/** An answer to what is not shown completely is none. */
const never = () => new Promise<never>(() => {})
