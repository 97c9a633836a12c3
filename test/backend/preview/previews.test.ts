import { createTestClient, encodeFunctionData, http, parseAbi, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { previewEthereum } from '../../../demo/backend/preview/ethereum.ts'
import { createPreviewNodes } from '../../../demo/backend/preview/nodes.ts'
import { defaultLimits } from '../../../demo/backend/settings/limits.ts'
import { tokenCode } from '../../ethereum/support/token-code.ts'
import { startChain } from '../../support/chains.ts'
import { Client } from '../support/client.ts'
import { ethereumKeyOf, solanaKey, Vault, verdict } from '../support/embedded-world.ts'
import { startNode } from '../support/lying-node.ts'
import { compatibleApp, site, startWorld, stores, type World } from '../support/world.ts'

const token = '0x00000000000000000000000000000000000000AA'
const abi = parseAbi([
  'function mint(uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
])
const ether = 10n ** 18n

describe.each(stores)('previews on $name', (store) => {
  let world: World
  let chain: Awaited<ReturnType<typeof startChain>>
  let node: Awaited<ReturnType<typeof startNode>>
  let second: Awaited<ReturnType<typeof startNode>>
  let lone: Awaited<ReturnType<typeof startNode>>
  let vault: Vault
  const account = privateKeyToAccount(generatePrivateKey())
  const to = privateKeyToAccount(generatePrivateKey()).address
  const limits = { previewNodeTime: 2_000, previewComparison: 1_500, previewsPerMinute: 1_000 }

  beforeAll(async () => {
    chain = await startChain(1)
    node = await startNode(chain.url)
    second = await startNode(chain.url)
    lone = await startNode(chain.url)
    // Without shared answers, so that every lie of a test is asked for.
    world = await startWorld(store, {
      outside: { chainRpcUrls: { 1: [node.url, second.url], 10: lone.url }, solanaRpcUrls: {} },
      limits: { ...limits, blockAnswerLife: 0, metadataLife: 0 },
    })
    vault = await Vault.open(world)
    await vault.create(ethereumKeyOf(account))
    const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
      .extend(publicActions)
      .extend(walletActions)
    await client.setBalance({ address: account.address, value: ether })
    await client.setCode({ address: token, bytecode: tokenCode })
    await client.impersonateAccount({ address: account.address })
    const data = encodeFunctionData({ abi, functionName: 'mint', args: [100n] })
    const hash = await client.sendTransaction({ account: account.address, to: token, data, chain: null })
    await client.waitForTransactionReceipt({ hash })
    await client.setBalance({ address: account.address, value: ether })
  })
  afterAll(async () => {
    await world?.stop()
    for (const each of [node, second, lone]) each?.stop()
    await chain?.close()
  })
  afterEach(() => {
    for (const each of [node, second, lone]) each.honest()
  })

  const plain = { to, value: '0x10', chainId: 1 }
  const preview = (transaction: object = plain, more: object = {}, by = vault) =>
    by.post('embedded_wallets/preview', {
      version: 1,
      address: account.address,
      chain: 'eip155:1',
      request: { transaction },
      ...more,
    })

  test('preview: a transfer comes with its cost, balance and effects, as two nodes say', async () => {
    const { status, body } = await preview()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      version: 1,
      chain: 'eip155:1',
      prepared: {
        nonce: '1',
        gas_limit: '21000',
        missing: '0',
        is_underfunded: false,
        levels: { slow: { max_fee_per_gas: expect.stringMatching(/^\d+$/) }, usual: {}, fast: {} },
      },
      simulation: {
        outcome: 'simulated',
        status: 'success',
        out: [{ kind: 'native', amount: '16', parties: [to] }],
        in: [],
        allowances: [],
      },
      tokens: {},
      code: { [to]: 0 },
      balance: String(ether),
      disputed: [],
      nodes: 2,
      block_number: expect.stringMatching(/^\d+$/),
    })
    expect(BigInt(body.prepared.fee)).toBeGreaterThan(0n)
    expect(body).not.toHaveProperty('prices')
  })

  test('preview: a token’s symbol and decimals come from its contract, with what the call moves and allows', async () => {
    const sent = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 7n] })
    const transfer = await preview({ to: token, data: sent, chainId: 1 })
    expect(transfer.body.tokens).toMatchObject({ [token]: { symbol: 'TST', decimals: 6 } })
    expect(transfer.body.simulation.out).toEqual([{ kind: 'erc20', token, amount: '7', parties: [to] }])
    expect(transfer.body.code[token]).toBeGreaterThan(0)
    const allowed = encodeFunctionData({ abi, functionName: 'approve', args: [to, 8n] })
    const approve = await preview({ to: token, data: allowed, chainId: 1 })
    expect(approve.body.simulation.allowances).toEqual([
      { kind: 'amount', token, spender: to, amount: '8', is_unlimited: false },
    ])
  })

  test('preview: what a paymaster may take already is said where it is asked about, the larger figure of two nodes', async () => {
    const spender = privateKeyToAccount(generatePrivateKey()).address
    const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
      .extend(publicActions)
      .extend(walletActions)
    const allow = async (amount: bigint) => {
      const data = encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
      const hash = await client.sendTransaction({ account: account.address, to: token, data, chain: null })
      await client.waitForTransactionReceipt({ hash })
      await client.setBalance({ address: account.address, value: ether })
    }
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 7n] })
    const transaction = { to: token, data, chainId: 1 }
    const asked = async (paymaster: string) =>
      (await preview(undefined, { request: { transaction, paymaster } })).body
    expect(await asked(spender)).toMatchObject({ paymaster_allowances: [] })
    await allow(40n)
    const found = { token, amount: '40', is_unlimited: false }
    const said = await asked(spender.toLowerCase())
    expect(said.paymaster_allowances).toEqual([found])
    expect(said.tokens).toMatchObject({ [token]: { symbol: 'TST', decimals: 6 } })
    // One that hides it, or forgets.
    node.lies.eth_call = ([call]) =>
      (call as { data: string }).data.startsWith('0xdd62ed3e') ? { result: `0x${'0'.repeat(64)}` } : undefined
    expect((await asked(spender)).paymaster_allowances).toEqual([found])
    node.lies.eth_call = ([call]) =>
      (call as { data: string }).data.startsWith('0xdd62ed3e')
        ? { error: { code: -32000, message: 'busy' } }
        : undefined
    expect((await asked(spender)).paymaster_allowances).toEqual([found])
    node.honest()
    await allow(2n ** 256n - 1n)
    expect((await asked(spender)).paymaster_allowances).toMatchObject([{ token, is_unlimited: true }])
    expect((await preview(transaction)).body).not.toHaveProperty('paymaster_allowances')
    expect((await preview(undefined, { request: { transaction, paymaster: 'me' } })).status).toBe(400)
  })

  test('preview: a transaction of a batch is tried after those before it', async () => {
    const minted = encodeFunctionData({ abi, functionName: 'mint', args: [500n] })
    const sent = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 600n] })
    const transaction = { to: token, data: sent, chainId: 1, gasLimit: '0x186a0' }
    const after = [{ to: token, data: minted, chainId: 1 }]
    const alone = await preview(transaction)
    expect(alone.body.simulation).toMatchObject({ outcome: 'simulated', status: 'failed' })
    const { body } = await preview(undefined, { request: { transaction, after } })
    expect(body.simulation).toMatchObject({
      status: 'success',
      out: [{ kind: 'erc20', token, amount: '600', parties: [to] }],
    })
    expect(body.tokens).toMatchObject({ [token]: { symbol: 'TST', decimals: 6 } })
    const many = Array.from({ length: 20 }, () => plain)
    expect((await preview(undefined, { request: { transaction, after: many } })).status).toBe(400)
    const other = await preview(undefined, { request: { transaction, after: [{ ...plain, chainId: 10 }] } })
    expect(other.status).toBe(400)
  })

  test('preview: a wallet with too little is told how much is missing', async () => {
    const { body } = await preview({ ...plain, value: `0x${(2n * ether).toString(16)}`, gasLimit: '0x5208' })
    expect(body.prepared.is_underfunded).toBe(true)
    expect(BigInt(body.prepared.missing)).toBe(ether + BigInt(body.prepared.fee))
  })

  test('preview: of two nodes that differ the worse figures count, and the figures are marked', async () => {
    second.lies.eth_getBalance = { result: '0x1' }
    second.lies.eth_getTransactionCount = { result: '0x9' }
    const { body } = await preview()
    expect(body).toMatchObject({
      balance: '1',
      disputed: ['nonce', 'balance'],
      prepared: { nonce: '9', is_underfunded: true },
      nodes: 2,
    })
    second.honest()
    const honest = await preview()
    node.lies.eth_getBlockByNumber = { result: { gasLimit: '0x1c9c380', baseFeePerGas: '0x174876e800' } }
    const dear = await preview()
    expect(dear.body.disputed).toEqual(['fee'])
    expect(BigInt(dear.body.prepared.fee)).toBeGreaterThan(BigInt(honest.body.prepared.fee))
  })

  test('preview: a token whose decimals two nodes differ about has none', async () => {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 7n] })
    second.lies.eth_call = { result: `0x${'0'.repeat(62)}12` }
    const { body } = await preview({ to: token, data, chainId: 1 })
    expect(body.disputed).toEqual(['tokens'])
    expect(body.tokens).toEqual({})
  })

  test('preview: a silent or useless node is replaced by the next one within its time', async () => {
    for (const lie of [
      'silent',
      { result: { huge: true } },
      new Response('busy', { status: 429 }),
    ] as const) {
      node.lies['*'] = lie
      const began = performance.now()
      const { status, body } = await preview()
      expect([status, body.nodes, body.balance]).toEqual([200, 1, String(ether)])
      expect(performance.now() - began).toBeLessThan(6_000)
    }
    // A node of another chain says nothing about ours.
    node.lies['*'] = { result: '0x89' }
    expect((await preview()).body).toMatchObject({ nodes: 1, disputed: [] })
  })

  const number = (result: unknown) => ({ result })
  const lies: [string, string, { result: unknown } | Response][] = [
    ['a negative balance', 'eth_getBalance', number('-0x1')],
    ['a balance that is none', 'eth_getBalance', number('NaN')],
    ['a balance without end', 'eth_getBalance', number(`0x${'f'.repeat(65)}`)],
    ['a balance as a number', 'eth_getBalance', number(5)],
    ['no balance', 'eth_getBalance', number(null)],
    ['a nonce that no chain has', 'eth_getTransactionCount', number('0xffffffffffffffff')],
    ['another chain', 'eth_chainId', number('0x2')],
    ['no block', 'eth_getBlockByNumber', number(null)],
    ['a block without gas', 'eth_getBlockByNumber', number({ gasLimit: '0x0', baseFeePerGas: '0x1' })],
    ['markup', 'eth_getBalance', new Response('<html>')],
    ['an answer of two megabytes', 'eth_getBalance', new Response('0'.repeat(2_097_152))],
  ]
  test.each(lies)('preview: %s is believed of no node', async (_, method, lie) => {
    for (const each of [node, second]) each.lies[method] = lie
    expect((await preview()).status).toBe(503)
  })

  test('preview: a token that a node names by markup has no symbol', async () => {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 7n] })
    // A contract's `symbol()` of 32 bytes, which is its `decimals()` as well: neither can be shown.
    const markup = Buffer.from('<b>USDC</b>').toString('hex').padEnd(64, '0')
    for (const each of [node, second]) each.lies.eth_call = { result: `0x${markup}` }
    const { body } = await preview({ to: token, data, chainId: 1 })
    // The simulation is honest, so that the nodes contradict themselves.
    expect([body.disputed, body.tokens]).toEqual([['tokens'], {}])
  })

  test('preview: where no node answers, the network could not be asked', async () => {
    node.lies['*'] = 'silent'
    second.lies['*'] = { error: { code: -32_603, message: 'down' } }
    expect((await preview()).status).toBe(503)
  })

  test('preview: a network without simulation has its figures all the same', async () => {
    for (const each of [node, second])
      each.lies.eth_simulateV1 = { error: { code: -32_601, message: 'Method not found' } }
    const { status, body } = await preview()
    expect([status, body.simulation]).toEqual([200, { outcome: 'unavailable' }])
    expect(body.balance).toBe(String(ether))
    // One that never answers to it must not hold up the rest.
    for (const each of [node, second]) each.lies.eth_simulateV1 = 'silent'
    const silent = await preview()
    expect([silent.status, silent.body.simulation, silent.body.balance]).toEqual([
      200,
      undefined,
      String(ether),
    ])
  })

  test('preview: a single URL is a list of one, and nothing is compared', async () => {
    lone.lies.eth_chainId = { result: '0xa' }
    // What the chain's own contract says that layer 1 costs, and the same for who operates layer 2.
    lone.lies.eth_call = { result: `0x${'1234'.padStart(64, '0')}` }
    const { body } = await preview({ ...plain, chainId: 10 }, { chain: 'eip155:10' })
    expect(body).toMatchObject({
      chain: 'eip155:10',
      prepared: { layer_one_fee: String(2 * 0x1234) },
      nodes: 1,
      disputed: [],
    })
  })

  test('preview: an unknown network is refused by name', async () => {
    expect(verdict(await preview({ ...plain, chainId: 137 }, { chain: 'eip155:137' }))).toEqual([
      400,
      'not_supported',
    ])
    const { key } = await vault.create(solanaKey(), { secret: 'key' })
    const message = Buffer.alloc(64).toString('base64')
    const solana = { address: key.address, chain: 'solana:mainnet', request: { message } }
    expect(verdict(await preview({}, solana))).toEqual([400, 'not_supported'])
  })

  test('preview: a request that is unreadable or of something else is refused', async () => {
    const wrong: [object, object?][] = [
      [{ ...plain, chainId: 10 }],
      [{ ...plain, from: to }],
      [{ ...plain, value: '1e3' }],
      [{ ...plain, surprise: 1 }],
      [plain, { version: 2 }],
      [plain, { chain: 'bip122:1' }],
      [plain, { request: { message: 'AAAA' } }],
      [plain, { more: 1 }],
    ]
    for (const [transaction, more] of wrong)
      expect(verdict(await preview(transaction, more))).toEqual([400, 'invalid_data'])
    expect(verdict(await preview(plain, { address: to }))).toEqual([404, 'linked_account_not_found'])
    const stranger = await Vault.open(world)
    expect(verdict(await preview(plain, {}, stranger))).toEqual([404, 'linked_account_not_found'])
  })

  test('preview: without a proof of the device, from a page, or for another app, nothing is said', async () => {
    const body = { version: 1, address: account.address, chain: 'eip155:1', request: { transaction: plain } }
    const path = 'embedded_wallets/preview'
    expect(verdict(await vault.post(path, body, { dpop: '' }))).toEqual([401, 'invalid_dpop_proof'])
    const once = vault.proofFor(path)
    expect((await vault.post(path, body, { dpop: once })).status).toBe(200)
    expect(verdict(await vault.post(path, body, { dpop: once }))).toEqual([401, 'invalid_dpop_proof'])
    const other = vault.elsewhere()
    expect(verdict(await other.post(path, body))).toEqual([403, 'device_not_enrolled'])
    const page = new Client(world, { origin: site })
    page.token = vault.token
    expect(verdict(await page.post(path, body))).toEqual([403, 'invalid_origin'])
    const app = vault.elsewhere({ appId: compatibleApp })
    expect(verdict(await app.post(path, body))).toEqual([401, 'missing_or_invalid_token'])
    expect(node.asked.length).toBeGreaterThan(0)
    node.honest()
    await vault.post(path, body, { dpop: '' })
    expect(node.asked).toEqual([])
  })

  test('scan: a compatible client gets assets and exposures in its own shape', async () => {
    const page = vault.page()
    const scan = (request: object, chain = 'eip155:1') =>
      page.post('scan/transaction', { chain_id: chain, metadata: { domain: site }, request })
    const allowed = encodeFunctionData({ abi, functionName: 'approve', args: [to, 8_000_000n] })
    const params = [{ from: account.address, to: token, data: allowed }]
    const approve = await scan({ method: 'eth_sendTransaction', params })
    expect(approve.body).toMatchObject({
      validation: { status: 'Error' },
      simulation: {
        status: 'Success',
        assets_diffs: [],
        exposures: [{ asset: { type: 'ERC20', symbol: 'TST' }, spenders: { [to]: { value: '8' } } }],
      },
    })
    const sent = { from: account.address, to, value: '0xde0b6b3a7640000' }
    const poor = await scan({ method: 'eth_sendTransaction', params: [sent] }, '1')
    expect(poor.body.simulation.status).toBe('Success')
    expect(poor.body.simulation.assets_diffs).toEqual([
      { asset: { type: 'NATIVE', symbol: 'ETH', name: 'Ether' }, in: [], out: [{ value: '1' }] },
    ])
    for (const [request, chain] of [
      [{ method: 'personal_sign', params: ['0x'] }, '1'],
      [{ method: 'eth_sendTransaction', params: [sent] }, '137'],
      [{ method: 'eth_sendTransaction', params: [{ to }] }, '1'],
    ] as const)
      expect((await scan(request, chain)).body.simulation.status).toBe('Error')
    page.token = undefined
    expect((await scan({ method: 'eth_sendTransaction', params: [sent] })).status).toBe(401)
  })

  test('preview: code of the wallet’s own address is named, whoever it is of', async () => {
    const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
    expect((await preview()).body.wallet_code).toBeNull()
    const bytecode = `0xef0100${token.slice(2)}` as const
    await client.setCode({ address: account.address, bytecode })
    expect((await preview()).body.wallet_code?.toLowerCase()).toBe(token.toLowerCase())
    // One node that hides it does not make it go away.
    second.lies.eth_getCode = { result: '0x' }
    expect((await preview()).body.wallet_code?.toLowerCase()).toBe(token.toLowerCase())
    second.honest()
    await client.setCode({ address: account.address, bytecode: '0x' })
  })

  test('preview: code of a wallet is asked for each time, whatever of contracts is shared', async () => {
    const client = createTestClient({ mode: 'anvil', transport: http(chain.url) })
    const shared = createPreviewNodes({
      outside: { chainRpcUrls: { 1: node.url }, solanaRpcUrls: {} },
      limits: defaultLimits,
    }).ethereum(1)
    const codeOf = async () => {
      const request = { chainId: 1, from: account.address, to, value: 1n, data: '0x' } as const
      return (await previewEthereum(shared, request, { limits: defaultLimits, now: Date.now })).wallet_code
    }
    expect(await codeOf()).toBeNull()
    await client.setCode({ address: account.address, bytecode: `0xef0100${token.slice(2)}` })
    expect(await codeOf()).toBe(token)
    await client.setCode({ address: account.address, bytecode: '0x' })
    expect(await codeOf()).toBeNull()
  })

  test('preview: a transaction that gives the wallet code is tried for the contracts of the app alone', async () => {
    const own = { address: '0xe6Cae83BdE06E4c305530e199D7217f42808555B', chainId: 1 }
    const typeFour = { to: account.address, value: '0x0', chainId: 1, type: 4, authorizationList: [own] }
    const { status, body } = await preview(typeFour)
    expect([status, body.prepared.is_underfunded]).toEqual([200, false])
    for (const list of [[{ ...own, address: token }], [{ ...own, chainId: 0 }], [own, own]])
      expect(verdict(await preview({ ...typeFour, authorizationList: list }))).toEqual([400, 'invalid_data'])
  })

  describe('limits and shared answers', () => {
    let limited: World
    let browser: Vault
    const key = privateKeyToAccount(generatePrivateKey())
    const ask = (by: Vault) =>
      by.post('embedded_wallets/preview', {
        version: 1,
        address: key.address,
        chain: 'eip155:1',
        request: { transaction: plain },
      })
    beforeAll(async () => {
      limited = await startWorld(store, {
        outside: { chainRpcUrls: { 1: [node.url] } },
        limits: { ...limits, previewsPerMinute: 3, previewsPerAppHour: 5, blockAnswerLife: 60_000 },
      })
      browser = await Vault.open(limited)
      await browser.create(ethereumKeyOf(key))
    })
    afterAll(() => limited?.stop())

    test('preview: a device has so many in a minute, and an app so many in an hour', async () => {
      const asked: string[] = []
      for (let time = 0; time < 3; time++) {
        node.honest()
        expect((await ask(browser)).status).toBe(200)
        asked.push(node.asked.join(' '))
      }
      // What is the same for all is asked once; what is of the wallet, each time.
      expect(asked.map((each) => each.includes('eth_getBlockByNumber'))).toEqual([true, false, false])
      expect(asked.every((each) => each.includes('eth_getBalance') && each.includes('eth_simulateV1'))).toBe(
        true,
      )
      const refused = await ask(browser)
      expect(verdict(refused)).toEqual([429, 'too_many_requests'])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      const second = await browser.enrolOther()
      expect((await ask(second)).status).toBe(200)
      limited.clock.pass(60_000)
      expect((await ask(browser)).status).toBe(200)
      expect(verdict(await ask(browser))).toEqual([429, 'too_many_requests'])
    })
  })
})
