import { type Hex, hashTypedData } from 'viem'
import { describe, expect, test } from 'vitest'
import { KitError } from '../../../src/errors/kit-error.ts'
import { InvalidRequest } from '../../../src/lib/invalid-request.ts'
import { TransactionUnknownError } from '../../../src/lib/node-errors.ts'
import { loadSmartAccountCodec, smartAccountKinds } from '../../../src/wallets/smart/accounts/features.ts'
import { isOfSponsor, mayBeIncluded } from '../../../src/wallets/smart/errors.ts'
import {
  type OperationContext,
  type PreparedOperation,
  prepareOperation,
} from '../../../src/wallets/smart/operation.ts'
import { firstCalls, owner, signAsOwner } from './support/accepted.ts'
import { entryOf, submitEntry } from './support/sending.ts'
import {
  createServices,
  gas,
  hashOf,
  hex,
  paymasterAddress,
  refusal,
  type Services,
  sponsored,
  word,
} from './support/services.ts'

async function prepare(options: Services = {}) {
  const services = await createServices(options)
  const result = await prepareOperation(services.cx, firstCalls)
  if (result.outcome !== 'prepared') throw new Error(`The operation was not prepared: ${result.reason}`)
  return { ...services, prepared: result }
}
const sign = (prepared: PreparedOperation): Promise<Hex> => signAsOwner(prepared.payload)
async function submit(cx: OperationContext, prepared: PreparedOperation): Promise<void> {
  await submitEntry(cx, entryOf(cx, prepared, await sign(prepared)))
}
const failure = (work: Promise<unknown>): Promise<KitError> =>
  work.then(
    () => expect.unreachable(),
    (cause) => {
      expect(cause).toBeInstanceOf(KitError)
      return cause
    },
  )

