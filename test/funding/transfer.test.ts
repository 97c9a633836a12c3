/** Transfer from another wallet on the network itself: what the wallet is asked, how it ends, and that no payment is made twice. */
import { describe, expect, test } from 'vitest'
import { KitError } from '../../src/errors/kit-error.ts'
import { createPaymentStore, type Payment } from '../../src/funding/transfer/payments.ts'
import { memoryStorage } from '../../src/lib/storage.ts'
import { ProviderRpcError } from '../../src/wallets/external/provider-error.ts'
import {
  choose,
  ether,
  fakeAccount,
  fakeChain,
  hashOf,
  openPage,
  owned,
  payer,
  usdcTarget,
} from './support.ts'

const rejected = () => Promise.reject(new ProviderRpcError(4001, 'User rejected the request'))
const lost = () => Promise.reject(new KitError('wallet_timeout', 'The wallet did not answer'))
const awaiting = 'awaiting-ethereum-transfer'

describe('on the same network', () => {
  test('transfer: ether is confirmed by the receipt of its own transaction', async () => {
    const page = openPage()
    const { value } = await page.run([...choose(), { wait: 1_400 }])
    expect(page.sent).toEqual([{ chainId: 8453, from: payer, to: owned, value: ether('0.02'), data: '0x' }])
    expect(value).toEqual({
      method: 'wallet',
      status: 'confirmed',
      received: ether('0.02'),
      transactionHash: hashOf(1),
    })
    expect(page.entries.get()).toMatchObject([
      { chain: 'eip155:8453', hash: hashOf(1), wallet: payer, to: owned, title: 'transfer' },
    ])
    expect(page.storage.get('payments')).toBeUndefined()
  })

  test('transfer: success closes by itself after 1.4 seconds', async () => {
    const page = openPage()
    const work = page.start()
    await page.person.follow(choose())
    await page.clock.advance(1_399)
    expect(page.person.scene).toMatchObject({ screen: { id: awaiting }, props: { state: 'done' } })
    await page.clock.advance(1)
    expect((await work).value?.status).toBe('confirmed')
  })

  test('transfer: USDC is sent by its contract', async () => {
    const page = openPage({ target: usdcTarget })
    const { value } = await page.run([...choose('25'), { wait: 1_400 }])
    expect(page.sent).toMatchObject([{ to: usdcTarget.token, value: 0n }])
    expect(page.sent[0]?.data).toBe(
      `0xa9059cbb${owned.slice(2).toLowerCase().padStart(64, '0')}${(25_000_000).toString(16).padStart(64, '0')}`,
    )
    expect(value?.received).toBe(25_000_000n)
  })

  test('transfer: a wallet on another network is switched first', async () => {
    const elsewhere = fakeAccount({ chainId: 1 })
    const page = openPage({ accounts: [elsewhere] })
    const { value } = await page.run([...choose(), { wait: 1_400 }])
    expect(elsewhere.switched).toEqual([8453])
    expect(value?.status).toBe('confirmed')
  })

  test('transfer: a wallet that can not switch is asked where it is on the network already', async () => {
    const [there, elsewhere] = [fakeAccount(), fakeAccount({ chainId: 1 })]
    for (const each of [there, elsewhere]) each.refuse(new ProviderRpcError(4200, 'Unsupported method'))
    const page = openPage({ accounts: [there] })
    expect((await page.run([...choose(), { wait: 1_400 }])).value?.status).toBe('confirmed')
    const other = openPage({ accounts: [elsewhere] })
    await other.run([...choose(), { on: 'transfer-wallet', close: true }])
    expect(other.sent).toEqual([])
  })

  test('transfer: a wallet that stays on another network is asked for nothing', async () => {
    const page = openPage({ accounts: [fakeAccount({ chainId: 1, stays: true })] })
    await page.run([
      ...choose(),
      {
        on: 'transfer-wallet',
        expect: ({ error }) => expect(error).toBe("MetaMask didn't switch to Base, so nothing was sent."),
        close: true,
      },
    ])
    expect(page.sent).toEqual([])
    expect(page.storage.get('payments')).toBeUndefined()
  })

  test('transfer: a user who refuses to switch reads that they declined', async () => {
    const account = fakeAccount({ chainId: 1 })
    account.refuse(new ProviderRpcError(4001, 'User rejected the request'))
    const page = openPage({ accounts: [account] })
    await page.run([
      ...choose(),
      {
        on: 'transfer-wallet',
        expect: ({ error }) => expect(error).toBe('You declined it in MetaMask.'),
        close: true,
      },
    ])
    expect(page.told.map(({ code, message }) => [code, message])).toEqual([
      ['wallet_rejected', 'Transaction was rejected by the user'],
    ])
  })

  test('transfer: the wallet with the highest balance comes first, and is marked', async () => {
    const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    const base = fakeChain(8453)
    const balances: Record<string, bigint> = { [payer]: ether('0.1'), [other]: ether('3') }
    const { ask } = base.node
    Object.assign(base.node, {
      ask: async (method: string, params: readonly unknown[] = []) =>
        method === 'eth_getBalance'
          ? `0x${(balances[String(params[0])] ?? 0n).toString(16)}`
          : ask(method, params),
    })
    const page = openPage({
      chains: { 8453: base },
      accounts: [fakeAccount(), fakeAccount({ name: 'Rainbow', address: other })],
    })
    await page.run([
      {
        on: 'transfer-wallet',
        expect: ({ connected }) =>
          expect(connected).toMatchObject([
            { address: other, isHighest: true, holding: { amount: ether('3'), network: 'Base' } },
            { address: payer, holding: { amount: ether('0.1') } },
          ]),
        close: true,
      },
    ])
  })

  test('transfer: the wallet that is paid is not among those that pay', async () => {
    const page = openPage({ accounts: [fakeAccount({ address: owned })] })
    await page.run([
      { on: 'transfer-wallet', expect: ({ connected }) => expect(connected).toEqual([]), close: true },
    ])
  })

  test.each<[string, Parameters<typeof openPage>[0], string]>([
    [
      'too little',
      { chains: { 8453: fakeChain(8453, ether('0.01')) } },
      "MetaMask doesn't have enough ETH on Base.",
    ],
    [
      'too little for the network fee',
      { chains: { 8453: fakeChain(8453, ether('0.02') + 1n) } },
      'MetaMask needs more ETH on Base for the network fee.',
    ],
    [
      'USDC, and no ether for the network fee',
      { target: usdcTarget, chains: { 8453: fakeChain(8453, 0n, 50_000_000n) } },
      'MetaMask needs more ETH on Base for the network fee.',
    ],
  ])('transfer: a wallet with %s is asked for nothing', async (_, options, words) => {
    const page = openPage(options)
    await page.run([
      ...choose(options?.target ? '25' : '0.02'),
      { on: 'transfer-wallet', expect: ({ error }) => expect(error).toBe(words), close: true },
    ])
    expect(page.sent).toEqual([])
    expect(page.told.map(({ code }) => code)).toEqual(['insufficient_funds'])
  })

  test('transfer: a network that does not answer is said to be unreachable', async () => {
    const base = fakeChain(8453, ether('1'))
    const page = openPage({ chains: { 8453: base } })
    await page.run([
      ['transfer-wallet', { connected: `metamask injected ethereum ${payer}` }],
      {
        on: 'funding-amount',
        expect: () => {
          base.estimate = () => {
            throw new TypeError('Failed to fetch')
          }
        },
        answer: { amount: '0.02' },
      },
      {
        on: 'transfer-wallet',
        expect: ({ error }) => expect(error).toBe("Base can't be reached at the moment. Please try again."),
        close: true,
      },
    ])
    expect(page.sent).toEqual([])
  })

  test('transfer: going back from the amount leads to the wallets, and from there to the methods', async () => {
    const page = openPage()
    await page.run([
      ['transfer-wallet', { connected: `metamask injected ethereum ${payer}` }],
      ['funding-amount', 'back'],
      ['transfer-wallet', 'back'],
      { on: 'funding-method', close: true },
    ])
    expect(page.sent).toEqual([])
  })

  test('transfer: a transaction that the network fails brings nothing, and is told', async () => {
    const page = openPage()
    page.network(hashOf(1), { status: 'failed' })
    const { error } = await page.run([
      ...choose(),
      {
        on: 'transfer-failed',
        expect: (props) => expect(props).toMatchObject({ hash: hashOf(1), title: 'Transaction failure' }),
        answer: 'continue',
      },
      {
        on: 'funding-method',
        expect: ({ error }) =>
          expect(error).toBe("The transfer failed on Base. It didn't reach your wallet."),
        close: true,
      },
    ])
    expect(error?.code).toBe('exited_funding_flow')
    expect(page.told[0]).toMatchObject({ code: 'transaction_failure', data: { transactionHash: hashOf(1) } })
    expect(page.storage.get('payments')).toBeUndefined()
  })

  test('transfer: closing the failure rejects with it', async () => {
    const page = openPage()
    page.network(hashOf(1), { status: 'failed' })
    const { error } = await page.run([...choose(), { on: 'transfer-failed', close: true }])
    expect(error?.code).toBe('transaction_failure')
  })

  test('transfer: the same payment with a higher fee is followed under its new hash', async () => {
    const base = fakeChain(8453, ether('1'))
    const page = openPage({ chains: { 8453: base } })
    page.network(hashOf(1), { status: 'replaced', replacedBy: hashOf(9) })
    base.mined.push({
      hash: hashOf(9),
      from: payer,
      nonce: 0n,
      to: owned,
      value: ether('0.02'),
      input: '0x',
      block: 101n,
    })
    const { value } = await page.run([...choose(), { wait: 1_400 }])
    expect(value).toMatchObject({ status: 'confirmed', transactionHash: hashOf(9) })
  })

  test('transfer: another transaction in its place means that nothing has come', async () => {
    const page = openPage()
    page.network(hashOf(1), { status: 'replaced', replacedBy: hashOf(9) })
    await page.run([...choose(), { on: 'transfer-failed', close: true }])
    expect(page.told[0]).toMatchObject({ code: 'transaction_failure' })
  })

  test('transfer: after three minutes the user reads that it takes longer', async () => {
    const page = openPage()
    page.network(hashOf(1), 'open')
    const work = page.start()
    await page.person.follow(choose())
    expect(page.person.scene?.props).toMatchObject({ state: 'confirming', hash: hashOf(1) })
    await page.clock.advance(10 * 60_000)
    expect(page.person.scene?.props).toMatchObject({ state: 'confirming', isLate: true })
    page.person.close()
    await page.clock.advance(1_000)
    expect((await work).value).toMatchObject({ status: 'submitted', transactionHash: hashOf(1) })
  })
})

