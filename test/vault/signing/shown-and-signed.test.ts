/** The kit shows what `src/ethereum` has read, and the vault signs what it has read by itself: this holds them together. */
import fc from 'fast-check'
import { type Hex, hashTypedData, keccak256, parseTransaction as parseByViem, recoverAddress } from 'viem'
import { expect, test } from 'vitest'
import {
  completeTransaction,
  formatTransaction,
  parseTransaction,
} from '../../../src/ethereum/transaction.ts'
import { parseTypedData, type TypedDataField } from '../../../src/ethereum/typed-data.ts'
import { InvalidRequest } from '../../../src/lib/invalid-request.ts'
import { type TypedData, typedData } from '../../support/random-typed-data.ts'
import { soak } from '../../support/soak.ts'
import { withWallet } from '../support/person.ts'

const path = { chainType: 'ethereum', hdWalletIndex: 0 }
const timeout = 120_000
const seed = 20_260_501
const runs = soak(40, 400)

/** What `read` gives, or `undefined` where it refuses; any other failure is one of the test. */
function accepted<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof InvalidRequest)) throw cause
    return undefined
  }
}

/** A copy in which one place, somewhere in the request, has another value. */
function spoil(data: unknown, steps: readonly number[], value: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined || typeof data !== 'object' || data === null) return value
  const keys = Object.keys(data)
  const key = keys[step % Math.max(1, keys.length)]
  if (key === undefined) return value
  const changed = spoil((data as Record<string, unknown>)[key], rest, value)
  return Array.isArray(data)
    ? data.map((item, at) => (String(at) === key ? changed : item))
    : { ...data, [key]: changed }
}
const oddValues: readonly unknown[] = [
  ...[
    '',
    '0x',
    '0X00',
    '0x0',
    '0x1',
    '01',
    '-1',
    '1',
    'Ä',
    '\ud800',
    'uint',
    'uint256',
    'EIP712Domain',
    'S0[]',
  ],
  ...[0, -1, 1.5, 2 ** 53, 2n ** 256n, true, null, undefined, {}, []],
  ...[[{ name: 'f', type: 'bool' }], { name: 'f', type: 'uint' }, `0x${'00'.repeat(20)}`],
]
const spoiled = <T>(sound: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc
    .tuple(sound, fc.array(fc.nat(7), { minLength: 1, maxLength: 4 }), fc.constantFrom(...oddValues))
    .map(([data, steps, value]) => spoil(data, steps, value))

/** What a person reads, as viem takes it: the message and the domain are rebuilt from the screen alone. */
function asShown({
  structs,
  domainStruct,
  domainFields,
  primaryType,
  fields,
}: ReturnType<typeof parseTypedData>) {
  const value = (field: TypedDataField): unknown => {
    if (typeof field.value !== 'string') {
      const parts = field.value.map((part) => [part.name, value(part)] as const)
      return /\]$|^list$/.test(field.type) ? parts.map(([, part]) => part) : Object.fromEntries(parts)
    }
    return field.type === 'bool' ? field.value === 'true' : field.value
  }
  const message = (all: readonly TypedDataField[]) =>
    Object.fromEntries(all.map((field) => [field.name, value(field)]))
  const types = Object.fromEntries(
    [...structs.values(), domainStruct].map((struct) => [
      struct.name,
      struct.fields.map(({ name, text }) => ({ name, type: text })),
    ]),
  )
  return {
    types,
    primaryType,
    domain: message(domainFields),
    message: message(fields),
  } as unknown as TypedData
}

test('typed data that is shown is signed with the hash of what is shown; what is refused is refused by the vault', {
  timeout,
}, async () => {
  const { me, address } = await withWallet()
  const count = { signed: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.oneof(typedData, spoiled(typedData)), async (raw) => {
      const shown = accepted(() => parseTypedData(raw))
      const request = { method: 'eth_signTypedData_v4', params: [address, raw] }
      const { response, error } = await me.rpc(address, path, request)
      if (!shown) {
        expect(error?.type).toBe('invalid_request_arguments')
        count.refused++
        return
      }
      const hash = hashTypedData(asShown(shown) as unknown as Parameters<typeof hashTypedData>[0])
      expect(await recoverAddress({ hash, signature: response?.data as Hex })).toBe(address)
      // What the kit passes on is its own copy of the request.
      const copy = await me.rpc(address, path, { ...request, params: [address, shown.data] })
      expect(copy.response?.data).toBe(response?.data)
      count.signed++
    }),
    { numRuns: runs, seed },
  )
  console.log(`Typed data shown and signed: ${JSON.stringify(count)}`)
  expect(Math.min(...Object.values(count))).toBeGreaterThan(runs / 5)
})

const amount = fc.oneof(
  fc
    .bigInt({ min: 0n, max: 2n ** 40n })
    .chain((value) => fc.constantFrom(value, String(value), `0x${value.toString(16)}`, Number(value))),
  fc.constantFrom('0x00', '007', '', -1, 1.5),
)
const transaction = fc.record(
  {
    chainId: fc.constantFrom(1, '0x1', '137', 10n),
    to: fc.constantFrom(`0x${'35'.repeat(20)}`, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'),
    nonce: fc.nat(1_000),
    gasLimit: fc.constantFrom(21_000, '21000', '0x5208'),
    maxFeePerGas: fc.constantFrom('0x77359400', 2_000_000_000n),
    maxPriorityFeePerGas: fc.constantFrom('0x1', '7', 0),
    value: amount,
    data: fc.constantFrom('0x', '0xABcd', '0x60'),
    type: fc.constantFrom(2, '0x2', 'eip1559', null),
    accessList: fc.constantFrom(
      null,
      [],
      [{ address: `0x${'11'.repeat(20)}`, storageKeys: [`0x${'22'.repeat(32)}`] }],
    ),
  },
  { requiredKeys: ['chainId', 'to', 'nonce', 'gasLimit', 'maxFeePerGas', 'maxPriorityFeePerGas'] },
)

test('a transaction that is shown is signed as it is shown; what is refused is refused by the vault', {
  timeout,
}, async () => {
  const { me, address } = await withWallet()
  const count = { signed: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.oneof(transaction, spoiled(transaction)), async (raw) => {
      const shown = accepted(() => completeTransaction(parseTransaction(raw)))
      const { response, error } = await me.rpc(address, path, {
        method: 'eth_signTransaction',
        params: [raw],
      })
      if (!shown) {
        expect(['invalid_request_arguments', 'error']).toContain(error?.type)
        count.refused++
        return
      }
      const signed = parseByViem(response?.data as `0x02${string}`)
      const { to = null, value = 0n, data = '0x', nonce = 0, gas = 0n, chainId, maxFeePerGas = 0n } = signed
      const lower = (text: string | null | undefined) => text?.toLowerCase() ?? null
      expect({ to: lower(to), value, data, nonce, gas, chainId, maxFeePerGas }).toEqual({
        to: lower(shown.to),
        value: shown.value,
        data: shown.data,
        nonce: Number(shown.nonce),
        gas: shown.gasLimit,
        chainId: shown.chainId,
        maxFeePerGas: shown.maxFeePerGas,
      })
      // What the kit passes on is what it has read.
      const params = [formatTransaction(shown)]
      const copy = await me.rpc(address, path, { method: 'eth_signTransaction', params })
      expect(keccak256(copy.response?.data as Hex)).toBe(keccak256(response?.data as Hex))
      count.signed++
    }),
    { numRuns: runs, seed },
  )
  console.log(`Transactions shown and signed: ${JSON.stringify(count)}`)
  expect(Math.min(...Object.values(count))).toBeGreaterThan(runs / 5)
})
