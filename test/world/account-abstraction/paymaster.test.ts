/** The sponsor's stand-in, with an unmodified client of viem's and the bundler's stand-in. */
import { type Abi, encodeFunctionData, parseAbi, parseEther, parseGwei } from 'viem'
import { formatUserOperationRequest, type UserOperation } from 'viem/account-abstraction'
import { base } from 'viem/chains'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { targetsOf } from '../../../demo/world/account-abstraction/account-calls.ts'
import { entryPointVersions } from '../../../demo/world/account-abstraction/contracts.ts'
import type { PaymasterBehaviour } from '../../../demo/world/account-abstraction/paymaster.ts'
import { newAddress, type SimpleAccount, type StandIns, startStandIns } from './support/stand-ins.ts'

const allowed = newAddress()
const sponsor = { name: 'Example Sponsor', icon: 'data:image/svg+xml,%3Csvg/%3E' }
const any = { policy_id: 'any' }
const listed = { policyId: 'listed' }
const limited = { policyId: 'limited' }

let world: StandIns
beforeAll(async () => {
  world = await startStandIns([
    { id: 'any', sponsor },
    { id: 'listed', sponsor, contracts: [allowed] },
    { id: 'limited', sponsor, limitPerUser: parseEther('0.004') },
  ])
})
afterAll(() => world?.close())
afterEach(() => {
  world.paymaster.behave('normal')
  world.bundler.behave('normal')
  world.paymaster.forget()
})

/** An account that has nothing. */
const newAccount = (version: (typeof entryPointVersions)[number]) => world.newAccount(version, 0n)
/** @returns the answer to a request of ERC-7677 for an operation of the account */
async function ask(
  method: 'pm_getPaymasterStubData' | 'pm_getPaymasterData',
  account: SimpleAccount,
  {
    context = any,
    change = {},
    chainId = '0x2105',
  }: { context?: object; change?: object; chainId?: string } = {},
) {
  const operation = {
    sender: account.address,
    nonce: 0n,
    callData: await account.encodeCalls([{ to: allowed, value: 0n, data: '0x' }]),
    callGasLimit: 50_000n,
    verificationGasLimit: 200_000n,
    preVerificationGas: 50_000n,
    maxFeePerGas: parseGwei('5'),
    maxPriorityFeePerGas: parseGwei('1'),
    ...change,
  } as UserOperation
  return world.sponsorRpc(
    method,
    formatUserOperationRequest(operation),
    account.entryPoint.address,
    chainId,
    context,
  )
}

describe.each(entryPointVersions)('an operation of EntryPoint %s', (version) => {
  it('is paid by the sponsor, and its account needs nothing', async () => {
    const account = await newAccount(version)
    const client = world.clientFor(account, { context: any })
    const send = async () => {
      const hash = await client.sendUserOperation({ calls: [{ to: newAddress(), data: '0x1234' }] })
      return client.waitForUserOperationReceipt({ hash })
    }
    // The first one deploys the account.
    for (const { success, paymaster, actualGasUsed, receipt } of [await send(), await send()]) {
      expect(success).toBe(true)
      expect(paymaster).toMatch(/^0x[\da-fA-F]{40}$/)
      expect(actualGasUsed).toBeGreaterThanOrEqual(receipt.gasUsed)
    }
    expect(await world.client.getBalance({ address: account.address })).toBe(0n)
  })

  it('is refused once anything in it has changed after the sponsor signed', async () => {
    const account = await newAccount(version)
    const operation = await world.prepare(account, { context: any })
    for (const change of [
      { callData: await account.encodeCalls([{ to: newAddress(), value: 0n, data: '0x99' }]) },
      { maxFeePerGas: operation.maxFeePerGas + 1n },
      { callGasLimit: operation.callGasLimit + 1n },
    ])
      expect(
        (await world.present(account, { ...operation, ...change } as UserOperation)).error,
      ).toMatchObject({
        code: -32_507,
        message: expect.stringContaining('AA34'),
      })
  })

  it.each<[PaymasterBehaviour, number, string]>([
    ['expired', -32_503, 'AA32'],
    ['brief', -32_503, 'expires too soon'],
    ['wrong-signature', -32_507, 'AA34'],
    ['other-answer', -32_508, 'AA31'],
  ])('is refused with a sponsor that is %s', async (behaviour, code, text) => {
    const account = await newAccount(version)
    world.paymaster.behave(behaviour)
    const operation = await world.prepare(account, { context: any })
    const { error } = await world.present(account, operation)
    expect(error).toMatchObject({ code, message: expect.stringContaining(text) })
    if (behaviour !== 'brief') expect(error?.data?.paymaster).toMatch(/^0x/)
    if (behaviour === 'brief') expect(error?.data?.validUntil).toBeGreaterThan(0)
    if (behaviour === 'expired') expect(error?.data?.validUntil).toBeLessThan(Math.floor(Date.now() / 1_000))
  })

  it('is refused when it is estimated, with a sponsor whose contract has no deposit', async () => {
    const account = await newAccount(version)
    world.paymaster.behave('no-deposit')
    await expect(world.prepare(account, { context: any })).rejects.toMatchObject({
      cause: { name: 'PaymasterDepositTooLowError' },
    })
  })
})

