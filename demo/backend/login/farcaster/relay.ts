import * as v from 'valibot'
import { Refusal, Unavailable } from '../../lib/refusal.ts'
import { askOutside } from '../../outside/ask.ts'
import type { Limits } from '../../settings/limits.ts'

export interface ChannelRequest {
  siweUri: string
  domain: string
  nonce: string
  expirationTime: string
  redirectUrl?: string | undefined
}
const text = (most: number) => v.fallback(v.nullable(v.pipe(v.string(), v.maxLength(most))), null)
const link = v.pipe(v.string(), v.url(), v.maxLength(2_048))
const opened = v.object({
  channelToken: v.pipe(v.string(), v.regex(/^[\w-]{1,128}$/)),
  url: link,
  nonce: v.string(),
})
const completed = v.object({
  state: v.literal('completed'),
  nonce: v.string(),
  message: v.pipe(v.string(), v.maxLength(8_192)),
  signature: v.pipe(v.string(), v.regex(/^0x[\da-f]+$/i), v.maxLength(8_192)),
  fid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  username: text(64),
  displayName: text(256),
  bio: text(2_048),
  pfpUrl: v.fallback(v.nullable(v.pipe(link, v.regex(/^https:/))), null),
})
/** What the person's app sent. */
export type Completed = v.InferOutput<typeof completed>

/** The relay between a page and the app of a person (FIP-11). */
export interface FarcasterRelay {
  /** @throws Refusal `not_supported` for a page that the relay does not take, Unavailable */
  open(request: ChannelRequest): Promise<{ relayToken: string; connectUri: string }>
  /** `gone`: somebody else has got the answer, or the channel is over. @throws Unavailable */
  status(relayToken: string): Promise<Completed | 'pending' | 'gone'>
}

/** @param deps.url base address of the relay */
export function createFarcasterRelay(deps: { url: string; limits: Limits }): FarcasterRelay {
  const { limits } = deps
  const base = deps.url.replace(/\/+$/, '')
  const bounds = { timeout: limits.outsideTimeout, most: limits.outsideAnswerSize }
  const ask = (path: string, options: { json?: unknown; headers?: Record<string, string> }) =>
    askOutside('The relay of Farcaster', `${base}${path}`, { ...options, ...bounds })
  const garbled = () => new Unavailable('The relay of Farcaster gave no answer. Please try again.')
  const mayBeHttp = base.startsWith('http:')

  return {
    async open(request) {
      // Only the owner of the fid may speak for it, not a key that an app of theirs was given.
      const { status, body } = await ask('/v1/channel', { json: { ...request, acceptAuthAddress: false } })
      if (status === 400)
        throw new Refusal('not_supported', 'Farcaster does not accept logins for this page.')
      const parsed = v.safeParse(opened, body)
      if (status !== 201 || !parsed.success || parsed.output.nonce !== request.nonce) throw garbled()
      const { channelToken, url } = parsed.output
      if (!url.startsWith('https://') && !(mayBeHttp && url.startsWith('http://'))) throw garbled()
      return { relayToken: channelToken, connectUri: url }
    },

    async status(relayToken) {
      const { status, body } = await ask('/v1/channel/status', {
        headers: { authorization: `Bearer ${relayToken}` },
      })
      if (status === 401) return 'gone'
      if (status === 202) return 'pending'
      const parsed = v.safeParse(completed, body)
      if (status !== 200 || !parsed.success) throw garbled()
      return parsed.output
    },
  }
}
