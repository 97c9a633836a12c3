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
import { createNode } from '../../../src/ethereum/rpc.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import type { Fetch } from '../../../src/lib/retrying-fetch.ts'
import type { OwnerPayload, SmartAccountCodec, SmartCall } from '../../../src/wallets/smart/account-codec.ts'
import {
  callsInArrays,
  callsInTuples,
  createCallCodec,
  functionOf,
  singleCall,
} from '../../../src/wallets/smart/accounts/call-forms.ts'
import { loadSmartAccountCodec } from '../../../src/wallets/smart/accounts/features.ts'
import { hashOperation, STUB_SIGNATURE } from '../../../src/wallets/smart/accounts/signatures.ts'
import { createBundler } from '../../../src/wallets/smart/bundler.ts'
import {
  type OperationContext,
  type PreparedOperation,
  type PrepareOperationOptions,
  prepareOperation,
  type SubmittedOperation,
  submitOperation,
} from '../../../src/wallets/smart/operation.ts'
import { waitForOperation } from '../../../src/wallets/smart/operation-result.ts'
import { createPaymaster } from '../../../src/wallets/smart/paymaster.ts'
import {
  newAddress,
  newOwner,
  type StandIns,
  startStandIns,
} from '../../world/account-abstraction/support/stand-ins.ts'

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
const get: Fetch = (url, init) => fetch(url, init)
const chainId = base.id

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

interface Account {
  readonly cx: OperationContext
  readonly owner: PrivateKeyAccount
  readonly sender: Address
}
interface AccountOptions {
  readonly wei?: bigint
  readonly isSponsored?: boolean
}

function account(
  codec: SmartAccountCodec,
  owner: PrivateKeyAccount,
  { isSponsored = false }: AccountOptions,
): Account {
  const cx: OperationContext = {
    codec,
    owner: owner.address,
    chainId,
    node: createNode({ url: world.chain.url, fetch: get, clock: systemClock }),
    bundler: createBundler({ url: `${world.origin}/bundler/${chainId}`, fetch: get, clock: systemClock }),
    ...(isSponsored && {
      paymaster: createPaymaster({
        url: `${world.origin}/paymaster/${chainId}`,
        fetch: get,
        clock: systemClock,
        context: { policyId: 'any' },
      }),
    }),
    clock: systemClock,
  }
  return { cx, owner, sender: codec.getAddress(owner.address) }
}

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

async function prepare(
  { cx }: Account,
  calls: readonly SmartCall[],
  options: PrepareOperationOptions = {},
): Promise<PreparedOperation> {
  const result = await prepareOperation(cx, calls, options)
  if (result.outcome !== 'prepared') throw result.error
  return result
}
async function sign({ owner }: Account, payload: OwnerPayload): Promise<Hex> {
  if (payload.type === 'message') return owner.signMessage({ message: { raw: payload.raw } })
  if (payload.type === 'hash') return owner.sign({ hash: payload.hash })
  return owner.signTypedData(payload.typedData as never)
}
async function submit(account: Account, prepared: PreparedOperation): Promise<SubmittedOperation> {
  const result = await submitOperation(account.cx, prepared, await sign(account, prepared.payload))
  if (result.outcome !== 'submitted') throw result.error
  return result
}
const wait = ({ cx }: Account, sent: SubmittedOperation, time?: number) =>
  waitForOperation({ ...cx, clock: fastClock }, sent, { time })

async function send(account: Account, calls: readonly SmartCall[], options: PrepareOperationOptions = {}) {
  const prepared = await prepare(account, calls, options)
  const result = await wait(account, await submit(account, prepared))
  return { prepared, result }
}
const call = (to: Address, value = 0n, data: Hex = '0x'): SmartCall => ({ to, value, data })
const balance = (address: Address) => world.client.getBalance({ address })

