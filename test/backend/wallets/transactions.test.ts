import { createPublicClient, http, parseTransaction, type TransactionSerializable } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startChain } from '../../support/chains.ts'
import { limit } from '../../support/limit.ts'
import { serveFetch } from '../../support/serve.ts'
import { ethereumKeyOf, solanaKey, Vault, verdict } from '../support/embedded-world.ts'
import { type Lie, startNode } from '../support/lying-node.ts'
import { startWorld, stores, vaultOrigin, type World } from '../support/world.ts'

describe.each(stores)('transactions that are filled in on $name', (store) => {
  let world: World
  let chain: Awaited<ReturnType<typeof startChain>>
  let node: Awaited<ReturnType<typeof startNode>>
  let other: Awaited<ReturnType<typeof startNode>>
  const account = privateKeyToAccount(generatePrivateKey())
  const to = privateKeyToAccount(generatePrivateKey()).address
  let vault: Vault

  beforeAll(async () => {
    chain = await startChain(1)
    node = await startNode(chain.url)
    other = await startNode(chain.url)
    world = await startWorld(store, {
      outside: { chainRpcUrls: { 1: node.url, 10: other.url } },
      limits: { outsideTimeout: limit(2_000), populatesPerMinute: 300 },
    })
    vault = await Vault.open(world)
    await vault.create(ethereumKeyOf(account))
    await rpc('anvil_setBalance', [account.address, '0xde0b6b3a7640000'])
  })
  afterAll(async () => {
    await world?.stop()
    node?.stop()
    other?.stop()
    await chain?.close()
  })
  afterEach(() => node.honest())

  async function rpc(method: string, params: unknown[]) {
    const response = await fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return (await response.json()).result
  }
  const fill = (transaction: object, address = account.address, by = vault) =>
    by.post('embedded_wallets/transactions/populate', { address, transaction })
  const plain = { to, value: '0x10', chainId: 1 }

  test('can be signed and sent as they are', async () => {
    const { status, body } = await fill(plain)
    expect([status, body.transaction]).toEqual([
      200,
      {
        to,
        from: account.address,
        value: '0x10',
        chainId: 1,
        nonce: 0,
        gasLimit: '0x5208',
        maxFeePerGas: expect.stringMatching(/^0x[\da-f]+$/),
        maxPriorityFeePerGas: expect.stringMatching(/^0x[\da-f]+$/),
      },
    ])
    const { nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = body.transaction
    const serialised = await account.signTransaction({
      type: 'eip1559',
      chainId: 1,
      to,
      value: 16n,
      nonce,
      gas: BigInt(gasLimit),
      maxFeePerGas: BigInt(maxFeePerGas),
      maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
    })
    const client = createPublicClient({ transport: http(chain.url) })
    const hash = await client.sendRawTransaction({ serializedTransaction: serialised })
    const receipt = await client.waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    expect((parseTransaction(serialised) as TransactionSerializable).to).toBe(to.toLowerCase())
    expect((await fill(plain)).body.transaction.nonce).toBe(1)
  })

  test('keep what they name', async () => {
    const whole = {
      to,
      from: account.address,
      value: '0x1',
      data: '0xabcd',
      chainId: 1,
      nonce: 7,
      gasLimit: '0x186a0',
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0x1',
    }
    expect((await fill(whole)).body.transaction).toEqual(whole)
    const access = [{ address: to, storageKeys: [`0x${'00'.repeat(32)}`] }]
    const legacy = { ...plain, type: 0, gasPrice: '0x77359400' }
    expect((await fill(legacy)).body.transaction).toMatchObject(legacy)
    const asked = await fill({ ...plain, type: 1, accessList: access })
    expect(asked.body.transaction).toMatchObject({
      type: 1,
      accessList: access,
      gasPrice: expect.any(String),
    })
    expect(asked.body.transaction).not.toHaveProperty('maxFeePerGas')
    expect(Number(asked.body.transaction.gasLimit)).toBeGreaterThan(21_000)
    for (const form of [
      { value: 16 },
      { value: '16' },
      { chainId: '0x1' },
      { chainId: '1' },
      { to: to.toLowerCase() },
    ])
      expect((await fill({ ...plain, ...form })).body.transaction).toMatchObject(plain)
    const nothing = { ...plain, data: null, nonce: null, gasLimit: null, gasPrice: null }
    expect((await fill(nothing)).status).toBe(200)
    // As a page that knows the base fee of a chain without it would ask.
    node.lies.eth_getBlockByNumber = { result: { gasLimit: '0x1c9c380' } }
    const old = (await fill(plain)).body.transaction
    expect([old.gasPrice, old.maxFeePerGas]).toEqual([expect.any(String), undefined])
  })

  test('are distinguished from those that cannot succeed', async () => {
    const dear = { ...plain, value: `0x${(10n ** 18n).toString(16)}` }
    expect(verdict(await fill(dear))).toEqual([400, 'insufficient_funds'])
    expect(verdict(await fill({ ...dear, gasLimit: '0x5208' }))).toEqual([400, 'insufficient_funds'])
    const poor = await Vault.open(world)
    const key = privateKeyToAccount(generatePrivateKey())
    await poor.create(ethereumKeyOf(key))
    expect(verdict(await fill(plain, key.address, poor))).toEqual([400, 'insufficient_funds'])
    // PUSH0 PUSH0 REVERT
    await rpc('anvil_setCode', ['0x00000000000000000000000000000000000000aa', '0x5f5ffd'])
    const reverting = { ...plain, value: '0x0', to: '0x00000000000000000000000000000000000000aa' }
    expect(verdict(await fill(reverting))).toEqual([400, 'transaction_execution_failure'])
    expect(verdict(await fill({ ...plain, chainId: 137 }))).toEqual([400, 'not_supported'])
  })

  test('are the person’s own, in one meaning', async () => {
    const stranger = await Vault.open(world)
    expect(verdict(await fill(plain, account.address, stranger))).toEqual([404, 'linked_account_not_found'])
    const solana = await vault.create(solanaKey(), { secret: 'key' })
    const onSolana = await fill(plain, solana.key.address as `0x${string}`)
    expect(verdict(onSolana)).toEqual([404, 'linked_account_not_found'])
    const { chainId: _, ...homeless } = plain
    for (const wrong of [
      homeless,
      { ...plain, from: to },
      { ...plain, to: '0x12' },
      { ...plain, chainId: 0 },
      { ...plain, chainId: 1.5 },
      { ...plain, chainId: 2 ** 53 },
      { ...plain, chainId: 'eip155:1' },
      { ...plain, value: -1 },
      { ...plain, value: '1e3' },
      { ...plain, value: `0x1${'0'.repeat(64)}` },
      { ...plain, data: '0xabc' },
      { ...plain, nonce: '0x20000000000000' },
      { ...plain, gasPrice: '0x1', maxFeePerGas: '0x1' },
      { ...plain, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
      { ...plain, type: 2, gasLimit: '0x5208', gas: '0x1' },
      { ...plain, type: 1, maxFeePerGas: '0x1' },
      { ...plain, type: 3 },
      { ...plain, accessList: [{ address: to, storageKeys: ['0x1'] }] },
      'text',
    ])
      expect(verdict(await fill(wrong as object)), JSON.stringify(wrong)).toEqual([400, 'invalid_data'])
  })

  test('are refused where the node lies or is down', async () => {
    const hex = (value: bigint) => `0x${value.toString(16)}`
    const lies: [string, Lie][] = [
      ['*', new Response('down', { status: 502 })],
      ['*', new Response('<!doctype html>')],
      ['*', new Response(`"${'x'.repeat(2_000_000)}"`)],
      ['*', Response.redirect('http://127.0.0.1:1/')],
      ['*', 'silent'],
      ['*', { error: { code: -32_005, message: 'limit exceeded' } }],
      ['eth_getBlockByNumber', { result: null }],
      ['eth_getBlockByNumber', { result: 'latest' }],
      ['eth_getBlockByNumber', { result: { gasLimit: 30_000_000, baseFeePerGas: '0x1' } }],
      ['eth_getBlockByNumber', { result: { gasLimit: '0x1c9c380', baseFeePerGas: 'NaN' } }],
      ['eth_getTransactionCount', { result: '-0x1' }],
      ['eth_getTransactionCount', { result: hex(2n ** 64n) }],
      ['eth_getTransactionCount', { result: 1 }],
      ['eth_getBalance', { result: '1000' }],
      ['eth_getBalance', { result: `0x${'f'.repeat(65)}` }],
      ['eth_estimateGas', { result: hex(10n ** 12n) }],
      ['eth_estimateGas', { result: '<b>21000</b>' }],
      ['eth_estimateGas', { result: null }],
      ['eth_feeHistory', { result: { reward: [['much']] } }],
      ['eth_estimateGas', 'silent'],
    ]
    for (const [method, lie] of lies) {
      node.lies[method] = lie
      const answer = await fill(plain)
      expect(answer.status, `${method} ${JSON.stringify(lie)}`).toBe(503)
      expect(answer.body).toEqual({ error: expect.stringContaining('Please try again.') })
      node.honest()
    }
    // A tip is advised where nobody knows which ones were paid.
    node.lies.eth_feeHistory = { error: { code: -32_601, message: 'Method not found' } }
    node.lies.eth_maxPriorityFeePerGas = { result: 'much' }
    expect((await fill(plain)).status).toBe(503)
    node.honest()
    expect((await fill(plain)).status).toBe(200)
    console.log(`${store.name}: ${lies.length + 1} lies of a node: 0 believed`)
  })

  test('get no fee that is far above what others pay, and no nonce that is used', async () => {
    node.lies.eth_maxPriorityFeePerGas = { result: '0xde0b6b3a7640000' }
    const { transaction } = (await fill(plain)).body
    expect(BigInt(transaction.maxPriorityFeePerGas)).toBeLessThanOrEqual(1_000_000_000n)
    node.honest()
    node.lies.eth_maxPriorityFeePerGas = { error: { code: -32_601, message: 'Method not found' } }
    node.lies.eth_feeHistory = { error: { code: -32_601, message: 'Method not found' } }
    node.lies.eth_gasPrice = { error: { code: -32_601, message: 'Method not found' } }
    expect((await fill(plain)).body.transaction.maxPriorityFeePerGas).toBe('0x3b9aca00')
    node.honest()
    const { nonce } = (await fill(plain)).body.transaction
    // A node that has forgotten what was mined since, for what is pending.
    const forgetful = await serveFetch(async (request) => {
      const call = (await request.json()) as { method: string; params: unknown[] }
      if (call.method === 'eth_getTransactionCount' && call.params[1] === 'pending')
        return Response.json({ jsonrpc: '2.0', id: 1, result: '0x0' })
      return fetch(chain.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(call),
      })
    })
    const elsewhere = await startWorld(store, { outside: { chainRpcUrls: { 1: forgetful.origin } } })
    const own = await Vault.open(elsewhere, { origin: vaultOrigin })
    await own.create(ethereumKeyOf(account))
    expect((await fill(plain, account.address, own)).body.transaction.nonce).toBe(nonce)
    await elsewhere.stop()
    await forgetful.stop()
  })

  const token = `0x${'cd'.repeat(20)}`
  const figures = (more: object = {}, by = vault) =>
    by.post('embedded_wallets/tokens/figures', { address: account.address, chain_id: 1, token, ...more })

  test('token figures: balance and supply come from the chain’s node', async () => {
    node.lies.eth_call = { result: `0x${1_000n.toString(16).padStart(64, '0')}` }
    expect((await figures()).body).toEqual({ balance: '1000', supply: '1000' })
  })

  test.each<[string, Lie]>([
    ['a contract that refuses', { error: { code: 3, message: 'execution reverted' } }],
    ['an account without code', { result: '0x' }],
  ])('token figures: %s has none', async (_, lie) => {
    node.lies.eth_call = lie
    expect(verdict(await figures())).toEqual([400, 'not_supported'])
  })

  test('token figures: another user’s wallet and an unknown chain have none', async () => {
    expect((await figures({}, await Vault.open(world))).status).toBe(404)
    expect(verdict(await figures({ chain_id: 5 }))).toEqual([400, 'not_supported'])
    expect((await figures({ token: '0x12' })).status).toBe(400)
  })

  test('are asked of a node of that chain alone', async () => {
    const answer = await fill({ ...plain, chainId: 10 })
    expect(answer.status).toBe(503)
    expect(other.asked).toEqual(['eth_chainId'])
  })
})

test.each(stores)('a person may have so many filled in a minute on $name', async (store) => {
  const world = await startWorld(store, { outside: { chainRpcUrls: { 1: 'http://127.0.0.1:1' } } })
  const vault = await Vault.open(world)
  const { key } = await vault.create()
  const ask = () =>
    vault.post('embedded_wallets/transactions/populate', {
      address: key.address,
      transaction: { to: key.address, chainId: 1 },
    })
  for (let count = 0; count < 60; count++) expect((await ask()).status).toBe(503)
  expect(verdict(await ask())).toEqual([429, 'too_many_requests'])
  await world.stop()
})
