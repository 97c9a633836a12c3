import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newBuyer, type RampWorld, rampApp, startRampWorld } from '../support/ramps-world.ts'
import { stores } from '../support/world.ts'

const record = (address: string, more: object = {}) => ({
  id: randomUUID(),
  request_id: `0x${randomUUID().replaceAll('-', '')}`,
  address,
  chain: 'eip155:8453',
  receives: { symbol: 'ETH', decimals: 18, amount: '20000000000000000' },
  wallet: {
    id: 'metamask',
    name: 'MetaMask',
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    chain_type: 'ethereum',
  },
  from: 'eip155:1',
  network: 'Ethereum',
  pays: { symbol: 'ETH', decimals: 18, amount: '20100000000000000' },
  seconds: 2,
  ...more,
})

describe.each(stores)('bridges on $name', (store) => {
  let world: RampWorld
  beforeAll(async () => {
    world = await startRampWorld(store, { app: { bridging: true } })
  })
  afterAll(() => world?.stop())

  test('bridges: one that is started is known on all devices of the user, and on no one else’s', async () => {
    const { client, address } = await newBuyer(world)
    const bridge = record(address)
    expect((await client.post('funding/bridges', bridge)).status).toBe(200)
    expect((await client.post('funding/bridges', { ...bridge, hash: '0xab' })).status).toBe(200)
    const { body } = await client.get('funding/bridges')
    expect(body.bridges).toEqual([
      { ...bridge, hash: '0xab', status: 'open', started_at: Math.floor(world.clock.now / 1_000) },
    ])
    const other = await newBuyer(world)
    expect((await other.client.get('funding/bridges')).body.bridges).toEqual([])
    await other.client.post(`funding/bridges/${bridge.request_id}/end`, { status: 'none' })
    expect((await client.get('funding/bridges')).body.bridges).toHaveLength(1)
  })

  test('bridges: an end stays in the list, and one for which nothing was sent leaves it', async () => {
    const { client, address } = await newBuyer(world)
    const [done, unsent] = [record(address), record(address)]
    for (const each of [done, unsent]) await client.post('funding/bridges', each)
    await client.post(`funding/bridges/${done.request_id}/end`, { status: 'refund' })
    await client.post(`funding/bridges/${unsent.request_id}/end`, { status: 'none' })
    // A bridge that has ended stays ended.
    await client.post(`funding/bridges/${done.request_id}/end`, { status: 'none' })
    const { body } = await client.get('funding/bridges')
    expect(body.bridges).toMatchObject([{ request_id: done.request_id, status: 'refund' }])
  })

  test('bridges: wallets of others, malformed records and strangers are refused', async () => {
    const { client, address } = await newBuyer(world)
    const codes = []
    for (const more of [
      { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      { address: 'nobody' },
      { request_id: '../../x' },
      { receives: { symbol: 'ETH', decimals: 18, amount: '-1' } },
      { more: 'x'.repeat(10_000) },
      { wallet: { id: 'x' } },
    ])
      codes.push((await client.post('funding/bridges', record(address, more))).body.code)
    expect(codes).toEqual([
      'linked_account_not_found',
      'invalid_data',
      'invalid_data',
      'invalid_data',
      'invalid_data',
      'invalid_data',
    ])
    const anonymous = await world.backend.api.request('/api/v1/funding/bridges', {
      headers: { 'privy-app-id': rampApp },
    })
    expect(anonymous.status).toBe(401)
    const plain = await newBuyer(world, { appId: 'latchkey-demo-recover-013' })
    expect((await plain.client.get('funding/bridges')).body.code).toBe('feature_not_enabled')
  })
})