describe('no payment is made twice', () => {
  test('transfer: leaving after the wallet has sent is submitted, and the next time it is followed', async () => {
    const page = openPage()
    page.network(hashOf(1), 'open')
    const first = await page.run([...choose(), { on: awaiting, close: true }])
    expect(first.value).toMatchObject({ status: 'submitted', transactionHash: hashOf(1) })

    const later = openPage({ storage: page.storage, clock: page.clock, entries: page.entries })
    const { value } = await later.run([{ wait: 1_400 }])
    expect(value).toMatchObject({ status: 'confirmed', transactionHash: hashOf(1) })
    expect(later.sent).toEqual([])
  })

  test('transfer: a payment is found by its hash where the activity is gone', async () => {
    const page = openPage()
    page.network(hashOf(1), 'open')
    await page.run([...choose(), [awaiting, 'close']])
    const later = openPage({ storage: page.storage, clock: page.clock })
    const { value } = await later.run([{ wait: 1_400 }])
    expect(value).toMatchObject({ status: 'confirmed', transactionHash: hashOf(1) })
    expect(later.entries.get()).toMatchObject([{ hash: hashOf(1) }])
  })

  test('transfer: a wallet that sends after the dialog was closed is followed the next time', async () => {
    const page = openPage()
    let send = (_: { hash: string }) => {}
    page.wallet(
      () =>
        new Promise((resolve) => {
          send = resolve
        }),
    )
    const { error } = await page.run([...choose(), { on: awaiting, close: true }])
    expect(error?.code).toBe('exited_funding_flow')
    send({ hash: hashOf(1) })
    await page.clock.advance(0)
    const later = openPage({ storage: page.storage, clock: page.clock, entries: page.entries })
    expect((await later.run([{ wait: 1_400 }])).value?.transactionHash).toBe(hashOf(1))
    expect(later.sent).toEqual([])
  })

  test('transfer: a tab that was closed while the wallet asked finds the transaction by its nonce', async () => {
    const base = fakeChain(8453, ether('1'))
    const page = openPage({ chains: { 8453: base } })
    page.wallet(() => new Promise(() => {}))
    await page.run([...choose(), { on: awaiting, close: true }])
    base.mined.push(
      { hash: hashOf(7), from: payer, nonce: 0n, to: payer, value: 1n, input: '0x', block: 140n },
      {
        hash: hashOf(8),
        from: payer,
        nonce: 1n,
        to: owned,
        value: ether('0.02'),
        input: '0x',
        block: 180n,
      },
    )
    base.block = 200n
    const later = openPage({ storage: page.storage, clock: page.clock, chains: { 8453: base } })
    const { value } = await later.run([{ wait: 1_400 }])
    expect(value).toMatchObject({ status: 'confirmed', transactionHash: hashOf(8) })
    expect(later.sent).toEqual([])
  })

  test('transfer: a wallet that gave no answer is asked again only by a user who has looked there', async () => {
    const base = fakeChain(8453, ether('1'))
    const page = openPage({ chains: { 8453: base } })
    page.wallet(lost)
    const { value } = await page.run([
      ...choose(),
      {
        on: 'transfer-check',
        expect: (props) =>
          expect(props).toEqual({
            wallet: 'MetaMask',
            amount: '0.02 ETH',
            network: 'Base',
            isPending: false,
          }),
      },
      {
        on: 'transfer-check',
        expect: () => {
          base.waiting = 1n
        },
        answer: 'again',
      },
      {
        on: 'transfer-check',
        expect: ({ isPending }) => {
          expect(isPending).toBe(true)
          base.waiting = 0n
          page.wallet(async () => ({ hash: hashOf(2) }))
        },
        answer: 'another',
      },
      ...choose(),
      { wait: 1_400 },
    ])
    expect(value?.transactionHash).toBe(hashOf(2))
    expect(page.sent).toHaveLength(2)
  })

  test('transfer: a wallet that has declined has sent nothing, and may be asked at once', async () => {
    const page = openPage()
    page.wallet(rejected)
    const { value } = await page.run([
      ...choose(),
      {
        on: 'transfer-wallet',
        expect: ({ error }) => {
          expect(error).toBe('You declined it in MetaMask.')
          page.wallet(async () => ({ hash: hashOf(2) }))
        },
      },
      ...choose(),
      { wait: 1_400 },
    ])
    expect(value?.transactionHash).toBe(hashOf(2))
  })

  test('transfer: what another tab has started meanwhile is followed, and the wallet is not asked', async () => {
    const storage = memoryStorage()
    const one = openPage({ storage })
    const other = openPage({ storage, clock: one.clock })
    other.network(hashOf(1), 'open')
    const slow = one.start()
    await one.person.follow([['transfer-wallet', { connected: `metamask injected ethereum ${payer}` }]])
    const quick = other.start()
    await other.person.follow(choose())
    await one.person.follow([['funding-amount', { amount: '0.02' }]])
    expect(one.sent).toEqual([])
    expect(one.person.scene).toMatchObject({ props: { state: 'done' } })
    await one.clock.advance(1_400)
    expect((await slow).value?.transactionHash).toBe(hashOf(1))
    other.person.close()
    await other.clock.advance(1_000)
    expect((await quick).value?.status).toBe('submitted')
  })

  test('transfer: payments for other wallets and assets are left alone', async () => {
    const page = openPage()
    page.network(hashOf(1), 'open')
    await page.run([...choose(), { on: awaiting, close: true }])
    const later = openPage({ storage: page.storage, clock: page.clock, target: usdcTarget })
    await later.run([{ on: 'transfer-wallet', close: true }])
    expect(later.sent).toEqual([])
  })
})

