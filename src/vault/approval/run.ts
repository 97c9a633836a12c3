import { addWords, createTranslate } from '../../copy/copy.ts'
import { approval } from '../../copy/en/approval.ts'
import { retryErrors } from '../../copy/en/retry-errors.ts'
import { Closed, createStage, type Stage } from '../../dialog/stage.ts'
import { TimedOut } from '../../lib/clock.ts'
import { type FrameFailure, notVerified } from '../../protocol/frame/messages.ts'
import type { VaultContext } from '../context.ts'
import { isFrozen, mfaCanceled, toFailure, VaultError } from '../errors.ts'
import type { Token } from '../token.ts'
import { connect } from './connection.ts'
import { createOutcome } from './outcome.ts'
import type { ApprovalContext, PurposeFlow } from './purpose.ts'
import { fields, ownPurposes, purposes } from './purposes.ts'
import { reasonForWindow } from './room.ts'
import { drawSurface } from './surface.tsx'
import type { Over } from './window/messages.ts'
import type { Windows } from './window/opener.ts'

addWords(approval, retryErrors)

/** Has a person approve the one request that the page around has for this frame. */
export async function runApproval(window: Window, plain: VaultContext): Promise<void> {
  const { asked, look, origin, purpose, send, turn, token, tokenText, passkey } = await connect(window, plain)
  const t = createTranslate()
  const outcome = createOutcome<typeof purpose>(send)
  const { progress, settle, commit } = outcome
  /** Why a window hears that it is over when this frame goes: the page has taken it away, unless something else is known. */
  let endsWith: Over = 'left'
  let windows: Windows | undefined
  const stage = createStage({ clock: plain.clock, openWindow: () => windows?.open() ?? null })
  let ready = false
  drawSurface(window, {
    scene: stage.scene,
    look,
    t,
    place: 'frame',
    guarded: !fields.has(purpose),
    drawn(height) {
      send({ type: 'height', height })
      if (!ready) send({ type: 'ready' })
      ready = true
    },
    close(by) {
      if (progress.get() === 'finishing') return
      endsWith = 'over'
      send({ type: 'close', by })
    },
  })
  /** Where the person is now: in the frame, or in its window. */
  let place: Stage = stage
  // A page that goes into the back-forward cache comes back, and what its person was about to approve with it.
  let isUnloading = false
  window.addEventListener('pagehide', ({ persisted }) => {
    if (persisted) return
    isUnloading = true
    stage.close()
  })
  const over = new AbortController()
  /** Ends everything that is open here, for a reason other than the person's answer. */
  const end = (why: VaultError) => {
    over.abort(why)
    stage.close()
  }
  endWith(plain, token, () => {
    endsWith = 'session'
    end(new VaultError('error', 'The session has ended'))
  })
  const shown = (failure: unknown) => send({ type: 'shown', error: failureOf(failure) })
  const approving: ApprovalContext<typeof purpose>['approving'] = async (
    risk,
    work,
    why = ownPurposes[purpose],
  ) => {
    if (place !== stage) return work(place)
    const because = risk === 'high' ? 'risk' : reasonForWindow(window, look.get())
    if (!because) return work(stage)
    const reason = typeof why === 'string' ? { purpose: why } : why
    const { createWindows, inWindow } = await import('./window/flow.ts')
    windows ??= createWindows(window, plain, look)
    outcome.begin()
    const about = { ...reason, because, appName: plain.settings.appName }
    const handover = { stage, windows, clock: plain.clock, about, progress, endsWith: () => endsWith }
    return inWindow(handover, async (there) => {
      place = there
      try {
        return await work(there)
      } finally {
        place = stage
      }
    })
  }
  const vault = plain.proving(async (wanted, person) => {
    const { askPerson } = await import('./mfa/verify.ts')
    const prompt = (on: Stage) =>
      askPerson({ stage: on, t, vault: plain, passkey, shown }, person, wanted, purpose)
    send({ type: 'verifying', on: true })
    try {
      return await outcome.interrupted(() =>
        place.aside(() =>
          place === stage && !fields.has(purpose) ? approving('usual', prompt, 'verify') : prompt(place),
        ),
      )
    } catch (cause) {
      const why = cause instanceof Closed ? mfaCanceled(cause) : cause
      if (why instanceof VaultError && notVerified.has(why.type)) {
        // Canceled, too late or out of tries: the page says which, and the window has nothing more to tell.
        endsWith = 'over'
        end(why)
      }
      throw cause
    } finally {
      send({ type: 'verifying', on: false })
    }
  })
  const cx = {
    vault,
    stage,
    origin,
    asked,
    t,
    turn,
    token,
    tokenText,
    passkey,
    shown,
    approving,
    settle,
    commit,
  } satisfies ApprovalContext<typeof purpose>
  try {
    const flow = (await purposes[purpose]()) as PurposeFlow<typeof purpose>
    const answer = await flow(cx).catch(async (cause: unknown) => {
      if (!isFrozen(cause) || stage.signal.aborted) throw cause
      // Nothing was done for a frozen account, so that it begins anew once the user has shown that it is theirs.
      const { unfreezeFor } = await import('./frozen/flow.ts')
      await unfreezeFor(cx, cause)
      return flow(cx)
    })
    send({ type: 'done', answer })
  } catch (cause) {
    // Nothing that ends afterwards undoes what has happened.
    const settled = outcome.settled()
    if (settled) send({ type: 'done', answer: settled })
    // The kit notices by itself that the frame was loaded anew, which is no answer of the user.
    else if (isUnloading) return
    else if (over.signal.aborted) send({ type: 'failed', error: failureOf(over.signal.reason) })
    else if (cause instanceof Closed) send({ type: 'rejected' })
    else send({ type: 'failed', error: failureOf(cause) })
  }
}

/**
 * Calls `end` when the person named by the page's token logs out, whichever page of the vault hears of it. If nobody is logged in yet,
 * nobody can log out.
 */
function endWith({ logouts }: VaultContext, token: () => Promise<Token>, end: () => void): void {
  const heard = new Set<string>()
  let person: string | undefined
  const check = () => {
    if (person !== undefined && heard.has(person)) end()
  }
  logouts.onLogout((user) => {
    heard.add(user)
    check()
  })
  token().then(
    ({ user }) => {
      person = user
      check()
    },
    () => {},
  )
}

const failureOf = (cause: unknown): FrameFailure =>
  cause instanceof TimedOut ? { type: 'error', message: 'The page did not answer' } : toFailure(cause)
