import { reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { nonceAnswer, originFields, type SignedMessage } from './siwe.ts'
import { type User, user } from './user.ts'

const userAnswer = reader(user)
const signedFields = (signed: SignedMessage) => ({
  message: signed.message,
  signature: signed.signature,
  ...originFields(signed),
})

/** Wire 2.5: a nonce for one message of an address. */
export const startSiws = (
  http: Http,
  { address, captchaToken }: { address: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<string> =>
  http.call(
    { method: 'POST', path: '/api/v1/siws/init', answer: nonceAnswer },
    { address, ...(captchaToken && { token: captchaToken }) },
    options,
  )

/** Wire 2.5: logs in with a signed message. */
export const authenticateWithSiws = (
  http: Http,
  { mode, ...signed }: SignedMessage & { mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    { method: 'POST', path: '/api/v1/siws/authenticate', answer: sessionAnswer },
    { ...signedFields(signed), mode },
    options,
  )

/** Wire 2.5: links the wallet to who is logged in. */
export const linkSiws = (http: Http, signed: SignedMessage, options?: CallOptions): Promise<User> =>
  http.call({ method: 'POST', path: '/api/v1/siws/link', answer: userAnswer }, signedFields(signed), options)

/** Wire 2.5: takes a wallet off who is logged in. */
export const unlinkSiws = (http: Http, address: string, options?: CallOptions): Promise<User> =>
  http.call({ method: 'POST', path: '/api/v1/siws/unlink', answer: userAnswer }, { address }, options)
