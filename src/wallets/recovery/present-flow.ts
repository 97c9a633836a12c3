import { Closed } from '../../dialog/stage.ts'
import { type KitError, toKitError } from '../../errors/kit-error.ts'
import { say } from '../../errors/words.ts'
import type { EmbeddedAccount, EmbeddedWallets, RecoverySecret } from '../embedded/embedded-wallets.ts'
import type { WalletFlow } from '../flow-context.ts'
import { withDrive } from './drives/flow.ts'
import { recoveryPasswordVerdict } from './errors.ts'
import { passwordRecovery } from './password/password-recovery.tsx'
import { ownMethodOf } from './recovery-data.ts'

/**
 * Asks for what the person has of a wallet's present recovery method, and runs `work` with it; a wrong password is asked for
 * again. Throws {@link Closed} when they turn back, or what `work` throws.
 */
export async function askPresent<T>(
  cx: WalletFlow,
  embedded: EmbeddedWallets,
  wallet: EmbeddedAccount,
  work: (present: RecoverySecret) => Promise<T>,
): Promise<T> {
  const method = ownMethodOf(embedded.rootOf(wallet).recoveryMethod)
  if (method === 'password') return byPassword(cx, wallet, work)
  if (method === undefined || method === 'automatic') return work({ method: 'automatic' })
  const came = await withDrive(cx, method, 'present', (accessToken) => work({ method, accessToken }))
  if (came === 'back') throw new Closed('The person turned back')
  return came.done
}

/** The present method was not shown, whatever else was asked for. */
export const isOfPresent = ({ code }: KitError): boolean => code === 'recovery_proof_required'

async function byPassword<T>(
  cx: WalletFlow,
  { address }: EmbeddedAccount,
  work: (present: RecoverySecret) => Promise<T>,
): Promise<T> {
  let error: string | undefined
  for (;;) {
    const asked = { purpose: 'present', address, ...(error && { error }) } as const
    const answer = await cx.stage.ask(passwordRecovery, asked)
    if (answer === 'back') throw new Closed('The person turned back')
    try {
      return await work({ method: 'password', ...answer })
    } catch (cause) {
      cx.stage.signal.throwIfAborted()
      const problem = toKitError(cause, 'embedded_wallet_set_recovery_error')
      if (problem.code !== 'invalid_recovery_pin' && problem.code !== 'too_many_requests') throw cause
      const verdict = recoveryPasswordVerdict(problem)
      cx.report(problem)
      error = verdict.show === 'inline' ? say(cx.t, verdict.words) : cx.t('error.password.other')
    }
  }
}
