/** What nodes that forget, lag, lie and fork can give back of a permission's limits. */
import { eq } from 'drizzle-orm'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { grants, grantUses } from '../../../demo/backend/grants/tables.ts'
import type { AppSettings } from '../../../demo/backend/settings/app.ts'
import { limit } from '../../support/limit.ts'
import { type Random, seeded } from '../../support/random.ts'
import { soaking } from '../../support/soak.ts'
import { type FickleChain, type Mood, startFickleChain } from '../support/fickle-chain.ts'
import {
  createActing,
  Grantor,
  type PermissionSettings,
  SignerKey,
  verdictOf,
} from '../support/grants-world.ts'
import { days, minutes, seconds, site, startWorld, stores, type World } from '../support/world.ts'

const signer = new SignerKey()
const to = privateKeyToAccount(generatePrivateKey()).address
const appId = 'latchkey-test-fickle-0001'
const ether = 10n ** 18n
const total = (22n * ether) / 10n
const permission: PermissionSettings = {
  id: 'daily',
  signer: { name: 'Harbor', publicKey: signer.pem },
  purpose: 'Pays for your mooring each day',
  allow: [{ chain: 'eip155:1', transfer: 'native', to: [to] }],
  limits: [
    {
      chain: 'eip155:1',
      asset: 'native',
      symbol: 'ETH',
      decimals: 18,
      perTransaction: '1.01',
      perWindow: '2.2',
      windowSeconds: 600,
      total: '2.2',
    },
  ],
  days: 90,
  simulate: 'off',
}
const app: AppSettings = {
  id: appId,
  name: 'Harbor',
  allowedDomains: [site],
  permissions: [permission],
  accessTokenLife: 86_400,
}
const one = { to, value: String(ether) }
/** Each takes seconds on a busy machine: a short run has some of them. */
const attacks = Number(process.env.ATTACKS ?? (soaking ? 200 : 12))