describe('stored payments', () => {
  const payment: Payment = {
    id: 'p1',
    address: owned,
    chain: 'eip155:8453',
    receives: { symbol: 'ETH', decimals: 18, amount: '1' },
    wallet: { id: 'metamask', name: 'MetaMask', address: payer, chainType: 'ethereum' },
    from: 'eip155:8453',
    network: 'Base',
    pays: { symbol: 'ETH', decimals: 18, amount: '1' },
    startedAt: 1_000,
    state: 'sent',
    hash: hashOf(1),
  }
  const open = (stored: string | undefined, now = 2_000) => {
    const storage = memoryStorage()
    if (stored !== undefined) storage.set('k', stored)
    return createPaymentStore(storage, { key: 'k', now: () => now })
  }

  test.each([
    ['nothing', undefined],
    ['no JSON', '{'],
    ['no list', '{}'],
    ['a list of something else', '[1,null,{"id":"p1"}]'],
    ['a hash with a path', JSON.stringify([{ ...payment, hash: '../x' }])],
    ['an amount that is none', JSON.stringify([{ ...payment, pays: { ...payment.pays, amount: '-1' } }])],
  ])('payments: %s is none', (_, stored) => {
    expect(open(stored).find(payment)).toBeUndefined()
  })

  test('payments: one is found for its wallet, network and asset, for 30 days', () => {
    const stored = JSON.stringify([payment])
    expect(open(stored).find(payment)).toEqual(payment)
    expect(open(stored).find({ ...payment, token: '0x1' })).toBeUndefined()
    expect(open(stored, 30 * 24 * 60 * 60_000 + 1_000).find(payment)).toBeUndefined()
  })

  test('payments: at most 20 are stored, the newest first', () => {
    const store = open(undefined)
    for (let at = 0; at < 25; at++) store.save({ ...payment, id: `p${at}`, address: `a${at}` })
    expect(store.find({ ...payment, address: 'a4' })).toBeUndefined()
    expect(store.find({ ...payment, address: 'a5' })?.id).toBe('p5')
  })
})
