/** Operations on a real chain, through the stand-ins of a bundler and of a sponsor, at all three EntryPoints. */
import { type Address, encodeErrorResult, type Hex, parseAbi, parseEther } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  type EntryPointVersion,
  entryPointAddresses,
  entryPointVersions,
  simple7702Address,
  simpleAccountFactoryAddress,
} from '../../../demo/world/account-abstraction/contracts.ts'
import type { ActivityEntry } from '../../../src/activity/entry.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import type { SmartAccountCodec, SmartCall } from '../../../src/wallets/smart/account-codec.ts'
import {
  callsInArrays,
  callsInTuples,
  createCallCodec,
  functionOf,
  singleCall,
} from '../../../src/wallets/smart/accounts/call-forms.ts'
import { loadSmartAccountCodec } from '../../../src/wallets/smart/accounts/features.ts'
import { hashOperation, STUB_SIGNATURE } from '../../../src/wallets/smart/accounts/signatures.ts'
import { isOfSponsor } from '../../../src/wallets/smart/errors.ts'
import { type PrepareOperationOptions, prepareOperation } from '../../../src/wallets/smart/operation.ts'
import {
  newAddress,
  newOwner,
  type StandIns,
  startStandIns,
} from '../../world/account-abstraction/support/stand-ins.ts'
import { type Account, createAccount } from './support/account.ts'

let world: StandIns
beforeAll(async () => {
  world = await startStandIns()
})
afterAll(() => world?.close())
afterEach(() => {
  world.bundler.behave('normal')
  world.paymaster.behave('normal')
  world.paymaster.forget()
})

const start = Date.now()
/** Twenty times as fast as the world: for waits alone, and never for the time of a request. */
const fastClock: Clock = {
  now: () => start + (Date.now() - start) * 20,
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
}

/** The EntryPoints' own sample account, whose contracts come with their packages. */
function sampleCodec(version: EntryPointVersion, address: Address): SmartAccountCodec {
  const entryPoint = { address: entryPointAddresses[version], version }
  const createAccount = functionOf('function createAccount(address owner, uint256 salt)')
  const batch = version === '0.7' ? callsInArrays('executeBatch') : callsInTuples('executeBatch')
  const codec: SmartAccountCodec = {
    // No kind of ours; nothing here depends on it.
    kind: 'light_account',
    version,
    entryPoint,
    nonceKey: 0n,
    getFactoryArgs: (owner) => ({
      factory: simpleAccountFactoryAddress(version),
      factoryData: createAccount.encode([owner, 0n]),
    }),
    getAddress: () => address,
    ...createCallCodec({ single: singleCall('execute'), batch }),
    stubSignature: STUB_SIGNATURE,
    toOperationPayload: (operation, chain) => {
      const hash = hashOperation({ entryPoint }, operation, chain)
      return version === '0.8' ? { type: 'hash', hash } : { type: 'message', raw: hash }
    },
    toOperationSignature: (signature) => signature,
    toContentPayload: (content) => content,
    toContentSignature: (signature) => signature,
  }
  return codec
}

interface AccountOptions {
  readonly wei?: bigint
  readonly isSponsored?: boolean
}

const account = (codec: SmartAccountCodec, owner: PrivateKeyAccount, options: AccountOptions = {}): Account =>
  createAccount(world.contextOf(codec, owner.address, options), owner)

async function newAccount(version: EntryPointVersion, options: AccountOptions = {}): Promise<Account> {
  const owner = newOwner()
  const sender = await world.client.readContract({
    address: simpleAccountFactoryAddress(version),
    abi: parseAbi(['function getAddress(address owner, uint256 salt) view returns (address)']),
    functionName: 'getAddress',
    args: [owner.address, 0n],
  })
  await world.tester.setBalance({ address: sender, value: options.wei ?? parseEther('1') })
  return account(sampleCodec(version, sender), owner, options)
}

const send = (account: Account, calls: readonly SmartCall[], options: PrepareOperationOptions = {}) =>
  account.send(calls, { ...options, time: fastClock })
const wait = (account: Account, entry: ActivityEntry) => account.follow(entry, fastClock)
/** The refusal of a sponsor, whenever it comes. */
const rejection = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (cause) => cause,
  )
const confirmed = { change: { status: 'confirmed' } }
const call = (to: Address, value = 0n, data: Hex = '0x'): SmartCall => ({ to, value, data })
const balance = (address: Address) => world.client.getBalance({ address })

