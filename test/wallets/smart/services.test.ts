import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { KitError } from '../../../src/errors/kit-error.ts'
import { createNode } from '../../../src/ethereum/rpc.ts'
import { createBundler } from '../../../src/wallets/smart/bundler.ts'
import { operationFees } from '../../../src/wallets/smart/fees.ts'
import { prepareOperation } from '../../../src/wallets/smart/operation.ts'
import { readValidity } from '../../../src/wallets/smart/paymaster.ts'
import { firstCalls } from './support/accepted.ts'
import {
  createServices,
  gas,
  paymasterAddress,
  refusal,
  type Services,
  sponsored,
  word,
} from './support/services.ts'

const rejection = (work: Promise<unknown>): Promise<KitError> =>
  work.then(
    () => expect.unreachable(),
    (cause) => cause,
  )

describe('a bundler that lies', () => {
  test.each([
    ['gas below zero', { ...gas, callGasLimit: '-0x1' }],
    ['more gas than a block has', { ...gas, verificationGasLimit: '0x1c9c381' }],
    ['gas that overflows', { ...gas, callGasLimit: `0x${'f'.repeat(65)}` }],
    ['gas as a number', { ...gas, callGasLimit: 21_000 }],
    ['no gas for the signature', { ...gas, verificationGasLimit: '0x0' }],
    ['no pay for itself', { ...gas, preVerificationGas: '0x0' }],
    ['a pay beyond all costs', { ...gas, preVerificationGas: '0xffffffffffff' }],
    ['a field less', { callGasLimit: '0x1', verificationGasLimit: '0x1' }],
    ['nothing', null],
    ['a list', [gas]],
  ])('about gas is refused: %s', async (_, estimate) => {
    const { cx } = await createServices({
      bundler: { eth_estimateUserOperationGas: () => ({ result: estimate }) },
    })
    const error = await rejection(prepareOperation(cx, firstCalls))
    expect([error.code, error.retryable]).toEqual(['bundler_answer_invalid', false])
  })

  test.each([
    ['no hash', '0x1234'],
    ['nothing', null],
    ['a sentence', 'sent'],
  ])('about what it has sent is refused: %s', async (_, result) => {
    const { cx } = await createServices({ bundler: { eth_sendUserOperation: () => ({ result }) } })
    const hash: Hex = `0x${'22'.repeat(32)}`
    const operation = { sender: paymasterAddress, callData: '0x', signature: '0x' }
    const error = await rejection(
      cx.bundler.send(operation, { hash, entryPoint: cx.codec.entryPoint.address }),
    )
    expect([error.code, error.data]).toEqual(['user_operation_other_hash', { userOpHash: hash }])
  })

  test('that can’t be reached is unavailable, and can be tried again', async () => {
    const { cx, clock } = await createServices({ bundler: { eth_estimateUserOperationGas: () => 'lost' } })
    const error = rejection(prepareOperation(cx, firstCalls))
    await clock.advance(10_000)
    expect(await error).toMatchObject({ code: 'bundler_unavailable', retryable: true })
  })

  test('that never answers is given up after the time of a request', async () => {
    const { cx, clock } = await createServices()
    const url = 'https://bundler.example/'
    const silent = createBundler({
      url,
      node: createNode({ url, clock, fetch: () => new Promise(() => {}) }),
    })
    const error = rejection(silent.assertServes(cx.codec.entryPoint, 1))
    await clock.advance(20_000)
    expect((await error).code).toBe('bundler_unavailable')
  })

  test('is asked once whether it serves an EntryPoint on a chain', async () => {
    const { cx, bundler } = await createServices()
    await cx.bundler.assertServes(cx.codec.entryPoint, 1)
    await cx.bundler.assertServes(cx.codec.entryPoint, 1)
    expect(bundler.methods().filter((method) => method === 'eth_supportedEntryPoints')).toHaveLength(1)
    await rejection(cx.bundler.assertServes(cx.codec.entryPoint, 2))
    expect(bundler.methods().filter((method) => method === 'eth_supportedEntryPoints')).toHaveLength(2)
  })
})

