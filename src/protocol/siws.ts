/** Logging in with a wallet on Solana: a nonce, and a message of the Wallet Standard that the wallet signs. */
import type { CallOptions, Endpoint, Http } from './http.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { nonceAnswer, type OriginBody, originBody, type SignedMessage } from './siwe.ts'
import { unlinking } from './unlinking.ts'
import { type User, user } from './user.ts'

interface SignedBody extends OriginBody {
  message: string
  signature: string
}
const signedBody = (signed: SignedMessage): SignedBody => ({
  message: signed.message,
  signature: signed.signature,
  ...originBody(signed),
})

const init: Endpoint<{ address: string; token?: string | undefined }, string> = {
  method: 'POST',
  path: '/api/v1/siws/init',
  answer: nonceAnswer,
}
const authenticate: Endpoint<SignedBody & { mode: LoginMode }, SessionAnswer> = {
  method: 'POST',
  path: '/api/v1/siws/authenticate',
  answer: sessionAnswer,
}
const link: Endpoint<SignedBody, User> = { method: 'POST', path: '/api/v1/siws/link', answer: user }

/** `POST /siws/init`: a nonce for one message of a base58 address. Throws what {@link Http.call} throws. */
export const startSiws = (
  http: Http,
  { address, captchaToken }: { address: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<string> => http.call(init, { address, token: captchaToken || undefined }, options)

/**
 * `POST /siws/authenticate`: logs in with a signed message. Throws what {@link Http.call} throws;
 * `invalid_credentials` for a signature that is not the address's.
 */
export const authenticateWithSiws = (
  http: Http,
  { mode, ...signed }: SignedMessage & { mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> => http.call(authenticate, { ...signedBody(signed), mode }, options)

/** `POST /siws/link`: links the wallet to who is logged in. Throws what {@link Http.call} throws. */
export const linkSiws = (http: Http, signed: SignedMessage, options?: CallOptions): Promise<User> =>
  http.call(link, signedBody(signed), options)

/** `POST /siws/unlink`: unlinks a wallet from the person who is logged in. Throws what {@link Http.call} throws. */
export const unlinkSiws = unlinking({ path: '/api/v1/siws/unlink', body: (address: string) => ({ address }) })
