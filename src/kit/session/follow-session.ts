import type { Run } from '../../dialog/surface.ts'
import { KitError } from '../../errors/kit-error.ts'
import type { User } from '../../protocol/user.ts'
import type { KitContext } from '../context.ts'
import type { Services } from '../services/services.ts'

/**
 * Whether a person logs in or out by what they do there, so that a change in this tab does not end it. Every intent is named, because
 * one that was forgotten would stay open for whoever comes next.
 */
const changesSession: Readonly<Record<Run['intent'], boolean>> = {
  login: true,
  connect: true,
  link: true,
  update: true,
  unlink: true,
  sign: false,
  create: false,
  recovery: false,
  export: false,
  import: false,
  device: false,
  mfa: false,
  fund: false,
  settings: false,
  signer: false,
  delegate: false,
  revoke: false,
}
const allIntents = Object.keys(changesSession) as Run['intent'][]
const otherIntents = allIntents.filter((intent) => !changesSession[intent])

/**
 * Ends what is open for a person when they leave, and says so in a screen of its own: in this tab, in another one, or
 * because the server has ended the session.
 */
export function followSession(
  cx: KitContext,
  { session, forget, admitted, isApproving }: Services,
  explanation: () => Promise<typeof import('./session-changed.ts')>,
): void {
  let before: User | null = session.user.get()

  /**
   * @param left who is no longer logged in, and is told
   * @param isOvertaken whether somebody has logged in elsewhere, which is what the dialog is for
   */
  function end(intents: readonly Run['intent'][], left: User | undefined, isOvertaken = false): void {
    const why = new KitError('session_changed', 'The person who is logged in has changed')
    const ended = cx.runs.end(why, intents, isOvertaken)
    if (!left) return
    ended
      .then(async (place) => place && (await explanation()).sayWhy(cx, place, left.id))
      // The dialog is closed all the same.
      .catch(() => {})
  }

  session.onChangeElsewhere((next) => {
    const known = session.user.get()
    if (known && known.id !== next?.id) {
      forget(known.id)
      end(allIntents, known)
      return
    }
    // A guest who has just approved their own login: its dialog goes on by itself.
    if (isApproving()) return
    // A login dialog that still waits for the kit finds out by itself.
    const { ready, user } = cx.app.state.get()
    const isWanted = next && !next.isGuest && (!user || user.isGuest)
    if (isWanted && ready && admitted(next)) end(['login'], undefined, true)
  })
  session.user.subscribe(() => {
    const now = session.user.get()
    if (before && before.id !== now?.id) end(otherIntents, before)
    before = now
  })
}