describe('a paymaster that lies', () => {
  test.each([
    ['no address', { ...sponsored, paymaster: '0x12' }],
    ['the zero address', { ...sponsored, paymaster: `0x${'00'.repeat(20)}` }],
    ['no data', { paymaster: paymasterAddress }],
    ['endless data', { ...sponsored, paymasterData: `0x${'00'.repeat(4_097)}` }],
    ['gas below zero', { ...sponsored, paymasterPostOpGasLimit: '-0x1' }],
    ['more gas than a block has', { ...sponsored, paymasterVerificationGasLimit: '0xffffffffff' }],
    ['nothing', null],
  ])('is refused: %s', async (_, answer) => {
    for (const method of ['pm_getPaymasterStubData', 'pm_getPaymasterData']) {
      const { cx } = await createServices({ paymaster: { [method]: () => ({ result: answer }) } })
      expect(await prepareOperation(cx, firstCalls)).toMatchObject({
        outcome: 'sponsorDeclined',
        error: { code: 'sponsor_answer_invalid' },
      })
    }
  })

  test.each([
    ['text over several lines is one line', { name: 'Acme\n\u202eInc' }, { name: 'Acme Inc' }],
    ['a long name is shortened', { name: 'a'.repeat(99) }, { name: 'a'.repeat(60) }],
    ['a name that is none is left out', { name: 7, icon: 7 }, {}],
    ['an icon that runs code is left out', { icon: 'javascript:alert(1)' }, {}],
    ['an icon without encryption is left out', { icon: 'http://acme.example/i.png' }, {}],
    [
      'an icon in its address is kept',
      { icon: 'data:image/png;base64,AAAA' },
      { icon: 'data:image/png;base64,AAAA' },
    ],
    ['a page in an icon’s address is left out', { icon: 'data:text/html,x' }, {}],
    ['nothing', null, {}],
  ])('about itself: %s', async (_, sponsor, expected) => {
    const { cx } = await createServices({ paymaster: { pm_getPaymasterStubData: { ...sponsored, sponsor } } })
    expect(await prepareOperation(cx, firstCalls)).toMatchObject({ outcome: 'prepared', sponsor: expected })
  })
})

describe('the context that a paymaster gets', () => {
  const biconomy = 'https://paymaster.biconomy.io/api/v2/1/key'
  const sponsors = { mode: 'SPONSORED', expiryDuration: 300, calculateGasLimits: true }
  test.each([
    ['of the vendor that knows them: 300 seconds and its own gas limits', biconomy, undefined, sponsors],
    [
      'of that vendor, with what the app says first',
      biconomy,
      { policy_id: 'p', expiryDuration: 60 },
      { ...sponsors, policy_id: 'p', expiryDuration: 60 },
    ],
    [
      'of another vendor: what the app says alone',
      'https://paymaster.example/',
      { policy_id: 'p' },
      { policy_id: 'p' },
    ],
    ['of a host that only ends alike: nothing', 'https://paymaster-biconomy.io.example/', undefined, {}],
  ])('%s', async (_, paymasterUrl, context, expected) => {
    const { cx, paymaster } = await createServices({
      paymaster: {},
      paymasterUrl,
      ...(context && { context }),
    })
    expect(await prepareOperation(cx, firstCalls)).toMatchObject({ outcome: 'prepared' })
    const asked = paymaster?.asked.filter(({ method }) => method.startsWith('pm_')) ?? []
    expect(asked.map(({ params }) => params[3])).toEqual([expected, expected])
  })
})

describe('the time in which a paymaster pays', () => {
  const now = Date.UTC(2026, 0, 1)
  const seconds = now / 1_000
  const signature = 'ab'.repeat(65)
  const six = (value: number) => value.toString(16).padStart(12, '0')
  const words = (until: number, after: number) =>
    `${word(BigInt(until))}${word(BigInt(after)).slice(2)}${signature}` as Hex
  test('is read from the two forms that are known', () => {
    const expected = { after: seconds - 60, until: seconds + 600 }
    expect(readValidity(words(seconds + 600, seconds - 60), now)).toEqual(expected)
    const packed = `0x01${six(seconds + 600)}${six(seconds - 60)}${signature}` as const
    expect(readValidity(packed, now)).toEqual(expected)
    expect(readValidity(packed.slice(0, -2) as Hex, now)).toEqual(expected)
  })
  test.each([
    ['no data', '0x'],
    ['another form', `0x${'12'.repeat(40)}`],
    ['numbers that are no times', words(2 ** 45, 0)],
    ['a time of long ago', words(1_000, 0)],
    ['an end before its beginning', words(seconds, seconds + 1)],
  ])('is unknown for %s', (_, data) => {
    expect(readValidity(data as Hex, now)).toBeUndefined()
  })
})

