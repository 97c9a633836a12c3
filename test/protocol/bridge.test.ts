/** The bridge's own protocol: what is asked, how answers are read, and what a bridge that misbehaves comes to. */
import { describe, expect, test } from 'vitest'
import { bridgeHosts, createBridgeClient } from '../../src/protocol/bridge.ts'
import { testClock } from '../support/clock.ts'

const request = {
  user: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  recipient: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  from: { chainId: 1, address: `0x${'0'.repeat(40)}` },
  to: { chainId: 8453, address: `0x${'0'.repeat(40)}` },
  amount: 10n ** 40n,
}
const currency = { chainId: 1, address: request.from.address, symbol: 'ETH', decimals: 18 }
const item = {
  status: 'incomplete',
  data: {
    from: request.user,
    to: request.recipient,
    data: '0xAB',
    value: '1000',
    chainId: 1,
    maxFeePerGas: '1',
  },
}
const quote = {
  steps: [{ id: 'deposit', action: 'Confirm', kind: 'transaction', requestId: '0xab', items: [item] }],
  fees: { relayer: { currency, amount: '5', amountUsd: '0' } },
  details: {
    sender: request.user,
    recipient: request.recipient,
    currencyIn: { currency, amount: '1000' },
    currencyOut: { currency: { ...currency, chainId: 8453 }, amount: '990' },
    timeEstimate: 2,
  },
}

function setUp(answers: readonly (Response | 'lost')[], protocol: 'quote' | 'swap' = 'quote') {
  const asked: { url: string; method: string | undefined; body: unknown }[] = []
  const clock = testClock()
  const client = createBridgeClient({
    url: 'https://bridge.example/v',
    protocol,
    clock,
    fetch: async (url, init) => {
      asked.push({ url, method: init?.method, body: init?.body && JSON.parse(String(init.body)) })
      const answer = answers[Math.min(asked.length, answers.length) - 1] ?? 'lost'
      if (answer === 'lost') throw new TypeError('Failed to fetch')
      return answer.clone()
    },
  })
  return { client, asked, clock }
}
const json = (body: unknown, status = 200) => Response.json(body, { status })

