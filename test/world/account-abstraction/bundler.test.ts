/** The bundler's stand-in, with an unmodified client of viem's. */
import { type Address, concatHex, type Hex, http, pad, parseEther, parseGwei, toHex } from 'viem'
import {
  createBundlerClient,
  formatUserOperationRequest,
  toSimple7702SmartAccount,
  type UserOperation,
} from 'viem/account-abstraction'
import { base } from 'viem/chains'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  createContracts,
  entryPointAddresses,
  entryPointVersions,
  simple7702Address,
} from '../../../demo/world/account-abstraction/contracts.ts'
import { codeOf, refusals } from '../../../demo/world/account-abstraction/errors.ts'
import { newAddress, newOwner, type StandIns, startStandIns } from './support/stand-ins.ts'

let world: StandIns
beforeAll(async () => {
  world = await startStandIns()
})
afterAll(() => world?.close())
afterEach(() => {
  world.bundler.behave('normal')
})

describe('the contracts', () => {
  it('stand at the addresses that they have on every chain, and stay when they are deployed again', async () => {
    const places = [...Object.values(entryPointAddresses), simple7702Address]
    for (const address of places) expect(await world.client.getCode({ address })).toBeDefined()
    const block = await world.client.getBlockNumber()
    await createContracts({ [base.id]: world.chain.url }).ready(base.id)
    expect(await world.client.getBlockNumber()).toBe(block)
  })
})

