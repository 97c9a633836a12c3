/** The vault's requests to the server about recovery. docs/protocol.md */

import type { PlainObject } from '../../lib/plain.ts'
import { recoveryMethods } from '../../protocol/frame/calls.ts'
import { type Bytes, fromBase64url, isUuid, toBase64url } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import type { RecoveryMethod, RecoveryRecord, RootName } from '../model.ts'
import { statementShown } from '../statements.ts'
import type { Token } from '../token.ts'
import { rootPath, unexpectedAnswer } from './transport.ts'
import { recoveryBody } from './wallets.ts'

const TYPES: Readonly<Partial<Record<RecoveryMethod, string>>> = {
  [recoveryMethods.automatic]: 'privy_generated_recovery_key',
  [recoveryMethods.password]: 'user_passcode_derived_recovery_key',
  [recoveryMethods.googleDrive]: 'google_drive_recovery_secret',
  [recoveryMethods.icloud]: 'icloud_recovery_secret',
}

/** The sealed package that is in force. */
export async function fetchPackage(
  cx: VaultContext,
  token: Token,
  root: RootName,
): Promise<{ walletId: string; method: RecoveryMethod; package: string }> {
  const answer = await cx.api(token, `${rootPath(root)}/recovery/package`, {})
  const { wallet_id: walletId, recovery_method: method, recovery_package: sealed } = answer
  if (!isUuid(walletId) || typeof sealed !== 'string') throw unexpectedAnswer()
  return { walletId, method: knownMethod(method), package: sealed }
}

/** What the server stores for a recovery method: the key of automatic recovery, or where a drive has its secret. */
export async function fetchMaterial(
  cx: VaultContext,
  token: Token,
  root: RootName,
  method: RecoveryMethod,
): Promise<{ key: string; fileId: string; recordName: string }> {
  const { recovery_type: type, ...fields } = await cx.api(token, `${rootPath(root)}/recovery/key_material`, {
    chain_type: root.chainType,
  })
  if (typeof type !== 'string') throw unexpectedAnswer()
  if (!Object.values(TYPES).includes(type)) throw unsupportedHere()
  if (type !== TYPES[method]) throw new VaultError('error', 'The recovery method is being changed elsewhere')
  return {
    key: textOf(fields, 'recovery_key'),
    fileId: textOf(fields, 'file_id'),
    recordName: textOf(fields, 'icloud_record_name'),
  }
}

/** Has the server make a secret for a password that is being set. It never gives the secret away, only what it makes of a proof. */
export async function newSecret(
  cx: VaultContext,
  token: Token,
  proof: Bytes,
): Promise<{ secretId: string; evaluation: Bytes }> {
  const answer = await cx.api(token, '/embedded_wallets/recovery/secrets', { proof: toBase64url(proof) })
  const { secret_id: secretId } = answer
  if (typeof secretId !== 'string' || secretId === '') throw unexpectedAnswer()
  return { secretId, evaluation: evaluationOf(answer) }
}

/** One guess at a password: what the server's secret makes of its proof. The server allows ten an hour. */
export async function evaluate(cx: VaultContext, token: Token, root: RootName, proof: Bytes): Promise<Bytes> {
  const body = { proof: toBase64url(proof) }
  return evaluationOf(await cx.api(token, `${rootPath(root)}/recovery/evaluate`, body))
}

/** Adds a device's own set of shares. */
export async function addDevice(
  cx: VaultContext,
  token: Token,
  root: RootName,
  device: { setId: string; authShare: string; proof: string },
): Promise<void> {
  await cx.api(token, `${rootPath(root)}/devices`, {
    set_id: device.setId,
    auth_share: device.authShare,
    proof: device.proof,
  })
}

/** Stores a new recovery method in addition to the active one. Resolves with its package as the server has it. */
export async function proposeChange(
  cx: VaultContext,
  token: Token,
  root: RootName,
  change: { changeId: string; record: RecoveryRecord; statement: string; deviceProof: string },
): Promise<string> {
  const body = {
    change_id: change.changeId,
    recovery: recoveryBody(change.record),
    device_proof: change.deviceProof,
  }
  const path = `${rootPath(root)}/recovery/changes`
  const { recovery_package: stored } = await cx.api(token, path, body, statementShown(cx, change.statement))
  if (typeof stored !== 'string') throw unexpectedAnswer()
  return stored
}

/** Activates a change and deletes the old recovery method. May be repeated. */
export async function confirmChange(
  cx: VaultContext,
  token: Token,
  root: RootName,
  { changeId, statement, deviceProof }: { changeId: string; statement: string; deviceProof: string },
): Promise<RecoveryMethod> {
  const path = `${rootPath(root)}/recovery/changes/${changeId}/confirm`
  const answer = await cx.api(token, path, { device_proof: deviceProof }, statementShown(cx, statement))
  return knownMethod(answer.recovery_method)
}

/** Where the app keeps things in people's iCloud. */
export interface IcloudContainer {
  readonly apiToken: string
  readonly container: string
  readonly environment: string
}
export async function fetchIcloudContainer(cx: VaultContext, token: Token): Promise<IcloudContainer> {
  const answer = await cx.api(token, '/recovery/configuration_icloud', { client_type: 'web' })
  const { api_token: apiToken, container_identifier: container, environment } = answer
  if (![apiToken, container, environment].every(isIcloudName)) throw unexpectedAnswer()
  return { apiToken, container, environment } as IcloudContainer
}

const isIcloudName = (value: unknown) => typeof value === 'string' && /^\w[\w.-]{0,254}$/.test(value)

function evaluationOf(answer: PlainObject): Bytes {
  const bytes = typeof answer.evaluation === 'string' ? fromBase64url(answer.evaluation) : undefined
  if (bytes?.length !== 32) throw unexpectedAnswer()
  return bytes
}

function textOf(fields: PlainObject, name: string): string {
  const value = fields[name] ?? ''
  if (typeof value !== 'string') throw unexpectedAnswer()
  return value
}

function knownMethod(value: unknown): RecoveryMethod {
  const method = Object.values(recoveryMethods).find((known) => known === value)
  if (method) return method
  throw typeof value === 'string' ? unsupportedHere() : unexpectedAnswer()
}

/** A newer server's recovery method: nothing is lost, but a newer page is needed. */
export const unsupportedHere = () =>
  new VaultError('error', 'This wallet has a recovery method that is not supported here')
