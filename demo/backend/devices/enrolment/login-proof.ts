import * as v from 'valibot'
import { Refusal } from '../../lib/refusal.ts'
import type { SessionServices } from '../../sessions/services.ts'
import { hasWallets, type UserSession } from '../../wallets/context.ts'
import { type ProofKind, proofKind } from './proof-kind.ts'
import type { Standing } from './standing.ts'

const refused = () =>
  new Refusal('enrolment_required', 'Show that this browser is yours before it can use your wallets.')

/**
 * Whether a login alone enrols a device: where there is no wallet yet, and in compatible apps for a while after it. A strict app's
 * user with a wallet is never enrolled by one.
 */
export async function isLoginEnough(
  { sessions, limits, clock }: Pick<SessionServices, 'sessions' | 'limits' | 'clock'>,
  { app, sessionId }: UserSession,
  { hasWallet, frozenAt }: Standing,
): Promise<boolean> {
  if (frozenAt !== null) return false
  if (!hasWallet) return true
  if (app.vault === 'strict') return false
  const opened = await sessions.describe(sessionId)
  return opened !== undefined && clock() - opened.authenticatedAt < limits.compatibleEnrolment
}

/** The login itself. */
export function createLoginProof(deps: SessionServices): ProofKind {
  return proofKind({
    body: v.strictObject({ factor: v.literal('login') }),
    async prove(session, _, { standing }) {
      if (!(await isLoginEnough(deps, session, standing))) throw refused()
      return {
        enrolledBy: 'login',
        async use(tx) {
          // A wallet may have been made since, which this device had no part in.
          if (!standing.hasWallet && (await hasWallets(tx, session))) throw refused()
        },
      }
    },
  })
}