describe.each(entryPointVersions)('an operation at EntryPoint %s', (version) => {
  test('deploys its account, and the next one carries out a batch', async () => {
    const account = await newAccount(version)
    const [one, other] = [newAddress(), newAddress()]
    const first = await send(account, [call(one, 5n)])
    expect(first.prepared).toMatchObject({ deploysAccount: true, isUnderfunded: false })
    expect(first.result).toMatchObject({
      status: 'included',
      isSuccessful: true,
      userOpHash: first.prepared.hash,
      transactionHash: expect.stringMatching(/^0x[\da-f]{64}$/),
    })
    expect(await balance(one)).toBe(5n)
    const value = version === '0.6' ? 0n : 7n
    // The sample account of 0.6 has another batch, without values.
    const second = await send(
      account,
      version === '0.6' ? [call(other)] : [call(one, value), call(other, value)],
    )
    expect(second.prepared.deploysAccount).toBe(false)
    expect(second.result).toMatchObject({ status: 'included', isSuccessful: true })
    expect(await balance(other)).toBe(value)
  })

  test('costs no more than was said', async () => {
    const account = await newAccount(version)
    const { prepared, result } = await send(account, [call(newAddress(), 5n)])
    if (result.status !== 'included') throw new Error('The operation was not included')
    const { gasUsed, effectiveGasPrice = 0n } = result.receipt
    expect(gasUsed * effectiveGasPrice).toBeGreaterThan(0n)
    expect(gasUsed * effectiveGasPrice).toBeLessThanOrEqual(prepared.fee)
  })

  test('is paid by the sponsor, and its account needs nothing', async () => {
    const account = await newAccount(version, { isSponsored: true, wei: 0n })
    for (let round = 0; round < 2; round++) {
      const { prepared, result } = await send(account, [call(newAddress(), 0n, '0x1234')])
      expect(prepared).toMatchObject({ sponsor: { name: 'Example' }, isUnderfunded: false })
      expect(prepared.validity?.until).toBeGreaterThan(Date.now() / 1_000)
      expect(result).toMatchObject({ status: 'included', isSuccessful: true })
    }
    expect(await balance(account.sender)).toBe(0n)
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
    const prepared = await prepareOperation(account.cx, [call(newAddress())])
    const result =
      prepared.outcome === 'prepared'
        ? await submitOperation(account.cx, prepared, await sign(account, prepared.payload))
        : prepared
    expect(result).toMatchObject({ outcome: 'sponsorDeclined', error: { code } })
    // The user may pay: the same calls without the sponsor.
    const { paymaster: _, ...own } = account.cx
    const { result: paid } = await send({ ...account, cx: own }, [call(newAddress())])
    expect(paid).toMatchObject({ status: 'included', isSuccessful: true })
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
    const prepared = await prepare(account, [call(target)])
    await failing('Too late', target)
    world.bundler.behave('wrong-outcome')
    const result = await wait(account, await submit(account, prepared))
    expect(result).toMatchObject({
      status: 'included',
      isSuccessful: false,
      reason: { kind: 'reverted', message: 'Too late' },
    })
  })

  test('meets an account that was deployed meanwhile: it is prepared again, but where the EntryPoint takes it all the same', async () => {
    const account = await newAccount(version)
    const prepared = await prepare(account, [call(newAddress())])
    const { factory: to, factoryData: data } = account.cx.codec.getFactoryArgs(account.owner.address) ?? {}
    const [sender] = (await world.tester.request({ method: 'eth_accounts' } as never)) as unknown as [Address]
    const hash = await world.tester.sendTransaction({ account: sender, to, data, chain: base })
    await world.client.waitForTransactionReceipt({ hash })
    const signature = await sign(account, prepared.payload)
    const submitted = await submitOperation(account.cx, prepared, signature)
    // EntryPoint 0.8 passes over the factory of an account that is there.
    if (version === '0.8') expect(submitted).toMatchObject({ outcome: 'submitted' })
    else expect(submitted).toMatchObject({ outcome: 'prepareAgain', why: 'deployed' })
    if (submitted.outcome === 'submitted') await wait(account, submitted)
    const { result } = await send(account, [call(newAddress())])
    expect(result).toMatchObject({ status: 'included', isSuccessful: true })
  })

  test('has to be prepared again once another one has used its nonce', async () => {
    const account = await newAccount(version)
    await send(account, [call(newAddress())])
    const [one, other] = [
      await prepare(account, [call(newAddress())]),
      await prepare(account, [call(newAddress())]),
    ]
    await wait(account, await submit(account, one))
    const signature = await sign(account, other.payload)
    expect(await submitOperation(account.cx, other, signature)).toMatchObject({
      outcome: 'prepareAgain',
      why: 'nonce',
    })
  })

  test('that waits at the bundler is replaced by one that pays more', async () => {
    const account = await newAccount(version)
    await send(account, [call(newAddress())])
    world.bundler.behave('hold')
    const [to, instead] = [newAddress(), newAddress()]
    const waiting = await prepare(account, [call(to, 5n)])
    const stuck = await submit(account, waiting)
    const other = await prepare(account, [call(instead, 5n)], { replaces: waiting.operation })
    const sent = await submit(account, other)
    world.bundler.behave('normal')
    expect(await wait(account, sent)).toMatchObject({ status: 'included', isSuccessful: true })
    expect(await wait(account, stuck)).toEqual({ status: 'replaced', userOpHash: stuck.hash })
    expect([await balance(to), await balance(instead)]).toEqual([0n, 5n])
  })

  test('that another one has replaced is reported so', async () => {
    const account = await newAccount(version)
    await send(account, [call(newAddress())])
    const [one, other] = [
      await prepare(account, [call(newAddress())]),
      await prepare(account, [call(newAddress())]),
    ]
    await wait(account, await submit(account, one))
    const { sender, nonce } = other.operation
    const lost = {
      outcome: 'submitted',
      hash: other.hash,
      sender,
      nonce,
      entryPoint: account.cx.codec.entryPoint,
      blockNumber: other.blockNumber,
    } as const
    expect(await wait(account, lost)).toEqual({ status: 'replaced', userOpHash: other.hash })
  })

  test('signed by another key is refused by its account', async () => {
    const account = await newAccount(version)
    const prepared = await prepare(account, [call(newAddress())])
    const stranger = { ...account, owner: newOwner() }
    await expect(submit(stranger, prepared)).rejects.toMatchObject({
      code: 'user_operation_signature_invalid',
    })
  })

  test('of an account without money is known to be underfunded, and refused by the bundler', async () => {
    const account = await newAccount(version, { wei: 0n })
    const prepared = await prepareOperation(account.cx, [call(newAddress())]).catch((cause) => cause)
    if (prepared instanceof Error) expect(prepared).toMatchObject({ code: 'insufficient_funds' })
    else {
      expect(prepared).toMatchObject({ isUnderfunded: true })
      await expect(submit(account, prepared)).rejects.toMatchObject({ code: 'insufficient_funds' })
    }
  })
})

