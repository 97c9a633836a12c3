/** Logging in by a code that is sent to an e-mail address or a phone number. */
import * as v from 'valibot'
import type { ServerReply } from './frame/approval.ts'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { unlinking } from './unlinking.ts'
import { type User, user } from './user.ts'

const codeSent = v.pipe(
  v.object({ success: v.literal(true) }),
  v.transform(() => undefined),
)

const sendEmail: Endpoint<{ email: string; token?: string | undefined }, undefined> = {
  method: 'POST',
  path: '/api/v1/passwordless/init',
  answer: codeSent,
}
const loginByEmail: Endpoint<{ email: string; code: string; mode: LoginMode }, SessionAnswer> = {
  method: 'POST',
  path: '/api/v1/passwordless/authenticate',
  answer: sessionAnswer,
}
const takeOverEmail: Endpoint<{ nonce: string; email: string }, User> = {
  method: 'POST',
  path: '/api/v1/passwordless/transfer',
  answer: user,
}
const linkByEmail: Endpoint<{ email: string; code: string }, User> = {
  method: 'POST',
  path: '/api/v1/passwordless/link',
  answer: user,
}
const replaceEmail: Endpoint<{ oldAddress: string; newAddress: string; code: string }, User> = {
  method: 'POST',
  path: '/api/v1/passwordless/update',
  answer: user,
}
const sendSms: Endpoint<{ phoneNumber: string; token?: string | undefined }, undefined> = {
  method: 'POST',
  path: '/api/v1/passwordless_sms/init',
  answer: codeSent,
}
const loginBySms: Endpoint<{ phoneNumber: string; code: string; mode: LoginMode }, SessionAnswer> = {
  method: 'POST',
  path: '/api/v1/passwordless_sms/authenticate',
  answer: sessionAnswer,
}
const takeOverPhone: Endpoint<{ nonce: string; phoneNumber: string }, User> = {
  method: 'POST',
  path: '/api/v1/passwordless_sms/transfer',
  answer: user,
}

const linkBySms: Endpoint<{ phoneNumber: string; code: string }, User> = {
  method: 'POST',
  path: '/api/v1/passwordless_sms/link',
  answer: user,
}
const replacePhone: Endpoint<{ old_phone_number: string; new_phone_number: string; code: string }, User> = {
  method: 'POST',
  path: '/api/v1/passwordless_sms/update',
  answer: user,
}

/**
 * `POST /passwordless/init`: sends a code to an e-mail address. Throws what {@link Http.call} throws; the server's
 * codes are for example `too_many_requests`, `invalid_captcha` and `disallowed_plus_email`.
 */
export const sendEmailCode = (
  http: Http,
  { email, captchaToken }: { email: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<undefined> => http.call(sendEmail, { email, token: captchaToken || undefined }, options)

/**
 * `POST /passwordless/authenticate`: logs in with the code that was sent to the address. Throws what {@link Http.call}
 * throws; `invalid_credentials` for a wrong or an old code.
 */
export const authenticateWithEmail = (
  http: Http,
  input: { email: string; code: string; mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> => http.call(loginByEmail, input, options)

/**
 * `POST /passwordless/transfer`: takes an e-mail address over from another account, which is then gone. Resolves with
 * the person as they are then. Throws what {@link Http.call} throws.
 */
export const transferEmail = (
  http: Http,
  input: { nonce: string; email: string },
  options?: CallOptions,
): Promise<User> => http.call(takeOverEmail, input, options)

/**
 * `POST /passwordless/link`: gives the address to who is logged in, with the code that was sent there. Throws what
 * {@link Http.call} throws; `linked_to_another_user` or `account_transfer_required` for an address of somebody else.
 */
export const linkEmail = (
  http: Http,
  input: { email: string; code: string },
  options?: CallOptions,
): Promise<User> => http.call(linkByEmail, input, options)

/**
 * `POST /passwordless/update`: puts the address to which the code was sent in the place of the old one. Throws what
 * {@link Http.call} throws; `linked_account_not_found` for an old one that the person has not.
 */
export const updateEmail = (
  http: Http,
  input: { oldAddress: string; newAddress: string; code: string },
  options?: CallOptions,
): Promise<User> => http.call(replaceEmail, input, options)

/** `POST /passwordless/unlink`: unlinks an address from the person who is logged in. Throws what {@link Http.call} throws. */
export const unlinkEmail = unlinking({
  path: '/api/v1/passwordless/unlink',
  body: (address: string) => ({ address }),
})

/**
 * `POST /passwordless_sms/init`: sends a code to a phone number in E.164. Throws what {@link Http.call} throws; the
 * server's codes are for example `not_supported` for a country and `user_unsubscribed`.
 */
export const sendSmsCode = (
  http: Http,
  { phoneNumber, captchaToken }: { phoneNumber: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<undefined> => http.call(sendSms, { phoneNumber, token: captchaToken || undefined }, options)

/**
 * `POST /passwordless_sms/authenticate`: logs in with the code that was sent to the number. Throws what
 * {@link Http.call} throws; `invalid_credentials` for a wrong or an old code.
 */
export const authenticateWithSms = (
  http: Http,
  input: { phoneNumber: string; code: string; mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> => http.call(loginBySms, input, options)

/**
 * `POST /passwordless_sms/transfer`: takes a phone number over from another account, which is then gone. Resolves with
 * the person as they are then. Throws what {@link Http.call} throws.
 */
export const transferPhone = (
  http: Http,
  input: { nonce: string; phoneNumber: string },
  options?: CallOptions,
): Promise<User> => http.call(takeOverPhone, input, options)

/**
 * `POST /passwordless_sms/link`: gives the number to who is logged in, with the code that was sent there. Throws what
 * {@link linkEmail} throws.
 */
export const linkPhone = (
  http: Http,
  input: { phoneNumber: string; code: string },
  options?: CallOptions,
): Promise<User> => http.call(linkBySms, input, options)

/**
 * `POST /passwordless_sms/update`: puts the number to which the code was sent in the place of the old one. Throws what
 * {@link updateEmail} throws.
 */
export const updatePhone = (
  http: Http,
  { oldNumber, newNumber, code }: { oldNumber: string; newNumber: string; code: string },
  options?: CallOptions,
): Promise<User> =>
  http.call(replacePhone, { old_phone_number: oldNumber, new_phone_number: newNumber, code }, options)

/** `POST /passwordless_sms/unlink`: unlinks a number from the person who is logged in. Throws what {@link Http.call} throws. */
export const unlinkPhone = unlinking({
  path: '/api/v1/passwordless_sms/unlink',
  body: (phoneNumber: string) => ({
    phoneNumber,
  }),
})

/** By how a code comes: what asks for it, and what takes it. */
const codes = {
  email: { send: sendEmail, login: loginByEmail },
  sms: { send: sendSms, login: loginBySms },
} as const

/** Reads how the server has answered the vault, which asked for a code. Throws what {@link sendEmailCode} and {@link sendSmsCode} throw. */
export const readCodeSent = (http: Http, via: 'email' | 'sms', reply: ServerReply): Promise<undefined> =>
  http.read(codes[via].send, reply)

/** Reads the session that the vault has opened with a code. Throws what {@link authenticateWithEmail} throws. */
export const readCodeLogin = (
  http: Http,
  via: 'email' | 'sms',
  reply: ServerReply,
  options?: CallOptions,
): Promise<SessionAnswer> => http.read(codes[via].login, reply, options)
