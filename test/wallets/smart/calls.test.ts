import { encodeAbiParameters, encodeFunctionData, encodePacked, type Hex, parseAbi, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { InvalidRequest } from '../../../src/lib/invalid-request.ts'
import type { SmartAccountCodec, SmartCall } from '../../../src/wallets/smart/account-codec.ts'
import { loadSmartAccountCodec, smartAccountKinds } from '../../../src/wallets/smart/accounts/features.ts'
import { soak } from '../../support/soak.ts'

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

function randomCalls(next: (most: number) => number): SmartCall[] {
  const bytes = (length: number) => toHex(Uint8Array.from({ length }, () => next(256)))
  const value = () => [0n, 1n, 2n ** 256n - 1n, BigInt(next(2 ** 31))][next(4)] ?? 0n
  return Array.from({ length: 1 + next(5) }, () => ({
    to: bytes(20),
    value: value(),
    data: bytes([0, 1, 4, 31, 32, 33, 68, 200][next(8)] ?? 0),
  }))
}

const plain = (calls: readonly SmartCall[]) =>
  calls.map(({ to, value, data }) => [to.toLowerCase(), value, data])

/** The calls, or `undefined` where they are refused. Any other error than a refusal fails the test. */
function read(codec: SmartAccountCodec, callData: Hex): readonly SmartCall[] | undefined {
  try {
    return codec.decodeCalls(callData)
  } catch (cause) {
    expect(cause).toBeInstanceOf(InvalidRequest)
    return undefined
  }
}

describe.each(smartAccountKinds)('calls of %s', (kind) => {
  test('are read as they were written, whatever they hold', async () => {
    const codec = await loadSmartAccountCodec(kind)
    for (let seed = 1; seed <= soak(20, 60); seed++) {
      const calls = randomCalls(numbers(seed))
      const callData = codec.encodeCalls(calls)
      expect(plain(codec.decodeCalls(callData))).toEqual(plain(calls))
      expect(plain(codec.decodeCalls(callData.toUpperCase().replace('0X', '0x') as Hex))).toEqual(
        plain(calls),
      )
    }
  })

  test('with a byte changed are refused, or are exactly what those bytes mean', async () => {
    const codec = await loadSmartAccountCodec(kind)
    let refused = 0
    for (let seed = 1; seed <= soak(3, 8); seed++) {
      const next = numbers(seed * 97)
      const callData = codec.encodeCalls(randomCalls(next))
      for (let at = 2; at < callData.length; at += 2 + 2 * next(12)) {
        const byte = Number.parseInt(callData.slice(at, at + 2), 16) ^ (1 + next(255))
        const changed =
          `${callData.slice(0, at)}${byte.toString(16).padStart(2, '0')}${callData.slice(at + 2)}` as Hex
        const calls = read(codec, changed)
        // The displayed calls give the bytes that are signed, and no others do.
        if (calls) expect(codec.encodeCalls(calls)).toBe(changed)
        else refused++
      }
    }
    expect(refused).toBeGreaterThan(20)
  })

  test('that are cut off, or longer than they say, are refused', async () => {
    const codec = await loadSmartAccountCodec(kind)
    for (let seed = 1; seed <= 4; seed++) {
      const callData = codec.encodeCalls(randomCalls(numbers(seed * 31)))
      const cuts = Array.from({ length: 40 }, (_, at) => callData.slice(0, 2 + at * 10))
      const ends = ['00', '01', 'ff', '00'.repeat(32)].map((more) => callData + more)
      for (const changed of [...cuts, ...ends, callData.slice(0, -1), callData.slice(0, -2)]) {
        const calls = read(codec, changed as Hex)
        if (calls) expect(codec.encodeCalls(calls)).toBe(changed)
      }
      expect(() => codec.decodeCalls(`${callData}${'00'.repeat(32)}`)).toThrow(InvalidRequest)
    }
  })

  test('that are malformed are never written', async () => {
    const codec = await loadSmartAccountCodec(kind)
    const good = { to: '0x000000000000000000000000000000000000dEaD', value: 0n, data: '0x' } as const
    const wrong: SmartCall[] = [
      { ...good, to: '0x000000000000000000000000000000000000DEAd' },
      { ...good, to: '0x1234' },
      { ...good, value: -1n },
      { ...good, value: 2n ** 256n },
      { ...good, data: '0x123' },
      { ...good, data: 'hello' as Hex },
      { ...good, value: 1 as unknown as bigint },
    ]
    for (const call of wrong) {
      expect(() => codec.encodeCalls([call])).toThrow(InvalidRequest)
      expect(() => codec.encodeCalls([good, call])).toThrow(InvalidRequest)
    }
    expect(() => codec.encodeCalls([])).toThrow(InvalidRequest)
  })

  test.each([
    'function transferOwnership(address newOwner)',
    'function upgradeTo(address implementation)',
    'function upgradeToAndCall(address implementation, bytes data)',
    'function installModule(uint256 type, address module, bytes data)',
    'function enableModule(address module)',
    'function executeWithoutChainIdValidation(bytes[] calls)',
    'function executeFromExecutor(bytes32 mode, bytes execution)',
    'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
    'function execTransactionFromModule(address to, uint256 value, bytes data, uint8 operation)',
    'function setup(address[] owners)',
  ])('are no calls where the account would do something else: %s', async (signature) => {
    const codec = await loadSmartAccountCodec(kind)
    const abi = parseAbi([signature] as readonly string[]) as never
    const sample: Record<string, unknown> = {
      address: '0x000000000000000000000000000000000000dEaD',
      bytes: '0x12',
      bytes32: `0x${'00'.repeat(32)}`,
      uint8: 0,
      uint256: 1n,
      'address[]': [],
      'bytes[]': ['0x12'],
    }
    const types = signature.slice(signature.indexOf('(') + 1, -1).split(', ')
    const args = types.map((each) => sample[each.split(' ')[0] ?? ''])
    const callData = encodeFunctionData({ abi, args } as never)
    expect(() => codec.decodeCalls(callData)).toThrow(InvalidRequest)
  })

  test('are not read from nothing, nor from another kind of account’s batch', async () => {
    const codec = await loadSmartAccountCodec(kind)
    for (const callData of ['0x', '0x00', '0xb61d27f6', 'hello', '', undefined, null, 7] as Hex[])
      expect(() => codec.decodeCalls(callData)).toThrow(InvalidRequest)
  })
})

const to = '0x000000000000000000000000000000000000dEaD'

describe.each(['kernel', 'nexus'] as const)('execution modes of %s', (kind) => {
  const abi = parseAbi(['function execute(bytes32 mode, bytes execution)'])
  const execution = encodePacked(['address', 'uint256', 'bytes'], [to, 1n, '0x1234'])
  const batch = encodeAbiParameters(
    [{ type: 'tuple[]', components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }] }],
    [[[to, 1n, '0x1234']]] as never,
  )
  const mode = (begin: string): Hex => `0x${begin.padEnd(64, '0')}`
  test.each<readonly [string, Hex, Hex]>([
    ['a delegate call', mode('ff'), execution],
    ['a delegate call that may fail', mode('ff01'), execution],
    ['a static call', mode('fe'), execution],
    ['a call that may fail', mode('0001'), execution],
    ['a batch of which each call may fail', mode('0101'), batch],
    ['a mode with a selector of its own', mode('00000000000012345678'), execution],
    ['a mode with a context', `0x${'00'.repeat(31)}01`, execution],
    ['a batch of one call, which is written as a single call', mode('01'), batch],
    ['a single call read as a batch', mode('01'), execution],
    ['an execution that is cut off', mode('00'), execution.slice(0, 2 + 51 * 2) as Hex],
    ['a delegate call to a target alone', mode('ff'), to],
  ])('refuse %s', async (_, given, data) => {
    const codec = await loadSmartAccountCodec(kind)
    const callData = encodeFunctionData({ abi, args: [given, data] })
    expect(() => codec.decodeCalls(callData)).toThrow(InvalidRequest)
  })
})

