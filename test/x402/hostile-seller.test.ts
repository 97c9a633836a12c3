import { describe, expect, test } from 'vitest'
import {
  asks,
  asks1,
  buyer,
  delivers,
  encode,
  type Json,
  offer,
  offer1,
  payer,
  settlement,
  shop,
  terms,
  usdc,
} from './support.ts'

const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const header = (value: string) => () =>
  new Response('{}', { status: 402, headers: { 'payment-required': value } })
const said =
  (over: Json, more: Json = {}) =>
  () =>
    asks(terms(over, more))
const invalid = (reason: string) => ({ code: 'payment_terms_invalid', data: { reason } })
const unsupported = (reason: string) => ({ code: 'payment_not_supported', data: { reason } })

/** Attempts of a seller, and the error that the host gets before anything is signed. */
const attacks: readonly (readonly [string, () => Response, object])[] = [
  ['a header that is no base64', header('%%%'), invalid('unreadable')],
  ['a header that is no JSON', header(encode('{')), invalid('unreadable')],
  ['a header that is not UTF-8', header(btoa('{"x402Version":2,"a":"\xff\xfe"}')), invalid('unreadable')],
  ['a header that is null', header(encode(null)), invalid('unreadable')],
  ['a header of 40,000 characters', header('A'.repeat(40_000)), invalid('unreadable')],
  ['a body without terms', () => new Response('Pay me', { status: 402 }), invalid('unreadable')],
  ['a body of a megabyte', () => new Response('['.repeat(1_000_000), { status: 402 }), invalid('unreadable')],
  ['version 3', said({}, { x402Version: 3 }), unsupported('version')],
  ['a version that is a text', said({}, { x402Version: '2' }), invalid('unreadable')],
  ['no offers', said({}, { accepts: [] }), invalid('unreadable')],
  ['a thousand offers', said({}, { accepts: Array(1_000).fill(offer()) }), invalid('unreadable')],
  ['offers that are no objects', said({}, { accepts: [null, 7, 'pay', []] }), invalid('unreadable')],
  ['no resource', said({}, { resource: undefined }), invalid('unreadable')],
  [
    'a resource on another host',
    said({}, { resource: { url: 'https://bank.example/' } }),
    invalid('resource'),
  ],
  ['a resource that is no address', said({}, { resource: { url: 'https://' } }), invalid('resource')],
  ['the scheme upto', said({ scheme: 'upto' }), unsupported('scheme')],
  ['a scheme of one’s own', said({ scheme: 'exact​' }), unsupported('scheme')],
  ['Solana', said({ network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }), unsupported('network')],
  ['a chain that the app doesn’t have', said({ network: 'eip155:31337' }), unsupported('network')],
  ['a chain by its name in version 2', said({ network: 'base' }), unsupported('network')],
  ['a chain with leading zeros', said({ network: 'eip155:08453' }), unsupported('network')],
  ['all chains', said({ network: 'eip155:*' }), unsupported('network')],
  [
    'Permit2',
    said({ extra: { name: 'USD Coin', version: '2', assetTransferMethod: 'permit2' } }),
    unsupported('method'),
  ],
  ['a delegation', said({ extra: { assetTransferMethod: 'erc7710' } }), unsupported('method')],
  ['money of a bank', said({ asset: 'USD' }), unsupported('asset')],
  ['a token without a domain', said({ extra: null }), unsupported('asset')],
  [
    'a domain with a long name',
    said({ extra: { name: 'U'.repeat(1_000), version: '2' } }),
    unsupported('asset'),
  ],
  ['a domain of another name', said({ extra: { name: 'USDC', version: '2' } }), invalid('domain')],
  ['a domain of another version', said({ extra: { name: 'USD Coin', version: '1' } }), invalid('domain')],
  ['a recipient by its role', said({ payTo: 'merchant' }), invalid('recipient')],
  ['the zero address', said({ payTo: `0x${'0'.repeat(40)}` }), invalid('recipient')],
  ['the token itself as recipient', said({ payTo: usdc }), invalid('recipient')],
  ['the payer as recipient', said({ payTo: payer }), invalid('recipient')],
  ['an amount of nothing', said({ amount: '0' }), invalid('amount')],
  ['more than a token can count', said({ amount: '9'.repeat(78) }), invalid('amount')],
  ['a negative amount', said({ amount: '-1' }), invalid('unreadable')],
  ['an amount with an exponent', said({ amount: '1e4' }), invalid('unreadable')],
  ['an amount in hexadecimal', said({ amount: '0x2710' }), invalid('unreadable')],
  ['an amount that is a number', said({ amount: 10_000 }), invalid('unreadable')],
  ['an amount above the cap', said({ amount: '100001' }), { code: 'payment_over_cap', data: { cap: 0.1 } }],
  ['an authorization for a year', said({ maxTimeoutSeconds: 31_536_000 }), invalid('validity')],
  ['an authorization without end', said({ maxTimeoutSeconds: 1e300 }), invalid('validity')],
  ['an authorization into the past', said({ maxTimeoutSeconds: -60 }), invalid('unreadable')],
  [
    'version 1 with an amount above the cap',
    () => asks1(offer1({ maxAmountRequired: '100001' })),
    { code: 'payment_over_cap' },
  ],
  [
    'version 1 for another resource',
    () => asks1(offer1({ resource: 'https://bank.example/' })),
    invalid('resource'),
  ],
  ['version 1 on Solana', () => asks1(offer1({ network: 'solana' })), unsupported('network')],
  [
    'version 1 on a network named constructor',
    () => asks1(offer1({ network: 'constructor' })),
    unsupported('network'),
  ],
]

