import { randomInt } from 'node:crypto'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { generateSiweNonce } from 'viem/siwe'
import { personOf } from './people.ts'

const time = v.pipe(v.string(), v.isoTimestamp())
const channelBody = v.strictObject({
  siweUri: v.pipe(v.string(), v.url()),
  domain: v.pipe(v.string(), v.regex(/^[a-zA-Z0-9.-]+(:[0-9]+)?$/)),
  nonce: v.optional(v.string()),
  notBefore: v.optional(time),
  expirationTime: v.optional(time),
  requestId: v.optional(v.string()),
  redirectUrl: v.optional(v.string()),
  acceptAuthAddress: v.optional(v.boolean()),
})
const approvalBody = v.strictObject({
  message: v.string(),
  signature: v.pipe(v.string(), v.regex(/^0x[a-fA-F0-9]{130}$/)),
  authMethod: v.optional(v.picklist(['custody', 'authAddress'])),
  fid: v.pipe(v.number(), v.integer()),
  username: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,15}(\.eth)?$/))),
  bio: v.optional(v.string()),
  displayName: v.optional(v.string()),
  pfpUrl: v.optional(v.pipe(v.string(), v.url())),
})
export type SignatureParams = v.InferOutput<typeof channelBody> & { nonce: string }
export type Approval = v.InferOutput<typeof approvalBody>

interface Channel {
  state: 'pending' | 'completed'
  nonce: string
  url: string
  connectUri: string
  acceptAuthAddress: boolean
  signatureParams: SignatureParams
  metadata: { ip: string; userAgent: string }
}
interface Kept {
  channel: Channel & Partial<Approval>
  until: number
}

export interface Relay {
  app: Hono
  /** What the app of a person reads before it asks them. */
  read(channelToken: string): Channel | undefined
  /** The secret that only the app of a person knows. */
  authKey: string
}

const TTL = 3_600_000
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const newToken = () => Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/**
 * The relay of FIP-11, as github.com/farcasterxyz/auth-monorepo runs it: the first request for a completed channel
 * gets it, and it is gone with that.
 * @param phoneUrl the page that a connect link opens
 */
export function createRelay({ phoneUrl, now }: { phoneUrl: string; now: () => number }): Relay {
  const channels = new Map<string, Kept>()
  const authKey = newToken()
  const read = (token: string) => {
    const kept = channels.get(token)
    return kept && kept.until > now() ? kept.channel : undefined
  }
  const tokenOf = (c: Context) => c.req.header('authorization')?.split(' ')[1] ?? ''
  const unauthorized = (c: Context) => c.json({ error: 'Unauthorized' }, 401)
  async function body<T>(c: Context, schema: v.GenericSchema<unknown, T>): Promise<T | Response> {
    const parsed = v.safeParse(schema, await c.req.json().catch(() => undefined))
    if (parsed.success) return parsed.output
    const message = `body/${v.getDotPath(parsed.issues[0]) ?? ''} ${parsed.issues[0].message}`
    return c.json({ error: 'Validation error', message }, 400)
  }

  const app = new Hono()
    .post('/v1/channel', async (c) => {
      const given = await body(c, channelBody)
      if (given instanceof Response) return given
      if (given.domain.includes('farcaster.xyz')) return c.json({ error: 'Domain not allowed' }, 400)
      const channelToken = newToken()
      const { nonce = generateSiweNonce(), acceptAuthAddress = true } = given
      const url = `${phoneUrl}?${new URLSearchParams({ channelToken })}`
      channels.set(channelToken, {
        until: now() + TTL,
        channel: {
          state: 'pending',
          nonce,
          url,
          connectUri: url,
          acceptAuthAddress,
          signatureParams: { ...given, nonce },
          metadata: { ip: '127.0.0.1', userAgent: c.req.header('user-agent') ?? 'Unknown' },
        },
      })
      return c.json({ channelToken, url, connectUri: url, nonce }, 201)
    })
    .get('/v1/channel/status', (c) => {
      const channel = read(tokenOf(c))
      if (!channel) return unauthorized(c)
      const { url: _, connectUri: __, ...shown } = channel
      if (channel.state === 'pending') return c.json(shown, 202)
      channels.delete(tokenOf(c))
      return c.json(shown, 200)
    })
    .post('/v1/channel/authenticate', async (c) => {
      if (c.req.header('x-farcaster-auth-relay-key') !== authKey) return unauthorized(c)
      const given = await body(c, approvalBody)
      if (given instanceof Response) return given
      const token = tokenOf(c)
      const channel = read(token)
      const kept = channels.get(token)
      if (!channel || !kept) return unauthorized(c)
      const addresses = { custody: personOf(given.fid).custody, verifications: [] }
      kept.channel = { ...channel, authMethod: 'custody', ...given, state: 'completed', ...addresses }
      return c.json(kept.channel, 201)
    })

  return { app, read, authKey }
}
