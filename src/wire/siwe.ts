import * as v from 'valibot'
import { limits } from '../core/limits.ts'
import { reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { type User, user } from './user.ts'

/** Which wallet has signed: wire 2.5 says at most how long that may be. */
export interface WalletOrigin {
  readonly walletClientType?: string | undefined
  readonly connectorType?: string | undefined
}
/** What a wallet has signed. */
export interface SignedMessage extends WalletOrigin {
  readonly message: string
  readonly signature: string
}

/** The client type of wallets that the app makes: nobody signs in with them. */
export const embeddedClientType = 'privy'

/** EIP-4361 allows letters and digits only, eight or more of them. */
const nonce = v.pipe(
  v.object({ nonce: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9]{8,128}$/, 'expected a nonce')) }),
  v.transform((raw) => raw.nonce),
)
export const nonceAnswer = reader(nonce)
const userAnswer = reader(user)

const cut = (text: string | undefined) => text?.slice(0, limits.walletOriginLength) ?? null
export const originFields = ({ walletClientType, connectorType }: WalletOrigin) => ({
  walletClientType: cut(walletClientType),
  connectorType: cut(connectorType),
})
const signedFields = (signed: SignedMessage & { chainId: string }) => ({
  message: signed.message,
  signature: signed.signature,
  chainId: signed.chainId,
  ...originFields(signed),
})

/** Wire 2.5: a nonce for one message of an address. */
export const startSiwe = (
  http: Http,
  { address, captchaToken }: { address: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<string> =>
  http.call(
    { method: 'POST', path: '/api/v1/siwe/init', answer: nonceAnswer },
    { address, ...(captchaToken && { token: captchaToken }) },
    options,
  )

/** Wire 2.5: logs in with a signed message. @param signed.chainId CAIP-2 */
export const authenticateWithSiwe = (
  http: Http,
  { mode, ...signed }: SignedMessage & { chainId: string; mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    { method: 'POST', path: '/api/v1/siwe/authenticate', answer: sessionAnswer },
    { ...signedFields(signed), mode },
    options,
  )

/** Wire 2.5: links the wallet to who is logged in. */
export const linkSiwe = (
  http: Http,
  signed: SignedMessage & { chainId: string },
  options?: CallOptions,
): Promise<User> =>
  http.call({ method: 'POST', path: '/api/v1/siwe/link', answer: userAnswer }, signedFields(signed), options)

/** Wire 2.5: takes a wallet off who is logged in. */
export const unlinkSiwe = (http: Http, address: string, options?: CallOptions): Promise<User> =>
  http.call({ method: 'POST', path: '/api/v1/siwe/unlink', answer: userAnswer }, { address }, options)

/** Wire 2.5: takes a wallet over from another user, who is then gone. */
export const transferSiwe = (
  http: Http,
  input: WalletOrigin & { nonce: string; address: string; chainId: string | undefined },
  options?: CallOptions,
): Promise<User> =>
  http.call(
    { method: 'POST', path: '/api/v1/siwe/transfer', answer: userAnswer },
    {
      nonce: input.nonce,
      address: input.address,
      chainId: input.chainId ?? null,
      ...originFields(input),
    },
    options,
  )
