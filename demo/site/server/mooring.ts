/**
 * The host's own server: pays for moorings from wallets whose users have let it, while they are away. A real one asks who is there before
 * it does anything; this one belongs to a demo in which nothing is worth anything.
 */
import { createECDH, createHash, createPrivateKey, createPublicKey, randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { createGrantsClient, GrantError } from '../../../src/protocol/server/grants.ts'

/** The harbour, which is paid. */
const harbour = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const chain = 'eip155:1'

/** The key by which the server acts. Everybody knows it, like anvil's. */
const privateKey = (() => {
  const curve = createECDH('prime256v1')
  const secret = createHash('sha256').update('latchkey demo mooring').digest()
  curve.setPrivateKey(secret)
  const point = curve.getPublicKey()
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const key = { kty: 'EC', crv: 'P-256', d: secret.toString('base64url'), x, y }
  return createPrivateKey({ key, format: 'jwk' })
})()

/** The name and the key by which users and the API know this server. */
const signer = {
  name: 'Harbour office',
  publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string,
}

/** The permissions of this server, for the settings of an app. */
export const mooringPermissions = [
  {
    id: 'mooring',
    signer,
    purpose: 'Pays for your mooring each day',
    allow: [{ chain, transfer: 'native' as const, to: [harbour] }],
    limits: [
      {
        chain,
        asset: 'native' as const,
        symbol: 'ETH',
        decimals: 18,
        perTransaction: '0.006',
        perWindow: '0.013',
        windowSeconds: 86_400,
        total: '0.03',
      },
    ],
    days: 30,
    maxUses: 3,
    simulate: 'off' as const,
  },
  {
    id: 'season',
    signer,
    purpose: 'Pays for the season, as often as it takes',
    allow: [{ chain, transfer: 'native' as const, to: [harbour] }],
    limits: [
      {
        chain,
        asset: 'native' as const,
        symbol: 'ETH',
        decimals: 18,
        perTransaction: '0.006',
        perWindow: '0.012',
        windowSeconds: 86_400,
        total: '0.012',
      },
    ],
    days: 90,
    simulate: 'off' as const,
  },
]

interface Order {
  readonly app?: unknown
  readonly grant?: unknown
  readonly value?: unknown
  readonly to?: unknown
  readonly data?: unknown
  readonly chain?: unknown
}

/** @param options.api the address of the API */
export function createMooring({ api }: { api: string }): Hono {
  return new Hono().post('/pay', async (c) => {
    const order = (await c.req.json().catch(() => ({}))) as Order
    const { app, grant, value, to = harbour, data, chain: on = chain } = order
    if (typeof app !== 'string' || typeof grant !== 'string' || typeof value !== 'string')
      return c.json({ code: 'invalid_order' }, 400)
    const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const client = createGrantsClient({ apiUrl: api, appId: app, privateKey: privatePem })
    const transaction = { to: String(to), value, ...(typeof data === 'string' && { data }) }
    try {
      const name = `mooring-${randomUUID()}`
      const use = await client.send({ grant, chain: String(on), transaction, idempotencyKey: name })
      return c.json({ status: use.status, hash: use.hash })
    } catch (cause) {
      if (!(cause instanceof GrantError)) throw cause
      return c.json({ code: cause.code, reason: cause.reason }, 403)
    }
  })
}
