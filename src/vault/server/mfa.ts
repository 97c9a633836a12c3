/** The vault's requests to the server about second factors. docs/protocol.md */
import { isPlainObject, type Plain, type PlainObject } from '../../lib/plain.ts'
import type { MfaMethodName } from '../../protocol/frame/calls.ts'
import type { VaultContext } from '../context.ts'
import { type MfaAsked, VaultError } from '../errors.ts'
import { wrongMfa } from '../mfa/errors.ts'
import type { MfaProof } from '../mfa/proofs.ts'
import { statementShown, statements } from '../statements.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

/** What a person gives to be verified. */
export type MfaGiven =
  | { readonly method: Exclude<MfaMethodName, 'passkey'>; readonly code: string }
  | {
      readonly method: 'passkey'
      readonly response: object
      /** The page that asked for it. */
      readonly relyingParty: string | undefined
    }

const paths = {
  totp: '/mfa/totp',
  sms: '/mfa/passwordless_sms',
  passkey: '/mfa/passkeys',
  recovery: '/mfa/recovery_codes',
} as const satisfies Record<MfaMethodName, string>

/**
 * Has the server judge what a person gave. Throws a {@link VaultError}: `missing_or_invalid_mfa` if it is wrong,
 * `mfa_verification_max_attempts_reached` once there were too many tries.
 */
export async function verifyMfa(
  cx: VaultContext,
  token: Token,
  asked: MfaAsked,
  given: MfaGiven,
): Promise<MfaProof> {
  const { purpose } = asked
  const shown =
    given.method === 'passkey'
      ? { authenticator_response: given.response, relying_party: given.relyingParty }
      : { code: given.code }
  try {
    const { token: text } = await cx.plainApi(token, `${paths[given.method]}/verify`, { ...shown, purpose })
    if (typeof text !== 'string' || text === '') throw unexpectedAnswer()
    const proof = { purpose, text, at: cx.clock.now() }
    cx.mfa.keep(token.user, proof)
    return proof
  } catch (cause) {
    throw judged(cause, asked)
  }
}

function judged(cause: unknown, asked: MfaAsked): unknown {
  if (!(cause instanceof VaultError)) return cause
  if (cause.remedy === 'wait') return tooManyTries(cause)
  return wrong.has(cause.code ?? '') ? wrongMfa(asked, cause) : cause
}
/** The server's names for what is not good enough. */
const wrong: ReadonlySet<string> = new Set([
  'invalid_credentials',
  'invalid_data',
  'missing_mfa_enrollment',
  'passkey_not_registered',
])
const tooManyTries = (cause: unknown) =>
  new VaultError('mfa_verification_max_attempts_reached', 'Max MFA verification attempts reached', { cause })

/** Has a code sent to the person's phone. Throws `twilio_verification_failed` if that can't be done. */
export const sendMfaCode = (cx: VaultContext, token: Token): Promise<void> =>
  sendSms(cx, token, { action: 'verify' })

/** Has a code sent to a number that is to verify the person. Throws as {@link sendMfaCode} does. */
export const beginSms = (cx: VaultContext, token: Token, phoneNumber: string): Promise<void> =>
  sendSms(cx, token, { action: 'enroll', phoneNumber })

async function sendSms(cx: VaultContext, token: Token, body: object): Promise<void> {
  try {
    await cx.api(token, `${paths.sms}/init`, body)
  } catch (cause) {
    const unsent = cause instanceof VaultError && (unsendable.has(cause.code ?? '') || isDown(cause))
    throw unsent
      ? new VaultError('twilio_verification_failed', 'The text message was not sent', { cause })
      : cause
  }
}
const unsendable: ReadonlySet<string> = new Set(['invalid_data', 'not_supported', 'user_unsubscribed'])
const isDown = ({ type, code, remedy }: VaultError) => type === 'error' && !code && !remedy

/** Begins an authenticator app. What it resolves with is for the person's own app alone. */
export async function beginTotp(
  cx: VaultContext,
  token: Token,
): Promise<{ readonly secret: string; readonly authUrl: string }> {
  const { totpSecret: secret, totpAuthUrl: authUrl } = await cx.api(token, `${paths.totp}/init`, {})
  if (typeof secret !== 'string' || typeof authUrl !== 'string') throw unexpectedAnswer()
  return { secret, authUrl }
}

/** Enrols what was begun, once a code shows that it works. Throws `missing_or_invalid_mfa` for a wrong code. */
export const enrolTotp = (cx: VaultContext, token: Token, code: string): Promise<void> =>
  enrolled(cx, token, `${paths.totp}/enroll`, { code }, { action: 'add', factor: 'totp' })
export const enrolSms = (cx: VaultContext, token: Token, phoneNumber: string, code: string): Promise<void> =>
  enrolled(
    cx,
    token,
    `${paths.sms}/enroll`,
    { code, phoneNumber, action: 'enroll' },
    { action: 'add', factor: 'sms', subject: phoneNumber },
  )
