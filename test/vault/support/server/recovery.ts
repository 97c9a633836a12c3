import { proven, statementOf } from './proofs.ts'
import {
  type Body,
  evaluationOf,
  newSecret,
  ok,
  type Reply,
  refuse,
  type State,
  type StoredRecovery,
  type StoredRoot,
  textOf,
} from './state.ts'

const TYPES: Readonly<Record<string, string>> = {
  privy: 'privy_generated_recovery_key',
  'google-drive': 'google_drive_recovery_secret',
  icloud: 'icloud_recovery_secret',
}

/** What is asked of one root's recovery, by the end of its path. */
export async function answerRecovery(
  state: State,
  app: string,
  root: StoredRoot,
  name: string,
  action: string,
  body: Body,
): Promise<Reply | undefined> {
  const { recovery } = root
  if (action === 'key_material')
    return ok({
      recovery_type: TYPES[recovery.method] ?? 'user_passcode_derived_recovery_key',
      recovery_key_derivation_salt: recovery.salt ?? '',
      recovery_code: '',
      recovery_key: recovery.key ?? '',
      file_id: recovery.file_id ?? '',
      icloud_record_name: recovery.record_name ?? '',
    })
  if (action === 'package')
    return ok({
      wallet_id: root.walletId,
      recovery_method: recovery.method,
      recovery_package: recovery.package,
    })
  if (action === 'evaluate') return evaluate(state, root, textOf(body, 'proof'))
  if (action === 'changes') return propose(app, root, name, body)
  const [, id = ''] = /^changes\/([^/]+)\/confirm$/.exec(action) ?? []
  return id ? confirm(root, id) : undefined
}

/** A new secret of the server's own for a password that is being set. */
export function createSecret(state: State, user: string, body: Body): Reply {
  const { id, secret } = newSecret(state, user)
  return ok({ secret_id: id, evaluation: evaluationOf(secret, textOf(body, 'proof')) })
}

function evaluate(state: State, root: StoredRoot, proof: string): Reply {
  const held = state.secrets.get(root.recovery.secret_id ?? '')
  if (!held) return refuse(400, 'invalid_state')
  if (root.tries >= state.options.passwordTries) return refuse(429, 'too_many_requests')
  root.tries++
  return ok({ evaluation: evaluationOf(held.secret, proof) })
}

async function propose(app: string, root: StoredRoot, name: string, body: Body): Promise<Reply> {
  const id = textOf(body, 'change_id')
  const recovery = body.recovery as StoredRecovery
  const statement = statementOf.change(app, root.user, root.walletId, id, recovery.method, recovery.package)
  if (!(await proven(name, statement, body.proof))) return refuse(401, 'invalid_credentials')
  const known = root.changes.get(id)
  if (known && known.recovery.package !== recovery.package) return refuse(400, 'resource_conflict')
  if (!known) root.changes.set(id, { recovery, confirmed: false })
  return ok({ recovery_package: recovery.package })
}

function confirm(root: StoredRoot, id: string): Reply {
  const change = root.changes.get(id)
  if (!change) return refuse(404, 'linked_account_not_found')
  if (!change.confirmed) root.recovery = change.recovery
  change.confirmed = true
  return ok({ recovery_method: change.recovery.method })
}
