/** What the vault's frame may approve without its window: counted by the server, whoever asks. */
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AppSettings, readApps } from '../../../demo/backend/settings/app.ts'
import { solanaKey, Vault } from '../support/embedded-world.ts'
import { openApp, site, startWorld, stores, type World } from '../support/world.ts'

const token = `0x${'Ab'.repeat(20)}`
const spendingApp: AppSettings = {
  id: 'latchkey-test-spending-01',
  name: 'Pocket Money',
  allowedDomains: [site],
  frameSpending: [
    { chain: 'eip155:1', decimals: 18, perTransaction: '0.1', perDay: '0.25' },
    { chain: 'eip155:1', asset: token, decimals: 6, perTransaction: '10', perDay: '15' },
    { chain: 'solana:mainnet', perTransaction: '1000', perDay: '1500' },
  ],
}
/** Shorter than the life of a login, which a test does not renew. */
const span = 30 * 60_000
const milli = 10n ** 15n

describe.each(stores)('frame spending on $name', (store) => {
  let world: World
  beforeAll(async () => {
    world = await startWorld(store, {
      limits: { frameSpendingSpan: span },
      moreApps: [spendingApp, { ...spendingApp, id: 'latchkey-test-spending-02', vault: 'compatible' }],
    })
  })
  afterAll(() => world?.stop())

  const someTransaction = () => createHash('sha256').update(randomUUID()).digest('hex')
  async function withWallet(appId = spendingApp.id) {
    const vault = await Vault.open(world, { appId })
    const { key } = await vault.create()
    const ask = async (more: object = {}) => {
      const { status, body } = await vault.post('embedded_wallets/spending', {
        address: key.address,
        chain: 'eip155:1',
        amount: String(50n * milli),
        fee: String(10n * milli),
        transaction: someTransaction(),
        reserve: true,
        ...more,
      })
      return status === 200 ? body.allowed : status
    }
    return { vault, key, ask }
  }

  test('frame spending: transfers are allowed up to the limit of a time, with their fees', async () => {
    const { ask } = await withWallet()
    const of = (amount: bigint) => ({ amount: String(amount), fee: '0' })
    expect(await ask(of(100n * milli))).toBe(true)
    expect(await ask(of(100n * milli))).toBe(true)
    expect(await ask({ amount: String(41n * milli), fee: String(10n * milli) })).toBe(false)
    expect(await ask({ amount: String(40n * milli), fee: String(10n * milli) })).toBe(true)
    expect(await ask(of(1n))).toBe(false)
    world.clock.pass(span + 1)
    expect(await ask(of(1n))).toBe(true)
  })

  test.each([
    ['an amount above the limit of a transaction', { amount: String(100n * milli + 1n), fee: '0' }],
    ['a fee that brings it above the limit', { amount: String(100n * milli), fee: '1' }],
    ['a fee alone above the limit', { amount: '0', fee: String(101n * milli) }],
    ['another chain', { chain: 'eip155:10' }],
    ['another asset', { asset: `0x${'cd'.repeat(20)}`, amount: '1' }],
    ['more of a token than its limit', { asset: token, amount: '10000001' }],
    [
      'a token whose fee is above the limit of coins',
      { asset: token, amount: '1', fee: String(101n * milli) },
    ],
  ])('frame spending: %s is not allowed', async (_, more) => {
    const { ask } = await withWallet()
    expect(await ask(more)).toBe(false)
  })

  test('frame spending: tokens count apart, however their address is written', async () => {
    const { ask } = await withWallet()
    expect(await ask({ asset: token, amount: '10000000', fee: '0' })).toBe(true)
    expect(await ask({ asset: token.toLowerCase(), amount: '5000001', fee: '0' })).toBe(false)
    expect(await ask({ asset: token.toLowerCase(), amount: '5000000', fee: '0' })).toBe(true)
    expect(await ask({ amount: String(100n * milli), fee: '0' })).toBe(true)
  })

  test('frame spending: looking at it first counts nothing, and the same transaction counts once', async () => {
    const { ask } = await withWallet()
    const same = { amount: String(100n * milli), fee: '0', transaction: someTransaction() }
    for (let i = 0; i < 5; i++) expect(await ask({ ...same, reserve: false })).toBe(true)
    for (let i = 0; i < 5; i++) expect(await ask(same)).toBe(true)
    expect(await ask({ amount: String(100n * milli), fee: '0' })).toBe(true)
    expect(await ask({ amount: String(100n * milli), fee: '0' })).toBe(false)
  })

  test('frame spending: of many transfers at once no more are allowed than fit', async () => {
    const { ask } = await withWallet()
    const all = await Promise.all(
      Array.from({ length: 8 }, () => ask({ amount: String(90n * milli), fee: '0' })),
    )
    expect(all.filter((allowed) => allowed === true)).toHaveLength(2)
  })

  test('frame spending: a wallet of Solana counts by its own chain', async () => {
    const { vault, ask } = await withWallet()
    const root = await vault.create(solanaKey(), { secret: 'key' })
    const of = { chain: 'solana:mainnet', fee: '5' }
    expect(await ask({ ...of, amount: '900' })).toBe(404)
    expect(await ask({ ...of, amount: '900', address: root.key.address })).toBe(true)
    expect(await ask({ ...of, amount: '900', address: root.key.address })).toBe(false)
  })

  test('frame spending: another user has a day of their own, and no say over other wallets', async () => {
    const [ada, bob] = [await withWallet(), await withWallet()]
    expect(await ada.ask()).toBe(true)
    expect(await bob.ask({ address: ada.key.address })).toBe(404)
    expect(await bob.ask()).toBe(true)
  })

  test('frame spending: a key that is not enrolled, and a page, get no answer', async () => {
    const { vault, key } = await withWallet()
    const body = {
      address: key.address,
      chain: 'eip155:1',
      amount: '1',
      fee: '1',
      transaction: someTransaction(),
      reserve: true,
    }
    expect((await vault.elsewhere().post('embedded_wallets/spending', body)).status).toBe(403)
    expect((await vault.page().post('embedded_wallets/spending', body)).status).toBeGreaterThanOrEqual(400)
  })

  test.each([openApp, 'latchkey-test-spending-02'])(
    'frame spending: nothing is allowed in an app that does not say so (%s)',
    async (appId) => {
      const { ask } = await withWallet(appId)
      expect(await ask({ amount: '1', fee: '0' })).toBe(false)
    },
  )

  test.each([
    { amount: '-1' },
    { amount: '1.5' },
    { amount: '0x1' },
    { amount: '' },
    { fee: '9'.repeat(79) },
    { chain: 'eip155:0' },
    { chain: 'solana:devnet' },
    { asset: '0x12' },
    { transaction: 'abc' },
    { reserve: 'yes' },
  ])('frame spending: %o is no transfer', async (more) => {
    const { ask } = await withWallet()
    expect(await ask(more)).toBe(400)
  })
})

