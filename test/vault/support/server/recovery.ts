import { isPresent, isSignedBy, mayChange, notePresent } from './devices.ts'
import { statementOf } from './proofs.ts'
import {
  type Body,
  evaluationOf,
  newSecret,
  ok,
  type Reply,
  refuse,
  type State,
  type StoredDevice,
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
  device: StoredDevice,
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
  if (action === 'present') {
    if (!isPresent(state, root, body)) return refuse(401, 'invalid_credentials')
    notePresent(state, device, root)
    return ok({})
  }
  if (action === 'changes') return propose(state, app, root, device, body)
  const [, id = ''] = /^changes\/([^/]+)\/confirm$/.exec(action) ?? []
  return id ? confirm(state, app, root, device, id, body) : undefined
}

/** A new secret of the server's own for a password that is being set. */
export function createSecret(state: State, user: string, body: Body): Reply {
  const { id, secret } = newSecret(state, user, textOf(body, 'proof'))
  return ok({ secret_id: id, evaluation: evaluationOf(secret, textOf(body, 'proof')) })
}

function evaluate(state: State, root: StoredRoot, proof: string): Reply {
  const held = state.secrets.get(root.recovery.secret_id ?? '')
  if (!held) return refuse(400, 'invalid_state')
  if (root.tries >= state.options.passwordTries) return refuse(429, 'too_many_requests')
  root.tries++
  return ok({ evaluation: evaluationOf(held.secret, proof) })
}

function propose(state: State, app: string, root: StoredRoot, device: StoredDevice, body: Body): Reply {
  const id = textOf(body, 'change_id')
  const recovery = body.recovery as StoredRecovery
  const statement = statementOf.change(app, root.user, root.walletId, id, recovery.method, recovery.package)
  if (!isSignedBy(device.key, statement, body.device_proof)) return refuse(401, 'invalid_credentials')
  if (!mayChange(state, device, root)) return refuse(403, 'recovery_proof_required')
  const known = root.changes.get(id)
  if (known && known.recovery.package !== recovery.package) return refuse(400, 'resource_conflict')
  if (!known) root.changes.set(id, { recovery, confirmed: false })
  return ok({ recovery_package: recovery.package })
}

function confirm(
  state: State,
  app: string,
  root: StoredRoot,
  device: StoredDevice,
  id: string,
  body: Body,
): Reply {
  const statement = statementOf.confirmed(app, root.user, root.walletId, id)
  if (!isSignedBy(device.key, statement, body.device_proof)) return refuse(401, 'invalid_credentials')
  const change = root.changes.get(id)
  if (!change) return refuse(404, 'linked_account_not_found')
  if (!change.confirmed) root.recovery = change.recovery
  change.confirmed = true
  notePresent(state, device, root)
  return ok({ recovery_method: change.recovery.method })
}