describe.each(entryPointVersions)('an operation of EntryPoint %s', (version) => {
  it('deploys its account and carries out a call that the account pays for', async () => {
    const account = await world.newAccount(version)
    const client = world.clientFor(account)
    const to = newAddress()
    const hash = await client.sendUserOperation({ calls: [{ to, value: 123n }] })
    const receipt = await client.waitForUserOperationReceipt({ hash })
    expect(receipt).toMatchObject({
      userOpHash: hash,
      success: true,
      sender: account.address,
      entryPoint: entryPointAddresses[version],
    })
    expect(receipt.receipt.transactionHash).toMatch(/^0x[\da-f]{64}$/)
    expect(receipt.paymaster).toBeUndefined()
    expect(await world.client.getBalance({ address: to })).toBe(123n)
    expect(await account.isDeployed()).toBe(true)
    const found = await client.getUserOperation({ hash })
    expect(found).toMatchObject({ transactionHash: receipt.receipt.transactionHash })
    const { sender, nonce, callData } = found.userOperation
    expect([sender, nonce]).toEqual([account.address, BigInt(receipt.nonce)])
    expect(callData).toBe(await account.encodeCalls([{ to, value: 123n }]))
  })

  it('carries out several calls of a deployed account, and the bundler loses nothing by it', async () => {
    const account = await world.newAccount(version)
    const client = world.clientFor(account)
    const send = async (calls: { to: Address; value?: bigint; data?: Hex }[]) => {
      const hash = await client.sendUserOperation({ calls })
      return client.waitForUserOperationReceipt({ hash })
    }
    const first = await send([{ to: newAddress(), value: 1n }])
    const second = await send([
      { to: newAddress(), data: '0x1234' },
      { to: newAddress(), data: '0x' },
    ])
    for (const { success, actualGasUsed, receipt } of [first, second]) {
      expect(success).toBe(true)
      expect(actualGasUsed).toBeGreaterThanOrEqual(receipt.gasUsed)
      expect(actualGasUsed).toBeLessThan((receipt.gasUsed * 3n) / 2n)
    }
  })

  it('whose calls fail is refused when it is estimated, with the contract’s reason', async () => {
    const account = await world.newAccount(version)
    const spending = world.clientFor(account).sendUserOperation({
      calls: [{ to: newAddress(), value: parseEther('2') }],
    })
    await expect(spending).rejects.toMatchObject({
      name: 'UserOperationExecutionError',
      cause: { name: 'ExecutionRevertedError' },
    })
  })

  it('is estimated with the state that the request names', async () => {
    const account = await world.newAccount(version, 0n)
    const callData = await account.encodeCalls([{ to: newAddress(), value: parseEther('2'), data: '0x' }])
    const { factory, factoryData } = await account.getFactoryArgs()
    const creation =
      version === '0.6' && factory && factoryData
        ? { initCode: concatHex([factory, factoryData]) }
        : { factory, factoryData }
    const operation = formatUserOperationRequest({
      sender: account.address,
      nonce: 0n,
      callData,
      signature: await account.getStubSignature(),
      ...creation,
    } as unknown as UserOperation)
    const estimate = (...more: object[]) =>
      world.rpc('eth_estimateUserOperationGas', operation, account.entryPoint.address, ...more)
    expect((await estimate()).error?.code).toBe(-32_521)
    const balance = toHex(parseEther('3'))
    const { result } = await estimate({ [account.address]: { balance } })
    expect(BigInt(result.callGasLimit)).toBeGreaterThan(20_000n)
    expect((await estimate({ [account.address]: 'rich' as never })).error?.code).toBe(-32_602)
  })

  it('whose calls fail in the block has a receipt that says so', async () => {
    const account = await world.newAccount(version)
    const calls = [{ to: entryPointAddresses[version], value: 0n, data: '0xdeadbeef' as const }]
    const operation = await world.prepare(account, { callData: await account.encodeCalls(calls) })
    const { result } = await world.present(account, operation)
    const receipt = await world.receiptOf(account, result)
    expect(receipt.success).toBe(false)
    expect(receipt.receipt.status).toBe('success')
  })

  it('is hidden from other operations of its bundle: its logs are its own', async () => {
    const token = await deployEmitter()
    world.bundler.behave('hold')
    const accounts = await Promise.all([world.newAccount(version), world.newAccount(version)])
    const hashes: Hex[] = []
    for (const account of accounts) {
      const data = pad(account.address)
      const callData = await account.encodeCalls([{ to: token, value: 0n, data }])
      const { result } = await world.present(
        account,
        await world.prepare(account, { callData, callGasLimit: 100_000n }),
      )
      hashes.push(result)
    }
    const [pending] = hashes
    expect((await world.rpc('eth_getUserOperationByHash', pending)).result).toMatchObject({
      transactionHash: null,
    })
    expect((await world.rpc('eth_getUserOperationReceipt', pending)).result).toBeNull()
    expect(world.bundler.waiting(base.id)).toEqual(expect.arrayContaining(hashes))
    world.bundler.behave('normal')
    const receipts = await Promise.all(accounts.map((each, at) => world.receiptOf(each, hashes[at] ?? '0x')))
    const [one, other] = receipts
    expect(one?.receipt.transactionHash).toBe(other?.receipt.transactionHash)
    for (const [at, { logs }] of receipts.entries())
      expect(logs.map(({ address, data }) => [address, data])).toEqual([
        [token.toLowerCase(), pad(accounts[at]?.address ?? '0x').toLowerCase()],
      ])
  })
})

/** A contract that logs the data of its calls. */
async function deployEmitter(): Promise<Address> {
  const address = newAddress()
  // calldatacopy(0, 0, calldatasize) log0(0, calldatasize)
  await world.tester.setCode({ address, bytecode: '0x365f5f37365fa000' })
  return address
}

