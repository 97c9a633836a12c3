import { sha256 } from '@noble/hashes/sha2.js'
import {
  type FrameCalls,
  type frameEvents,
  nativeIcloud,
  type RecoveryMethod,
  recoveryMethods,
} from '../../protocol/frame/calls.ts'
import { bytesToHex, utf8, wipe } from '../bytes.ts'
import { exclusively, type VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import type { OpenRoot, RecoveryRequest, RootName } from '../model.ts'
import { confirmChange, proposeChange } from '../server/recovery.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import { splitRoot } from '../shares/split.ts'
import { statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { type PreparedRecovery, prepareRecovery } from './prepare.ts'
import { parseRecoveryRequest } from './request.ts'

/**
 * Gives a root that is on this device another recovery method. Resolves with it when it is in force; until that
 * moment the old one works, whatever fails. Throws {@link VaultError}.
 */
export async function setRecovery(
  cx: VaultContext,
  token: Token,
  root: RootName,
  data: FrameCalls[typeof frameEvents.setRecovery]['data'],
): Promise<RecoveryMethod> {
  const known: readonly string[] = [...Object.values(recoveryMethods), nativeIcloud]
  if (!known.includes(data.existingRecoveryMethod ?? nativeIcloud))
    throw new VaultError('invalid_request_arguments', 'The existing recovery method is unknown')
  const request = parseRecoveryRequest(data.recoveryMethod, data)
  return exclusively(cx, token, () => changeRecovery(cx, token, root, request))
}

/** As {@link setRecovery}, for those who hold the person's lock already. */
export async function changeRecovery(
  cx: VaultContext,
  token: Token,
  root: RootName,
  request: RecoveryRequest,
): Promise<RecoveryMethod> {
  // The root is opened twice for a moment, so that it is not in memory while a drive or the server is waited for.
  const walletId = await withDeviceRoot(cx, token, root, (open) => open.walletId, { fresh: true })
  const prepared = await prepareRecovery(cx, token, request, walletId)
  try {
    const change = await withDeviceRoot(cx, token, root, (open) => seal(cx, token, root, open, prepared))
    const stored = await proposeChange(cx, token, root, change)
    // Confirming takes the old recovery method away: only for one that the server has stored exactly.
    if (stored !== change.record.package)
      throw new VaultError('error', 'The wallet service did not store the recovery method')
    return await confirm(cx, token, root, change.changeId)
  } finally {
    prepared.wipe()
  }
}

async function seal(
  cx: VaultContext,
  token: Token,
  root: RootName,
  open: OpenRoot,
  prepared: PreparedRecovery,
) {
  const { walletId, kind, secret } = open
  const set = await splitRoot({ ...root, walletId, kind, secret })
  try {
    const record = await prepared.seal(set.auth, set.recovery)
    const changeId = crypto.randomUUID()
    const statement = statements.recoveryChanged({
      app: cx.settings.appId,
      user: token.user,
      wallet: walletId,
      change: changeId,
      method: record.method,
      package: bytesToHex(sha256(utf8(record.package))),
    })
    const proof = await open.withKey({ ...root, index: 0 }, (key) => key.prove(statement))
    return { changeId, record, proof }
  } finally {
    wipe(set.device.bytes, set.auth.bytes, set.recovery.bytes)
  }
}

/** Tried twice: a person who reads that it failed although it is in force would rely on the old method. */
const confirm = (cx: VaultContext, token: Token, root: RootName, changeId: string) =>
  confirmChange(cx, token, root, changeId).catch(() => confirmChange(cx, token, root, changeId))
