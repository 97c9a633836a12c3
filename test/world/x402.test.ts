/** The seller of the tides and its facilitator: what a kit pays arrives on the chain, and nothing is taken twice. */
import { Hono } from 'hono'
import { createPublicClient, domainSeparator, type Hex, http, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Anvil } from '../../demo/world/chains/anvil.ts'
import { usdcAddresses, usdcDomain } from '../../demo/world/chains/usdc.ts'
import { createTreasury } from '../../demo/world/payments/treasury.ts'
import { createX402, tidesPrice, tidesSeller } from '../../demo/world/x402/x402.ts'
import type { Fetch } from '../../src/lib/retrying-fetch.ts'
import { startChain } from '../support/chains.ts'
import { testClock } from '../support/clock.ts'
import { buyer, caps, decode, encode, payer, type Sent, signerOf } from '../x402/support.ts'

const base = 'http://localhost/x402'
const usdc = usdcAddresses[8453] as Hex
const token = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])
let chain: Anvil
let app: Hono

beforeAll(async () => {
  chain = await startChain(8453)
  const chains = { 8453: chain.url }
  const treasury = createTreasury({ chains })
  app = new Hono().route('/x402', createX402({ base, chains, treasury }).app)
  await app.request(`${base}/play-money`, { method: 'POST', body: JSON.stringify({ address: payer }) })
})
afterAll(() => chain?.close())

const usdcOf = (owner: string) =>
  createPublicClient({ transport: http(chain.url) }).readContract({
    address: usdc,
    abi: token,
    functionName: 'balanceOf',
    args: [owner as Hex],
  })

/** Buys with the kit, on the real chain. */
async function buy(path: string) {
  const sent: Pick<Sent, 'headers'>[] = []
  const fetch: Fetch = async (url, init) => {
    if (!url.startsWith(base)) return globalThis.fetch(url, init)
    sent.push({ headers: new Headers(init?.headers) })
    return app.request(url, { ...init, signal: null })
  }
  const set = buyer({ fetch, clock: testClock(Date.now()) })
  set.configure({ rpcConfig: { rpcUrls: { 8453: chain.url } }, x402: caps })
  const outcome = set.pay(`${base}${path}`)
  outcome.catch(() => {})
  await expect.poll(() => set.person.scene?.screen.id).toBe('approve-payment')
  await set.person.follow([['approve-payment', 'sign']])
  return { response: await outcome, sent, ...set }
}

describe.each([
  ['version 2', '/tides', 'payment-signature', 'payment-response'],
  ['version 1', '/v1/tides', 'x-payment', 'x-payment-response'],
])('the seller of the tides, %s', (_, path, paid, settled) => {
  it('is paid on the chain, and its answer names the transaction, which is in the activity of the user', async () => {
    const before = await usdcOf(tidesSeller)
    const { response, activity } = await buy(path)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ place: 'Harbour' })
    expect((await usdcOf(tidesSeller)) - before).toBe(tidesPrice)
    const { success, transaction } = decode(response.headers.get(settled))
    expect(success).toBe(true)
    await expect
      .poll(() => activity.get())
      .toMatchObject([{ hash: transaction, status: 'confirmed', amount: '10000' }])
  })

  it('takes no payment twice, and none that was changed', async () => {
    const { sent } = await buy(path)
    const header = sent.map(({ headers }) => headers.get(paid)).find((value) => value) ?? ''
    const before = await usdcOf(tidesSeller)
    const again = await app.request(`${base}${path}`, { headers: { [paid]: header } })
    expect(again.status).toBe(402)
    const said = decode(header) as { payload: { authorization: object } }
    const { payload } = said
    const changed = { ...payload, authorization: { ...payload.authorization, nonce: `0x${'01'.repeat(32)}` } }
    const other = await app.request(`${base}${path}`, {
      headers: { [paid]: encode({ ...said, payload: changed }) },
    })
    expect(other.status).toBe(402)
    const unreadable = await app.request(`${base}${path}`, { headers: { [paid]: '%' } })
    expect(unreadable.status).toBe(400)
    expect(await usdcOf(tidesSeller)).toBe(before)
  })
})

describe('the facilitator', () => {
  it('says why it takes no payment', async () => {
    const { sent } = await buy('/tides')
    const header = sent.map(({ headers }) => headers.get('payment-signature')).find((value) => value) ?? ''
    const paymentPayload = decode(header)
    expect(await signerOf(paymentPayload)).toBe(payer)
    const ask = async (over: object) => {
      const paymentRequirements = { ...(paymentPayload.accepted as object), ...over }
      const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements })
      return (await app.request(`${base}/facilitator/verify`, { method: 'POST', body })).json()
    }
    expect(await ask({ amount: '1' })).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_evm_payload_authorization_value',
    })
    expect(await ask({ payTo: payer })).toMatchObject({
      invalidReason: 'invalid_exact_evm_payload_recipient_mismatch',
    })
    expect(await ask({ scheme: 'upto' })).toMatchObject({ invalidReason: 'unsupported_scheme' })
    expect(await ask({})).toMatchObject({ invalidReason: 'invalid_exact_evm_transaction_simulation_failed' })
  })

  it('USDC of the demo has the domain of the real one', async () => {
    const client = createPublicClient({ transport: http(chain.url) })
    const separator = await client.readContract({
      address: usdc,
      abi: token,
      functionName: 'DOMAIN_SEPARATOR',
    })
    expect(separator).toBe(
      domainSeparator({ domain: { ...usdcDomain, chainId: 8453, verifyingContract: usdc } }),
    )
  })
})