/**
 * Makes these passkeys, and no other, factors of the person. With none, no passkey is a factor any longer.
 * @param removeForLogin passkeys that are no longer factors can't be used to log in either
 */
export const enrolPasskeys = (
  cx: VaultContext,
  token: Token,
  ids: readonly string[],
  removeForLogin: boolean | undefined,
): Promise<void> =>
  enrolled(
    cx,
    token,
    `${paths.passkey}/enrollment`,
    {
      credential_ids: ids,
      ...(removeForLogin !== undefined && { remove_for_login: removeForLogin }),
    },
    { action: 'set', factor: 'passkey', subject: ids.join(',') },
  )

interface FactorChange {
  readonly action: 'add' | 'remove' | 'set' | 'unlink' | 'renew'
  readonly factor: 'totp' | 'sms' | 'passkey' | 'recovery-codes'
  readonly subject?: string
}
const shownChange = (cx: VaultContext, token: Token, { action, factor, subject = '' }: FactorChange) =>
  statementShown(
    cx,
    statements.factorChanged({ app: cx.settings.appId, user: token.user, action, factor, subject }),
  )

/** What was released before is no reason to ask for less from now on. */
async function enrolled(
  cx: VaultContext,
  token: Token,
  path: string,
  body: object,
  change: FactorChange,
): Promise<void> {
  try {
    const { token: text } = await cx.api(token, path, body, shownChange(cx, token, change))
    if (typeof text === 'string') cx.mfa.keep(token.user, { purpose: 'enrolment', text, at: cx.clock.now() })
  } catch (cause) {
    throw judged(cause, { purpose: 'factors', methods: [] })
  }
  cx.releases.forget(token.user)
}

export async function unenrol(cx: VaultContext, token: Token, method: 'totp' | 'sms'): Promise<void> {
  const shown = shownChange(cx, token, { action: 'remove', factor: method })
  await cx.api(token, `${paths[method]}/unenroll`, {}, shown)
}

/** Makes ten new recovery codes; earlier ones are good no more. */
export async function newRecoveryCodes(cx: VaultContext, token: Token): Promise<readonly string[]> {
  const shown = shownChange(cx, token, { action: 'renew', factor: 'recovery-codes' })
  const { codes } = await cx.api(token, `${paths.recovery}/generate`, {}, shown)
  if (!Array.isArray(codes)) throw unexpectedAnswer()
  return codes.map((code) => {
    if (typeof code !== 'string') throw unexpectedAnswer()
    return code
  })
}

/**
 * Takes a passkey away, second factor or not.
 * @param options.evenIfSole also where it is the last way in, of which the person was warned
 */
export async function unlinkPasskey(
  cx: VaultContext,
  token: Token,
  id: string,
  { removeAsMfa, evenIfSole }: { removeAsMfa?: boolean | undefined; evenIfSole?: boolean | undefined },
): Promise<void> {
  const body = {
    credential_id: id,
    ...(removeAsMfa !== undefined && { remove_as_mfa: removeAsMfa }),
    ...(evenIfSole !== undefined && { even_if_sole: evenIfSole }),
  }
  const shown = shownChange(cx, token, { action: 'unlink', factor: 'passkey', subject: id })
  await cx.api(token, `${paths.passkey}/unlink`, body, shown)
}

/** The factors of a person, and what stands in for them. */
export async function fetchMfa(
  cx: VaultContext,
  token: Token,
): Promise<{ readonly methods: readonly string[]; readonly recoveryCodesLeft: number }> {
  const { methods, recovery_codes_left: left } = await cx.plainApi(token, '/mfa', undefined)
  if (!Array.isArray(methods) || typeof left !== 'number') throw unexpectedAnswer()
  return { methods: methods.flatMap(typeOf), recoveryCodesLeft: left }
}

const typeOf = (value: Plain | undefined): string[] =>
  isPlainObject(value) && typeof value.type === 'string' ? [value.type] : []

/** The person's passkeys, by the names that the kit gives them. */
export async function fetchPasskeys(
  cx: VaultContext,
  token: Token,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const { user } = await cx.plainApi(token, '/users/me', undefined)
  const accounts = isPlainObject(user) ? user.linked_accounts : undefined
  if (!Array.isArray(accounts)) throw unexpectedAnswer()
  return accounts.filter(isPlainObject).flatMap((account) => {
    const { type, credential_id: id } = account
    return type === 'passkey' && typeof id === 'string' ? [{ id, name: passkeyName(account) }] : []
  })
}

function passkeyName(account: PlainObject): string {
  const {
    authenticator_name: authenticator,
    created_with_browser: browser,
    created_with_os: system,
  } = account
  if (authenticator && browser) return `${authenticator} on ${browser}`
  if (browser && system) return `${browser} on ${system}`
  return typeof browser === 'string' && browser !== '' ? browser : 'Unknown device'
}