describe('the sponsor', () => {
  it('names itself, and answers with the same contract and length at both requests', async () => {
    const account = await newAccount('0.8')
    const stub = await ask('pm_getPaymasterStubData', account)
    expect(stub.result).toMatchObject({ sponsor, isFinal: false, paymasterPostOpGasLimit: '0x0' })
    const data = await ask('pm_getPaymasterData', account)
    expect(Object.keys(data.result)).toEqual(['paymaster', 'paymasterData'])
    expect(data.result.paymaster).toBe(stub.result.paymaster)
    expect(data.result.paymasterData).toHaveLength(stub.result.paymasterData.length)
    const older = await newAccount('0.6')
    const [first, last] = [
      await ask('pm_getPaymasterStubData', older),
      await ask('pm_getPaymasterData', older),
    ]
    expect(Object.keys(last.result)).toEqual(['paymasterAndData'])
    expect(last.result.paymasterAndData).toHaveLength(first.result.paymasterAndData.length)
    world.paymaster.behave('nameless')
    expect((await ask('pm_getPaymasterStubData', account)).result.sponsor).toBeUndefined()
  })

  it('pays for the contracts of its policy alone', async () => {
    const account = await newAccount('0.7')
    expect((await ask('pm_getPaymasterStubData', account, { context: listed })).error).toBeUndefined()
    const call = (to: typeof allowed) => ({ to, value: 0n, data: '0x' as const })
    const other = newAddress()
    const callData = await account.encodeCalls([call(allowed), call(other)])
    for (const method of ['pm_getPaymasterStubData', 'pm_getPaymasterData'] as const)
      expect((await ask(method, account, { context: listed, change: { callData } })).error).toEqual({
        code: -32_002,
        message: `request denied - called address not in allowlist: ${other}`,
      })
    const unknown = await ask('pm_getPaymasterStubData', account, {
      context: listed,
      change: { callData: '0x12345678' },
    })
    expect(unknown.error?.code).toBe(-32_002)
  })

  it('pays for each user up to the limit of its policy', async () => {
    const [account, neighbour] = [await newAccount('0.8'), await newAccount('0.8')]
    // Each may cost 0.0015 ETH.
    const once = () => ask('pm_getPaymasterData', account, { context: limited })
    expect([(await once()).error, (await once()).error]).toEqual([undefined, undefined])
    expect((await once()).error).toEqual({
      code: -32_002,
      message: 'request denied - max spend per address reached',
    })
    expect((await ask('pm_getPaymasterData', neighbour, { context: limited })).error).toBeUndefined()
    expect((await ask('pm_getPaymasterData', account)).error).toBeUndefined()
  })

  it('refuses requests that it can’t read', async () => {
    const account = await newAccount('0.8')
    const refusals = [
      await ask('pm_getPaymasterStubData', account, { context: { policy_id: 'none' } }),
      await ask('pm_getPaymasterStubData', account, { chainId: '0x1' }),
      await ask('pm_getPaymasterStubData', account, { change: { initCode: '0x' } }),
      await ask('pm_getPaymasterData', account, { change: { callGasLimit: undefined } }),
      await world.sponsorRpc('pm_getPaymasterData', {}, account.entryPoint.address, '0x2105'),
      await world.sponsorRpc('pm_getPaymasterData'),
    ]
    expect(refusals.map(({ error }) => error?.code)).toEqual(refusals.map(() => -32_602))
    expect((await world.sponsorRpc('pm_accounts')).error?.code).toBe(-32_601)
  })

  it('can decline, at once or in the end', async () => {
    const account = await newAccount('0.8')
    const denied = { code: -32_002, message: 'request denied - no sponsorship available' }
    world.paymaster.behave('decline')
    expect((await ask('pm_getPaymasterStubData', account)).error).toEqual(denied)
    world.paymaster.behave('decline-late')
    expect((await ask('pm_getPaymasterStubData', account)).error).toBeUndefined()
    expect((await ask('pm_getPaymasterData', account)).error).toEqual(denied)
  })

  it('has a page that makes it silent, or puts it out of order', async () => {
    const choose = (behaviour: string) =>
      fetch(`${world.origin}/paymaster/behaviour`, {
        method: 'POST',
        body: new URLSearchParams({ behaviour }),
      })
    expect(await (await fetch(`${world.origin}/paymaster`)).text()).toContain('value="decline-late"')
    const post = (signal?: AbortSignal) =>
      fetch(`${world.origin}/paymaster/${base.id}`, { method: 'POST', body: '{}', ...(signal && { signal }) })
    expect((await choose('down')).status).toBe(200)
    expect((await post()).status).toBe(502)
    expect((await choose('silent')).status).toBe(200)
    await expect(post(AbortSignal.timeout(300))).rejects.toMatchObject({ name: 'TimeoutError' })
    expect((await choose('dance')).status).toBe(400)
  })

  it('runs out of deposit for operations that wait, and says so', async () => {
    world.bundler.behave('hold')
    const gas = { callGasLimit: 14_000_000n, maxFeePerGas: parseEther('0.0004'), maxPriorityFeePerGas: 1n }
    const send = async () => {
      const account = await newAccount('0.8')
      const prepared = await world.prepare(account, { context: any })
      const change = { ...prepared, ...gas, signature: '0x' } as UserOperation
      const signed = await ask('pm_getPaymasterData', account, { change })
      return world.present(account, { ...change, ...signed.result })
    }
    expect((await send()).result).toMatch(/^0x/)
    expect((await send()).error).toMatchObject({ code: -32_508, message: expect.stringContaining('AA31') })
  })
})

