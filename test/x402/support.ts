/** A seller, the node of its chain, and a kit whose user pays it. */
import { base64 } from '@scure/base'
import { domainSeparator, encodeAbiParameters, pad, recoverTypedDataAddress } from 'viem'
import { expect } from 'vitest'
import type { HostConfig } from '../../src/app/config.ts'
import type { KitError } from '../../src/errors/kit-error.ts'
import type { FetchWithPaymentOptions } from '../../src/kit/api.ts'
import { fetchForHost } from '../../src/kit/host/payments.ts'
import type { Fetch } from '../../src/lib/retrying-fetch.ts'
import { memoryStorage } from '../../src/lib/storage.ts'
// Loaded beforehand, so that no test waits for what the kit loads lazily.
import '../../src/x402/payments.ts'
import '../../src/ethereum/rpc.ts'
import { fakeNode } from '../support/chain-node.ts'
import { testClock } from '../support/clock.ts'
import { embeddedKit, ethereumAccount } from '../support/embedded-kit.ts'

export const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const seller = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const url = 'https://api.tides.example/week'
const nodeUrl = 'https://base.node.example/'
export const payer = ethereumAccount.address
export const settledHash = `0x${'5e'.repeat(32)}`

export type Json = Record<string, unknown>

export const offer = (over: Json = {}): Json => ({
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: usdc,
  payTo: seller,
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
  ...over,
})
export const terms = (over: Json = {}, more: Json = {}): Json => ({
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: { url, description: 'Tides of the next seven days', mimeType: 'application/json' },
  accepts: [offer(over)],
  ...more,
})
const { amount: _, ...common } = offer()
export const offer1 = (over: Json = {}): Json => ({
  ...common,
  network: 'base',
  maxAmountRequired: '10000',
  resource: url,
  description: 'Tides of the next seven days',
  mimeType: 'application/json',
  outputSchema: null,
  ...over,
})

export const encode = (value: unknown): string =>
  base64.encode(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)))
export const decode = (header: string | null): Json =>
  JSON.parse(new TextDecoder().decode(base64.decode(header ?? '')))

/** A response that asks for a payment, as version 2 does. */
export const asks = (said: unknown = terms()): Response =>
  new Response('{}', { status: 402, headers: { 'payment-required': encode(said) } })
/** The same of version 1. */
export const asks1 = (...accepts: Json[]): Response =>
  Response.json(
    {
      x402Version: 1,
      error: 'X-PAYMENT header is required',
      accepts: accepts.length > 0 ? accepts : [offer1()],
    },
    { status: 402 },
  )
export const settlement = (over: Json = {}) => ({
  success: true,
  transaction: settledHash,
  network: 'eip155:8453',
  payer,
  ...over,
})
export const delivers = (said: unknown = settlement()): Response =>
  Response.json({ tides: 'high' }, { headers: { 'payment-response': encode(said) } })

export interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string
  readonly redirect: string
  /** The payment, where there was one. */
  readonly payment: Json | undefined
}

const word = (value: bigint | number) => encodeAbiParameters([{ type: 'uint256' }], [BigInt(value)])
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value])

/** Answers of a token's contract. */
export const honestToken = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  balanceOf: '0x70a08231',
  domainSeparator: '0x3644e515',
  authorizationState: '0xe94a0102',
}
type TokenAnswers = Partial<Record<keyof typeof honestToken, string | undefined>>

/**
 * @param answers what the seller answers, one after the other; the last one again and again
 * @param token what the token's contract says in place of the truth
 * @param logs whether the network has the payment
 */