describe('an account of EIP-7702', () => {
  const accountOf = (owner: ReturnType<typeof newOwner>) =>
    toSimple7702SmartAccount({ client: world.client, owner })
  const fees = { maxFeePerGas: parseGwei('5'), maxPriorityFeePerGas: parseGwei('1') }
  async function newUser() {
    const owner = newOwner()
    await world.tester.setBalance({ address: owner.address, value: parseEther('1') })
    const account = await accountOf(owner)
    const client = createBundlerClient({
      account,
      client: world.client,
      transport: http(`${world.origin}/bundler/${base.id}`, { retryCount: 0 }),
      pollingInterval: 20,
      userOperation: { estimateFeesPerGas: async () => fees },
    })
    return { owner, client }
  }
  const authorize = (owner: ReturnType<typeof newOwner>, more = {}) =>
    owner.signAuthorization({ address: simple7702Address, chainId: base.id, nonce: 0, ...more })

  it('gets its code with its first operation, and needs no authorization for the second', async () => {
    const { owner, client } = await newUser()
    const to = newAddress()
    const authorization = await authorize(owner)
    const calls = [
      { to, value: 7n },
      { to: newAddress(), value: 1n },
    ]
    const first = await client.sendUserOperation({ calls, authorization })
    expect((await client.waitForUserOperationReceipt({ hash: first })).success).toBe(true)
    expect(await world.client.getCode({ address: owner.address })).toBe(
      concatHex(['0xef0100', simple7702Address]).toLowerCase(),
    )
    const second = await client.sendUserOperation({ calls: [{ to, value: 8n }] })
    expect((await client.waitForUserOperationReceipt({ hash: second })).success).toBe(true)
    expect(await world.client.getBalance({ address: to })).toBe(15n)
  })

  it.each([
    ['of another key', (): Promise<object> => authorize(newOwner())],
    ['for another chain', (owner: ReturnType<typeof newOwner>) => authorize(owner, { chainId: 5 })],
    ['with a nonce that is not next', (owner: ReturnType<typeof newOwner>) => authorize(owner, { nonce: 3 })],
  ])('is refused with an authorization %s', async (_, make) => {
    const { owner, client } = await newUser()
    const authorization = (await make(owner)) as never
    const calls = [{ to: newAddress(), value: 7n }]
    await expect(client.sendUserOperation({ calls, authorization })).rejects.toThrow(/eip7702Auth/)
  })
})

