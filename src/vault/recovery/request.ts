import { nativeIcloud, type RecoveryData, recoveryMethods } from '../../protocol/frame/calls.ts'
import { VaultError } from '../errors.ts'
import { vaultLimits } from '../limits.ts'
import type { RecoveryRequest } from '../model.ts'

type Field = keyof RecoveryData
const FIELDS: readonly Field[] = [
  'recoveryPassword',
  'recoveryAccessToken',
  'recoveryKey',
  'recoverySecretOverride',
  'iCloudRecordNameOverride',
]

/**
 * Sorts what a page gives for a recovery method that is to be set. Without a method it goes by what is given; nothing
 * at all means automatic recovery. A secret that does not belong to the method is refused and never passed over: the
 * person would rely on it. Throws {@link VaultError}.
 */
export function parseRecoveryRequest(method: string | undefined, data: RecoveryData): RecoveryRequest {
  switch (method ?? guess(data)) {
    case recoveryMethods.automatic:
      only(data)
      return { method: recoveryMethods.automatic }
    case recoveryMethods.password: {
      const { recoveryPassword } = only(data, 'recoveryPassword')
      return { method: recoveryMethods.password, password: newPassword(recoveryPassword) }
    }
    case recoveryMethods.googleDrive: {
      const { recoveryAccessToken } = only(data, 'recoveryAccessToken')
      return { method: recoveryMethods.googleDrive, accessToken: driveToken(recoveryAccessToken) }
    }
    case recoveryMethods.icloud:
      return data.recoveryAccessToken === undefined ? byNativeApp(data) : byWebsite(data)
    case nativeIcloud:
      return byNativeApp(data)
    case recoveryMethods.ownKey: {
      const { recoveryKey } = only(data, 'recoveryKey')
      return { method: recoveryMethods.ownKey, key: ownSecret(recoveryKey) }
    }
    default:
      throw new VaultError('error', 'This recovery method is unsupported')
  }
}

/** Whether nothing but automatic recovery is asked for, and no secret is given. */
export const isAutomatic = (method: string | undefined, data: RecoveryData): boolean =>
  (method ?? guess(data)) === recoveryMethods.automatic && FIELDS.every((field) => data[field] === undefined)

/** A token of a drive, as it may stand in a header or an address. Throws {@link VaultError}. */
export function driveToken(token: string): string {
  if (token.length > vaultLimits.driveTokenLength || !/^[\x21-\x7e]+$/.test(token))
    throw invalid('The access token of the drive is malformed')
  return token
}

/** A secret of the host's own: its strength is all that the sealed share has. Throws {@link VaultError}. */
function ownSecret(secret: string): string {
  if (
    secret.length < vaultLimits.ownSecretLeast ||
    secret.length > vaultLimits.ownSecretMost ||
    isBroken(secret)
  )
    throw invalid(`A recovery secret must have at least ${vaultLimits.ownSecretLeast} characters`)
  return secret
}

function byWebsite(data: RecoveryData): RecoveryRequest {
  const { recoveryAccessToken } = only(data, 'recoveryAccessToken')
  return { method: recoveryMethods.icloud, accessToken: driveToken(recoveryAccessToken) }
}

function byNativeApp(data: RecoveryData): RecoveryRequest {
  const given = only(data, 'recoverySecretOverride', 'iCloudRecordNameOverride')
  const recordName = given.iCloudRecordNameOverride
  if (!/^[\x21-\x7e]{1,255}$/.test(recordName)) throw invalid('The iCloud record name is malformed')
  return { method: recoveryMethods.icloud, secret: ownSecret(given.recoverySecretOverride), recordName }
}

/** Older clients send a password without a method. */
function guess(data: RecoveryData): string {
  if (data.recoveryPassword !== undefined) return recoveryMethods.password
  return data.recoveryKey !== undefined ? recoveryMethods.ownKey : recoveryMethods.automatic
}

/** The fields of a method: all of them, and no other. */
function only<F extends Field = never>(data: RecoveryData, ...fields: readonly F[]): Record<F, string> {
  const given = FIELDS.filter((field) => data[field] !== undefined)
  if (given.some((field) => !(fields as readonly Field[]).includes(field)))
    throw invalid('The request has a field that does not belong to this recovery method')
  if (fields.some((field) => data[field] === undefined))
    throw invalid('The request lacks a field that this recovery method needs')
  return data as Record<F, string>
}

/** Counts characters as a person does, in the normal form that is stretched. */
function newPassword(password: string): string {
  const characters = Array.from(password.normalize('NFKC')).length
  if (
    characters < vaultLimits.passwordLeast ||
    password.length > vaultLimits.passwordMost ||
    isBroken(password)
  )
    throw invalid(`A recovery password must have at least ${vaultLimits.passwordLeast} characters`)
  return password
}

/** A lone surrogate has no UTF-8 form: all of them would be the same password. */
const isBroken = (text: string) => /\p{Surrogate}/u.test(text)
const invalid = (text: string) => new VaultError('invalid_request_arguments', text)
