/** Logging in with a wallet on Ethereum: a nonce, and a message of EIP-4361 that the wallet signs. */
import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { unlinking } from './unlinking.ts'
import { type User, user } from './user.ts'

/** Which wallet has signed. Cut to what the server takes. */
export interface WalletOrigin {
  readonly walletClientType?: string | undefined
  readonly connectorType?: string | undefined
}
/** What a wallet has signed. */
export interface SignedMessage extends WalletOrigin {
  readonly message: string
  readonly signature: string
}

/** EIP-4361 allows letters and digits only, eight or more of them. */
export const nonceAnswer = v.pipe(
  v.object({ nonce: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9]{8,128}$/, 'expected a nonce')) }),
  v.transform((raw) => raw.nonce),
)

export interface OriginBody {
  walletClientType: string | null
  connectorType: string | null
}
/** A wallet client type or connector type, in characters, as the server accepts it. */
const ORIGIN_LENGTH = 64
const cut = (text: string | undefined) => text?.slice(0, ORIGIN_LENGTH) ?? null
export const originBody = ({ walletClientType, connectorType }: WalletOrigin): OriginBody => ({
  walletClientType: cut(walletClientType),
  connectorType: cut(connectorType),
})

interface SignedBody extends OriginBody {
  message: string
  signature: string
  chainId: string
}
const signedBody = (signed: SignedMessage & { chainId: string }): SignedBody => ({
  message: signed.message,
  signature: signed.signature,
  chainId: signed.chainId,
  ...originBody(signed),
})

const init: Endpoint<{ address: string; token?: string | undefined }, string> = {
  method: 'POST',
  path: '/api/v1/siwe/init',
  answer: nonceAnswer,
}
const authenticate: Endpoint<SignedBody & { mode: LoginMode }, SessionAnswer> = {
  method: 'POST',
  path: '/api/v1/siwe/authenticate',
  answer: sessionAnswer,
}
const link: Endpoint<SignedBody, User> = { method: 'POST', path: '/api/v1/siwe/link', answer: user }
const transfer: Endpoint<OriginBody & { nonce: string; address: string; chainId: string | null }, User> = {
  method: 'POST',
  path: '/api/v1/siwe/transfer',
  answer: user,
}

/** `POST /siwe/init`: a nonce for one message of an address. Throws what {@link Http.call} throws. */
export const startSiwe = (
  http: Http,
  { address, captchaToken }: { address: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<string> => http.call(init, { address, token: captchaToken || undefined }, options)

/**
 * `POST /siwe/authenticate`: logs in with a signed message. Throws what {@link Http.call} throws;
 * `invalid_credentials` for a signature that is not the address's.
 * @param signed.chainId CAIP-2
 */
export const authenticateWithSiwe = (
  http: Http,
  { mode, ...signed }: SignedMessage & { chainId: string; mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> => http.call(authenticate, { ...signedBody(signed), mode }, options)

/**
 * `POST /siwe/link`: links the wallet to who is logged in. Throws what {@link Http.call} throws.
 * @param signed.chainId CAIP-2
 */
export const linkSiwe = (
  http: Http,
  signed: SignedMessage & { chainId: string },
  options?: CallOptions,
): Promise<User> => http.call(link, signedBody(signed), options)

/** `POST /siwe/unlink`: unlinks a wallet from the person who is logged in. Throws what {@link Http.call} throws. */
export const unlinkSiwe = unlinking({ path: '/api/v1/siwe/unlink', body: (address: string) => ({ address }) })

/**
 * `POST /siwe/transfer`: takes a wallet over from another user, who is then gone. Throws what {@link Http.call} throws.
 * @param input.chainId CAIP-2
 */
export const transferSiwe = (
  http: Http,
  input: WalletOrigin & { nonce: string; address: string; chainId: string | undefined },
  options?: CallOptions,
): Promise<User> => {
  const { nonce, address, chainId = null } = input
  return http.call(transfer, { nonce, address, chainId, ...originBody(input) }, options)
}
