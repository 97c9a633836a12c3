import * as v from 'valibot'
import { reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'
import { type LoginMode, type SessionAnswer, sessionAnswer } from './sessions.ts'
import { type User, user } from './user.ts'

/** A way to the app of a person. Spec §3 "Login data". */
export interface FarcasterChannel {
  /** Known to this page only. */
  readonly token: string
  /** What the person opens on their phone. */
  readonly uri: string
}
/** What the app of the person has signed. */
export interface FarcasterApproval {
  readonly message: string
  readonly signature: string
  readonly fid: number
}

/** An address that a person opens; plain http only where the whole demo runs on one machine. */
const connectUri = v.pipe(v.string(), v.url(), v.regex(/^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1)[:/]/))
const channel = v.pipe(
  v.object({ channel_token: v.pipe(v.string(), v.minLength(1)), connect_uri: connectUri }),
  v.transform((raw): FarcasterChannel => ({ token: raw.channel_token, uri: raw.connect_uri })),
)
const approval = v.object({ message: v.string(), signature: v.string(), fid: v.number() })
/** What a state means; one that a newer server made up is waited through. */
const status = v.union([
  v.pipe(
    v.object({ state: v.literal('completed'), ...approval.entries }),
    v.transform(({ message, signature, fid }) => ({ state: 'completed', message, signature, fid }) as const),
  ),
  v.pipe(
    v.object({ state: v.picklist(['rejected', 'revoked', 'declined']) }),
    v.transform(() => ({ state: 'rejected' }) as const),
  ),
  v.pipe(
    v.object({ state: v.pipe(v.string(), v.notValue('completed')) }),
    v.transform(() => ({ state: 'pending' }) as const),
  ),
])
export type FarcasterStatus = v.InferOutput<typeof status>

/** Wire 2.6: opens a channel to the app of a person. @param page the origin that asks */
export const openFarcasterChannel = (
  http: Http,
  input: { page: string; captchaToken?: string | undefined },
  options?: CallOptions,
): Promise<FarcasterChannel> =>
  http.call(
    { method: 'POST', path: '/api/v1/farcaster/init', answer: reader(channel) },
    { relying_party: input.page, ...(input.captchaToken && { token: input.captchaToken }) },
    options,
  )

/** Wire 2.6: how far the person is. Not tried again by itself: the next question comes anyway. */
export const farcasterStatus = (
  http: Http,
  { token }: FarcasterChannel,
  options?: CallOptions,
): Promise<FarcasterStatus> =>
  http.call(
    {
      method: 'GET',
      path: '/api/v1/farcaster/status',
      headers: { 'farcaster-channel-token': token },
      answer: reader(status),
      retries: false,
    },
    undefined,
    options,
  )

/** Wire 2.6: logs in with what the person's app has signed. */
export const authenticateWithFarcaster = (
  http: Http,
  input: FarcasterApproval & { channel: FarcasterChannel; mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> => {
  const { message, signature, fid, mode, channel } = input
  return http.call(
    { method: 'POST', path: '/api/v1/farcaster/authenticate', answer: sessionAnswer },
    { channel_token: channel.token, message, signature, fid, mode },
    options,
  )
}

/** Wire 2.6: takes a Farcaster account over from another user, who is then gone. */
export const transferFarcaster = (
  http: Http,
  input: { nonce: string; fid: number; embeddedAddress: string | undefined },
  options?: CallOptions,
): Promise<User> =>
  http.call(
    { method: 'POST', path: '/api/v1/farcaster/transfer', answer: reader(user) },
    {
      nonce: input.nonce,
      farcaster_id: String(input.fid),
      farcaster_embedded_address: input.embeddedAddress ?? '',
    },
    options,
  )

const frameNonce = v.object({ nonce: v.pipe(v.string(), v.minLength(8)) })

/** Wire 2.6: a nonce for a page that runs inside the person's app. */
export const openFarcasterFrame = (http: Http, options?: CallOptions): Promise<{ nonce: string }> =>
  http.call({ method: 'POST', path: '/api/v2/farcaster/init', answer: reader(frameNonce) }, {}, options)

/** Wire 2.6: logs in with what the app has signed for such a page. */
export const authenticateInFrame = (
  http: Http,
  { message, signature, fid, mode }: FarcasterApproval & { mode: LoginMode },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    { method: 'POST', path: '/api/v2/farcaster/authenticate', answer: sessionAnswer },
    { message, signature, fid, mode },
    options,
  )

/** The fid that a signed message speaks for. */
export function fidOf(message: string): number | undefined {
  const [, fid] = /^- farcaster:\/\/fid\/([1-9]\d{0,15})$/m.exec(message) ?? []
  return fid === undefined ? undefined : Number(fid)
}
