/** Bridging: what the user reads before, which quotes are refused, every step in its order, refunds, and bridges that are found again. */
import { type AbiFunction, encodeAbiParameters, parseAbiItem, toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { KitError } from '../../src/errors/kit-error.ts'
import { assertQuoteMatches } from '../../src/funding/bridge/check.ts'
import { bridgeDeposits } from '../../src/lib/bridge-deposits.ts'
import { usdcOn } from '../../src/lib/usdc.ts'
import type { BridgeItem, BridgeQuote, BridgeRequest, EthereumItem } from '../../src/protocol/bridge.ts'
import { ProviderRpcError } from '../../src/wallets/external/provider-error.ts'
import type { Step } from '../support/person.ts'
import {
  baseTarget,
  choose,
  depository,
  ether,
  type FakeChain,
  fakeAccount,
  fakeChain,
  hashOf,
  moved,
  openPage,
  owned,
  payer,
  quoteOf,
  requestId,
  usdcTarget,
} from './support.ts'

const awaiting = 'awaiting-ethereum-bridge'
const pays = ether('0.02') + ether('0.02') / 200n
const rejected = () => Promise.reject(new ProviderRpcError(4001, 'User rejected the request'))
const solver = '0xf70da97812CB96acDF810712Aa562db8dfA3dbEF'
const confirm: Step = ['bridge-confirm', 'confirm']

/** A wallet with ether on Ethereum, and nothing on Base. */
const onEthereum = (coin = ether('1'), usdc = 0n) => ({
  1: fakeChain(1, coin, usdc),
  8453: fakeChain(8453, 0n),
})
const open = (options: Parameters<typeof openPage>[0] = {}) =>
  openPage({ hasBridge: true, chains: onEthereum(), ...options })

describe('bridge', () => {
  test('bridge: what it takes is shown first, and what arrives is confirmed by its own network', async () => {
    const chains = onEthereum()
    chains[8453].receipts.add(hashOf(0xa1))
    const elsewhere = fakeAccount()
    const page = open({ chains, accounts: [elsewhere] })
    page.bridge.say('waiting', 'pending', 'submitted', 'success')
    const { value } = await page.run([
      ...choose(),
      {
        on: 'bridge-confirm',
        expect: (props) => {
          expect(props).toMatchObject({
            pays: '0.0201 ETH',
            receives: '0.02 ETH',
            fee: '0.0001 ETH',
            balance: '1 ETH',
            from: 'Ethereum',
            to: 'Base',
            seconds: 2,
            recipient: owned,
            hasAllowance: false,
          })
          expect(page.sent).toEqual([])
        },
        answer: 'confirm',
      },
      { wait: 6_000 + 1_400 },
    ])
    expect(page.bridge.asked).toEqual([
      {
        user: payer,
        recipient: owned,
        from: { chainId: 1, address: `0x${'0'.repeat(40)}` },
        to: { chainId: 8453, address: `0x${'0'.repeat(40)}` },
        amount: ether('0.02'),
      },
    ])
    expect(elsewhere.switched).toEqual([1])
    expect(page.sent).toMatchObject([{ chainId: 1, from: payer, to: depository, value: pays }])
    expect(value).toEqual({
      method: 'wallet',
      status: 'confirmed',
      received: ether('0.02'),
      transactionHash: hashOf(0xa1),
    })
    expect(page.storage.get('payments')).toBeUndefined()
  })

  test('bridge: a payment that the network does not show is completed by the word of the bridge', async () => {
    const page = open()
    const { value } = await page.run([...choose(), confirm, { wait: 9_000 + 1_400 }])
    expect(value).toMatchObject({ status: 'completed', transactionHash: hashOf(0xa1) })
  })

  test('bridge: of several ways the user picks one, the highest balance first', async () => {
    const chains = onEthereum(ether('1'), 400_000_000n)
    const page = open({ chains })
    await page.run([
      ...choose(),
      {
        on: 'bridge-source',
        expect: ({ sources }) =>
          expect(sources).toMatchObject([
            { symbol: 'ETH', network: 'Ethereum', pays },
            { symbol: 'USDC', network: 'Ethereum', pays: 50_250_000n },
          ]),
        answer: 'back',
      },
      { on: 'transfer-wallet', close: true },
    ])
    expect(page.bridge.asked).toHaveLength(2)
  })

  test('bridge: USDC on the same network pays for ether there', async () => {
    const page = open({ chains: { 8453: fakeChain(8453, ether('0.001'), 400_000_000n) } })
    await page.run([
      ...choose(),
      { on: 'bridge-confirm', expect: ({ pays }) => expect(pays).toBe('50.25 USDC'), close: true },
    ])
  })

  test('bridge: an allowance of exactly the amount is confirmed before the transfer', async () => {
    const chains = onEthereum(ether('1'), 400_000_000n)
    const page = open({ chains, target: usdcTarget })
    page.bridge.changeQuotes((quote) => (quote.pays.symbol === 'ETH' ? dearQuote(quote) : quote))
    page.network(hashOf(1), 'open')
    const work = page.start()
    await page.person.follow([
      ...choose('25'),
      {
        on: 'bridge-confirm',
        expect: ({ hasAllowance }) => expect(hasAllowance).toBe(true),
        answer: 'confirm',
      },
    ])
    expect(page.person.scene?.props).toMatchObject({ state: 'confirming', isAllowance: true })
    expect(page.sent).toHaveLength(1)
    expect(page.payments.find(usdcTarget)).toBeUndefined()
    page.network(hashOf(1), {})
    await page.clock.advance(1_000)
    expect(page.sent).toMatchObject([
      { to: usdcOn('eip155:1') },
      { to: depository, data: expect.stringMatching(new RegExp(`^0xe8017952.*${requestId.slice(2)}$`)) },
    ])
    expect(page.sent[0]?.data.slice(-6)).toBe((25_125_000).toString(16).slice(-6))
    await page.clock.advance(12_000)
    expect((await work).value?.status).toBe('completed')
    expect(page.entries.get().map(({ title }) => title)).toEqual(['call', 'approve'])
  })

  test('bridge: an allowance that the wallet has given before is not asked for again', async () => {
    const chains = onEthereum(0n, 400_000_000n)
    chains[1].coin = ether('0.01')
    chains[1].allowance = 2n ** 255n
    const page = open({ chains, target: usdcTarget })
    page.bridge.changeQuotes((quote) => (quote.pays.symbol === 'ETH' ? dearQuote(quote) : quote))
    await page.run([...choose('25'), confirm, { wait: 12_000 }])
    expect(page.sent).toMatchObject([{ to: depository }])
  })

  test('bridge: a wallet that allows and then declines has sent nothing, and the user reads what it has allowed', async () => {
    const chains = onEthereum(ether('0.01'), 400_000_000n)
    const page = open({ chains, target: usdcTarget })
    page.bridge.changeQuotes((quote) => (quote.pays.symbol === 'ETH' ? dearQuote(quote) : quote))
    page.wallet((_, at) => (at === 1 ? Promise.resolve({ hash: hashOf(1) }) : rejected()))
    await page.run([
      ...choose('25'),
      confirm,
      {
        on: 'transfer-wallet',
        expect: ({ error }) =>
          expect(error).toBe(
            'You declined it in MetaMask. MetaMask still allows the bridge to take 25.125 USDC. Nothing was sent; you can try again or withdraw that in MetaMask.',
          ),
        close: true,
      },
    ])
    expect(page.storage.get('payments')).toBeUndefined()
  })

  test('bridge: a transfer that the network would refuse is not handed to the wallet', async () => {
    const chains = onEthereum()
    const page = open({ chains })
    chains[1].estimate = () => {
      throw Object.assign(new KitError('unknown', 'x'), {})
    }
    await page.run([
      ...choose(),
      confirm,
      {
        on: 'transfer-wallet',
        expect: ({ error }) => expect(error).toMatch(/can't be reached/),
        close: true,
      },
    ])
    expect(page.sent).toEqual([])
  })

  test('bridge: balance that falls while the offer is read is noticed before the wallet is asked', async () => {
    const chains = onEthereum()
    const page = open({ chains })
    await page.run([
      ...choose(),
      {
        on: 'bridge-confirm',
        expect: () => {
          chains[1].coin = ether('0.001')
        },
        answer: 'confirm',
      },
      {
        on: 'transfer-wallet',
        expect: ({ error }) => expect(error).toBe("MetaMask doesn't have enough ETH on Ethereum."),
        close: true,
      },
    ])
    expect(page.sent).toEqual([])
  })
})

/** An offer that no wallet here can pay. */
const dearQuote = (quote: BridgeQuote): BridgeQuote => ({
  ...quote,
  pays: { ...quote.pays, amount: 10n ** 30n },
})

describe('quotes', () => {
  test('quote: one that is shown for 30 seconds is renewed, and a dearer one is said to be', async () => {
    const page = open()
    page.bridge.changeQuotes((quote, at) =>
      at < 2 ? quote : { ...quote, pays: { ...quote.pays, amount: quote.pays.amount + ether('0.001') } },
    )
    const work = page.start()
    await page.person.follow([...choose(), { on: 'bridge-confirm' }])
    await page.clock.advance(29_999)
    expect(page.person.scene?.props).toMatchObject({ pays: '0.0201 ETH', notice: undefined })
    await page.clock.advance(1)
    expect(page.person.scene?.props).toMatchObject({ pays: '0.0211 ETH', notice: 'changed' })
    expect(page.bridge.asked).toHaveLength(2)
    page.person.close()
    await page.clock.advance(1_000)
    await work
  })

  test.each([
    ['less', -ether('0.001'), true],
    ['as much as the limit', ether('0.000201'), true],
    ['more than the limit', ether('0.000202'), false],
  ])('quote: after a sleep one that takes %s is asked about as it should be', async (_, more, isTaken) => {
    const page = open()
    const work = page.start()
    await page.person.follow([...choose(), { on: 'bridge-confirm' }])
    page.bridge.changeQuotes((quote) => ({
      ...quote,
      pays: { ...quote.pays, amount: quote.pays.amount + more },
      steps: quote.steps.map((step) => ({
        ...step,
        items: step.items.map((item) =>
          item.kind === 'ethereum' ? { ...item, value: item.value + more } : item,
        ),
      })),
    }))
    // The press comes with the computer's waking, before any timer has run.
    const scene = page.person.scene
    const now = page.clock.now
    Object.assign(page.clock, { now: () => now() + 40_000 })
    scene?.answer('confirm')
    await page.clock.advance(0)
    expect(page.sent).toHaveLength(isTaken ? 1 : 0)
    if (!isTaken) expect(page.person.scene?.props).toMatchObject({ notice: 'changed' })
    page.person.close()
    await page.clock.advance(11_000)
    await work
  })

  test('quote: a bridge that fails to renew an expired quote keeps the user from confirming it', async () => {
    const page = open()
    const work = page.start()
    await page.person.follow([...choose(), { on: 'bridge-confirm' }])
    page.bridge.fail(new KitError('provider_refused', 'Error fetching quote from relay'))
    const now = page.clock.now
    Object.assign(page.clock, { now: () => now() + 40_000 })
    page.person.scene?.answer('confirm')
    await page.clock.advance(0)
    expect(page.sent).toEqual([])
    expect(page.person.scene?.props).toMatchObject({ notice: 'unquoted' })
    expect(page.told.map(({ shortMessage }) => shortMessage)).toEqual(['Error fetching quote from relay'])
    page.person.close()
    await page.clock.advance(1_000)
    await work
  })

  test.each<[string, unknown, string, string]>([
    [
      'refuses',
      new KitError('provider_refused', 'Error fetching quote from relay', { status: 500 }),
      'Unable to fetch quotes for bridging...',
      'No bridge to Base answered. Please try again, or use another method.',
    ],
    [
      'can not be reached',
      new KitError('network_unavailable', 'The bridge did not answer'),
      'Unable to fetch quotes for bridging...',
      'No bridge to Base answered. Please try again, or use another method.',
    ],
    [
      'does not take the address',
      'invalid-address',
      'Unable to select bridge option from quotes...',
      "What MetaMask has can't be bridged to Base.",
    ],
  ])('quote: a bridge that %s leads back to the wallets', async (_, cause, message, words) => {
    const page = open()
    page.bridge.fail(cause)
    await page.run([
      ...choose(),
      { on: 'transfer-wallet', expect: ({ error }) => expect(error).toBe(words), close: true },
    ])
    expect(page.told.map(({ shortMessage }) => shortMessage)).toEqual([message])
  })

  test('quote: a bridge that takes more than the wallet has anywhere is none', async () => {
    const page = open()
    page.bridge.changeQuotes(dearQuote)
    await page.run([
      ...choose(),
      {
        on: 'transfer-wallet',
        expect: ({ error }) =>
          expect(error).toBe("MetaMask doesn't have enough for this amount on any network."),
        close: true,
      },
    ])
    expect(page.told.map(({ shortMessage }) => shortMessage)).toEqual([
      'Unable to select bridge option from quotes...',
    ])
  })

  test('quote: a bridge that never answers is given up after 20 seconds', async () => {
    const page = open()
    page.bridge.client.quote = () => new Promise(() => {})
    const work = page.start()
    await page.person.follow(choose())
    await page.clock.advance(19_999)
    expect(page.person.scene?.props).toMatchObject({ state: 'preparing' })
    await page.clock.advance(1)
    expect(page.person.scene?.screen.id).toBe('transfer-wallet')
    page.person.close()
    await page.clock.advance(1_000)
    await work
  })

  test('quote: one of something else is never shown', async () => {
    const page = open()
    page.bridge.changeQuotes((quote) => ({ ...quote, recipient: payer }))
    await page.run([
      ...choose(),
      {
        on: 'transfer-wallet',
        expect: ({ error }) =>
          expect(error).toBe("The bridge offered something else than you asked for, so it wasn't used."),
        close: true,
      },
    ])
    expect(page.sent).toEqual([])
  })
})

describe('what a quote has to be', () => {
  const stranger = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
  const usdc = usdcOn('eip155:1') ?? ''
  const coin: BridgeRequest = {
    user: payer,
    recipient: owned,
    from: { chainId: 1, address: `0x${'0'.repeat(40)}` },
    to: { chainId: 8453, address: `0x${'0'.repeat(40)}` },
    amount: ether('0.02'),
  }
  const token: BridgeRequest = {
    ...coin,
    from: { chainId: 1, address: usdc },
    to: { chainId: 8453, address: usdcTarget.token ?? '' },
    amount: 25_000_000n,
  }
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  const step = (at: number, change: (item: EthereumItem) => BridgeItem) => (quote: BridgeQuote) => ({
    ...quote,
    steps: quote.steps.map((each, place) =>
      place === at
        ? { ...each, items: each.items.map((item) => (item.kind === 'ethereum' ? change(item) : item)) }
        : each,
    ),
  })
  const read = (request: BridgeRequest, quote: BridgeQuote) => {
    const isToken = request === token
    return assertQuoteMatches(quote, {
      request,
      source: {
        chainType: 'ethereum',
        decimals: isToken ? 6 : 18,
        ...(isToken && { token: usdc }),
      },
      decimals: isToken ? 6 : 18,
      deposits: bridgeDeposits,
    })
  }

  test('quote check: honest quotes have their request id', () => {
    expect(read(coin, quoteOf(coin))).toBe(requestId)
    expect(read(token, quoteOf(token))).toBe(requestId)
  })

  test('quote check: a deposit that is a transfer of the token with the bridge’s own bytes behind it is taken', () => {
    const direct = step(1, (item) => ({
      ...item,
      to: usdc,
      data: `0xa9059cbb${word(BigInt(solver))}${word(1n)}${requestId.slice(2)}`,
    }))
    const quote = direct(quoteOf(token))
    expect(read(token, { ...quote, steps: quote.steps.slice(1) })).toBe(requestId)
  })

  test.each<[string, BridgeRequest, (quote: BridgeQuote) => BridgeQuote, string]>([
    ['another sender', coin, (quote) => ({ ...quote, sender: stranger }), 'sender'],
    ['another recipient', coin, (quote) => ({ ...quote, recipient: stranger }), 'recipient'],
    [
      'another network that pays',
      coin,
      (quote) => ({ ...quote, pays: { ...quote.pays, chainId: 10 } }),
      'paid currency',
    ],
    [
      'another asset that pays',
      coin,
      (quote) => ({ ...quote, pays: { ...quote.pays, address: usdc } }),
      'paid currency',
    ],
    [
      'other decimals',
      token,
      (quote) => ({ ...quote, pays: { ...quote.pays, decimals: 18 } }),
      'paid currency',
    ],
    [
      'another destination',
      coin,
      (quote) => ({ ...quote, receives: { ...quote.receives, chainId: 10 } }),
      'received currency',
    ],
    [
      'less that arrives',
      coin,
      (quote) => ({ ...quote, receives: { ...quote.receives, amount: 1n } }),
      'received amount',
    ],
    [
      'nothing that is paid',
      coin,
      (quote) => ({ ...quote, pays: { ...quote.pays, amount: 0n } }),
      'paid amount',
    ],
    ['no steps', coin, (quote) => ({ ...quote, steps: [] }), 'request id'],
    [
      'no request id',
      coin,
      (quote) => ({ ...quote, steps: quote.steps.map(({ requestId: _, ...each }) => each) }),
      'request id',
    ],
    [
      'two request ids',
      token,
      (quote) => ({
        ...quote,
        steps: quote.steps.map((each, at) => ({ ...each, requestId: `r${at}` })),
      }),
      'request id',
    ],
    [
      'steps without items',
      coin,
      (quote) => ({ ...quote, steps: [{ id: 'deposit', requestId, items: [] }] }),
      'steps',
    ],
    ['a signature among the steps', coin, step(0, () => ({ kind: 'unknown' })), 'kind of a step'],
    [
      'a step for Solana',
      coin,
      step(0, () => ({ kind: 'solana', instructions: [], lookupTables: [] })),
      'kind of a step',
    ],
    ['a step of another sender', coin, step(0, (item) => ({ ...item, from: stranger })), 'sender of a step'],
    ['a step on another network', coin, step(0, (item) => ({ ...item, chainId: 8453 })), 'network of a step'],
    ['a step to the wallet itself', coin, step(0, (item) => ({ ...item, to: payer })), 'target of a step'],
    [
      'a step to a contract that isn’t listed',
      coin,
      step(0, (item) => ({ ...item, to: stranger })),
      'target of a step',
    ],
    [
      'a deposit for somebody else',
      coin,
      step(0, (item) => ({
        ...item,
        data: `0x49290c1c${word(BigInt(stranger))}${requestId.slice(2)}` as const,
      })),
      'party of a step',
    ],
    [
      'a deposit of another token',
      token,
      step(1, (item) => ({
        ...item,
        data: `${item.data.slice(0, 74)}${word(BigInt(stranger))}${item.data.slice(138)}` as `0x${string}`,
      })),
      'party of a step',
    ],
    [
      'coins for the depository by no function',
      coin,
      step(0, (item) => ({ ...item, data: '0x' })),
      'function of a step',
    ],
    [
      'a transfer of the token to somebody else',
      token,
      step(1, (item) => ({ ...item, to: usdc, data: `0xa9059cbb${word(BigInt(stranger))}${word(1n)}` })),
      'recipient of a step',
    ],
    [
      'a value above what was shown',
      coin,
      step(0, (item) => ({ ...item, value: item.value + 1n })),
      'value of a step',
    ],
    ['a value beside a token', token, step(1, (item) => ({ ...item, value: 1n })), 'value of a step'],
    [
      'an allowance above the amount',
      token,
      step(0, (item) => ({ ...item, data: `0x095ea7b3${word(BigInt(depository))}${word(2n ** 256n - 1n)}` })),
      'allowance of a step',
    ],
    [
      'an allowance for somebody else',
      token,
      step(0, (item) => ({ ...item, data: `0x095ea7b3${word(BigInt(stranger))}${word(1n)}` })),
      'spender of a step',
    ],
    [
      'an allowance with more behind it',
      token,
      step(0, (item) => ({ ...item, data: `${item.data}00` })),
      'call of the token',
    ],
    [
      'an allowance of another token',
      coin,
      step(0, (item) => ({ ...item, value: 0n, data: `0x095ea7b3${word(BigInt(depository))}${word(1n)}` })),
      'function of a step',
    ],
    [
      'a transfer of another token',
      coin,
      step(0, (item) => ({ ...item, value: 0n, data: `0xa9059cbb${word(BigInt(stranger))}${word(1n)}` })),
      'function of a step',
    ],
    [
      'power over a collection',
      coin,
      step(0, (item) => ({ ...item, value: 0n, data: `0xa22cb465${word(BigInt(stranger))}${word(1n)}` })),
      'function of a step',
    ],
    [
      'a call of the token that is no allowance',
      token,
      step(0, (item) => ({ ...item, data: `0x39509351${word(BigInt(depository))}${word(1n)}` })),
      'call of the token',
    ],
    [
      'a short call of the token',
      token,
      step(0, (item) => ({ ...item, data: '0x095ea7b3' })),
      'call of the token',
    ],
    [
      'an allowance and a transfer that are more together',
      token,
      (quote) => ({
        ...quote,
        steps: [
          ...quote.steps,
          {
            id: 'deposit',
            requestId,
            items: [
              {
                kind: 'ethereum',
                chainId: 1,
                from: payer,
                to: usdc,
                value: 0n,
                data: `0xa9059cbb${word(BigInt(solver))}${word(1n)}`,
              },
            ],
          },
        ],
      }),
      'allowance of a step',
    ],
  ])('quote check: %s is refused', (_, request, change, details) => {
    let refusal: unknown
    try {
      read(request, change(quoteOf(request)))
    } catch (cause) {
      refusal = cause
    }
    expect(refusal).toMatchObject({ code: 'provider_refused', details })
  })
})

/** First steps that give something else away than the asset that pays. */
const thefts: readonly string[] = [
  ...[
    'redeem(uint256,address,address)',
    'withdraw(uint256,address,address)',
    'approveDelegation(address,uint256)',
  ],
  ...['allow(address,bool)', 'hope(address)', 'rely(address)', 'send(address,uint256,bytes)'],
  ...['transferAndCall(address,uint256,bytes)', 'transferFromAndCall(address,address,uint256,bytes)'],
  ...['setOwner(address)', 'transferOwnership(address)', 'changeController(address)', 'addMinter(address)'],
  ...['authorizeOperator(address)', 'operatorSend(address,address,uint256,bytes,bytes)', 'burn(uint256)'],
  ...['setAuthorization(address,bool)', 'approveManager(address,bool)', 'setOperator(address,bool)'],
  ...['exec(address,bytes,uint256)', 'execute(address,uint256,bytes)', 'multicall(bytes[])'],
  ...['grantRole(bytes32,address)', 'setAdmin(address)', 'upgradeTo(address)', 'trust(address)'],
  ...[
    'delegate(address)',
    'borrow(address,uint256,uint256,uint16,address)',
    'withdraw(address,uint256,address)',
  ],
  ...[
    'withdrawTo(address,address,uint256)',
    'exit(address,address,uint256)',
    'setApprovalForAll(address,bool)',
  ],
  ...['increaseAllowance(address,uint256)', 'approve(address,address,uint160,uint48)'],
  ...['safeTransferFrom(address,address,uint256)', 'addOwnerWithThreshold(address,uint256)'],
]
const thief = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** A call of a function with the thief in the place of each address. */
function theftBy(signature: string): `0x${string}` {
  const { inputs } = parseAbiItem(`function ${signature}`) as AbiFunction
  const values = inputs.map(({ type }) =>
    type === 'address'
      ? thief
      : type === 'bool'
        ? true
        : type.endsWith('[]')
          ? []
          : type === 'bytes32'
            ? `0x${'00'.repeat(32)}`
            : type === 'bytes'
              ? '0x'
              : 1n,
  )
  const args = values.map((value, at) =>
    inputs[at]?.type === 'uint48' || inputs[at]?.type === 'uint16' ? 1 : value,
  )
  return `${toFunctionSelector(`function ${signature}`)}${encodeAbiParameters(inputs, args).slice(2)}` as `0x${string}`
}

describe('a bridge that lies about its steps', () => {
  const held = '0x1111111111111111111111111111111111111111'

  test.each(thefts)(
    'bridge: a first step %s is refused at every contract, and nothing is sent',
    async (signature) => {
      const data = theftBy(signature)
      for (const to of [held, depository, usdcOn('eip155:1') ?? '']) {
        const page = open({ chains: onEthereum(ether('1'), 400_000_000n), target: usdcTarget })
        page.bridge.changeQuotes((quote) => {
          const item = { kind: 'ethereum', chainId: 1, from: payer, to, value: 0n, data } as const
          return { ...quote, steps: [{ id: 'approve', requestId, items: [item] }, ...quote.steps] }
        })
        const { error } = await page.run([...choose('25'), { on: 'transfer-wallet', close: true }])
        expect(error?.code).toBe('exited_funding_flow')
        expect(page.told.map(({ code }) => code)).toContain('provider_refused')
        expect(page.sent).toEqual([])
      }
    },
  )

  test('bridge: as many first steps are tried as reports name', () => expect(thefts).toHaveLength(36))

  test.each<[string, FakeChain['trial']]>([
    ['takes more of what pays', () => [moved(`0x${'ee'.repeat(20)}`, payer, thief, 1n)]],
    ['takes another token', () => [moved(held, payer, thief, 1n)]],
    [
      'leaves an allowance of another token',
      () => [
        {
          address: held,
          topics: [
            '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
            `0x${payer.slice(2).toLowerCase().padStart(64, '0')}`,
            `0x${thief.slice(2).toLowerCase().padStart(64, '0')}`,
          ],
          data: `0x${'f'.repeat(64)}`,
        },
      ],
    ],
  ])(
    'bridge: a listed deposit that %s in its trial run is refused, and nothing is sent',
    async (_, trial) => {
      const chains = onEthereum()
      chains[1].trial = trial
      const page = open({ chains })
      await page.run([
        ...choose(),
        confirm,
        {
          on: 'transfer-wallet',
          expect: ({ error }) =>
            expect(error).toBe("The bridge offered something else than you asked for, so it wasn't used."),
          close: true,
        },
      ])
      expect(page.sent).toEqual([])
    },
  )

  test('bridge: on a network that can’t try it out nothing is sent, and the user reads why', async () => {
    const chains = onEthereum()
    chains[1].trial = undefined
    const page = open({ chains })
    await page.run([
      ...choose(),
      confirm,
      {
        on: 'transfer-wallet',
        expect: ({ error }) =>
          expect(error).toBe(
            "Ethereum can't try out beforehand what the bridge would do, so it wasn't used. Nothing was sent.",
          ),
        close: true,
      },
    ])
    expect(page.sent).toEqual([])
  })
})

describe('how a bridge ends', () => {
  test('bridge: a refund is told with its amount and hash, and leads back to the methods', async () => {
    const page = open()
    page.bridge.say('pending', 'refund')
    const { error } = await page.run([
      ...choose(),
      confirm,
      {
        on: 'transfer-failed',
        expect: (props) =>
          expect(props).toMatchObject({
            title: 'Transfer from Ethereum came back: 0.0201 ETH',
            hash: hashOf(0xa1),
          }),
        answer: 'continue',
      },
      { on: 'funding-method', close: true },
    ])
    expect(error?.code).toBe('exited_funding_flow')
    expect(page.told[0]).toMatchObject({
      code: 'transaction_failure',
      data: { status: 'refunded', requestId },
    })
    expect(page.storage.get('payments')).toBeUndefined()
  })

  test('bridge: a failure is told with the number of the request', async () => {
    const page = open()
    page.bridge.say('failure')
    await page.run([
      ...choose(),
      confirm,
      { on: 'transfer-failed', expect: (props) => expect(props).toMatchObject({ requestId }), close: true },
    ])
    expect(page.told[0]).toMatchObject({ data: { status: 'failed' } })
  })

  test('bridge: a deposit that its network fails is no bridge', async () => {
    const page = open()
    page.network(hashOf(1), { status: 'failed' })
    await page.run([...choose(), confirm, { on: 'transfer-failed', close: true }])
    expect(page.told[0]).toMatchObject({ code: 'transaction_failure', data: { transactionHash: hashOf(1) } })
  })

  test('bridge: one that is stuck is late after a minute, may be left, and is found again by its request', async () => {
    const page = open()
    page.bridge.say('pending')
    const work = page.start()
    await page.person.follow([...choose(), confirm, { on: awaiting }])
    expect(page.person.scene?.props).toMatchObject({ state: 'bridging' })
    await page.clock.advance(59_999)
    expect(page.person.scene?.props).not.toMatchObject({ isLate: true })
    await page.clock.advance(1)
    expect(page.person.scene?.props).toMatchObject({ state: 'bridging', isLate: true })
    page.person.close()
    await page.clock.advance(1_000)
    expect((await work).value).toMatchObject({ status: 'submitted', received: ether('0.02') })

    const later = open({ storage: page.storage, clock: page.clock, entries: page.entries })
    const { value } = await later.run([{ wait: 9_000 + 1_400 }])
    expect(value).toMatchObject({ status: 'completed', transactionHash: hashOf(0xa1) })
    expect(later.sent).toEqual([])
    expect(later.bridge.asked).toEqual([])
  })

  test('bridge: questions that are lost are asked again every two seconds', async () => {
    const page = open()
    page.bridge.say('lost', 'lost', 'success')
    const work = page.start()
    await page.person.follow([...choose(), confirm])
    await page.clock.advance(3_999)
    expect(page.person.scene?.props).toMatchObject({ state: 'bridging' })
    await page.clock.advance(1 + 9_000 + 1_400)
    expect((await work).value?.status).toBe('completed')
  })

  test('bridge: a tab that was closed while the wallet asked finds the deposit at the bridge', async () => {
    const page = open()
    page.wallet(() => new Promise(() => {}))
    await page.run([...choose(), confirm, { on: awaiting, close: true }])
    const later = open({ storage: page.storage, clock: page.clock })
    later.bridge.say('pending', 'success')
    const { value } = await later.run([{ wait: 2_000 + 9_000 + 1_400 }])
    expect(value).toMatchObject({ status: 'completed' })
    expect(later.sent).toEqual([])
  })

  test('bridge: a deposit that neither bridge nor network has is asked about', async () => {
    const page = open()
    page.wallet(() => new Promise(() => {}))
    await page.run([...choose(), confirm, { on: awaiting, close: true }])
    const later = open({ storage: page.storage, clock: page.clock })
    later.bridge.say('waiting')
    await later.run([
      { on: 'transfer-check', expect: ({ amount }) => expect(amount).toBe('0.0201 ETH'), answer: 'another' },
      { on: 'transfer-wallet', close: true },
    ])
    expect(later.storage.get('payments')).toBeUndefined()
  })
})

test('bridge: without it a wallet that has its money elsewhere is short', async () => {
  const page = open({ hasBridge: false, target: baseTarget })
  await page.run([
    ...choose(),
    {
      on: 'transfer-wallet',
      expect: ({ error }) => expect(error).toBe("MetaMask doesn't have enough ETH on Base."),
      close: true,
    },
  ])
  expect(page.bridge.asked).toEqual([])
})