describe('quotes', () => {
  test.each([
    ['quote', 'https://bridge.example/v/quote/v2'],
    ['swap', 'https://bridge.example/v/execute/swap'],
  ] as const)('bridge protocol: %s asks for an exact output, refunds to the payer', async (protocol, url) => {
    const { client, asked } = setUp([json(quote)], protocol)
    await client.quote(request)
    expect(asked).toEqual([
      {
        url,
        method: 'POST',
        body: {
          tradeType: 'EXACT_OUTPUT',
          user: request.user,
          recipient: request.recipient,
          refundTo: request.user,
          originChainId: 1,
          originCurrency: request.from.address,
          destinationChainId: 8453,
          destinationCurrency: request.to.address,
          amount: `1${'0'.repeat(40)}`,
        },
      },
    ])
  })

  test('bridge protocol: amounts are exact, and call data is in lower case', async () => {
    const { client } = setUp([json(quote)])
    expect(await client.quote(request)).toEqual({
      steps: [
        {
          id: 'deposit',
          requestId: '0xab',
          items: [
            {
              kind: 'ethereum',
              from: request.user,
              to: request.recipient,
              data: '0xab',
              value: 1000n,
              chainId: 1,
            },
          ],
        },
      ],
      sender: request.user,
      recipient: request.recipient,
      pays: { ...currency, amount: 1000n },
      receives: { ...currency, chainId: 8453, amount: 990n },
      fee: { ...currency, amount: 5n },
      seconds: 2,
    })
  })

  test('bridge protocol: what is complete is left out, and what is no known transaction is unknown', async () => {
    const steps = [
      { id: 'approve', kind: 'transaction', items: [{ ...item, status: 'complete' }] },
      { id: 'authorize', kind: 'signature', requestId: '0xab', items: [item] },
      { id: 'deposit', kind: 'transaction', items: [item, { data: { psbt: 'x' } }, { data: null }, 5] },
      {
        id: 'deposit',
        kind: 'transaction',
        items: [
          {
            data: {
              instructions: [
                {
                  keys: [
                    {
                      pubkey: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK',
                      isSigner: true,
                      isWritable: false,
                    },
                  ],
                  programId: '11111111111111111111111111111111',
                  data: '0aff',
                },
              ],
            },
          },
        ],
      },
    ]
    const { client } = setUp([json({ ...quote, steps })])
    const read = await client.quote(request)
    expect(read?.steps.map(({ items }) => items.map(({ kind }) => kind))).toEqual([
      [],
      ['unknown'],
      ['ethereum', 'unknown', 'unknown', 'unknown'],
      ['solana'],
    ])
    expect(read?.steps[3]?.items[0]).toEqual({
      kind: 'solana',
      lookupTables: [],
      instructions: [
        {
          program: '11111111111111111111111111111111',
          accounts: [
            { address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK', signer: true, writable: false },
          ],
          data: Uint8Array.of(0x0a, 0xff),
        },
      ],
    })
  })

  test('bridge protocol: a message that begins with Invalid address is no quote, and no error', async () => {
    const { client } = setUp([json({ message: 'Invalid address 0x1 for chain 1' }, 400)])
    expect(await client.quote(request)).toBeUndefined()
  })

  test.each([
    [400, { message: 'No routes found', errorCode: 'NO_SWAP_ROUTES_FOUND' }],
    [401, {}],
    [429, { message: 'Too many requests. Invalid address' }],
    [400, 'x'],
  ])('bridge protocol: %i is an error fetching the quote', async (status, body) => {
    const { client } = setUp([json(body, status)])
    await expect(client.quote(request)).rejects.toMatchObject({
      code: 'provider_refused',
      shortMessage: 'Error fetching quote from relay',
      status,
    })
  })

  test.each<[string, unknown]>([
    ['no steps', { ...quote, steps: [] }],
    [
      'a negative amount',
      { ...quote, details: { ...quote.details, currencyIn: { currency, amount: '-1' } } },
    ],
    ['a fraction', { ...quote, details: { ...quote.details, currencyIn: { currency, amount: '1.5' } } }],
    [
      'too many decimals',
      {
        ...quote,
        details: { ...quote.details, currencyIn: { currency: { ...currency, decimals: 99 }, amount: '1' } },
      },
    ],
    ['no sender', { ...quote, details: { ...quote.details, sender: 'nobody' } }],
    ['nothing', null],
  ])('bridge protocol: an answer with %s is malformed', async (_, body) => {
    const { client } = setUp([json(body)])
    await expect(client.quote(request)).rejects.toMatchObject({ code: 'malformed_response' })
  })

  test('bridge protocol: a lost connection is tried four times, in 6.5 seconds', async () => {
    const { client, asked, clock } = setUp(['lost'])
    const quoting = client.quote(request).catch((cause: unknown) => cause)
    await clock.advance(6_500)
    expect(await quoting).toMatchObject({ code: 'network_unavailable' })
    expect(asked).toHaveLength(4)
  })
})

describe('status', () => {
  test.each([
    ['waiting', 'waiting'],
    ['success', 'success'],
    ['refund', 'refund'],
    ['fallback', 'refund'],
    ['failure', 'failure'],
    ['teleported', 'pending'],
  ])('bridge protocol: the state %s is %s', async (given, state) => {
    const { client, asked } = setUp([json({ status: given, inTxHashes: ['0x1'], txHashes: ['../x'] })])
    expect(await client.status('0xab/c')).toEqual({ state, deposits: ['0x1'], payments: [] })
    expect(asked).toMatchObject([
      { url: 'https://bridge.example/v/intents/status/v3?requestId=0xab%2Fc', method: 'GET' },
    ])
  })

  test('bridge protocol: a request that the bridge does not know has no state', async () => {
    const { client } = setUp([json({ message: 'Request not found' }, 404)])
    await expect(client.status('0xab')).rejects.toMatchObject({ code: 'network_unavailable', status: 404 })
  })
})

test('bridge protocol: main and test networks have hosts of their own', () => {
  expect(bridgeHosts).toEqual({
    mainnet: 'https://api.relay.link',
    testnet: 'https://api.testnets.relay.link',
  })
})
