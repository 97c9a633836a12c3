import { type Context, Hono } from 'hono'
import { isAddress } from 'viem'
import { usdcAddresses, usdcDomain } from '../chains/usdc.ts'
import { crossOrigin } from '../cross-origin.ts'
import type { Treasury } from '../payments/treasury.ts'
import { createFacilitator, type Payload, type Requirements, type Settled } from './facilitator.ts'

/** Base, which most sellers take. */
const chainId = 8453
/** The one who is paid. */
export const tidesSeller = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
/** In smallest units of USDC. */
export const tidesPrice = 10_000n
const tides = { place: 'Harbour', high: ['04:12', '16:37'], low: ['10:21', '22:49'] }

interface X402Options {
  /** Its own address. */
  readonly base: string
  /** Nodes by chain id. */
  readonly chains: Readonly<Record<string, string>>
  /** Gives play money to whoever asks. */
  readonly treasury: Treasury
}

/**
 * A seller of the hours of the tides and its facilitator, in versions 2 and 1 of x402: https://github.com/coinbase/x402, specs/. What
 * is paid is paid on the demo's own chain.
 */
export function createX402({ base, chains, treasury }: X402Options) {
  const facilitator = createFacilitator(chains)
  const asset = usdcAddresses[chainId] ?? ''
  const description = 'Tides of the next 24 hours'
  const common = { scheme: 'exact', asset, payTo: tidesSeller, maxTimeoutSeconds: 60, extra: usdcDomain }
  const offer2 = { ...common, network: `eip155:${chainId}`, amount: String(tidesPrice) }
  const offer1 = {
    ...common,
    network: 'base',
    maxAmountRequired: String(tidesPrice),
    resource: `${base}/v1/tides`,
    description,
    mimeType: 'application/json',
    outputSchema: null,
  }
  const resource = { url: `${base}/tides`, description, mimeType: 'application/json' }
  const app = new Hono()
  app.use(
    crossOrigin({
      methods: ['GET', 'POST'],
      exposed: ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'],
    }),
  )

  app.get('/tides', async (c) => {
    const given = decode(c.req.header('payment-signature'))
    const ask = (error: string, settled?: Settled) => {
      c.header('PAYMENT-REQUIRED', encode({ x402Version: 2, error, resource, accepts: [offer2] }))
      if (settled) c.header('PAYMENT-RESPONSE', encode(settled))
      return c.json({}, 402)
    }
    if (given === undefined) return ask('PAYMENT-SIGNATURE header is required')
    const payload = readPayload(given)
    if (!payload || JSON.stringify(given.accepted) !== JSON.stringify(offer2))
      return c.json({ error: 'invalid_payload' }, 400)
    const settled = await facilitator.settle(payload, offer2)
    if (!settled.success) return ask('Payment failed', settled)
    c.header('PAYMENT-RESPONSE', encode(settled))
    return c.json(tides)
  })

  app.get('/v1/tides', async (c) => {
    const given = decode(c.req.header('x-payment'))
    const ask = (error: string) => c.json({ x402Version: 1, error, accepts: [offer1] }, 402)
    if (given === undefined) return ask('X-PAYMENT header is required')
    const payload = given.scheme === 'exact' && given.network === 'base' ? readPayload(given) : undefined
    if (!payload) return c.json({ error: 'invalid_payload' }, 400)
    const settled = await facilitator.settle(payload, offer2)
    c.header('X-PAYMENT-RESPONSE', encode({ ...settled, network: 'base' }))
    return settled.success ? c.json(tides) : ask('Payment failed')
  })

  app.get('/facilitator/supported', (c) =>
    c.json({
      kinds: [{ x402Version: 2, scheme: 'exact', network: offer2.network }],
      extensions: [],
      signers: {},
    }),
  )
  app.post('/facilitator/verify', (c) => facilitate(c, facilitator.verify))
  app.post('/facilitator/settle', (c) => facilitate(c, facilitator.settle))

  // The chain is this machine's, so everybody can be given what they ask for.
  app.post('/play-money', async (c) => {
    const { address } = (await c.req.json().catch(() => ({}))) as { address?: unknown }
    if (typeof address !== 'string' || !isAddress(address)) return c.json({ error: 'No address' }, 400)
    const [chain, symbol, amount] = [offer2.network, 'USDC', 1_000_000n] as const
    return c.json({ transaction: await treasury.deliver({ chain, symbol, address, amount }) })
  })

  return { app }
}

async function facilitate(
  c: Context,
  work: (payload: Payload, wanted: Requirements) => Promise<object>,
): Promise<Response> {
  const { paymentPayload, paymentRequirements } = (await c.req.json().catch(() => ({}))) as Record<
    string,
    unknown
  >
  const payload = readPayload(paymentPayload)
  if (!payload || typeof paymentRequirements !== 'object' || paymentRequirements === null)
    return c.json({ error: 'invalid_payload' }, 400)
  return c.json(await work(payload, paymentRequirements as Requirements))
}

/** Whether it has what a signed transfer has; the chain says whether it is one. */
function readPayload(given: unknown): Payload | undefined {
  const { signature, authorization } = ((given as { payload?: unknown } | null)?.payload ??
    {}) as Partial<Payload>
  const { from, to, value, validAfter, validBefore, nonce } = authorization ?? {}
  const isHex = (text: unknown, bytes: number) =>
    typeof text === 'string' && new RegExp(`^0x[0-9a-f]{${2 * bytes}}$`, 'i').test(text)
  const isRead =
    isHex(signature, 65) &&
    isHex(nonce, 32) &&
    isHex(from, 20) &&
    isHex(to, 20) &&
    [value, validAfter, validBefore].every((text) => typeof text === 'string' && /^\d{1,78}$/.test(text))
  return isRead ? ({ signature, authorization } as Payload) : undefined
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
function decode(header: string | undefined): Record<string, unknown> | undefined {
  if (header === undefined) return undefined
  try {
    return Object(JSON.parse(Buffer.from(header, 'base64').toString())) as Record<string, unknown>
  } catch {
    return {}
  }
}