describe.each(entryPointVersions)('an operation at EntryPoint %s', (version) => {
  test('deploys its account, and the next one carries out a batch', async () => {
    const account = await newAccount(version)
    const [one, other] = [newAddress(), newAddress()]
    const first = await send(account, [call(one, 5n)])
    expect(first.prepared).toMatchObject({ deploysAccount: true, isUnderfunded: false })
    expect(first).toMatchObject({
      entry: { hash: first.prepared.hash },
      change: { status: 'confirmed', transactionHash: expect.stringMatching(/^0x[\da-f]{64}$/) },
    })
    expect(await balance(one)).toBe(5n)
    const value = version === '0.6' ? 0n : 7n
    // The sample account of 0.6 has another batch, without values.
    const second = await send(
      account,
      version === '0.6' ? [call(other)] : [call(one, value), call(other, value)],
    )
    expect(second.prepared.deploysAccount).toBe(false)
    expect(second).toMatchObject(confirmed)
    expect(await balance(other)).toBe(value)
  })

  test('costs no more than was said', async () => {
    const account = await newAccount(version)
    const { prepared, change } = await send(account, [call(newAddress(), 5n)])
    const fee = BigInt(change.fee ?? 0)
    expect(fee).toBeGreaterThan(0n)
    expect(fee).toBeLessThanOrEqual(prepared.fee)
  })

  test('is paid by the sponsor, and its account needs nothing', async () => {
    const account = await newAccount(version, { isSponsored: true, wei: 0n })
    for (let round = 0; round < 2; round++) {
      const { prepared, change } = await send(account, [call(newAddress(), 0n, '0x1234')])
      expect(prepared).toMatchObject({ sponsor: { name: 'Example' }, isUnderfunded: false })
      expect(prepared.validity?.until).toBeGreaterThan(Date.now() / 1_000)
      expect(change.status).toBe('confirmed')
    }
    expect(await balance(account.address)).toBe(0n)
  })

  test.each([
    ['decline', 'sponsor_declined'],
    ['decline-late', 'sponsor_declined'],
    ['wrong-signature', 'user_operation_paymaster_refused'],
    ['no-deposit', 'user_operation_sponsor_out_of_funds'],
    ['other-answer', 'sponsor_answer_invalid'],
  ] as const)('asks its user once the sponsor doesn’t pay: %s', async (behaviour, code) => {
    const account = await newAccount(version, { isSponsored: true })
    world.paymaster.behave(behaviour)
    const refused = await rejection(send(account, [call(newAddress())]))
    expect([refused.code, isOfSponsor(refused)]).toEqual([code, true])
    // The user may pay: the same calls without the sponsor.
    const { paymaster: _, ...own } = account.cx
    expect(await send(createAccount(own, account.key), [call(newAddress())])).toMatchObject(confirmed)
  })

  test('whose calls would fail is refused with the contract’s reason', async () => {
    const account = await newAccount(version)
    await send(account, [call(newAddress())])
    const target = await failing('Closed')
    await expect(prepareOperation(account.cx, [call(target)])).rejects.toMatchObject({
      code: 'user_operation_reverted',
      data: { reason: 'Closed' },
    })
  })

  test('whose calls fail in the block is included without success, and says why, whatever the bundler says', async () => {
    const account = await newAccount(version)
    await send(account, [call(newAddress())])
    const target = newAddress()
    await world.tester.setCode({ address: target, bytecode: loop })
    const prepared = await account.prepare([call(target)])
    await failing('Too late', target)
    world.bundler.behave('wrong-outcome')
    const { change } = await wait(account, await account.submit(prepared))
    expect(change).toMatchObject({ status: 'failed', reason: 'Too late' })
  })

  test('meets an account that was deployed meanwhile: it is prepared again, but where the EntryPoint takes it all the same', async () => {
    const account = await newAccount(version)
    const prepared = await account.prepare([call(newAddress())])
    const { factory: to, factoryData: data } = account.cx.codec.getFactoryArgs(account.key.address) ?? {}
    const [sender] = (await world.tester.request({ method: 'eth_accounts' } as never)) as unknown as [Address]
    const hash = await world.tester.sendTransaction({ account: sender, to, data, chain: base })
    await world.client.waitForTransactionReceipt({ hash })
    const submitting = account.submit(prepared)
    // EntryPoint 0.8 passes over the factory of an account that is there.
    if (version === '0.8') await wait(account, await submitting)
    else
      await expect(submitting).rejects.toMatchObject({
        code: 'user_operation_already_deployed',
        retryable: true,
      })
    expect(await send(account, [call(newAddress())])).toMatchObject(confirmed)
  })

  test('has to be prepared again once another one has used its nonce', async () => {
    const account = await newAccount(version)
    await send(account, [call(newAddress())])
    const [one, other] = [
      await account.prepare([call(newAddress())]),
      await account.prepare([call(newAddress())]),
    ]
    await wait(account, await account.submit(one))
    await expect(account.submit(other)).rejects.toMatchObject({
      code: 'user_operation_nonce_used',
      retryable: true,
    })
  })

  test('that another one has replaced is reported so', async () => {
    const account = await newAccount(version)
    await send(account, [call(newAddress())])
    const [one, other] = [
      await account.prepare([call(newAddress())]),
      await account.prepare([call(newAddress())]),
    ]
    await wait(account, await account.submit(one))
    expect(await wait(account, await account.toEntry(other))).toEqual({ change: { status: 'replaced' } })
  })

  test('signed by another key is refused by its account', async () => {
    const account = await newAccount(version)
    const prepared = await account.prepare([call(newAddress())])
    await expect(account.submit(prepared, newOwner())).rejects.toMatchObject({
      code: 'user_operation_signature_invalid',
    })
  })

  test('of an account without money is known to be underfunded, and refused by the bundler', async () => {
    const account = await newAccount(version, { wei: 0n })
    const prepared = await account.prepare([call(newAddress())]).catch((cause: unknown) => cause as Error)
    if (prepared instanceof Error) expect(prepared).toMatchObject({ code: 'insufficient_funds' })
    else {
      expect(prepared).toMatchObject({ isUnderfunded: true })
      await expect(account.submit(prepared)).rejects.toMatchObject({ code: 'insufficient_funds' })
    }
  })
})