describe('fees of an operation', () => {
  const block = { number: 1n, gasLimit: 30_000_000n, baseFee: 1_000_000_000n }
  const prices = (level: string) => ({
    slow: { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' },
    [level]: { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' },
  })
  async function fees(options: Services) {
    const services = await createServices(options)
    const result = operationFees({ ...services.cx, chainId: 1 }, block)
    return { ...services, result }
  }

  test.each([
    [
      'https://api.pimlico.io/v2/1/rpc?apikey=1',
      'pimlico_getUserOperationGasPrice',
      prices('fast'),
      2_000_000_000n,
      1_000_000_000n,
    ],
    [
      'https://rpc.zerodev.app/api/v2/bundler/1',
      'zd_getUserOperationGasPrice',
      prices('standard'),
      2_000_000_000n,
      1_000_000_000n,
    ],
    [
      'https://eth-mainnet.g.alchemy.com/v2/1',
      'rundler_maxPriorityFeePerGas',
      '0x5f5e100',
      1_600_000_000n,
      100_000_000n,
    ],
  ])(
    'are those that the bundler asks for: %s',
    async (bundlerUrl, method, answer, maxFeePerGas, maxPriorityFeePerGas) => {
      const { result, node } = await fees({ bundlerUrl, bundler: { [method]: () => ({ result: answer }) } })
      expect(await result).toEqual({ maxFeePerGas, maxPriorityFeePerGas })
      expect(node.methods()).toEqual([])
    },
  )

  test.each([
    ['a bundler of its own', 'https://bundler.example/'],
    ['a vendor’s name in another host', 'https://pimlico.io.example/'],
    ['a vendor’s bundler without that method', 'https://api.pimlico.io/v2/1/rpc'],
  ])('are those of the network for %s', async (_, bundlerUrl) => {
    const { result, bundler } = await fees({ bundlerUrl })
    expect(await result).toEqual({ maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n })
    expect(bundler.methods()).toEqual(
      bundlerUrl.includes('api.pimlico.io/') ? ['pimlico_getUserOperationGasPrice'] : [],
    )
  })

  test('of the network are the tips that others paid lately, where the node knows them', async () => {
    const reward = [['0x1', '0x77359400', '0xb2d05e00']]
    const { result } = await fees({ node: { eth_feeHistory: { reward } } })
    expect((await result).maxPriorityFeePerGas).toBe(2_000_000_000n)
  })

  test.each([
    ['a fee that nobody can mean', { fast: { maxFeePerGas: '0xffffffffffff', maxPriorityFeePerGas: '0x1' } }],
    ['a tip above the fee', { fast: { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' } }],
    ['no fee', { fast: { maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' } }],
    ['a fee below zero', { fast: { maxFeePerGas: '-0x1', maxPriorityFeePerGas: '0x0' } }],
    ['another form', { fast: 7 }],
    ['nothing', null],
  ])('are refused where the bundler names %s', async (_, answer) => {
    const { result } = await fees({
      bundlerUrl: 'https://api.pimlico.io/v2/1/rpc',
      bundler: { pimlico_getUserOperationGasPrice: () => ({ result: answer }) },
    })
    expect((await rejection(result)).code).toBe('bundler_answer_invalid')
  })

  test('are refused where the bundler refuses to name them', async () => {
    const { result } = await fees({
      bundlerUrl: 'https://api.pimlico.io/v2/1/rpc',
      bundler: { pimlico_getUserOperationGasPrice: () => refusal(-32_000, 'No key') },
    })
    expect((await rejection(result)).code).toBe('bundler_answer_invalid')
  })
})