describe('a bundler', () => {
  test('that names another hash is refused', async () => {
    const account = await newAccount('0.7')
    const prepared = await prepare(account, [call(newAddress())])
    world.bundler.behave('wrong-hash')
    await expect(submit(account, prepared)).rejects.toMatchObject({ code: 'bundler_answer_invalid' })
  })
  test('that names a transaction without the operation is refused', async () => {
    const account = await newAccount('0.7')
    const sent = await submit(account, await prepare(account, [call(newAddress())]))
    await wait(account, sent)
    world.bundler.behave('wrong-transaction')
    await expect(wait(account, sent)).rejects.toMatchObject({ code: 'bundler_answer_invalid' })
  })
  test('that forgets an operation has dropped it', async () => {
    const account = await newAccount('0.7')
    world.bundler.behave('drop')
    const sent = await submit(account, await prepare(account, [call(newAddress())]))
    expect(await wait(account, sent)).toEqual({ status: 'dropped', userOpHash: sent.hash })
  })
  test('that includes nothing leaves the operation pending', async () => {
    const account = await newAccount('0.7')
    world.bundler.behave('hold')
    const sent = await submit(account, await prepare(account, [call(newAddress())]))
    expect(await wait(account, sent, 10_000)).toEqual({ status: 'pending', userOpHash: sent.hash })
  })
  test('that is out of order is unavailable', async () => {
    const account = await newAccount('0.7')
    world.bundler.behave('down')
    await expect(prepareOperation(account.cx, [call(newAddress())])).rejects.toMatchObject({
      code: 'bundler_unavailable',
    })
  })
})

test('a key’s own address gets its code with the first operation (EIP-7702), and needs none with the next', async () => {
  const owner = newOwner()
  await world.tester.setBalance({ address: owner.address, value: parseEther('1') })
  const own = account(await loadSmartAccountCodec('simple_7702'), owner, {})
  const to = newAddress()
  await expect(prepareOperation(own.cx, [call(to)])).rejects.toMatchObject({
    code: 'smart_account_not_delegated',
  })
  const authorization = await owner.signAuthorization({ address: simple7702Address, chainId, nonce: 0 })
  const first = await send(own, [call(to, 3n), call(to, 4n)], { authorization })
  expect(first.prepared.deploysAccount).toBe(true)
  expect(first.result).toMatchObject({ status: 'included', isSuccessful: true })
  const second = await send(own, [call(to, 5n)])
  expect(second.prepared.deploysAccount).toBe(false)
  expect(second.result).toMatchObject({ status: 'included', isSuccessful: true })
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
