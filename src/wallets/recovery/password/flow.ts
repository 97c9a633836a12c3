import type { FlowContext } from '../../../app/flow-context.ts'
import { Closed } from '../../../dialog/stage.ts'
import { type KitError, toKitError } from '../../../errors/kit-error.ts'
import { walletsLimits } from '../../limits.ts'
import { confirmPassword } from './confirm-password.tsx'
import { finishPassword } from './finish-password.tsx'
import { passwordResult } from './password-result.tsx'
import { savePassword } from './save-password.tsx'
import { setPassword } from './set-password.tsx'

/** What setting a password works with; the vault, where it is the one to ask, has no more than this. */
export type PasswordContext = Pick<FlowContext, 'stage' | 'clock' | 't' | 'report'>

export interface NewPasswordOptions {
  /** There was one before. */
  readonly reset: boolean
  /** Part of a login: it can't be left, and continues by itself. */
  readonly automatic: boolean
  /** Whose password it is, for password managers; nothing if the wallet is only about to be created. */
  readonly address?: string | undefined
  /** The page that the wallet is for, as the person knows it; this one, if nothing else is said. */
  readonly site?: string | undefined
  /** The person comes from a choice, and may go back to it. */
  readonly canGoBack: boolean
}

/**
 * Has a person create, save and confirm a password, and runs `work` with it. Resolves with its result, or
 * with 'back'. Throws {@link Closed} when they cancel, or the failure that they were shown.
 */
export async function withNewPassword<T>(
  cx: PasswordContext,
  { reset, automatic, address, canGoBack, site }: NewPasswordOptions,
  work: (password: string, signal: AbortSignal) => Promise<T>,
): Promise<{ done: T } | 'back'> {
  const { stage } = cx
  const cancellable = !automatic
  let password = ''
  let step: 'set' | 'save' | 'confirm' | 'finish' = 'set'
  for (;;) {
    if (step === 'set') {
      const value = password ? { value: password } : {}
      const asked = { reset, address, canGoBack, cancellable, ...value }
      const answer = await stage.ask(setPassword, asked)
      if (answer === 'back') return 'back'
      password = answer.password
      step = 'save'
    } else if (step === 'save') {
      step = (await stage.ask(savePassword, { password, site, cancellable })) === 'back' ? 'set' : 'confirm'
    } else if (step === 'confirm') {
      step = (await stage.ask(confirmPassword, { password, cancellable })) === 'back' ? 'save' : 'finish'
    } else {
      const answer = await stage.ask(finishPassword, { cancellable })
      if (answer === 'cancel') throw new Closed('The person cancelled')
      if (answer === 'back') {
        step = 'confirm'
        continue
      }
      try {
        const done = await work(password, stage.signal)
        await shown(cx, automatic)
        return { done }
      } catch (cause) {
        await showFailure(cx, toKitError(cause, 'embedded_wallet_set_recovery_error'), automatic)
      }
    }
  }
}

/** The password is set, so closing this screen is as good as answering. */
async function shown({ stage, clock }: PasswordContext, automatic: boolean): Promise<void> {
  const props = { ok: true, closes: automatic }
  const wait = (signal: AbortSignal) => clock.sleep(walletsLimits.successVisible, signal)
  const asked = automatic ? stage.during(passwordResult, props, wait) : stage.ask(passwordResult, props)
  await asked.catch((cause: unknown) => {
    if (!(cause instanceof Closed)) throw cause
  })
}

/** After a failure in a flow that can't be left, the last step is shown again. */
async function showFailure(cx: PasswordContext, error: KitError, automatic: boolean): Promise<void> {
  cx.stage.signal.throwIfAborted()
  cx.report(error)
  const props = { ok: false, detail: cx.t('error.password.set'), closes: automatic }
  await cx.stage.ask(passwordResult, props).catch((cause: unknown) => {
    // Closing means that it was read; the failure is what counts.
    if (!(cause instanceof Closed)) throw cause
  })
  if (!automatic) throw error
}
