import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { requiredText } from './schema.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { unlinking } from './unlinking.ts'
import { type User, user } from './user.ts'

/** A way to the app of a person. */
export interface FarcasterChannel {
  /** Known to this page only. */
  readonly token: string
  /** The address that the person opens on their phone. */
  readonly uri: string
}
/** What the person's app has signed. */
export interface FarcasterApproval {
  readonly message: string
  readonly signature: string
  readonly fid: number
}

/** An address for people to open; plain http only where the whole demo runs on one machine. */
const connectUri = v.pipe(
  v.string(),
  v.check((address) => URL.canParse(address)),
  v.regex(/^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1)[:/]/),
)
const channel = v.pipe(
  v.object({ channel_token: requiredText, connect_uri: connectUri }),
  v.transform((raw): FarcasterChannel => ({ token: raw.channel_token, uri: raw.connect_uri })),
)
/** What a state means; one that a newer server made up is waited through. */
const status = v.variant('state', [
  v.object({
    state: v.literal('completed'),
    message: v.string(),
    signature: v.string(),
    fid: v.number(),
  }),
  v.pipe(
    v.object({ state: v.picklist(['rejected', 'revoked', 'declined']) }),
    v.transform(() => ({ state: 'rejected' as const })),
  ),
  v.pipe(
    v.object({
      state: v.pipe(
        v.string(),
        v.check((state) => state !== 'completed'),
      ),
    }),
    v.transform(() => ({ state: 'pending' as const })),
  ),
])
export type FarcasterStatus = v.InferOutput<typeof status>

const openChannel: Endpoint<{ relying_party: string; token?: string | undefined }, FarcasterChannel> = {
  method: 'POST',
  path: '/api/v1/farcaster/init',
  answer: channel,
}
const authenticate: Endpoint<FarcasterApproval & { channel_token: string; mode: LoginMode }, SessionAnswer> =
  {
    method: 'POST',
    path: '/api/v1/farcaster/authenticate',
    answer: sessionAnswer,
  }
const link: Endpoint<FarcasterApproval & { channel_token: string }, User> = {
  method: 'POST',
  path: '/api/v1/farcaster/link',
  answer: user,
}
const transfer: Endpoint<{ nonce: string; farcaster_id: string; farcaster_embedded_address: string }, User> =
  {
    method: 'POST',
    path: '/api/v1/farcaster/transfer',
    answer: user,
  }
const openFrame: Endpoint<object, { nonce: string }> = {
  method: 'POST',
  path: '/api/v2/farcaster/init',
  answer: v.object({
    nonce: v.pipe(
      v.string(),
      v.check((nonce) => nonce.length >= 8),
    ),
  }),
}
const authenticateFrame: Endpoint<FarcasterApproval & { mode: LoginMode }, SessionAnswer> = {
  method: 'POST',
  path: '/api/v2/farcaster/authenticate',
  answer: sessionAnswer,
}

/**
 * `POST /farcaster/init`: opens a channel to the app of a person. Throws what {@link Http.call} throws.
 * @param input.page the origin that asks
 */
export const openFarcasterChannel = (
  http: Http,
  { page, captchaToken }: { page: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<FarcasterChannel> =>
  http.call(openChannel, { relying_party: page, token: captchaToken || undefined }, options)

/**
 * `GET /farcaster/status`: how far the person is. Not tried again by itself, because the next question comes anyway.
 * Throws what {@link Http.call} throws.
 */
export function farcasterStatus(
  http: Http,
  { token }: FarcasterChannel,
  options?: CallOptions,
): Promise<FarcasterStatus> {
  const endpoint: Endpoint<undefined, FarcasterStatus> = {
    method: 'GET',
    path: '/api/v1/farcaster/status',
    headers: { 'farcaster-channel-token': token },
    answer: status,
    retries: false,
  }
  return http.call(endpoint, undefined, options)
}

/**
 * `POST /farcaster/authenticate`: logs in with what the person's app has signed. Throws what {@link Http.call} throws.
 */
export const authenticateWithFarcaster = (
  http: Http,
  input: FarcasterApproval & { channel: FarcasterChannel; mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> => {
  const { message, signature, fid, mode, channel } = input
  return http.call(authenticate, { channel_token: channel.token, message, signature, fid, mode }, options)
}

/**
 * `POST /farcaster/link`: gives the account to who is logged in, with what the person's app has signed. Throws what
 * {@link Http.call} throws; `linked_to_another_user` or `account_transfer_required` for an account of somebody else.
 */
export const linkFarcaster = (
  http: Http,
  { message, signature, fid, channel }: FarcasterApproval & { channel: FarcasterChannel },
  options?: CallOptions,
): Promise<User> => http.call(link, { channel_token: channel.token, message, signature, fid }, options)

/** `POST /farcaster/unlink`: unlinks a Farcaster account from the person who is logged in. Throws what {@link Http.call} throws. */
export const unlinkFarcaster = unlinking({
  path: '/api/v1/farcaster/unlink',
  body: (fid: number) => ({ fid }),
})

/**
 * `POST /farcaster/transfer`: takes a Farcaster account over from another user, who is then gone. Throws what
 * {@link Http.call} throws.
 * @param input.embeddedAddress the wallet that goes with the other user
 */
export const transferFarcaster = (
  http: Http,
  input: { nonce: string; fid: number; embeddedAddress: string | undefined },
  options?: CallOptions,
): Promise<User> =>
  http.call(
    transfer,
    {
      nonce: input.nonce,
      farcaster_id: String(input.fid),
      farcaster_embedded_address: input.embeddedAddress ?? '',
    },
    options,
  )

/** `POST /v2/farcaster/init`: a nonce for a page that runs inside the person's app. Throws what {@link Http.call} throws. */
export const openFarcasterFrame = (http: Http, options?: CallOptions): Promise<{ nonce: string }> =>
  http.call(openFrame, {}, options)

/**
 * `POST /v2/farcaster/authenticate`: logs in with what the app has signed for such a page. Throws what {@link Http.call}
 * throws.
 */
export const authenticateInFrame = (
  http: Http,
  { message, signature, fid, mode }: FarcasterApproval & { mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> => http.call(authenticateFrame, { message, signature, fid, mode }, options)

/** The fid that a signed message speaks for. */
export function fidOf(message: string): number | undefined {
  const [, fid] = /^- farcaster:\/\/fid\/([1-9]\d{0,15})$/m.exec(message) ?? []
  return fid === undefined ? undefined : Number(fid)
}
