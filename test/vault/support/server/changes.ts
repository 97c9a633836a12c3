/** Pending changes of accounts and sessions in the fake backend, with node's own hash of what was approved. */
import { createHash } from 'node:crypto'
import { ok, type Reply, refuse, type State } from './state.ts'

export interface StoredChange {
  readonly user: string
  readonly session: string
  /** As the server describes it to the vault. */
  readonly review: Readonly<Record<string, unknown>> & { readonly action: string }
  /** The lines of the statement after the id of the change. */
  readonly statement: Readonly<Record<string, string>>
  state: 'pending' | 'made' | 'rejected'
  /** A refusal that the change itself gets when it is made. */
  refused?: string
}

interface ChangeCall {
  readonly user: string
  readonly session: string
  readonly path: string
  /** The statement's hash in the proof of the call. */
  readonly statementHash: unknown
}

/** Answers to calls of an enrolled device below `/users/me/changes`. */
export function answerChanges(
  state: State,
  app: string,
  { user, session, path, statementHash }: ChangeCall,
): Reply {
  const [, id = '', action = ''] = /^\/users\/me\/changes\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  const change = state.changes.get(id)
  if (change?.user !== user || change.session !== session || change.state === 'rejected')
    return refuse(404, 'linked_account_not_found')
  if (action === 'reject') {
    if (change.state === 'pending') change.state = 'rejected'
    return ok({})
  }
  if (action === 'review')
    return change.state === 'made' ? refuse(409, 'token_already_used') : ok(change.review)
  const lines = { app, user, change: id, action: change.review.action, ...change.statement }
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}`)
  const hash = createHash('sha256').update(['Latchkey account change', ...text].join('\n'))
  if (statementHash !== hash.digest('base64url')) return refuse(403, 'approval_required')
  if (change.state === 'made') return refuse(409, 'token_already_used')
  if (change.refused !== undefined) return refuse(400, change.refused)
  change.state = 'made'
  return ok({ id: user, linked_accounts: [] })
}