describe.each(stores)('a permission’s limits on $name', (store) => {
  let world: World
  let chain: FickleChain
  let acting: ReturnType<typeof createActing>
  beforeAll(async () => {
    chain = await startFickleChain()
    world = await startWorld(store, {
      moreApps: [app],
      outside: { chainRpcUrls: { 1: chain.nodes.map(({ url }) => url) }, solanaRpcUrls: {} },
      limits: {
        grantCallsPerMinute: 5_000,
        grantSettleEvery: 20,
        previewNodeTime: limit(20_000),
        blockAnswerLife: 0,
      },
    })
    acting = createActing(world, appId, signer)
  })
  afterAll(async () => {
    await world?.stop()
    chain?.stop()
  })
  afterEach(() => {
    chain.honest()
    chain.pool.clear()
  })

  const usesOf = (id: string) =>
    world.backend.database.select().from(grantUses).where(eq(grantUses.grantId, id))
  const statusesOf = async (id: string) =>
    (await usesOf(id)).sort((a, b) => Number(a.nonce) - Number(b.nonce)).map(({ status }) => status)
  const spentOf = async (id: string) => BigInt((await acting.status(id)).body.spent[0].total)

  /** Waits until each open use was looked after, and the server is done with that: it comes back to one when it is. */
  async function lookedAfter(id: string) {
    for (let turn = 0; turn < 2; turn++) {
      world.clock.pass(days(1) + minutes(1))
      await vi.waitFor(
        async () => {
          const late = (await usesOf(id)).filter(
            ({ status, checkedAt }) =>
              ['reserved', 'sent', 'unknown', 'refused'].includes(status) && checkedAt < world.clock.now,
          )
          expect(late).toEqual([])
        },
        { timeout: limit(20_000) },
      )
    }
  }
  const becomes = (id: string, statuses: string[]) =>
    vi.waitFor(async () => expect(await statusesOf(id)).toEqual(statuses), { timeout: limit(20_000) })

  async function granted() {
    const grantor = await Grantor.open(world, appId)
    const id = await grantor.granted()
    const hex = Buffer.from(grantor.key.secret).toString('hex')
    const user = privateKeyToAccount(`0x${hex}`)
    /** The user's own transaction. */
    const own = async (nonce: number) =>
      chain.read(
        await user.signTransaction({
          chainId: 1,
          type: 'eip1559',
          nonce,
          to: user.address,
          gas: 21_000n,
          maxFeePerGas: 10n ** 9n,
          maxPriorityFeePerGas: 1n,
        }),
      )
    return { id, grantor, own, address: grantor.key.address }
  }

  test('limits: what was confirmed stays counted when both nodes have forgotten it and nobody looks for 8 days', async () => {
    const { id, address } = await granted()
    for (let at = 0; at < 2; at++) expect(verdictOf(await acting.send(id, one))).toBe('ok')
    chain.mine()
    chain.grow(40)
    for (const node of chain.nodes) node.mood = { keeps: 5 }
    for (let round = 0; round < 4; round++) {
      await lookedAfter(id)
      await acting.status(id)
      expect(await spentOf(id)).toBeGreaterThan(2n * ether)
      expect(verdictOf(await acting.send(id, one))).toBe('total')
    }
    expect(chain.mined(address)).toHaveLength(2)
    expect(await statusesOf(id)).toEqual(['sent', 'sent'])
    chain.honest()
    await lookedAfter(id)
    await becomes(id, ['confirmed', 'confirmed'])
  })

  test('limits: a transaction is confirmed within a minute of its depth, though nobody asks', async () => {
    const { id } = await granted()
    await acting.send(id, one)
    chain.mine()
    chain.grow(11)
    world.clock.pass(minutes(2))
    await vi.waitFor(async () => expect((await usesOf(id))[0]?.checkedAt).toBe(world.clock.now))
    expect(await statusesOf(id)).toEqual(['sent'])
    chain.grow(1)
    world.clock.pass(minutes(1))
    await becomes(id, ['confirmed'])
  })

  test('limits: a failed transaction gives back its amount and not its fee', async () => {
    const { id } = await granted()
    await acting.send(id, one)
    for (const each of chain.pool.values()) each.status = '0x0'
    chain.mine()
    chain.grow(12)
    world.clock.pass(minutes(1))
    await becomes(id, ['failed'])
    const spent = await spentOf(id)
    expect(spent).toBeGreaterThan(0n)
    expect(spent).toBeLessThan(ether / 100n)
  })

  test('limits: a transaction comes back when another one with its number is found in a block', async () => {
    const { id, own } = await granted()
    await acting.send(id, one)
    chain.pool.clear()
    chain.mine([await own(0)])
    chain.grow(12)
    world.clock.pass(minutes(1))
    await becomes(id, ['dropped'])
    expect(await spentOf(id)).toBe(0n)
    // And its number is used up, whatever a node says that lags behind.
    for (const node of chain.nodes) node.mood = { lag: 13 }
    expect(verdictOf(await acting.send(id, one))).toBe('ok')
    expect((await usesOf(id)).map(({ nonce }) => nonce).sort()).toEqual([0, 1])
  })

  const lying = (lie: Mood['lie']): Mood => ({ ...(lie && { lie }) })
  test.each<[string, (given: Awaited<ReturnType<typeof granted>>) => Promise<[Mood, Mood?]>]>([
    [
      'one of two nodes says that it has failed',
      async () => [
        lying((method, [hash]) =>
          method === 'eth_getTransactionReceipt'
            ? {
                result: {
                  status: '0x0',
                  blockNumber: `0x${(chain.blocks.length - 15).toString(16)}`,
                  blockHash: chain.blocks.at(-15)?.hash,
                  transactionHash: hash,
                },
              }
            : undefined,
        ),
      ],
    ],
    [
      'one of two nodes is on a fork that has another transaction with its number',
      async ({ own }) => [{ fork: { depth: 30, transactions: [await own(0)] } }],
    ],
    [
      'both nodes say that the number was used up, and show no block',
      async () => {
        const lie = lying((method) =>
          method === 'eth_getTransactionReceipt'
            ? { result: null }
            : method === 'eth_getTransactionCount'
              ? { result: '0x99' }
              : undefined,
        )
        return [lie, lie]
      },
    ],
    [
      'both nodes show a block with a transaction that the wallet has not signed',
      async ({ address }) => {
        const lie = lying((method, [number, whole]) => {
          if (method === 'eth_getTransactionReceipt') return { result: null }
          if (method === 'eth_getTransactionCount') return { result: '0x1' }
          if (method !== 'eth_getBlockByNumber' || !whole) return undefined
          const block = chain.blocks[Number(number)]
          const made = {
            from: address,
            nonce: '0x0',
            hash: `0x${'1'.repeat(64)}`,
            type: '0x2',
            chainId: '0x1',
          }
          const forged = {
            ...made,
            r: `0x${'1'.repeat(64)}`,
            s: `0x${'2'.repeat(64)}`,
            v: '0x0',
            yParity: '0x0',
          }
          return {
            result: {
              number,
              hash: block?.hash,
              parentHash: block?.parentHash,
              transactions: [{ ...forged, gas: '0x5208', maxFeePerGas: '0x1', value: '0x0', input: '0x' }],
            },
          }
        })
        return [lie, lie]
      },
    ],
    [
      'one of two nodes is silent, and the other says that it has failed',
      async () => [
        lying(() => ({ error: { code: -32000, message: 'busy' } })),
        lying((method) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined)),
      ],
    ],
    [
      'nodes answer what nobody can read',
      async () => [lying(() => ({ result: {} })), lying(() => ({ result: [] }))],
    ],
  ])('limits: an amount stays counted when %s', async (_, moods) => {
    const given = await granted()
    expect(verdictOf(await acting.send(given.id, one))).toBe('ok')
    chain.mine()
    chain.grow(40)
    const [first, second] = await moods(given)
    const [a, b] = chain.nodes
    if (a) a.mood = first
    if (b) b.mood = second ?? { keeps: 3 }
    await lookedAfter(given.id)
    chain.honest()
    expect(await spentOf(given.id)).toBeGreaterThan(ether)
    expect(await statusesOf(given.id)).not.toContain('dropped')
  })

  test('limits: reading permissions asks no node, and takes as many queries for six as for one', async () => {
    const { id, grantor } = await granted()
    const page = grantor.vault.page()
    const select = vi.spyOn(world.backend.database, 'select')
    /** The least of a few: what looks after transactions asks the database meanwhile. */
    const queriesOf = async () => {
      const counts: number[] = []
      for (let at = 0; at < 6; at++) {
        select.mockClear()
        expect((await page.get('grants')).status).toBe(200)
        counts.push(select.mock.calls.length)
      }
      return Math.min(...counts)
    }
    await acting.send(id, one)
    for (const node of chain.nodes) node.asked.length = 0
    const few = await queriesOf()
    await acting.status(id)
    for (let at = 0; at < 5; at++) {
      const { grants } = (await page.get('grants')).body
      const active = grants.find(({ status }: { status: string }) => status === 'active')
      await page.post(`grants/${active.id}/revoke`)
      await grantor.granted()
    }
    expect((await page.get('grants')).body.grants).toHaveLength(6)
    // One more for each of five more would be too many; what looks after transactions may ask meanwhile.
    expect(await queriesOf()).toBeLessThan(few + 5)
    expect(chain.nodes.flatMap(({ asked }) => asked)).toEqual([])
    select.mockRestore()
  })

  /** What nodes do in an attack: alone whatever they like, together all that is not one and the same false block. */
  function moodOf(random: Random, others: FickleChain['blocks'][number]['transactions']): Mood {
    return random.pick<() => Mood>([
      () => ({}),
      () => ({ lag: random.whole(30) }),
      () => ({ keeps: 1 + random.whole(20) }),
      () => ({ forgets: true }),
      () => ({
        lag: random.whole(4),
        fork: { depth: 1 + random.whole(10), transactions: others.slice(0, 1) },
      }),
      () => ({
        lie: (method) =>
          method === 'eth_getTransactionReceipt' || random.chance(0.1) ? { result: null } : undefined,
      }),
      () => ({
        lie: (method, [, at]) =>
          method === 'eth_getTransactionCount' && at !== 'pending' && at !== 'latest'
            ? { result: `0x${random.whole(40).toString(16)}` }
            : undefined,
      }),
      () => ({
        lie: () =>
          random.chance(0.3) ? { error: { code: -32000, message: 'header not found' } } : undefined,
      }),
    ])()
  }
  /** Lies of one node, whose other one is honest meanwhile. */
  const soleMoodOf = (random: Random, others: FickleChain['blocks'][number]['transactions']): Mood =>
    random.pick<Mood>([
      { fork: { depth: 14 + random.whole(40), transactions: others.slice(0, 1) } },
      {
        lie: (method, [hash]) => {
          const block = chain.blocks.at(-20)
          return method === 'eth_getTransactionReceipt' && block
            ? {
                result: {
                  status: '0x0',
                  blockNumber: `0x${block.number.toString(16)}`,
                  blockHash: block.hash,
                  transactionHash: hash,
                },
              }
            : undefined
        },
      },
    ])

  async function attack(random: Random) {
    const { id, grantor, own, address } = await granted()
    const page = grantor.vault.page()
    const others: Awaited<ReturnType<typeof own>>[] = []
    const send = () => acting.send(id, { to, value: String((ether * BigInt(2 + random.whole(9))) / 10n) })
    const steps: [number, () => Promise<unknown> | unknown][] = [
      [6, () => Promise.all(Array.from({ length: 1 + random.whole(3) }, send))],
      [2, () => Promise.all([acting.status(id), page.get('grants'), send()])],
      [1, () => acting.find('daily', address)],
      [4, () => chain.mine(random.chance(0.3) ? random.shuffled([...chain.sent.values()]) : undefined)],
      [3, () => chain.grow(1 + random.whole(30))],
      [
        2,
        async () => {
          const uses = await usesOf(id)
          const nonce = uses.length > 0 && random.chance(0.8) ? Number(random.pick(uses).nonce ?? 0) : 0
          const other = await own(nonce)
          others.push(other)
          // Mined, or only signed: it may show up on a fork.
          if (random.chance(0.6)) chain.mine([other])
        },
      ],
      [
        1,
        () => {
          for (const each of chain.pool.values()) if (random.chance(0.3)) each.status = '0x0'
        },
      ],
      [2, () => chain.pool.clear()],
      [
        4,
        () => {
          const [a, b] = random.shuffled(chain.nodes)
          const isSole = random.chance(0.3)
          if (a) a.mood = isSole ? soleMoodOf(random, others) : moodOf(random, others)
          if (b) b.mood = isSole ? {} : moodOf(random, others)
        },
      ],
      [4, () => world.clock.pass(random.pick([seconds(20), minutes(11), days(1), days(8)]))],
    ]
    for (let at = 0; at < 14; at++) await random.weighted(steps)()
    await lookedAfter(id)
    chain.honest()
    chain.mine(chain.sent.values())
    chain.grow(13)
    await lookedAfter(id)
    // Once more with all that was given back.
    await Promise.all(Array.from({ length: 3 }, send))
    for (let at = 0; at < 6; at++) chain.mine(chain.sent.values())
    const uses = await usesOf(id)
    const hashes = new Set(uses.map(({ hash }) => hash))
    const mined = chain.mined(address).filter(({ hash }) => hashes.has(hash))
    const moved = mined.reduce((sum, { status, value }) => sum + (status === '0x1' ? value : 0n), 0n)
    const outside = mined.filter(
      ({ to: recipient, value }) =>
        ![to, address].some((each) => each.toLowerCase() === recipient) || value > ether,
    )
    await world.backend.database.delete(grants).where(eq(grants.id, id))
    chain.reset()
    return { moved, outside, uses }
  }

  test(
    'limits: attacks of a permission’s own signer, with nodes that forget, lag, lie and fork, move nothing beyond it',
    async () => {
      const seed = Number(process.env.ATTACK_SEED ?? (soaking ? Date.now() % 1_000_000 : 40))
      console.log(`${attacks} attacks of seed ${seed}`)
      const ends: string[] = []
      const beyond: unknown[] = []
      for (let at = 0; at < attacks; at++) {
        const { moved, outside, uses } = await attack(seeded(seed * 1_000 + at))
        ends.push(...uses.map(({ status }) => status))
        if (moved > total || outside.length > 0) beyond.push({ seed, at, moved, outside })
      }
      expect(beyond).toEqual([])
      // What nothing ever gave back would prove nothing.
      const count = (status: string) => ends.filter((each) => each === status).length
      console.log({
        confirmed: count('confirmed'),
        failed: count('failed'),
        dropped: count('dropped'),
        all: ends.length,
      })
      for (const status of ['confirmed', 'failed', 'dropped']) expect(count(status)).toBeGreaterThan(0)
    },
    limit(600_000),
  )
})
