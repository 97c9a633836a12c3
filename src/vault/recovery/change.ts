import { sha256 } from '@noble/hashes/sha2.js'
import {
  type FrameCalls,
  type frameEvents,
  nativeIcloud,
  type RecoveryMethod,
  recoveryMethods,
} from '../../protocol/frame/calls.ts'
import { bytesToHex, utf8, wipe } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import type { OpenRoot, RecoveryRecord, RecoveryRequest, RootName } from '../model.ts'
import { confirmChange, proposeChange } from '../server/recovery.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import { exclusively } from '../shares/exclusively.ts'
import { splitRoot } from '../shares/split.ts'
import { statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { type PreparedRecovery, prepareRecovery } from './prepare.ts'
import { type PresentSecret, provePresent } from './present.ts'
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
  const present = { password: data.presentPassword, accessToken: data.presentAccessToken }
  return exclusively(cx, token, () => changeRecovery(cx, token, root, request, present))
}

/** As {@link setRecovery}, for those who hold the person's lock already. `present` proves the method in force. */
export async function changeRecovery(
  cx: VaultContext,
  token: Token,
  root: RootName,
  request: RecoveryRequest,
  present: PresentSecret = {},
): Promise<RecoveryMethod> {
  // The root is opened twice for a moment, so that it is not in memory while a drive or the server is waited for.
  const walletId = await withDeviceRoot(cx, token, root, (open) => open.walletId, { fresh: true })
  if (present.password !== undefined || present.accessToken !== undefined)
    await provePresent(cx, token, root, present)
  const prepared = await prepareRecovery(cx, token, request, walletId)
  try {
    const record = await withDeviceRoot(cx, token, root, (open) => seal(root, open, prepared))
    const change = await describeChange(cx, token, walletId, record)
    const stored = await proposeChange(cx, token, root, change)
    // Confirming takes the old recovery method away: only for one that the server has stored exactly.
    if (stored !== record.package)
      throw new VaultError('error', 'The wallet service did not store the recovery method')
    return await confirm(cx, token, root, change)
  } finally {
    prepared.wipe()
  }
}

async function seal(
  root: RootName,
  { walletId, kind, secret }: OpenRoot,
  prepared: PreparedRecovery,
): Promise<RecoveryRecord> {
  const set = await splitRoot({ ...root, walletId, kind, secret })
  try {
    return await prepared.seal(set.auth, set.recovery)
  } finally {
    wipe(set.device.bytes, set.auth.bytes, set.recovery.bytes)
  }
}

/** Both steps of a change, each signed by this device: no signature of a wallet can stand for one. */
interface Change {
  readonly changeId: string
  readonly record: RecoveryRecord
  readonly statement: string
  readonly deviceProof: string
  readonly confirmation: { readonly statement: string; readonly deviceProof: string }
}

async function describeChange(
  cx: VaultContext,
  token: Token,
  wallet: string,
  record: RecoveryRecord,
): Promise<Change> {
  const device = await cx.device()
  const changeId = crypto.randomUUID()
  const values = { app: cx.settings.appId, user: token.user, wallet, change: changeId }
  const hash = bytesToHex(sha256(utf8(record.package)))
  const statement = statements.recoveryChanged({ ...values, method: record.method, package: hash })
  const confirmed = statements.recoveryConfirmed(values)
  return {
    changeId,
    record,
    statement,
    deviceProof: await device.sign(statement),
    confirmation: { statement: confirmed, deviceProof: await device.sign(confirmed) },
  }
}

/** Tried twice: a person who reads that it failed although it is in force would rely on the old method. */
function confirm(
  cx: VaultContext,
  token: Token,
  root: RootName,
  { changeId, confirmation }: Change,
): Promise<RecoveryMethod> {
  const step = { changeId, ...confirmation }
  return confirmChange(cx, token, root, step).catch(() => confirmChange(cx, token, root, step))
}
