/** What getting a wallet back and changing its recovery ask a person in the same way. */
import type { Translate } from '../../../copy/copy.ts'
import type { Stage } from '../../../dialog/stage.ts'
import { VaultError } from '../../errors.ts'
import type { ApprovalContext } from '../purpose.ts'
import { connectingWallet, failure, passwordRecovery } from './screens.ts'

/** As much of an approval as is needed, whatever is approved. */
export type Asking = Pick<
  ApprovalContext<'recover'>,
  'vault' | 'stage' | 't' | 'token' | 'shown' | 'approving'
>

/**
 * Does work that asks the person nothing, while they read that it is done. What fails for now, such as a server that is down, is
 * shown with a retry. Throws `Closed`, and a {@link VaultError} that no retry would help.
 */
export async function untilReached<T>(cx: Asking, stage: Stage, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await stage.during(connectingWallet, {}, work)
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (!mayPass(cause)) throw cause
      cx.shown(cause)
      const title = cx.t('error.generic.title')
      const answer = await stage.ask(failure, { title, detail: wordsFor(cx.t, cause), action: 'retry' })
      if (answer !== 'retry') throw cause
    }
  }
}

/** Asks for a recovery password until `use` accepts it. Resolves with its result, or with 'back'. */
export async function withPassword<T>(
  cx: Asking,
  stage: Stage,
  about: { readonly address: string; readonly purpose?: 'present' },
  use: (password: string) => Promise<T>,
): Promise<{ done: T } | 'back'> {
  let error: string | undefined
  for (;;) {
    const answer = await stage.ask(passwordRecovery, { ...about, ...(error && { error }) })
    if (answer === 'back') return 'back'
    try {
      return { done: await use(answer.password) }
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (!(cause instanceof VaultError)) throw cause
      cx.shown(cause)
      error = passwordWords(cx.t, cause)
    }
  }
}

function passwordWords(t: Translate, cause: VaultError): string {
  if (cause.type === 'invalid_recovery_pin') return t('error.password.wrong')
  return isTooMany(cause) ? t('error.password.tooMany') : wordsFor(t, cause, t('error.password.other'))
}

/** Words for a failure that has nothing to do with what the person gave. */
export const wordsFor = (t: Translate, cause: unknown, otherwise = t('error.wallet.recover')): string =>
  cause instanceof VaultError && cause.code === undefined && cause.type === 'error'
    ? t('error.network.detail')
    : otherwise

export const isTooMany = ({ message }: VaultError): boolean => message.includes('code 429')

const mayPass = (cause: unknown) => cause instanceof VaultError && cause.type === 'error'
