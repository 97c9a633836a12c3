/** Numbers of a wallet's transactions on a real chain: none waits behind one that nobody sends. */
import { eq } from 'drizzle-orm'
import { createTestClient, http, publicActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { grantAmounts, grantUses } from '../../../demo/backend/grants/tables.ts'
import type { AppSettings } from '../../../demo/backend/settings/app.ts'
import { startChain } from '../../support/chains.ts'
import { limit } from '../../support/limit.ts'
import { createActing, Grantor, SignerKey, verdictOf } from '../support/grants-world.ts'
import { startNode } from '../support/lying-node.ts'
import { minutes, seconds, site, startWorld, stores, type World } from '../support/world.ts'

const signer = new SignerKey()
const to = privateKeyToAccount(generatePrivateKey()).address
const appId = 'latchkey-test-numbers-001'
const app: AppSettings = {
  id: appId,
  name: 'Harbor',
  allowedDomains: [site],
  permissions: [
    {
      id: 'daily',
      signer: { name: 'Harbor', publicKey: signer.pem },
      purpose: 'Tests',
      allow: [{ chain: 'eip155:1', transfer: 'native', to: [to] }],
      limits: [
        {
          chain: 'eip155:1',
          asset: 'native',
          symbol: 'ETH',
          decimals: 18,
          perTransaction: '1',
          perWindow: '3',
          windowSeconds: 600,
          total: '5',
        },
      ],
      days: 2,
      maxUses: 2,
      simulate: 'off',
    },
  ],
}

describe.each(stores)('numbers of transactions on $name', (store) => {
  let world: World
  let chain: Awaited<ReturnType<typeof startChain>>
  let node: Awaited<ReturnType<typeof startNode>>
  let acting: ReturnType<typeof createActing>
  const client = () => createTestClient({ mode: 'anvil', transport: http(chain.url) }).extend(publicActions)
  beforeAll(async () => {
    chain = await startChain(1)
    node = await startNode(chain.url)
    world = await startWorld(store, {
      moreApps: [app],
      outside: { chainRpcUrls: { 1: node.url }, solanaRpcUrls: {} },
      limits: {
        grantCallsPerMinute: 5_000,
        grantSettleEvery: 50,
        previewNodeTime: limit(20_000),
        blockAnswerLife: 0,
      },
    })
    acting = createActing(world, appId, signer)
  })
  afterAll(async () => {
    await world?.stop()
    node?.stop()
    await chain?.close()
  })

  /** A permission whose first use died unsigned, and whose second one waits for it at the node. */
  async function stuck() {
    const grantor = await Grantor.open(world, appId)
    const address = grantor.key.address as `0x${string}`
    await client().setBalance({ address, value: 10n ** 19n })
    const id = await grantor.granted()
    node.lies.eth_sendRawTransaction = { error: { code: -32000, message: 'busy' } }
    const lost = (await acting.send(id, { to, value: '1' })).body.use
    // As a process leaves it that has ended before it had signed; and until it is looked after, its number is held.
    await world.backend.database
      .update(grantUses)
      .set({ status: 'reserved', hash: null, raw: null })
      .where(eq(grantUses.id, lost.id))
    node.honest()
    const waiting = (await acting.send(id, { to, value: '2' })).body.use
    expect(waiting.status).toBe('sent')
    expect(await client().getTransactionCount({ address })).toBe(0)
    world.clock.pass(seconds(16))
    await vi.waitFor(async () => expect((await of(lost.id))?.status).toBe('dropped'))
    return { id, address, waiting }
  }
  const of = async (use: string) => {
    const [row] = await world.backend.database.select().from(grantUses).where(eq(grantUses.id, use))
    return row
  }
  const status = async (hash: `0x${string}`) => (await client().getTransactionReceipt({ hash })).status

  test('numbers: the next use takes the number of one that died unsigned, and both it and the later one are mined', async () => {
    const { id, address, waiting } = await stuck()
    const answer = await acting.send(id, { to, value: '3' })
    expect(verdictOf(answer)).toBe('ok')
    await vi.waitFor(async () => expect(await client().getTransactionCount({ address })).toBe(2))
    expect(await status(waiting.hash)).toBe('success')
    expect(await status(answer.body.use.hash)).toBe('success')
    expect((await of(answer.body.use.id))?.nonce).toBe(0)
  })

  test('numbers: a use that waits behind a free number gets through by the server’s own transaction, of which the fee alone is counted', async () => {
    const { id, address, waiting } = await stuck()
    world.clock.pass(minutes(3))
    await vi.waitFor(async () => expect(await client().getTransactionCount({ address })).toBe(2), {
      timeout: limit(10_000),
    })
    expect(await status(waiting.hash)).toBe('success')
    const uses = await world.backend.database.select().from(grantUses).where(eq(grantUses.grantId, id))
    const own = uses.find(({ nonce, hash }) => nonce === 0 && hash !== null)
    expect(own?.target).toBe(address)
    const [counted] = await world.backend.database
      .select()
      .from(grantAmounts)
      .where(eq(grantAmounts.useId, own?.id ?? ''))
    expect(counted?.amount).toBe(counted?.fee)
    // It takes none of the permission's two uses.
    expect((await acting.status(id)).body.uses).toBe(1)
    expect(verdictOf(await acting.send(id, { to, value: '4' }))).toBe('ok')
    expect(verdictOf(await acting.send(id, { to, value: '5' }))).toBe('max_uses')
  })

  test('numbers: a transaction that the node has forgotten is sent again, and those behind it are mined', async () => {
    const grantor = await Grantor.open(world, appId)
    const address = grantor.key.address as `0x${string}`
    await client().setBalance({ address, value: 10n ** 19n })
    const id = await grantor.granted()
    const { result } = { result: `0x${'1'.repeat(64)}` }
    node.lies.eth_sendRawTransaction = { result }
    const forgotten = (await acting.send(id, { to, value: '1' })).body.use
    expect(forgotten.status).toBe('sent')
    node.honest()
    const behind = (await acting.send(id, { to, value: '2' })).body.use
    world.clock.pass(seconds(20))
    await vi.waitFor(async () => expect(await client().getTransactionCount({ address })).toBe(2))
    expect([await status(forgotten.hash), await status(behind.hash)]).toEqual(['success', 'success'])
  })
})