describe('the calls of an account', () => {
  const [one, other] = [newAddress(), newAddress()]
  it.each(['function execute(address, uint256, bytes)', 'function execute_ncC(address, uint256, bytes)'])(
    'are read from %s',
    (signature) => {
      const data = encodeFunctionData({ abi: parseAbi([signature]) as Abi, args: [one, 1n, '0x'] })
      expect(targetsOf(data)).toEqual([one])
    },
  )
  it.each([
    [
      'function executeBatch(address[], bytes[])',
      [
        [one, other],
        ['0x', '0x'],
      ],
    ],
    [
      'function executeBatch(address[], uint256[], bytes[])',
      [
        [one, other],
        [1n, 2n],
        ['0x', '0x'],
      ],
    ],
    [
      'function executeBatch((address a, uint256 v, bytes d)[])',
      [
        [
          { a: one, v: 1n, d: '0x' },
          { a: other, v: 1n, d: '0x' },
        ],
      ],
    ],
  ])('are read from %s', (signature, args) => {
    const data = encodeFunctionData({ abi: parseAbi([signature]) as Abi, args })
    expect(targetsOf(data)).toEqual([one, other])
  })
  it('are unknown in any other form', () => {
    for (const data of ['0x', '0x12345678', '0xb61d27f6'] as const) expect(targetsOf(data)).toBeUndefined()
  })
})