describe('batches of safe', () => {
  const abi = parseAbi([
    'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
    'function multiSend(bytes transactions)',
  ])
  const MULTI_SEND_CALL_ONLY = '0x9641d764fc13c8B624c04430C7356C1C7C8102e2'
  const MULTI_SEND = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526'
  const entry = (operation: number, data: Hex = '0x1234', size = (data.length - 2) / 2) =>
    encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [operation, to, 1n, BigInt(size), data])
  const multiSend = (...entries: Hex[]) =>
    encodeFunctionData({
      abi,
      functionName: 'multiSend',
      args: [`0x${entries.map((each) => each.slice(2)).join('')}`],
    })
  const execute = (target: Hex, value: bigint, data: Hex, operation: number) =>
    encodeFunctionData({
      abi,
      functionName: 'executeUserOpWithErrorString',
      args: [target, value, data, operation],
    })

  test('are two calls or more through the contract that makes no delegate calls', async () => {
    const codec = await loadSmartAccountCodec('safe')
    const callData = execute(MULTI_SEND_CALL_ONLY, 0n, multiSend(entry(0), entry(0, '0x')), 1)
    expect(codec.decodeCalls(callData)).toEqual([
      { to, value: 1n, data: '0x1234' },
      { to, value: 1n, data: '0x' },
    ])
  })
  test.each([
    ['a delegate call to any contract', execute(to, 0n, '0x1234', 1)],
    [
      'a delegate call to the contract that makes delegate calls',
      execute(MULTI_SEND, 0n, multiSend(entry(0), entry(0)), 1),
    ],
    ['a delegate call within a batch', execute(MULTI_SEND_CALL_ONLY, 0n, multiSend(entry(0), entry(1)), 1)],
    ['an operation that nobody knows', execute(to, 0n, '0x1234', 2)],
    ['a batch with a value of its own', execute(MULTI_SEND_CALL_ONLY, 1n, multiSend(entry(0), entry(0)), 1)],
    ['a batch of one call', execute(MULTI_SEND_CALL_ONLY, 0n, multiSend(entry(0)), 1)],
    ['an empty batch', execute(MULTI_SEND_CALL_ONLY, 0n, multiSend(), 1)],
    [
      'a batch whose last call is cut off',
      execute(MULTI_SEND_CALL_ONLY, 0n, multiSend(entry(0), entry(0, '0x1234', 3)), 1),
    ],
    [
      'a batch whose call has a size beyond all bytes',
      execute(MULTI_SEND_CALL_ONLY, 0n, multiSend(entry(0), entry(0, '0x', 2 ** 50)), 1),
    ],
  ])('refuse %s', async (_, callData) => {
    const codec = await loadSmartAccountCodec('safe')
    expect(() => codec.decodeCalls(callData)).toThrow(InvalidRequest)
  })
  test('a call of MultiSend without a delegate call is the call that it says', async () => {
    const codec = await loadSmartAccountCodec('safe')
    const data = multiSend(entry(0), entry(0))
    expect(codec.decodeCalls(execute(MULTI_SEND_CALL_ONLY, 0n, data, 0))).toEqual([
      { to: MULTI_SEND_CALL_ONLY, value: 0n, data },
    ])
  })
})
