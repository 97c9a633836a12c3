/** The client with which an app's server acts, against the server itself. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGrantsClient, GrantError, generateSignerKey } from '../../../src/protocol/server/grants.ts'
import { limit } from '../../support/limit.ts'
import { startFakeChain } from '../support/fake-chain.ts'
import { Grantor } from '../support/grants-world.ts'
import { apiUrl, site, startWorld, stores, type World } from '../support/world.ts'

const to = '0x2222222222222222222222222222222222222222'
const appId = 'latchkey-test-grantclient'

describe.each(stores)('the client for permissions on $name', (store) => {
  let world: World
  let node: Awaited<ReturnType<typeof startFakeChain>>
  let keys: Awaited<ReturnType<typeof generateSignerKey>>
  let grantor: Grantor
  let grant: string
  /** Answers that are given before the server is asked. */
  const faults: (Response | 'lost')[] = []

  beforeAll(async () => {
    keys = await generateSignerKey()
    node = await startFakeChain()
    const coins = { chain: 'eip155:1', asset: 'native', symbol: 'ETH', decimals: 18 } as const
    world = await startWorld(store, {
      moreApps: [
        {
          id: appId,
          name: 'Harbor',
          allowedDomains: [site],
          permissions: [
            {
              id: 'daily',
              signer: { name: 'Harbor', publicKey: keys.publicKey },
              purpose: 'Tests',
              allow: [{ chain: 'eip155:1', transfer: 'native', to: [to] }],
              limits: [{ ...coins, perTransaction: '1', perWindow: '2', windowSeconds: 60, total: '9' }],
              days: 1,
              simulate: 'off',
            },
          ],
        },
      ],
      outside: { chainRpcUrls: { 1: node.url }, solanaRpcUrls: {} },
      limits: { previewNodeTime: limit(20_000), previewComparison: 0 },
    })
    grantor = await Grantor.open(world, appId)
    grant = await grantor.granted()
  })
  afterAll(async () => {
    await world?.stop()
    node?.stop()
  })

  const client = (privateKey = keys.privateKey) =>
    createGrantsClient({
      apiUrl: `${apiUrl}/`,
      appId,
      privateKey,
      now: () => world.clock.now,
      fetch: async (input, init) => {
        const fault = faults.shift()
        const answer =
          fault instanceof Response ? fault : await world.backend.api.request(String(input), init)
        if (fault === 'lost') throw new TypeError('The connection was lost')
        return answer
      },
    })
  const transfer = () => ({
    grant,
    chain: 'eip155:1',
    transaction: { to, value: '1000' },
    idempotencyKey: randomUUID(),
  })

  test('client: a transaction is sent once, though answers are lost', async () => {
    const before = node.sent.length
    faults.push('lost', new Response('', { status: 503 }))
    const use = await client().send(transfer())
    expect(use).toMatchObject({ status: 'sent', chain: 'eip155:1', target: to })
    expect(node.sent.length - before).toBe(1)
    expect(use.hash).toBe(node.sent.at(-1)?.hash)
  })

  test('client: what is left of a permission is read by its id, or found by the wallet', async () => {
    const status = await client().status(grant)
    expect(status).toMatchObject({
      id: grant,
      address: grantor.key.address,
      isActive: true,
      maxUses: undefined,
    })
    expect(status.spent[0]?.total).toBeGreaterThan(0n)
    const [found] = await client().find({ permission: 'daily', address: grantor.key.address })
    expect(found?.id).toBe(grant)
    expect(await client().find({ permission: 'daily', address: to })).toEqual([])
  })

  test('client: a refusal has its code and reason', async () => {
    const denied = client().send({ ...transfer(), transaction: { to: grantor.key.address, value: '1' } })
    await expect(denied).rejects.toMatchObject({
      code: 'permission_denied',
      reason: 'recipient',
      status: 403,
    })
    const stranger = await generateSignerKey()
    await expect(client(stranger.privateKey).send(transfer())).rejects.toMatchObject({
      code: 'invalid_credentials',
    })
    faults.push(new Response('<html>'), new Response('<html>'))
    await expect(client().status(grant)).rejects.toBeInstanceOf(GrantError)
    faults.length = 0
  })

  test('client: a server that never answers ends in an error, and a signal ends it at once', async () => {
    faults.push('lost', 'lost', 'lost')
    await expect(client().status(grant)).rejects.toMatchObject({ code: 'network_unavailable' })
    const ended = AbortSignal.abort(new Error('The caller has had enough'))
    faults.push('lost')
    await expect(client().status(grant, { signal: ended })).rejects.toThrow('had enough')
    faults.length = 0
  })
})