describe('a bundler', () => {
  test('that names another hash is refused, and what it includes all the same is found', async () => {
    const account = await newAccount('0.7')
    const prepared = await account.prepare([call(newAddress())])
    world.bundler.behave('wrong-hash')
    const entry = await account.toEntry(prepared)
    await expect(account.submit(prepared)).rejects.toMatchObject({
      code: 'user_operation_other_hash',
      data: { userOpHash: prepared.hash },
    })
    world.bundler.behave('normal')
    expect(await wait(account, entry)).toMatchObject(confirmed)
  })
  test('that names a transaction without the operation is not believed: the chain’s logs have the right one', async () => {
    const account = await newAccount('0.7')
    const { entry, change } = await send(account, [call(newAddress())])
    world.bundler.behave('wrong-transaction')
    const { change: again } = await wait(account, entry)
    expect(again).toMatchObject({ status: 'confirmed', transactionHash: change.transactionHash })
  })
  test('that forgets an operation has dropped it', async () => {
    const account = await newAccount('0.7')
    world.bundler.behave('drop')
    const entry = await account.submit(await account.prepare([call(newAddress())]))
    expect(await wait(account, entry)).toEqual({ change: { status: 'dropped' } })
  })
  test('that is out of order is unavailable', async () => {
    const account = await newAccount('0.7')
    world.bundler.behave('down')
    await expect(prepareOperation(account.cx, [call(newAddress())])).rejects.toMatchObject({
      code: 'bundler_unavailable',
    })
  })
})

test('a key’s own address sends operations once it has its code (EIP-7702), and none before', async () => {
  const owner = newOwner()
  await world.tester.setBalance({ address: owner.address, value: parseEther('1') })
  const own = account(await loadSmartAccountCodec('simple_7702'), owner, {})
  const to = newAddress()
  await expect(prepareOperation(own.cx, [call(to)])).rejects.toMatchObject({
    code: 'smart_account_not_delegated',
  })
  await world.tester.setCode({
    address: owner.address,
    bytecode: `0xef0100${simple7702Address.slice(2).toLowerCase()}`,
  })
  const first = await send(own, [call(to, 3n), call(to, 4n)])
  expect(first.prepared.deploysAccount).toBe(false)
  expect(first).toMatchObject(confirmed)
  const second = await send(own, [call(to, 5n)])
  expect(second.prepared.deploysAccount).toBe(false)
  expect(second).toMatchObject(confirmed)
  expect(await balance(to)).toBe(12n)
})

/** A contract that counts down from 2,000, so that a call of it is estimated with more gas than a failing one needs. */
const loop: Hex = '0x6107d05b6001900380600357'

/** A contract that fails every call with these words. */
async function failing(words: string, address: Address = newAddress()): Promise<Address> {
  const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [words] })
  const size = (data.length - 2) / 2
  // PUSH1 size, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 size, PUSH1 0, REVERT
  const code = `60${byte(size)}600c60003960${byte(size)}6000fd${data.slice(2)}`
  await world.tester.setCode({ address, bytecode: `0x${code}` })
  return address
}
const byte = (value: number) => value.toString(16).padStart(2, '0')
