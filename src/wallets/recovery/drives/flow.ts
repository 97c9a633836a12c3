import { Closed } from '../../../dialog/stage.ts'
import { KitError, toKitError } from '../../../errors/kit-error.ts'
import { say } from '../../../errors/words.ts'
import type { WalletFlow } from '../../flow-context.ts'
import { walletsLimits } from '../../limits.ts'
import { driveVerdict } from '../errors.ts'
import type { Drive } from './drive-access.ts'
import { type RecoveryOAuthAnswer, type RecoveryOAuthProps, recoveryOAuth } from './recovery-oauth.tsx'

/**
 * Has the person grant access to their own drive and runs `work` with the token, as often as they try.
 * Resolves with the result of `work`, or with 'back'. Throws {@link Closed} of `work`.
 * @param isOthers failures that this drive has no part in, and that are thrown
 */
export async function withDrive<T>(
  cx: WalletFlow,
  drive: Drive,
  purpose: RecoveryOAuthProps['purpose'],
  work: (accessToken: string, signal: AbortSignal) => Promise<T>,
  isOthers: (error: KitError) => boolean = () => false,
): Promise<{ done: T } | 'back'> {
  const { stage } = cx
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
      // What has been shown there is only the beginning of something else.
      if (purpose !== 'present')
        await stage.hold(recoveryOAuth, { ...about, phase: 'done' }, walletsLimits.successVisible)
      return { done }
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (cause instanceof Closed) throw cause
      const error = toKitError(cause, 'recovery_oauth_error')
      if (isOthers(error)) throw error
      cx.report(error)
      const { title, detail, retryable } = verdict(error)
      const failure = { title: say(cx.t, title), detail: say(cx.t, detail), retryable }
      answer = await stage.ask(recoveryOAuth, { ...about, phase: 'failed', failure })
    }
  }
}

/** The person is in the drive's window, or has gone back here. */
async function visit(
  cx: WalletFlow,
  drive: Drive,
  purpose: RecoveryOAuthProps['purpose'],
  window: Window,
): Promise<string | 'back'> {
  const drives = await cx.wallets.drives()
  const props = { provider: drive, purpose, phase: 'window' } as const
  const outcome = await cx.stage.askDuring(recoveryOAuth, props, (signal) =>
    drives.grant(drive, window, signal),
  )
  return 'done' in outcome ? outcome.done : 'back'
}
