import * as v from 'valibot'
import { type ProofKind, proofKind } from '../../devices/enrolment/proof-kind.ts'
import { badVisit, type Visits } from '../../visits/visits.ts'
import type { LoginServices } from '../services.ts'

const secret = v.pipe(v.string(), v.regex(/^[\w-]{20,128}$/))

/** A fresh login with one of the user's accounts, which the vault's own window has run for this very key. */
export function createProviderProof(
  { database }: Pick<LoginServices, 'database'>,
  visits: Visits,
): ProofKind {
  return proofKind({
    body: v.strictObject({ factor: v.literal('provider'), state: secret, code: secret }),
    async prove({ app, userId, sessionId, device }, given, { standing }) {
      const visitor = { appId: app.id, userId, sessionId, thumbprint: device.thumbprint }
      // On its own: a code is used up however the rest ends.
      const outcome = await database.transaction((tx) => visits.finish(tx, visitor, 'enrol', given))
      if ('refused' in outcome) throw outcome.refused
      if (!('account' in outcome)) throw badVisit()
      const { type, subject } = outcome.account
      // The account may have been removed since, or no longer count.
      if (!standing.accounts.some((each) => each.type === type && each.subject === subject)) throw badVisit()
      return { enrolledBy: 'provider' }
    },
  })
}