describe('the setting delegates', () => {
  const contract = { address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B', name: 'Simple7702Account' }
  const read = (delegates: unknown) => readApps([{ ...spendingApp, delegates } as never]).all[0]?.delegates

  test('setting: delegates is Simple7702Account where an app says nothing, and what the app says otherwise', () => {
    expect(read(undefined)).toEqual([{ ...contract, executesBatches: true }])
    expect(read([])).toEqual([])
    expect(read([{ ...contract, address: contract.address.toLowerCase(), chain: 'eip155:10' }])).toEqual([
      { ...contract, chainId: 10, executesBatches: false },
    ])
  })

  test.each([
    { chain: 'eip155:0' },
    { chain: 'solana:mainnet' },
    { address: '0x12' },
    { address: contract.address.replace('Cae', 'cae') },
    { address: `0x${'0'.repeat(40)}` },
    { name: '' },
    { more: true },
  ])('setting: delegates refuses %o', (more) =>
    expect(() => read([{ ...contract, ...more }])).toThrow(/delegates/),
  )
})

describe('the setting frameSpending', () => {
  const limits = { chain: 'eip155:1', perTransaction: '1', perDay: '2' }
  const read = (more: object) => readApps([{ ...spendingApp, frameSpending: [{ ...limits, ...more }] }])
  test.each([{}, { decimals: 18, perTransaction: '0.5' }, { asset: token }, { chain: 'solana:mainnet' }])(
    'setting: frameSpending takes %o',
    (more) => expect(() => read(more)).not.toThrow(),
  )
  test.each([
    { chain: 'ethereum' },
    { chain: 'solana:devnet' },
    { perTransaction: '0.5' },
    { perTransaction: '-1' },
    { perDay: '' },
    { decimals: 2, perDay: '0.123' },
    { asset: 'USDC' },
    { chain: 'solana:mainnet', asset: token },
    { decimals: 37 },
    { perWeek: '1' },
  ])('setting: frameSpending refuses %o', (more) => expect(() => read(more)).toThrow(/frameSpending/))
})
