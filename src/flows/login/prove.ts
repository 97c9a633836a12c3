import { type KitError, toKitError } from '../../errors/kit-error.ts'
import type { Verdict } from '../../errors/verdict.ts'
import type { Transfer } from '../../wire/transfer.ts'
import { resolveConflict } from '../account/link-conflict.ts'
import type { BackToStart, Login, LoginContext } from './context.ts'
import { type ShowFailure, settle } from './gates.ts'

interface Proving {
  /** The call that logs in. */
  work: () => Promise<Login>
  verdict: (error: KitError) => Verdict
  /** What is said and done when the account is somebody else's who may give it up. */
  conflict?:
    | {
        title: string
        /** How the account is called where the server gives it no name. */
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

/** Logs in with what the person has shown, with the gates and the transfer that may stand behind it. */
export async function prove(cx: LoginContext, { work, verdict, conflict, show }: Proving): Promise<Proved> {
  try {
    return { login: await work() }
  } catch (cause) {
    cx.stage.signal.throwIfAborted()
    const failure = toKitError(cause)
    const settled = await settle(cx, failure, verdict(failure), show)
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
        const outcome = await resolveConflict(cx, { ...offer, title, account }, () => transfer(offer))
        return outcome === 'declined' ? { back: true } : { login: outcome }
      }
    }
  }
}
