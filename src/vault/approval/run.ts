import { addWords, createTranslate } from '../../copy/copy.ts'
import { approval } from '../../copy/en/approval.ts'
import { retryErrors } from '../../copy/en/retry-errors.ts'
import { Closed, createStage } from '../../dialog/stage.ts'
import { TimedOut } from '../../lib/clock.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { FrameFailure } from '../../protocol/frame/messages.ts'
import type { VaultContext } from '../context.ts'
import { canTellSight } from '../entry/sight.ts'
import { VaultError } from '../errors.ts'
import type { Token } from '../token.ts'
import { connect } from './connection.ts'
import type { ApprovalContext, PurposeFlow } from './purpose.ts'
import { fields, purposes } from './purposes.ts'
import { drawSurface } from './surface.tsx'
import type { Windows } from './window/opener.ts'

addWords(approval, retryErrors)

/** Has a person approve the one request that the page around has for this frame. */
export async function runApproval(window: Window, vault: VaultContext): Promise<void> {
  const { asked, look, origin, purpose, send, turn, token, tokenText } = await connect(window, vault)
  const t = createTranslate()
  let windows: Windows | undefined
  const stage = createStage({ clock: vault.clock, openWindow: () => windows?.open() ?? null })
  let ready = false
  drawSurface(window, {
    ...{ scene: stage.scene, look, t, place: 'frame', guarded: !fields.has(purpose) },
    drawn(height) {
      send({ type: 'height', height })
      if (!ready) send({ type: 'ready' })
      ready = true
    },
    close: (by) => send({ type: 'close', by }),
  })
  window.addEventListener('pagehide', () => stage.close())
  const loggedOut = endWith(vault, token, () => stage.close())
  const cx = {
    ...{ vault, stage, origin, asked, t, turn, token, tokenText },
    shown: (failure: unknown) => send({ type: 'shown', error: toFailure(failure) }),
    async approving(risk, work, why = 'risky') {
      if (risk === 'usual' && canTellSight()) return work(stage)
      const { createWindows, inWindow } = await import('./window/flow.ts')
      windows ??= createWindows(window, vault, look)
      return inWindow(stage, windows, risk === 'high' ? why : 'browser', work)
    },
  } satisfies ApprovalContext<typeof purpose>
  try {
    const flow = (await purposes[purpose]()) as PurposeFlow<typeof purpose>
    send({ type: 'done', answer: await flow(cx) })
  } catch (cause) {
    if (loggedOut.aborted) send({ type: 'failed', error: toFailure(loggedOut.reason) })
    else if (cause instanceof Closed) send({ type: 'rejected' })
    else send({ type: 'failed', error: toFailure(cause) })
  }
}

/**
 * Calls `end` when the person whom the page's token names logs out, in whatever page of the vault that is heard of. Gives a signal
 * that is aborted then. Where nobody is logged in yet, nobody can log out.
 */
function endWith({ logouts }: VaultContext, token: () => Promise<Token>, end: () => void): AbortSignal {
  const over = new AbortController()
  const heard = new Set<string>()
  let person: string | undefined
  const check = () => {
    if (person === undefined || !heard.has(person) || over.signal.aborted) return
    over.abort(new VaultError('error', 'The session has ended'))
    end()
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
  return over.signal
}

/** Only our own words leave the vault: a library's message could quote what it worked on. */
function toFailure(cause: unknown): FrameFailure {
  if (cause instanceof VaultError) return { type: cause.type, message: cause.message }
  if (cause instanceof InvalidRequest) return { type: 'invalid_request_arguments', message: cause.message }
  if (cause instanceof TimedOut) return { type: 'error', message: 'The page did not answer' }
  return { type: 'error', message: 'The vault could not complete the request' }
}
