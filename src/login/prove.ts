import { handleFailure, type ShowFailure } from '../app/failure/flow.ts'
import { type KitError, toKitError } from '../errors/kit-error.ts'
import type { Verdict } from '../errors/verdict.ts'
import type { Transfer } from '../protocol/transfer.ts'
import type { BackToStart, Login, LoginContext } from './context.ts'
import { resolveConflict } from './transfer/flow.ts'

interface Proving {
  /** The call that logs in, unless the person goes back meanwhile. */
  work: () => Promise<Login | 'back'>
  verdict: (error: KitError) => Verdict
  /** What happens when the account belongs to another user and may be transferred. */
  conflict?:
    | {
        title: string
        /** The account's name, if the server gives it none. */
        account: string
        transfer: (offer: Transfer) => Promise<Login>
      }
    | undefined
  show?: ShowFailure | undefined
}
export type Proved =
  | { readonly login: Login }
  | { readonly next: 'again' }
  | { readonly next: 'stay'; readonly error: string }
  | BackToStart

/** Logs in with what the person has proved, including the screens and the transfer that may follow. */
export async function prove(cx: LoginContext, { work, verdict, conflict, show }: Proving): Promise<Proved> {
  try {
    const login = await cx.loggingIn(work)
    return login === 'back' ? { back: true } : { login }
  } catch (cause) {
    cx.stage.signal.throwIfAborted()
    const failure = toKitError(cause)
    const settled = await handleFailure(cx, failure, verdict(failure), show)
    switch (settled.next) {
      case 'again':
        return { next: 'again' }
      case 'stay':
        return settled
      case 'start':
        return { back: true, error: settled.error }
      case 'conflict': {
        if (!conflict) return { back: true }
        const { title, account, transfer } = conflict
        const { transfer: offer } = settled
        const outcome = await resolveConflict(cx, { ...offer, title, account }, () =>
          cx.loggingIn(() => transfer(offer)),
        )
        return outcome === 'declined' ? { back: true } : { login: outcome }
      }
    }
  }
}