describe('preparing an operation', () => {
  test.each(smartAccountKinds.filter((kind) => kind !== 'simple_7702'))(
    'of a new %s account: it is deployed with its first operation',
    async (kind) => {
      const { prepared, codec, sender } = await prepare({ kind })
      const { operation } = prepared
      const args = codec.getFactoryArgs(owner.address)
      expect(prepared.deploysAccount).toBe(true)
      expect(operation.sender).toBe(sender)
      if (codec.entryPoint.version === '0.6')
        expect(operation.initCode?.toLowerCase()).toBe(
          `${args?.factory}${args?.factoryData.slice(2)}`.toLowerCase(),
        )
      else expect(operation).toMatchObject({ ...args })
      expect(codec.decodeCalls(operation.callData)).toEqual(firstCalls)
      expect(operation.signature).toBe(codec.stubSignature)
    },
  )

  test('of a deployed account: no factory, and the nonce of the account’s own key', async () => {
    const { prepared, codec } = await prepare({ isDeployed: true, nonce: 7n })
    expect(prepared.deploysAccount).toBe(false)
    expect(prepared.operation.factory).toBeUndefined()
    expect(prepared.operation.nonce).toBe((codec.nonceKey << 64n) | 7n)
  })

  test('gas is that of the estimate, fees cover a doubled base fee, and the cost is their product', async () => {
    const { prepared, bundler } = await prepare()
    const { operation } = prepared
    expect(operation).toMatchObject({
      callGasLimit: 120_000n,
      verificationGasLimit: 100_000n,
      preVerificationGas: 50_000n,
      maxFeePerGas: 3_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
    expect(prepared.fee).toBe(270_000n * 3_000_000_000n)
    const asked = bundler.asked.find(({ method }) => method === 'eth_estimateUserOperationGas')
    expect(asked?.params).toEqual([
      expect.objectContaining({ sender: operation.sender, signature: operation.signature }),
      expect.any(String),
    ])
  })

  test('the hash is that which the bundler computes from the same bytes', async () => {
    for (const kind of smartAccountKinds.filter((each) => each !== 'simple_7702')) {
      const { prepared, cx, bundler, codec } = await prepare({ kind })
      await submit(cx, prepared)
      const sent = bundler.asked.find(({ method }) => method === 'eth_sendUserOperation')?.params[0]
      expect(hashOf(sent, codec.entryPoint)).toBe(prepared.hash)
    }
  })

  test('an account with too little for value and fee is underfunded, and one with a deposit pays from that first', async () => {
    const balance = (wei: bigint) => ({ eth_getBalance: hex(wei) })
    const fee = 270_000n * 3_000_000_000n
    const deposit = (wei: bigint, nonce: bigint) => ({
      eth_call: ([call]: readonly unknown[]) => ({
        result: word((call as { data: string }).data.startsWith('0x70a08231') ? wei : nonce),
      }),
    })
    const { nonceKey } = await loadSmartAccountCodec('kernel')
    const cases = [
      [balance(fee + 5n), false],
      [balance(fee + 4n), true],
      [{ ...balance(5n), ...deposit(fee, nonceKey << 64n) }, false],
      [{ ...balance(4n), ...deposit(fee, nonceKey << 64n) }, true],
    ] as const
    for (const [node, isUnderfunded] of cases) {
      const { prepared } = await prepare({ node })
      expect(prepared.isUnderfunded).toBe(isUnderfunded)
    }
    const { prepared } = await prepare({ node: balance(5n), paymaster: {} })
    expect(prepared.isUnderfunded).toBe(false)
  })

  test('a node of another chain, and a bundler of another chain, are refused', async () => {
    const other = await createServices({ node: { eth_chainId: '0x2' } })
    await expect(prepareOperation(other.cx, firstCalls)).rejects.toThrow('ID of chain 1')
    const bundler = await createServices({ bundler: { eth_chainId: '0x2' } })
    const error = await failure(prepareOperation(bundler.cx, firstCalls))
    expect(error.code).toBe('bundler_answer_invalid')
  })

  test.each([
    ['the bundler has no such EntryPoint', { bundler: { eth_supportedEntryPoints: () => ({ result: [] }) } }],
    ['the network has no EntryPoint', { node: { eth_call: '0x' } }],
    ['the network has no factory of the account', { node: { eth_getCode: '0x' } }],
  ] as const)('smart accounts are unavailable where %s', async (_, options) => {
    const { cx } = await createServices(options)
    const error = await failure(prepareOperation(cx, firstCalls))
    expect(error.code).toBe('smart_account_unavailable')
  })

  test('kernel: without the meta factory the account is deployed by the factory itself, at the same address', async () => {
    const codec = await loadSmartAccountCodec('kernel')
    const meta = codec.getFactoryArgs(owner.address)?.factory
    const direct = codec.getDirectFactoryArgs?.(owner.address)
    const { prepared, sender } = await prepare({
      node: {
        eth_getCode: ([address]) => ({ result: address === direct?.factory ? '0x02' : '0x' }),
      },
    })
    expect(prepared.operation).toMatchObject({ ...direct, sender })
    expect(meta).not.toBe(direct?.factory)
  })

  test('a stored address that is not the owner’s is used where it has code, and refused where it would be deployed', async () => {
    const address = '0x000000000000000000000000000000000000dEaD'
    const { cx: other } = await createServices({ node: { eth_getCode: '0x01' } })
    const result = await prepareOperation({ ...other, address }, firstCalls)
    expect(result.outcome === 'prepared' && result.operation.sender).toBe(address)
    const { cx: empty } = await createServices({ node: { eth_getCode: '0x' } })
    await expect(prepareOperation({ ...empty, address }, firstCalls)).rejects.toThrow(InvalidRequest)
  })

  test('no calls are refused before anything is asked', async () => {
    const { cx, node, bundler } = await createServices()
    await expect(prepareOperation(cx, [])).rejects.toThrow(InvalidRequest)
    expect([...node.methods(), ...bundler.methods()]).toEqual([])
  })
})

describe('an account by EIP-7702', () => {
  const implementation = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'
  const delegated = `0xef0100${implementation.slice(2).toLowerCase()}`

  test('with its code sends a plain operation', async () => {
    const { prepared } = await prepare({ kind: 'simple_7702', node: { eth_getCode: delegated } })
    expect(prepared.deploysAccount).toBe(false)
    expect(prepared.operation.sender).toBe(owner.address)
    expect(prepared.payload.type === 'typedData' && hashTypedData(prepared.payload.typedData as never)).toBe(
      prepared.hash,
    )
  })
  test.each([
    ['without its code', '0x'],
    ['with the code of another account', `0xef0100${'11'.repeat(20)}`],
    ['with a contract’s own code', '0x6001'],
  ] as const)('%s is refused', async (_, code) => {
    const { cx } = await createServices({ kind: 'simple_7702', node: { eth_getCode: code } })
    const error = await failure(prepareOperation(cx, firstCalls))
    expect(error.code).toBe('smart_account_not_delegated')
  })
})

describe('a sponsor', () => {
  test('gives a stub first, and its final data for the complete operation, of which nothing changes afterwards', async () => {
    const final = { ...sponsored, paymasterData: '0xf17a' }
    const { prepared, paymaster, bundler, cx, codec } = await prepare({
      paymaster: {
        pm_getPaymasterStubData: {
          ...sponsored,
          sponsor: { name: 'Acme', icon: 'https://acme.example/i.png' },
        },
        pm_getPaymasterData: final,
      },
      context: { policy: 'p1' },
    })
    expect(prepared.sponsor).toEqual({ name: 'Acme', icon: 'https://acme.example/i.png' })
    const [stub, data] = paymaster?.asked ?? []
    expect([stub?.method, data?.method]).toEqual(['pm_getPaymasterStubData', 'pm_getPaymasterData'])
    expect(stub?.params.slice(1)).toEqual([codec.entryPoint.address, '0x1', { policy: 'p1' }])
    const [unsigned] = data?.params ?? []
    expect(unsigned).not.toHaveProperty('signature')
    await submit(cx, prepared)
    const [sent] = bundler.asked.find(({ method }) => method === 'eth_sendUserOperation')?.params ?? []
    const { signature, ...rest } = sent as Record<string, unknown>
    // The paymaster has seen every field but the data that it added itself.
    expect({ ...(unsigned as object), paymasterData: '0xf17a' }).toEqual(rest)
    expect(signature).not.toBe(codec.stubSignature)
    expect(Object.isFrozen(prepared.operation)).toBe(true)
    expect(() => Object.assign(prepared.operation, { callGasLimit: 1n })).toThrow(TypeError)
  })

  test('whose stub is final is asked once', async () => {
    const { prepared, paymaster } = await prepare({
      paymaster: { pm_getPaymasterStubData: { ...sponsored, isFinal: true } },
    })
    expect(paymaster?.methods()).toEqual(['pm_getPaymasterStubData'])
    expect(prepared.operation).toMatchObject({
      paymaster: paymasterAddress,
      paymasterData: '0x1234',
    })
  })

  test('of the EntryPoint 0.6 gives one field', async () => {
    const fields = { paymasterAndData: `${paymasterAddress}12` }
    const { prepared } = await prepare({
      kind: 'light_account',
      paymaster: {
        pm_getPaymasterStubData: fields,
        pm_getPaymasterData: { paymasterAndData: `${paymasterAddress}34` },
      },
    })
    expect(prepared.operation.paymasterAndData).toBe(`${paymasterAddress.toLowerCase()}34`)
    expect(prepared.sponsor).toEqual({})
  })

  test.each([
    [
      'its stub is refused',
      { paymaster: { pm_getPaymasterStubData: () => refusal(-32_000, 'Policy spent') } },
      'sponsor_declined',
      'Policy spent',
    ],
    [
      'its final data is refused',
      { paymaster: { pm_getPaymasterData: () => refusal(-32_001, 'Not this contract') } },
      'sponsor_declined',
      'Not this contract',
    ],
    [
      'the bundler says that its contract refuses',
      {
        paymaster: {},
        bundler: { eth_estimateUserOperationGas: () => refusal(-32_501, 'AA33 reverted: limit') },
      },
      'user_operation_paymaster_refused',
      'AA33 reverted: limit',
    ],
    [
      'its deposit is too low',
      {
        paymaster: {},
        bundler: { eth_estimateUserOperationGas: () => refusal(-32_508, 'paymaster balance') },
      },
      'user_operation_sponsor_out_of_funds',
      'paymaster balance',
    ],
    [
      'its answer can’t be right',
      { paymaster: { pm_getPaymasterStubData: { paymaster: 'nobody' } } },
      'sponsor_answer_invalid',
      "The sponsor's answer can't be right",
    ],
  ] as const)(
    'declines where %s, and nothing falls back to the account',
    async (_, options, code, reason) => {
      const { cx, bundler } = await createServices(options)
      const result = await prepareOperation(cx, firstCalls)
      expect(result).toMatchObject({ outcome: 'sponsorDeclined', reason, error: { code } })
      const estimates = bundler.asked.filter(({ method }) => method === 'eth_estimateUserOperationGas')
      for (const { params } of estimates) expect(params[0]).toMatchObject({ paymaster: paymasterAddress })
      expect(bundler.methods()).not.toContain('eth_sendUserOperation')
    },
  )

  test('that can’t be reached declines as unavailable, after its retries', async () => {
    const { cx, clock } = await createServices({ paymaster: { pm_getPaymasterStubData: () => 'lost' } })
    const result = prepareOperation(cx, firstCalls)
    await clock.advance(10_000)
    expect(await result).toMatchObject({ outcome: 'sponsorDeclined', error: { code: 'sponsor_unavailable' } })
  })

  test('that refuses only once the operation is sent has declined as well', async () => {
    const { prepared, cx } = await prepare({
      paymaster: {},
      bundler: { eth_sendUserOperation: () => refusal(-32_501, 'AA33 reverted') },
    })
    expect(isOfSponsor(await failure(submit(cx, prepared)))).toBe(true)
  })

  test('that pays for a time says until when', async () => {
    const now = Date.UTC(2026, 0, 1) / 1_000
    const times = `${word(BigInt(now + 60))}${word(BigInt(now - 60)).slice(2)}${'ab'.repeat(65)}`
    const { prepared } = await prepare({
      paymaster: { pm_getPaymasterData: { ...sponsored, paymasterData: times } },
    })
    expect(prepared.validity).toEqual({ after: now - 60, until: now + 60 })
  })
})

describe('an account that changes while its operation is prepared', () => {
  test('was deployed meanwhile (AA10): it is prepared without the factory, though the node has not seen it yet', async () => {
    let asked = 0
    const { prepared } = await prepare({
      bundler: {
        eth_estimateUserOperationGas: ([operation]) =>
          asked++ === 0
            ? refusal(-32_500, 'AA10 sender already constructed')
            : { result: { ...gas, seen: (operation as { factory?: string }).factory ?? 'none' } },
      },
    })
    expect(prepared.deploysAccount).toBe(false)
    expect(prepared.operation.factory).toBeUndefined()
    expect(asked).toBe(2)
  })

  test('has used its nonce meanwhile (AA25): it is prepared with the next one', async () => {
    const services = await createServices({
      isDeployed: true,
      bundler: {
        eth_estimateUserOperationGas() {
          if ((services.state.nonce & 0xffn) > 0n) return { result: gas }
          services.state.nonce += 1n
          return refusal(-32_500, 'AA25 invalid account nonce')
        },
      },
    })
    const preparing = prepareOperation(services.cx, firstCalls)
    await services.clock.advance(1_000)
    const result = await preparing
    expect(result.outcome === 'prepared' && result.operation.nonce & 0xffn).toBe(1n)
  })

  test('is given up after three attempts', async () => {
    const { cx, bundler, clock } = await createServices({
      bundler: { eth_estimateUserOperationGas: () => refusal(-32_500, 'AA25 invalid account nonce') },
    })
    const failing = failure(prepareOperation(cx, firstCalls))
    await clock.advance(2_000)
    const error = await failing
    expect(error.code).toBe('user_operation_nonce_used')
    expect(bundler.methods().filter((method) => method === 'eth_estimateUserOperationGas')).toHaveLength(3)
  })
})

describe('sending an operation', () => {
  test('stores all by which it is followed before the bundler has it', async () => {
    const { prepared, cx, sender, codec, bundler } = await prepare()
    const entry = entryOf(cx, prepared, await sign(prepared))
    expect(bundler.methods()).not.toContain('eth_sendUserOperation')
    expect(entry).toMatchObject({
      chain: 'eip155:1',
      hash: prepared.hash,
      wallet: sender,
      nonce: String(prepared.operation.nonce),
      operation: { entryPoint: codec.entryPoint.address, block: '100' },
    })
  })
  test.each([
    ['AA10 sender already constructed', 'user_operation_already_deployed'],
    ['AA25 invalid account nonce', 'user_operation_nonce_used'],
  ])('that is refused with "%s" has to be prepared and signed again', async (message, code) => {
    const { prepared, cx } = await prepare({
      bundler: { eth_sendUserOperation: () => refusal(-32_500, message) },
    })
    expect(await failure(submit(cx, prepared))).toMatchObject({ code, retryable: true })
  })
  test('to a bundler that names another hash is an error, after which it may still be included', async () => {
    const { prepared, cx } = await prepare({ bundler: { eth_sendUserOperation: `0x${'11'.repeat(32)}` } })
    const error = await failure(submit(cx, prepared))
    expect([error.code, error.data]).toEqual(['user_operation_other_hash', { userOpHash: prepared.hash }])
    expect([error.retryable, mayBeIncluded(error)]).toEqual([false, true])
  })
  test('without an answer is not known to have failed, and is sent once', async () => {
    const { prepared, cx, bundler } = await prepare({ bundler: { eth_sendUserOperation: () => 'lost' } })
    const lost = submit(cx, prepared)
    await expect(lost).rejects.toThrow(TransactionUnknownError)
    await expect(lost).rejects.toMatchObject({ hash: prepared.hash })
    expect(bundler.methods().filter((method) => method === 'eth_sendUserOperation')).toHaveLength(1)
  })
  test('with anything else than a signature is refused before it is sent', async () => {
    const { prepared, cx } = await prepare()
    expect(() => entryOf(cx, prepared, '0x1234')).toThrow(InvalidRequest)
  })
  test('is stopped by its signal', async () => {
    const { cx } = await createServices()
    await expect(
      prepareOperation(cx, firstCalls, { signal: AbortSignal.abort(new Error('stopped')) }),
    ).rejects.toThrow('stopped')
  })
})
