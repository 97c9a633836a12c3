import { limits } from '../../core/limits.ts'
import { KitError, toKitError } from '../../errors/kit-error.ts'
import { driveVerdict } from '../../errors/recovery.ts'
import { type RecoveryOAuthAnswer, recoveryOAuth } from '../../screens/wallet/recovery-oauth.tsx'
import type { Drive } from '../../wallets/embedded/drive-access.ts'
import { unlessAnswered } from '../leavable.ts'
import { say } from '../words.ts'
import type { WalletFlow } from './context.ts'

/**
 * Has the person grant access to their own drive, and does `work` with the token, as often as they try. Resolves with
 * what `work` gives, or with 'back'. Spec §4 "Recovery OAuth": confirm, in progress, then success or failure.
 */
export async function withDrive<T>(
  cx: WalletFlow,
  drive: Drive,
  purpose: 'recover' | 'back-up',
  work: (accessToken: string, signal: AbortSignal) => Promise<T>,
): Promise<{ done: T } | 'back'> {
  const { stage, clock } = cx
  const about = { provider: drive, purpose } as const
  const verdict = driveVerdict(purpose, cx.t(`error.drive.${drive}`))
  let answer: RecoveryOAuthAnswer = await stage.ask(recoveryOAuth, { ...about, phase: 'confirm' })
  for (;;) {
    if (answer === 'back') return 'back'
    const window = stage.takeWindow()
    if (!window) {
      cx.report(new KitError('popup_blocked', 'The browser blocked the window'))
      answer = await stage.ask(recoveryOAuth, { ...about, phase: 'blocked' })
      continue
    }
    try {
      const token = await visit(cx, drive, purpose, window)
      if (token === 'back') return 'back'
      const done = await stage.during(recoveryOAuth, { ...about, phase: 'working' }, (signal) =>
        work(token, signal),
      )
      const wait = (signal: AbortSignal) => clock.sleep(limits.successVisible, signal)
      await stage.during(recoveryOAuth, { ...about, phase: 'done' }, wait).catch(() => {})
      return { done }
    } catch (cause) {
      stage.signal.throwIfAborted()
      const error = toKitError(cause, 'recovery_oauth_error')
      cx.report(error)
      const { title, detail, retryable } = verdict(error)
      const failure = { title: say(cx.t, title), detail: say(cx.t, detail), retryable }
      answer = await stage.ask(recoveryOAuth, { ...about, phase: 'failed', failure })
    }
  }
}

/** The person is in the drive's window, or has turned back here. */
async function visit(
  cx: WalletFlow,
  drive: Drive,
  purpose: 'recover' | 'back-up',
  window: Window,
): Promise<string | 'back'> {
  const drives = await cx.wallets.drives()
  const props = { provider: drive, purpose, phase: 'window' } as const
  const outcome = await unlessAnswered(cx.stage, recoveryOAuth, props, (signal) =>
    drives.grant(drive, window, signal),
  )
  return 'done' in outcome ? outcome.done : 'back'
}