export function shop({
  answers = [() => asks(), () => delivers()],
  token = {},
  chainId = '0x2105',
  isSettled = () => true,
}: {
  answers?: readonly ((sent: Sent) => Response | Promise<Response>)[]
  token?: TokenAnswers
  chainId?: string
  isSettled?: () => boolean
} = {}) {
  const sent: Sent[] = []
  const contract: TokenAnswers = {
    name: text('USD Coin'),
    symbol: text('USDC'),
    decimals: word(6),
    balanceOf: word(5_000_000),
    domainSeparator: domainSeparator({
      domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: usdc },
    }),
    authorizationState: word(0),
    ...token,
  }
  const used = (nonce: string) => ({
    address: usdc.toLowerCase(),
    topics: [
      '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5',
      pad(payer).toLowerCase(),
      nonce,
    ],
    transactionHash: settledHash,
    blockNumber: '0x65',
    removed: false,
  })
  const paidNonce = () => {
    const { payload } = sent.map(({ payment }) => payment).find((payment) => payment) ?? {}
    return (payload as { authorization: { nonce: string } } | undefined)?.authorization.nonce ?? '0x'
  }
  const node = fakeNode({
    eth_chainId: chainId,
    eth_blockNumber: '0x64',
    eth_call: ([call]) => {
      const { data } = call as { data: string }
      const name = Object.entries(honestToken).find(([, selector]) => data.startsWith(selector))?.[0]
      const result = contract[name as keyof typeof honestToken]
      return result === undefined ? { error: { code: 3, message: 'execution reverted' } } : { result }
    },
    eth_getTransactionReceipt: ([hash]) => ({
      result: hash === settledHash && isSettled() ? { logs: [used(paidNonce())] } : null,
    }),
    eth_getLogs: () => ({ result: isSettled() ? [used(paidNonce())] : [] }),
  })
  const fetch: Fetch = async (address, init) => {
    if (address === nodeUrl) return node.fetch(address, init)
    init?.signal?.throwIfAborted()
    const headers = new Headers(init?.headers)
    const header = headers.get('payment-signature') ?? headers.get('x-payment')
    const own: Sent = {
      url: address,
      method: String(init?.method),
      headers,
      body: init?.body ? new TextDecoder().decode(init.body as ArrayBuffer) : '',
      redirect: String(init?.redirect),
      payment: header === null ? undefined : decode(header),
    }
    const answer = answers[Math.min(sent.length, answers.length - 1)]
    sent.push(own)
    const response = answer?.(own) ?? Response.error()
    const aborted = new Promise<never>((_, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason), { once: true }),
    )
    return Promise.race([response, aborted])
  }
  return { fetch, sent, node, paid: () => sent.filter(({ payment }) => payment) }
}

export const caps = { perPayment: { usd: 0.1 }, perDay: { usd: 5 } }

/** A user who is logged in, and their kit. */
export function buyer({
  x402 = caps,
  storage = memoryStorage(),
  clock = testClock(),
  isLoggedIn = true,
  ...more
}: Partial<Parameters<typeof embeddedKit>[0]> & {
  /** `off`: the app has none. */
  x402?: HostConfig['x402'] | 'off'
  isLoggedIn?: boolean
  fetch: Fetch
}) {
  const host: HostConfig = {
    rpcConfig: { rpcUrls: { 8453: nodeUrl } },
    ...(x402 !== 'off' && { x402 }),
  }
  const set = embeddedKit({ storage, clock, host, ...more })
  if (isLoggedIn) set.login()
  const pay = (
    input: RequestInfo | URL = url,
    init?: RequestInit,
    options?: FetchWithPaymentOptions,
  ): Promise<Response> =>
    fetchForHost({ ...set.hostContext, fetch: more.fetch as never }, set.sending, input, init, options)
  /** Pays, and follows the script meanwhile. Resolves with the response, or with the error. */
  async function buy(
    script: Parameters<typeof set.person.follow>[0] = approved,
    ...input: Parameters<typeof pay>
  ) {
    const outcome = pay(...input).then(
      (response) => ({ response, error: undefined }),
      (error: KitError) => ({ response: undefined, error }),
    )
    let isOver = false
    void outcome.then(() => {
      isOver = true
    })
    // Digests and keys are made in threads of the platform, which no test's clock moves.
    if (script.length > 0) await shown(() => isOver)
    const followed = set.person.follow(script)
    const [{ response, error }] = await Promise.all([outcome, followed.catch(() => {})])
    return { response, error }
  }
  /** Waits until a screen is displayed. */
  const shown = (isOver = () => false) =>
    expect.poll(() => isOver() || set.person.scene !== undefined).toBe(true)
  return { ...set, pay, buy, shown, storage, clock }
}

export const approved: Parameters<ReturnType<typeof buyer>['person']['follow']>[0] = [
  ['approve-payment', 'sign'],
]

/** The address that has signed a payment. */
export async function signerOf(payment: Json | undefined): Promise<string> {
  const { signature, authorization } = (payment?.payload ?? {}) as {
    signature: `0x${string}`
    authorization: Record<string, string>
  }
  return recoverTypedDataAddress({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: usdc },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: authorization as never,
    signature,
  })
}
