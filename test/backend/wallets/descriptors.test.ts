/** Descriptors that the vault asks for: the part of the packed registry that one request needs. */
import fs from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { encodeAbiParameters } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AppSettings, readApps } from '../../../demo/backend/settings/app.ts'
import { loadRegistry, type PackedRegistry } from '../../../src/clear-signing/index.ts'
import { serveFetch } from '../../support/serve.ts'
import { ethereumKeyOf, Vault } from '../support/embedded-world.ts'
import { site, startWorld, stores, type World } from '../support/world.ts'

const file = new URL('../../../demo/backend/descriptors/registry.json.gz', import.meta.url)
const packed: PackedRegistry = JSON.parse(gunzipSync(fs.readFileSync(file)).toString('utf8'))
const [place = '', hashes = []] = Object.entries(packed.calls)[0] ?? []
const [, chain = '', contract = ''] = place.split(':')
const [type = ''] = Object.keys(packed.messages)
const unknown = `0x${'12'.repeat(20)}`
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const code = contract.slice(2).toLowerCase()
const proxies = {
  slot: `0x${'a1'.repeat(20)}`,
  minimal: `0x${'a2'.repeat(20)}`,
  shorter: `0x${'a3'.repeat(20)}`,
  newest: `0x${'a4'.repeat(20)}`,
  beacon: `0x${'b1'.repeat(20)}`,
  safe: `0x${'b2'.repeat(20)}`,
  'old safe': `0x${'b3'.repeat(20)}`,
  dirty: `0x${'a5'.repeat(20)}`,
  empty: `0x${'a6'.repeat(20)}`,
}
/** Runtime code of Safe's proxies of versions 1.4.1 and 1.0.0, with the compiler's metadata. */
const safeProxy = `0x608060405273${'f'.repeat(40)}600054167fa619486e${'0'.repeat(56)}60003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3fea264697066735822122003d1488ee65e08fa41e58e888a9865554c535f2c77126a82cb4c0f917f31441364736f6c63430007060033`
const oldSafeProxy = `0x608060405273${'f'.repeat(40)}600054163660008037600080366000845af43d6000803e6000811415603d573d6000fd5b3d6000f3fea165627a7a723058201e7d648b83cfac072cbccefc2ffc62a6999d4a050ee87a721942de1da9670db80029`
const beacons = {
  good: `0x${'c1'.repeat(20)}`,
  silent: `0x${'c2'.repeat(20)}`,
  dirty: `0x${'c3'.repeat(20)}`,
}
/** No proxies, though their storage looks like one's. */
const lookalikes = {
  'first slot': `0x${'d1'.repeat(20)}`,
  'silent beacon': `0x${'d2'.repeat(20)}`,
  'dirty beacon': `0x${'d3'.repeat(20)}`,
  'changed safe': `0x${'d4'.repeat(20)}`,
}
const bytecodes: Readonly<Record<string, string>> = {
  [proxies.slot]: '0x6080',
  [proxies.minimal]: `0x363d3d373d3d3d363d73${code}5af43d82803e903d91602b57fd5bf3`,
  [proxies.shorter]: `0x3d3d3d3d363d3d37363d73${code}5af43d3d93803e602a57fd5bf3`,
  [proxies.newest]: `0x365f5f375f5f365f73${code}5af43d5f5f3e5f3d91602a57fd5bf3`,
  [proxies.dirty]: '0x6080',
  [proxies.safe]: safeProxy,
  [proxies['old safe']]: oldSafeProxy,
  [lookalikes['changed safe']]: safeProxy.replace('5af4', '5af1'),
  [proxies.empty]: '0x',
}
const slots: Readonly<Record<string, string>> = {
  [proxies.slot]: `0x${'0'.repeat(24)}${code}`,
  [proxies.dirty]: `0x${'0'.repeat(23)}1${code}`,
  [proxies.empty]: `0x${'0'.repeat(24)}${code}`,
}
const nowhere = `0x${'0'.repeat(64)}`
const wordOf = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`
const beaconSlots: Readonly<Record<string, string>> = {
  [proxies.beacon]: wordOf(beacons.good),
  [lookalikes['silent beacon']]: wordOf(beacons.silent),
  [lookalikes['dirty beacon']]: wordOf(beacons.dirty),
}
const firstSlots: Readonly<Record<string, string>> = {
  [proxies.safe]: wordOf(`0x${code}`),
  [proxies['old safe']]: wordOf(`0x${code}`),
  [lookalikes['first slot']]: wordOf(`0x${code}`),
  [lookalikes['changed safe']]: wordOf(`0x${code}`),
}
const beaconAnswers: Readonly<Record<string, string>> = {
  [beacons.good]: wordOf(`0x${code}`),
  [beacons.silent]: '0x',
  [beacons.dirty]: `0x${'0'.repeat(23)}1${code}`,
}

const described = `0x${'e1'.repeat(20)}`
const ownDescriptor = {
  context: { contract: { deployments: [{ chainId: Number(chain), address: described }], abi: [] } },
  metadata: { owner: 'Harbor' },
  display: { formats: { 'moor(uint256 berth)': { intent: 'Moor a boat', fields: [] } } },
}
const describedApp: AppSettings = {
  id: 'latchkey-test-described-1',
  name: 'Harbor',
  allowedDomains: [site],
  descriptors: [ownDescriptor],
}

interface TokenCall {
  readonly to: string
  readonly data: string
}
/** A token of 6 decimals; one of them has a symbol that would mislead. */
function tokenAnswer({ to, data }: TokenCall): string {
  const word = (number: bigint) => `0x${number.toString(16).padStart(64, '0')}`
  const text = (words: string) => encodeAbiParameters([{ type: 'string' }], [words])
  const results: Readonly<Record<string, string>> = {
    '0x95d89b41': text(to === proxies.dirty ? 'US DC<b>' : 'USDC'),
    '0x313ce567': word(6n),
    '0x18160ddd': word(900n),
    '0x70a08231': word(data.endsWith(proxies.slot.slice(2)) ? 40n : 30n),
  }
  return results[data.slice(0, 10)] ?? '0x'
}

const storageOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [implementationSlot]: slots,
  '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50': beaconSlots,
  '0x0': firstSlots,
}
const callAnswer = (call: TokenCall) =>
  call.data === '0x5c60da1b' ? beaconAnswers[call.to] : tokenAnswer(call)

/** A node of the chain that knows these contracts. */
async function startProxyNode() {
  const { origin, stop } = await serveFetch(async (request) => {
    const { method, params } = (await request.json()) as { method: string; params: unknown[] }
    const [address, place] = params.map(String)
    const results: Record<string, string | undefined> = {
      eth_chainId: `0x${Number(chain).toString(16)}`,
      eth_getCode: bytecodes[address ?? ''] ?? '0x6080',
      eth_getStorageAt: storageOf[place ?? '']?.[address ?? ''] ?? nowhere,
      eth_call: method === 'eth_call' ? callAnswer(params[0] as TokenCall) : undefined,
    }
    return Response.json({ jsonrpc: '2.0', id: 1, result: results[method] })
  })
  return { url: origin, stop }
}

describe.each(stores)('descriptors on $name', (store) => {
  let world: World
  let vault: Vault
  let node: Awaited<ReturnType<typeof startProxyNode>>
  beforeAll(async () => {
    node = await startProxyNode()
    world = await startWorld(store, {
      outside: { chainRpcUrls: { [chain]: node.url } },
      moreApps: [describedApp],
    })
    vault = await Vault.open(world)
  })
  afterAll(async () => {
    await world?.stop()
    node?.stop()
  })
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

  test.each(['slot', 'minimal', 'shorter', 'newest', 'beacon', 'safe', 'old safe'] as const)(
    'descriptors: a proxy (%s) gets those of the code behind it',
    async (kind) => {
      const answer = await ask({ contracts: [proxies[kind]] })
      expect((answer.body as { implementations: unknown }).implementations).toEqual({
        [proxies[kind]]: `0x${code}`,
      })
      expect(
        load(answer)
          .candidates.map(({ hash }) => hash)
          .sort(),
      ).toEqual([...hashes].sort())
    },
  )

  test.each([
    ['a slot with more than an address in it', proxies.dirty],
    ['an account without code', proxies.empty],
    ['a contract that is no proxy', unknown],
    ['a contract with an address in its first slot', lookalikes['first slot']],
    ['a contract that is almost a Safe', lookalikes['changed safe']],
    ['a beacon that says nothing', lookalikes['silent beacon']],
    ['a beacon that says more than an address', lookalikes['dirty beacon']],
  ])('descriptors: %s has no code behind it', async (_, address) => {
    const answer = await ask({ contracts: [address] })
    expect((answer.body as { implementations: unknown }).implementations).toEqual({})
    expect(load(answer).candidates).toEqual([])
  })

  test('descriptors: a contract with descriptors of its own is not asked about', async () => {
    const { body } = await ask({ contracts: [contract] })
    expect((body as { implementations: unknown }).implementations).toEqual({})
  })

  test('descriptors: the page gets the same by its own route, and nobody without a session', async () => {
    const body = { chain_id: Number(chain), contracts: [contract], messages: [] }
    const answer = await vault.page().post('descriptors', body)
    expect([answer.status, load(answer).candidates.length]).toEqual([200, hashes.length])
    const nobody = vault.page()
    nobody.token = undefined
    expect((await nobody.post('descriptors', body)).status).toBe(401)
  })

  test('token figures: symbol and decimals come along, and the balance may be a contract’s', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    await vault.create(ethereumKeyOf(account))
    const figures = async (more: object = {}) => {
      const body = { address: account.address, chain_id: Number(chain), token: unknown, ...more }
      return (await vault.post('embedded_wallets/tokens/figures', body)).body
    }
    const metadata = { supply: '900', symbol: 'USDC', decimals: 6 }
    expect(await figures()).toEqual({ ...metadata, balance: '30' })
    expect(await figures({ owner: proxies.slot })).toEqual({ ...metadata, balance: '40' })
    // A symbol that would mislead is left out, and its decimals with it.
    expect(await figures({ token: proxies.dirty })).toEqual({ balance: '30', supply: '900' })
  })

  test('descriptors: those that the app’s operator has set come along where they fit, and to no other app', async () => {
    const own = await Vault.open(world, { appId: describedApp.id })
    const body = (contracts: string[]) => ({ chain_id: Number(chain), contracts, messages: [] })
    const asked = async (of: Vault, contracts: string[]) =>
      (await of.post('embedded_wallets/descriptors', body(contracts))).body
    expect((await asked(own, [described])).own).toEqual([ownDescriptor])
    expect(await asked(own, [unknown])).not.toHaveProperty('own')
    expect(await asked(vault, [described])).not.toHaveProperty('own')
  })

  test.each([
    ['no objects', ['x']],
    ['too many', Array.from({ length: 257 }, () => ({}))],
    ['what is too large', [{ text: 'x'.repeat(600_000) }]],
  ])('setting: descriptors refuses %s', (_, descriptors) =>
    expect(() =>
      readApps([{ ...describedApp, descriptors: descriptors as Record<string, unknown>[] }]),
    ).toThrow(/descriptors/),
  )

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