describe('a hostile seller', () => {
  test.each(attacks)('terms with %s are refused before the user is asked', async (_, answer, error) => {
    const { fetch, paid } = shop({ answers: [answer] })
    const { pay, person } = buyer({ fetch })
    await expect(pay()).rejects.toMatchObject(error)
    expect(person.scene).toBeUndefined()
    expect(paid()).toEqual([])
  })

  test.each([
    ['is no token', { symbol: undefined }, unsupported('asset')],
    [
      'has a symbol that misleads',
      { symbol: `0x${'20'.padStart(64, '0')}${'4'.padStart(64, '0')}${'e280ae41'.padEnd(64, '0')}` },
      unsupported('asset'),
    ],
    ['takes no signed transfers', { authorizationState: undefined }, unsupported('asset')],
    ['has used the nonce', { authorizationState: `0x${'1'.padStart(64, '0')}` }, unsupported('asset')],
    ['names no domain', { domainSeparator: undefined }, unsupported('asset')],
    ['has another domain', { domainSeparator: `0x${'12'.repeat(32)}` }, invalid('domain')],
  ])('a token that %s is refused', async (_, token, error) => {
    const { fetch, paid } = shop({ token })
    const { pay, person } = buyer({ fetch })
    await expect(pay()).rejects.toMatchObject(error)
    expect(person.scene).toBeUndefined()
    expect(paid()).toEqual([])
  })

  test('a wallet with too little of the token gets an error that says how much is missing', async () => {
    const { fetch } = shop({ token: { balanceOf: `0x${(9_000).toString(16).padStart(64, '0')}` } })
    await expect(buyer({ fetch }).pay()).rejects.toMatchObject({
      code: 'insufficient_funds',
      data: { asset: usdc, missing: 1_000n },
    })
  })

  test('a node of another chain than the seller’s is an error', async () => {
    const { fetch } = shop({ chainId: '0x1' })
    await expect(buyer({ fetch }).pay()).rejects.toMatchObject({ code: 'network_unavailable' })
  })

  test('terms over plain http are refused', async () => {
    const { fetch, paid } = shop()
    await expect(buyer({ fetch }).pay('http://api.tides.example/week')).rejects.toMatchObject(
      invalid('insecure'),
    )
    expect(paid()).toEqual([])
  })

  test('a request that was redirected is not paid', async () => {
    const redirected = () => Object.defineProperty(asks(), 'redirected', { value: true })
    const { fetch, paid } = shop({ answers: [redirected] })
    await expect(buyer({ fetch }).pay()).rejects.toMatchObject(invalid('redirect'))
    expect(paid()).toEqual([])
  })

  test('terms that never end are given up after ten seconds', async () => {
    const endless = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([123])) })
    const { fetch, sent } = shop({ answers: [() => new Response(endless, { status: 402 })] })
    const { pay, clock } = buyer({ fetch })
    const outcome = pay()
    outcome.catch(() => {})
    await expect.poll(() => sent.length).toBe(1)
    await clock.advance(10_000)
    await expect(outcome).rejects.toMatchObject({ code: 'client_request_timeout' })
  })

  test('the seller’s words are on one line, without marks that turn text around, and short', async () => {
    const description = `Free\n\u202e gift \u2066${'a'.repeat(5_000)}`
    const { fetch } = shop({
      answers: [said({}, { resource: { url: '/week', description } }), () => delivers()],
    })
    const { buy } = buyer({ fetch })
    const seen: unknown[] = []
    await buy([{ on: 'approve-payment', expect: (props) => seen.push(props.description), answer: 'cancel' }])
    expect(seen).toHaveLength(1)
    expect(String(seen[0])).toMatch(/^Free gift a+$/)
    expect(String(seen[0]).length).toBeLessThanOrEqual(300)
  })

  test.each([
    ['no base64', '%%%'],
    ['no JSON', encode('{')],
    ['another shape', encode({ success: 'yes' })],
    ['a hash that is a script', encode(settlement({ transaction: '<script>' }))],
  ])('a settlement with %s is ignored, and the response comes back', async (_, value) => {
    const answer = () => new Response('yes', { headers: { 'payment-response': value } })
    const { fetch } = shop({ answers: [() => asks(), answer] })
    const { response } = await buyer({ fetch }).buy()
    expect(response?.status).toBe(200)
  })

  test.each([
    ['amount', { amount: '20000' }],
    ['recipient', { payTo: other }],
    ['asset', { asset: other }],
    ['network', { network: 'eip155:1' }],
    ['scheme', { scheme: 'upto' }],
  ])('another %s after the payment is a change of terms, and is not paid', async (_, over) => {
    const { fetch, paid } = shop({ answers: [() => asks(), said(over)] })
    const { error } = await buyer({ fetch }).buy()
    expect(error).toMatchObject({ code: 'payment_terms_changed' })
    expect(paid()).toHaveLength(1)
  })
})