describe('an operation is refused', () => {
  /** @returns the bundler's error for an operation that was changed before it was signed */
  async function refusalOf(
    version: (typeof entryPointVersions)[number],
    change: Partial<UserOperation>,
    value?: bigint,
  ) {
    const account = await world.newAccount(version)
    const operation = await world.prepare(account)
    if (value !== undefined) await world.tester.setBalance({ address: account.address, value })
    const { error } = await world.present(account, { ...operation, ...change } as UserOperation)
    return error
  }

  it.each(entryPointVersions)('by EntryPoint %s with the codes of ERC-7769', async (version) => {
    const account = await world.newAccount(version)
    const operation = await world.prepare(account)
    const stranger = await newOwner().signMessage({ message: 'Hello' })
    expect((await world.present(account, operation, stranger)).error).toMatchObject({
      code: -32_507,
      message: expect.stringContaining('AA24'),
    })
    expect(await refusalOf(version, { nonce: 3n })).toMatchObject({
      code: -32_500,
      message: expect.stringContaining('AA25'),
    })
    expect(await refusalOf(version, {}, 0n)).toMatchObject({
      code: -32_500,
      message: expect.stringMatching(/AA2[13]/),
    })
    const creation =
      version === '0.6'
        ? { initCode: concatHex([newAddress(), '0x12345678']) }
        : { factory: newAddress(), factoryData: '0x12345678' as const }
    expect(await refusalOf(version, creation as Partial<UserOperation>)).toMatchObject({
      code: -32_500,
      message: expect.stringMatching(/AA1[345]/),
    })
    expect(await refusalOf(version, { verificationGasLimit: 50_000n })).toMatchObject({
      code: -32_500,
      message: expect.stringMatching(/AA(13|23|26|40|41)/),
    })
  })

  it('for fields that no EntryPoint would take', async () => {
    const account = await world.newAccount('0.8')
    const operation = formatUserOperationRequest({
      ...(await world.prepare(account)),
      signature: await account.getStubSignature(),
    })
    const send = (change: object, entryPoint: unknown = account.entryPoint.address) =>
      world.rpc('eth_sendUserOperation', { ...operation, ...change }, entryPoint)
    const invalid: [object, string][] = [
      [{ sender: '0x12' }, 'sender'],
      [{ nonce: '12' }, 'nonce'],
      [{ callData: '0x123' }, 'callData'],
      [{ callGasLimit: undefined }, 'callGasLimit'],
      [{ signature: undefined }, 'signature'],
      [{ maxFeePerGas: `0x1${'00'.repeat(16)}` }, 'maxFeePerGas'],
      [{ initCode: '0x' }, 'initCode'],
      [{ factoryData: undefined }, 'factoryData'],
      [{ preVerificationGas: '0x1' }, 'preVerificationGas'],
      [{ callGasLimit: '0xffffffff' }, 'too much gas'],
      [{ maxPriorityFeePerGas: '0xffffffffff' }, 'maxPriorityFeePerGas'],
      [{ maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' }, 'maxFeePerGas'],
    ]
    for (const [change, word] of invalid)
      expect((await send(change)).error).toEqual({
        code: -32_602,
        message: expect.stringContaining(word),
      })
    for (const entryPoint of [newAddress(), 'EntryPoint', null])
      expect((await send({}, entryPoint)).error?.code).toBe(-32_602)
  })

  it('that has the form of another EntryPoint', async () => {
    const account = await world.newAccount('0.6')
    const operation = { ...(await world.prepare(account)), signature: await account.getStubSignature() }
    const { error } = await world.rpc(
      'eth_sendUserOperation',
      formatUserOperationRequest(operation),
      entryPointAddresses['0.7'],
    )
    expect(error?.code).toBe(-32_602)
  })

  it('when it uses too little gas for the bundler, though its estimate is enough', async () => {
    const account = await world.newAccount('0.7')
    const operation = await world.prepare(account)
    const less = { ...operation, preVerificationGas: operation.preVerificationGas / 2n }
    expect((await world.present(account, less as UserOperation)).error?.message).toMatch(/preVerificationGas/)
    expect((await world.present(account, operation)).result).toMatch(/^0x/)
  })

  it('with the code that every text of an EntryPoint has', () => {
    const codes = { AA10: -32_500, AA22: -32_503, AA24: -32_507, AA31: -32_508, AA32: -32_503, AA33: -32_501 }
    for (const [text, code] of Object.entries({ ...codes, AA34: -32_507, AA40: -32_500, AA50: -32_500 }))
      expect(codeOf(`${text} because`)).toBe(code)
  })
})

describe('operations that wait', () => {
  /** Another operation with the same nonce, at other fees. */
  const withFees = (operation: UserOperation, percent: bigint) =>
    ({
      ...operation,
      maxFeePerGas: (operation.maxFeePerGas * percent) / 100n,
      maxPriorityFeePerGas: (operation.maxPriorityFeePerGas * percent) / 100n,
    }) as UserOperation

  it('are replaced by one that pays a tenth more, and by none that pays less', async () => {
    world.bundler.behave('hold')
    const account = await world.newAccount('0.8')
    const operation = await world.prepare(account)
    const first = await world.present(account, operation)
    const cheap = await world.present(account, withFees(operation, 109n))
    expect(cheap.error).toMatchObject({ code: -32_602, message: expect.stringContaining('underpriced') })
    expect((await world.present(account, operation)).error?.message).toContain('underpriced')
    const halfRaised = { ...withFees(operation, 120n), maxPriorityFeePerGas: operation.maxPriorityFeePerGas }
    expect((await world.present(account, halfRaised as UserOperation)).error?.message).toContain(
      'maxPriorityFeePerGas',
    )
    const second = await world.present(account, withFees(operation, 110n))
    const waiting = world.bundler.waiting(base.id)
    expect([waiting.includes(first.result), waiting.includes(second.result)]).toEqual([false, true])
    expect((await world.rpc('eth_getUserOperationByHash', first.result)).result).toBeNull()
    world.bundler.behave('normal')
    expect((await world.receiptOf(account, second.result)).success).toBe(true)
    expect((await world.rpc('eth_getUserOperationReceipt', first.result)).result).toBeNull()
  })

  it('of one sender are four at most, and are included one after the other', async () => {
    world.bundler.behave('hold')
    const account = await world.newAccount('0.7')
    const deployed = await world.present(account, await world.prepare(account))
    world.bundler.behave('normal')
    await world.receiptOf(account, deployed.result)
    world.bundler.behave('hold')
    const hashes: Hex[] = []
    for (let key = 1n; key <= 4n; key++) {
      const operation = await world.prepare(account, { nonce: key << 64n })
      hashes.push((await world.present(account, operation)).result)
    }
    const fifth = await world.present(account, await world.prepare(account, { nonce: 5n << 64n }))
    expect(fifth.error).toMatchObject({ code: -32_505, data: { sender: account.address } })
    world.bundler.behave('normal')
    const receipts = await Promise.all(hashes.map((hash) => world.receiptOf(account, hash)))
    const transactions = new Set(receipts.map(({ receipt }) => receipt.transactionHash))
    expect(transactions.size).toBe(4)
  })

  it('are left out of a bundle once they can’t be included any more', async () => {
    world.bundler.behave('hold')
    const [emptied, funded] = [await world.newAccount('0.8'), await world.newAccount('0.8')]
    const lost = await world.present(emptied, await world.prepare(emptied))
    const good = await world.present(funded, await world.prepare(funded))
    await world.tester.setBalance({ address: emptied.address, value: 0n })
    world.bundler.behave('normal')
    expect((await world.receiptOf(funded, good.result)).success).toBe(true)
    expect((await world.rpc('eth_getUserOperationByHash', lost.result)).result).toBeNull()
    expect(world.bundler.waiting(base.id)).not.toContain(lost.result)
  })
})

describe('the bundler', () => {
  it('names its chain, its EntryPoints and its prices', async () => {
    expect((await world.rpc('eth_chainId')).result).toBe('0x2105')
    const { result } = await world.rpc('eth_supportedEntryPoints')
    expect(result).toEqual(Object.values(entryPointAddresses))
    const prices = await world.rpc('pimlico_getUserOperationGasPrice')
    const { slow, standard, fast } = prices.result
    const fee = (price: { maxFeePerGas: Hex }) => BigInt(price.maxFeePerGas)
    expect(fee(slow) < fee(standard) && fee(standard) < fee(fast)).toBe(true)
    const { baseFeePerGas } = await world.client.getBlock()
    expect(fee(slow)).toBeGreaterThan(baseFeePerGas ?? 0n)
  })

  it('answers what is no request with the codes of JSON-RPC, and several requests at once', async () => {
    const post = async (body: string, chainId: number = base.id) => {
      const response = await fetch(`${world.origin}/bundler/${chainId}`, { method: 'POST', body })
      return { status: response.status, body: await response.json() }
    }
    expect((await post('{')).body.error.code).toBe(-32_700)
    expect((await post('{"method":7}')).body.error.code).toBe(-32_600)
    expect((await world.rpc('eth_mine')).error?.code).toBe(-32_601)
    expect((await world.rpc('toString')).error?.code).toBe(-32_601)
    expect((await world.rpc('eth_getUserOperationReceipt', '0x12')).error?.code).toBe(-32_602)
    expect((await post('{}', 5)).status).toBe(404)
    const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'eth_chainId', params: [] })
    const many = await post(JSON.stringify([call(1), call(2)]))
    expect(many.body.map(({ id }: { id: number }) => id)).toEqual([1, 2])
  })

  it('lets pages of any origin ask', async () => {
    const response = await fetch(`${world.origin}/bundler/${base.id}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
  })

  it.each(Object.keys(refusals).map(Number))('refuses with code %i when it is told to', async (code) => {
    expect(world.bundler.behave('refuse', code as keyof typeof refusals)).toBe(true)
    const account = await world.newAccount('0.8')
    const operation = formatUserOperationRequest({ sender: account.address, nonce: 0n, callData: '0x' })
    const { error } = await world.rpc('eth_estimateUserOperationGas', operation, account.entryPoint.address)
    expect(error?.code).toBe(code)
  })

  it('has a page that sets its behaviour, and refuses one that it does not know', async () => {
    const page = await (await fetch(`${world.origin}/bundler`)).text()
    for (const word of ['hold', 'drop', 'refuse', '-32507']) expect(page).toContain(word)
    const choose = (form: Record<string, string>) =>
      fetch(`${world.origin}/bundler/behaviour`, { method: 'POST', body: new URLSearchParams(form) })
    expect((await choose({ behaviour: 'down' })).status).toBe(200)
    expect((await fetch(`${world.origin}/bundler/${base.id}`, { method: 'POST', body: '{}' })).status).toBe(
      502,
    )
    expect((await choose({ behaviour: 'dance' })).status).toBe(400)
    expect((await choose({ behaviour: 'refuse', code: '1' })).status).toBe(400)
    expect((await choose({ behaviour: 'normal' })).status).toBe(200)
    expect((await world.rpc('eth_chainId')).result).toBe('0x2105')
  })

  it('can be silent, which ends with the request', async () => {
    world.bundler.behave('silent')
    const request = fetch(`${world.origin}/bundler/${base.id}`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' }),
      signal: AbortSignal.timeout(300),
    })
    await expect(request).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('can take an operation and forget it', async () => {
    world.bundler.behave('drop')
    const account = await world.newAccount('0.8')
    const { result } = await world.present(account, await world.prepare(account))
    expect(result).toMatch(/^0x[\da-f]{64}$/)
    world.bundler.behave('normal')
    expect(world.bundler.waiting(base.id)).not.toContain(result)
    expect((await world.rpc('eth_getUserOperationByHash', result)).result).toBeNull()
  })

  it('can lie about gas', async () => {
    const account = await world.newAccount('0.8')
    const right = await world.prepare(account)
    world.bundler.behave('low-gas')
    const low = await world.prepare(account)
    expect(low.callGasLimit).toBeLessThan(right.callGasLimit / 2n)
    expect((await world.present(account, low)).error?.code).toBe(-32_602)
    world.bundler.behave('huge-gas')
    expect((await world.prepare(account)).callGasLimit).toBeGreaterThan(right.callGasLimit * 50n)
    world.bundler.behave('no-prices')
    expect((await world.rpc('pimlico_getUserOperationGasPrice')).error?.code).toBe(-32_601)
  })

  it('can lie about hashes and receipts', async () => {
    const account = await world.newAccount('0.8')
    world.bundler.behave('hold')
    const operation = await world.prepare(account)
    const { result: hash } = await world.present(account, operation)
    world.bundler.behave('normal')
    const right = await world.receiptOf(account, hash)
    world.bundler.behave('wrong-outcome')
    expect((await world.receiptOf(account, hash)).success).toBe(false)
    world.bundler.behave('wrong-transaction')
    const wrong = (await world.receiptOf(account, hash)).receipt.transactionHash
    expect(wrong).not.toBe(right.receipt.transactionHash)
    expect(await world.client.getTransaction({ hash: wrong })).toBeDefined()
    world.bundler.behave('wrong-hash')
    const next = await world.prepare(account)
    const answer = await world.present(account, next)
    world.bundler.behave('normal')
    expect((await world.rpc('eth_getUserOperationByHash', answer.result)).result).toBeNull()
  })
})
