/** Descriptors that the vault asks for: the part of the packed registry that one request needs. */
import fs from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadRegistry, type PackedRegistry } from '../../../src/clear-signing/index.ts'
import { Vault } from '../support/embedded-world.ts'
import { startWorld, stores, type World } from '../support/world.ts'

const file = new URL('../../../demo/backend/descriptors/registry.json.gz', import.meta.url)
const packed: PackedRegistry = JSON.parse(gunzipSync(fs.readFileSync(file)).toString('utf8'))
const [place = '', hashes = []] = Object.entries(packed.calls)[0] ?? []
const [, chain = '', contract = ''] = place.split(':')
const [type = ''] = Object.keys(packed.messages)
const unknown = `0x${'12'.repeat(20)}`

describe.each(stores)('descriptors on $name', (store) => {
  let world: World
  let vault: Vault
  beforeAll(async () => {
    world = await startWorld(store)
    vault = await Vault.open(world)
  })
  afterAll(() => world?.stop())
  const ask = (more: object = {}) =>
    vault.post('embedded_wallets/descriptors', {
      chain_id: Number(chain),
      contracts: [],
      messages: [],
      ...more,
    })
  const load = ({ body }: Awaited<ReturnType<typeof ask>>) =>
    loadRegistry((body as { registry: unknown }).registry)

  test('descriptors: a contract and a message type get theirs, with their hashes, and no others', async () => {
    const byContract = load(await ask({ contracts: [contract.toUpperCase().replace('0X', '0x'), unknown] }))
    expect(byContract.refused).toEqual([])
    expect(byContract.candidates.map(({ hash }) => hash).sort()).toEqual([...hashes].sort())
    const byType = load(await ask({ messages: [type] }))
    expect(byType.candidates.map(({ hash }) => hash).sort()).toEqual(
      [...(packed.messages[type] ?? [])].sort(),
    )
  })

  test('descriptors: a contract that nobody describes has none', async () => {
    expect(load(await ask({ contracts: [unknown] })).candidates).toEqual([])
  })

  test.each([
    ['too many contracts', { contracts: Array.from({ length: 17 }, () => unknown) }],
    ['what is no address', { contracts: ['0x12'] }],
    ['a chain that is no number', { chain_id: '1' }],
    ['a field more', { all: true }],
  ])('descriptors: %s is refused', async (_, more) => expect((await ask(more)).status).toBe(400))
})
