import fc from 'fast-check'
import {
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializable,
  type TransactionSerializableLegacy,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import {
  completeTransaction,
  formatTransaction,
  parseTransaction as parse,
} from '../../../src/ethereum/transaction.ts'
import { InvalidRequest } from '../../../src/lib/invalid-request.ts'
import { hexToBytes } from '../../../src/vault/bytes.ts'
import { transactionSigner } from '../../../src/vault/signing/sign-transaction.ts'
import { limit } from '../../support/limit.ts'
import { counted, soak } from '../../support/soak.ts'
import type { Outcome } from '../support/device.ts'
import { paths, withWallet } from '../support/person.ts'

const ethereum = { chainType: 'ethereum', hdWalletIndex: 0 }
const to = '0x3535353535353535353535353535353535353535'
const legacy = { to, value: 1, chainId: 1, nonce: 9, gasLimit: 21_000, gasPrice: 20_000_000_000 }
const { gasPrice: _, ...feeless } = legacy
const modern = { ...feeless, maxFeePerGas: 30_000_000_000, maxPriorityFeePerGas: 1_000_000_000 }
const sign = (transaction: unknown) => ({ method: 'eth_signTransaction', params: [transaction] })
const signed = ({ response }: Outcome) => (response?.data ?? '0x') as `0x02${string}`

const uint = (bits: number) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })
const hex = (bytes: number, most = bytes) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: most })
    .map((content) => `0x${Buffer.from(content).toString('hex')}` as const)
const accessList = fc.array(
  fc.record({ address: hex(20), storageKeys: fc.array(hex(32), { maxLength: 3 }) }),
  {
    maxLength: 3,
  },
)
const common = {
  chainId: fc.oneof(fc.constantFrom(1, 10, 137, 8453), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  nonce: fc.oneof(fc.constantFrom(0, 127, 128, 255, 256), fc.nat(Number.MAX_SAFE_INTEGER)),
  gas: uint(64),
  to: hex(20),
  value: fc.oneof(fc.constant(0n), uint(64), uint(256)),
  data: fc.oneof(hex(0, 80), hex(1), hex(300, 400)),
}
const fees = fc
  .tuple(uint(128), uint(128))
  .map(([a, b]) =>
    a < b ? { maxFeePerGas: b, maxPriorityFeePerGas: a } : { maxFeePerGas: a, maxPriorityFeePerGas: b },
  )
/** Transactions of the three types, as viem knows them. */
const transactions: fc.Arbitrary<TransactionSerializable> = fc.oneof(
  fc.record({ ...common, gasPrice: uint(200), type: fc.constant('legacy' as const) }),
  fc.record({ ...common, gasPrice: uint(200), accessList, type: fc.constant('eip2930' as const) }),
  fc
    .record({ ...common, accessList, fees, type: fc.constant('eip1559' as const) })
    .map(({ fees, ...rest }) => ({ ...rest, ...fees })),
)
const privateKey = `0x${'46'.repeat(32)}` as const
const account = privateKeyToAccount(privateKey)
const signHere = (transaction: unknown) =>
  transactionSigner(completeTransaction(parse(transaction)))(hexToBytes(privateKey.slice(2)))

describe('transactions', () => {
  const random = soak(100, 1_500)

  test(`${counted(random)} random ones of the three types are, byte for byte, what viem signs`, {
    timeout: limit(60_000),
  }, async () => {
    const count = { legacy: 0, eip2930: 0, eip1559: 0 }
    const asked = fc.tuple(transactions, fc.boolean(), fc.boolean(), fc.boolean())
    await fc.assert(
      fc.asyncProperty(asked, async ([transaction, create, named, asText]) => {
        const { type, gas, to, ...rest } = transaction as TransactionSerializable & {
          type: keyof typeof count
        }
        const made = create && rest.data !== '0x'
        const expected = await account.signTransaction(
          (made ? { ...rest, gas, type } : transaction) as TransactionSerializableLegacy,
        )
        const request = { ...rest, gasLimit: gas, ...(named && { type }), ...(!made && { to }) }
        const plain = asText
          ? JSON.parse(
              JSON.stringify(request, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
            )
          : request
        expect(signHere(plain)).toBe(expected)
        count[type]++
      }),
      { numRuns: random, seed: 20_260_101 },
    )
    console.log(`Transactions signed as viem signs them: ${JSON.stringify(count)}`)
    expect(Math.min(...Object.values(count))).toBeGreaterThan(random / 15)
  })

  test('the example of EIP-155, byte for byte, by an imported key', async () => {
    const { me } = await withWallet()
    const { address = '' } = await me.importKey('ethereum', privateKey)
    expect(address).toBe(account.address)
    const transaction = { ...legacy, value: 10n ** 18n, from: address }
    const answer = await me.rpc(address, ethereum, sign(transaction))
    expect(answer).toEqual({
      address,
      chainType: 'ethereum',
      response: {
        method: 'eth_signTransaction',
        data: '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
      },
    })
  })

  test('the vault signs all three types; the signature is the wallet’s', async () => {
    const { me, address } = await withWallet()
    for (const transaction of [legacy, { ...legacy, accessList: [] }, modern, { ...modern, from: address }]) {
      const serializedTransaction = signed(await me.rpc(address, ethereum, sign(transaction)))
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address)
      expect(parseTransaction(serializedTransaction)).toMatchObject({
        chainId: 1,
        nonce: 9,
        gas: 21_000n,
        to,
      })
    }
  })

  test('the React client of the protocol’s origin has what viem prepared signed, with the account that viem leaves in it', async () => {
    const { me, address } = await withWallet()
    // Nodes that fill in transactions name the highest fee twice.
    const prepared = { ...modern, type: 2, data: undefined, gasPrice: modern.maxFeePerGas, from: address }
    const account = { address, type: 'json-rpc' }
    const serializedTransaction = signed(await me.rpc(address, ethereum, sign({ ...prepared, account })))
    expect(await recoverTransactionAddress({ serializedTransaction })).toBe(address)
    const other = await me.rpc(address, ethereum, sign({ ...modern, account: { ...account, address: to } }))
    expect(other.error?.type).toBe('invalid_request_arguments')
  })

  test('a contract is made by a transaction with code and no receiver', async () => {
    const { me, address } = await withWallet()
    const { to: _, ...unaddressed } = modern
    for (const transaction of [unaddressed, { ...unaddressed, to: null }]) {
      const made = signed(await me.rpc(address, ethereum, sign({ ...transaction, data: '0x6001' })))
      expect(parseTransaction(made)).toMatchObject({ data: '0x6001' })
      expect(parseTransaction(made).to).toBeFalsy()
      expect((await me.rpc(address, ethereum, sign(transaction))).error?.type).toBe(
        'invalid_request_arguments',
      )
    }
  })

  test('numbers in all their forms, old names of fields, and names of types mean the same', () => {
    const expected = signHere(legacy)
    const same = [
      { ...legacy, nonce: '9', gasLimit: '0x5208', gasPrice: 20_000_000_000n, chainId: '0x01', value: '0x1' },
      { ...legacy, nonce: '0x9', type: 0 },
      { ...legacy, type: '0x0', data: '0x', maxFeePerGas: null, accessList: null },
      { ...legacy, type: 'legacy', to: `0x${'35'.repeat(20)}` },
      { ...legacy, gasLimit: undefined, gas: 21_000 },
      { ...legacy, gas: 21_000, input: '0x' },
      { ...legacy, data: '0x', input: '0x' },
    ]
    for (const transaction of same) expect(signHere(transaction)).toBe(expected)
    expect(signHere({ ...modern, type: 'eip1559' })).toBe(signHere({ ...modern, type: '2' }))
    expect(signHere({ ...legacy, type: 1 })).toBe(signHere({ ...legacy, accessList: [] }))
    expect(signHere({ ...legacy, type: 1 })).not.toBe(expected)
  })

  const chains: [string, unknown][] = [
    ['missing', undefined],
    ['null', null],
    ['0', 0],
    ['negative', -1],
    ['a fraction', 1.5],
    ['above 2^53', 2n ** 53n],
    ['above 2^53 as hex', '0x20000000000000'],
    ['not a number', 'mainnet'],
    ['empty text', ''],
    ['padded decimal', '01'],
    ['CAIP-2', 'eip155:1'],
    ['a list', [1]],
    ['true', true],
  ]
  test.each(chains)('a chain id that is %s: no signature', (_, chainId) => {
    expect(() => signHere({ ...legacy, chainId })).toThrow(InvalidRequest)
    expect(() => signHere({ ...modern, chainId })).toThrow(InvalidRequest)
  })

  const wrong: [string, unknown][] = [
    ['nothing', undefined],
    ['a list', [legacy]],
    ['text', JSON.stringify(legacy)],
    ['an unknown field', { ...legacy, memo: 'x' }],
    ['blobs', { ...modern, blobs: [] }],
    ['authorisations', { ...modern, authorizationList: [] }],
    ['no nonce', { ...legacy, nonce: undefined }],
    ['no gas', { ...legacy, gasLimit: null }],
    ['no fee', feeless],
    ['half a fee', { ...feeless, maxFeePerGas: 1 }],
    ['the other half of a fee', { ...feeless, maxPriorityFeePerGas: 1 }],
    ['a tip above the fee', { ...modern, maxPriorityFeePerGas: 30_000_000_001 }],
    ['fees of two kinds', { ...legacy, ...modern }],
    ['a type without its fee', { ...legacy, type: 2 }],
    ['a legacy one with new fees', { ...modern, type: 0 }],
    ['a legacy one with an access list', { ...legacy, type: 0, accessList: [] }],
    ['an EIP-2930 one with new fees', { ...modern, type: 1 }],
    ['a type that is no type', { ...legacy, type: 'eip4844' }],
    ['a negative type', { ...legacy, type: -1 }],
    ['two gas limits', { ...legacy, gas: 21_001 }],
    ['two sets of data', { ...legacy, data: '0x01', input: '0x02' }],
    ['a receiver that is a name', { ...legacy, to: 'vitalik.eth' }],
    ['an empty receiver', { ...legacy, to: '' }],
    ['a receiver with a wrong checksum', { ...legacy, to: '0xCd2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' }],
    ['a receiver with 0X', { ...legacy, to: to.replace('0x', '0X') }],
    ['a receiver as a number', { ...legacy, to: 1 }],
    ['half a byte of data', { ...legacy, data: '0x123' }],
    ['data that is no hex', { ...legacy, data: 'hello' }],
    ['a negative value', { ...legacy, value: -1 }],
    ['a value of 257 bits', { ...legacy, value: (2n ** 256n).toString() }],
    ['a value that is not exact', { ...legacy, value: 1e18 }],
    ['a value in ether', { ...legacy, value: '0.1' }],
    ['a gas limit of 65 bits', { ...legacy, gasLimit: 2n ** 64n }],
    ['a nonce above 2^53', { ...legacy, nonce: 2n ** 53n }],
    ['an access list that is an object', { ...modern, accessList: {} }],
    ['an access list of addresses', { ...modern, accessList: [to] }],
    ['an access list with more', { ...modern, accessList: [{ address: to, storageKeys: [], more: 1 }] }],
    ['an access list without keys', { ...modern, accessList: [{ address: to }] }],
    [
      'a storage key of 31 bytes',
      { ...modern, accessList: [{ address: to, storageKeys: [`0x${'00'.repeat(31)}`] }] },
    ],
  ]
  test('malformed requests are refused, each of them with its type', () => {
    for (const [name, transaction] of wrong) {
      const attempt = () => signHere(transaction)
      expect(attempt, name).toThrow(InvalidRequest)
    }
    expect(() => signHere({ ...modern, type: 3 })).toThrow('Blob transactions')
    console.log(`Malformed transactions: ${wrong.length} of ${wrong.length} refused`)
  })

  test('another sender than the wallet: no signature', async () => {
    const { me, address } = await withWallet()
    for (const params of [[{ ...legacy, from: to }], [legacy, address], []]) {
      const answer = await me.rpc(address, ethereum, { method: 'eth_signTransaction', params })
      expect(answer.error?.type).toBe('invalid_request_arguments')
    }
  })

  test('anything at all: a signature or a typed refusal, nothing else', () => {
    const anything = fc.anything({ withBigInt: true, withNullPrototype: true })
    const key = fc.constantFrom(
      ...Object.keys({ ...legacy, ...modern }),
      'type',
      'accessList',
      'from',
      'data',
      'gas',
      'input',
    )
    const spoiled = fc.record({ key, value: anything }).map(({ key, value }) => ({ ...modern, [key]: value }))
    fc.assert(
      fc.property(fc.oneof(anything, spoiled), (transaction) => {
        try {
          completeTransaction(parse(transaction))
        } catch (cause) {
          if (!(cause instanceof InvalidRequest)) throw cause
        }
      }),
      { numRuns: soak(500, 10_000), seed: 5 },
    )
  })

  test('what a hostile script puts on Object.prototype is no field', () => {
    const expected = signHere(legacy)
    const polluted = {
      value: 7,
      chainId: 5,
      data: '0x01',
      accessList: [],
      type: 2,
      to: `0x${'66'.repeat(20)}`,
    }
    for (const [name, value] of Object.entries(polluted)) {
      const { [name as keyof typeof legacy]: _, ...without } = legacy
      const [whole, lacking] = polluting(name, value, () => [signHere(legacy), attempt(without)])
      expect(whole).toBe(expected)
      expect(lacking).toBe(attempt(without))
    }
  })
})

const attempt = (transaction: unknown) => {
  try {
    return signHere(transaction)
  } catch (cause) {
    return cause instanceof InvalidRequest ? cause.message : Promise.reject(cause)
  }
}
function polluting<T>(name: string, value: unknown, work: () => T): T {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true })
  try {
    return work()
  } finally {
    Reflect.deleteProperty(Object.prototype, name)
  }
}

describe('filling in', () => {
  const bare = { to, value: '1000000000000000000', chainId: 31_337 }
  const ask = (transaction: unknown) => ({ method: 'eth_populateTransactionRequest', params: [transaction] })
  const filling = { nonce: 4, gasLimit: '21000', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: 1_000_000 }

  test('the server adds nonce, gas and fees; the page’s own figures stay', async () => {
    const { backend, me, address } = await withWallet()
    backend.state.populate = (_, asked) => ({ status: 200, body: { transaction: { ...asked, ...filling } } })
    const answer = await me.rpc(address, ethereum, ask(bare))
    const filled = {
      type: 2,
      from: address,
      to,
      value: '0xde0b6b3a7640000',
      data: '0x',
      chainId: 31_337,
      nonce: 4,
      gasLimit: '0x5208',
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: '0xf4240',
    }
    expect(answer).toEqual({
      address,
      chainType: 'ethereum',
      response: { method: 'eth_populateTransactionRequest', data: filled },
    })
    expect(paths(backend)).toEqual(['', '/transactions/populate'])
    expect(backend.calls.at(-1)?.body).toEqual({
      address,
      transaction: { from: address, to, value: '0xde0b6b3a7640000', data: '0x', chainId: 31_337 },
    })
    // What came back can be signed as it is.
    expect(await me.rpc(address, ethereum, sign(answer.response?.data))).toHaveProperty('response')
    expect(formatTransaction(parse(filled))).toEqual(filled)
  })

  test('one wallet of another index is asked for by its own address', async () => {
    const { backend, me, address } = await withWallet()
    const { address: added = '' } = await me.add(address, 'ethereum', 1)
    backend.state.populate = (_, asked) => ({ status: 200, body: { transaction: { ...asked, ...filling } } })
    const path = { ...ethereum, hdWalletIndex: 1 }
    expect(await me.rpc(address, path, ask({ ...bare, from: added }))).toMatchObject({ address: added })
    expect(backend.calls.at(-1)?.body.address).toBe(added)
  })

  const lies: [string, object][] = [
    ['another receiver', { to: `0x${'66'.repeat(20)}` }],
    ['another value', { value: '0x2' }],
    ['data of its own', { data: '0xa9059cbb' }],
    ['another chain', { chainId: 1 }],
    ['another sender', { from: `0x${'66'.repeat(20)}` }],
    ['an access list of its own', { accessList: [{ address: to, storageKeys: [] }] }],
    ['no nonce', { nonce: undefined }],
    ['no fees', { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined }],
    ['a negative fee', { maxFeePerGas: -1 }],
    ['a fee that is no number', { maxFeePerGas: 'NaN' }],
    ['a fee of 257 bits', { maxFeePerGas: `0x1${'0'.repeat(64)}` }],
    ['an unknown field', { memo: 'x' }],
    ['no receiver', { to: null }],
  ]
  test.each(lies)('a lying server, %s: refused', async (_, lie) => {
    const { backend, me, address } = await withWallet()
    backend.state.populate = (_, asked) => ({
      status: 200,
      body: { transaction: { ...asked, ...filling, ...lie } },
    })
    const { error } = await me.rpc(address, ethereum, ask(bare))
    expect(error).toEqual({ type: 'error', message: 'The wallet service sent an unexpected answer' })
  })

  test('figures of the page that come back changed are refused', async () => {
    const { backend, me, address } = await withWallet()
    backend.state.populate = (_, asked) => ({ status: 200, body: { transaction: { ...asked, ...filling } } })
    for (const own of [{ nonce: 5 }, { gasLimit: 30_000 }, { maxFeePerGas: 5_000_000_000 }])
      expect((await me.rpc(address, ethereum, ask({ ...bare, ...own }))).error?.type).toBe('error')
    expect(await me.rpc(address, ethereum, ask({ ...bare, nonce: 4 }))).toHaveProperty('response')
  })

  test('answers that are none', async () => {
    const { backend, me, address } = await withWallet()
    for (const body of [{}, { transaction: null }, { transaction: [] }, { transaction: 'x' }]) {
      backend.state.populate = () => ({ status: 200, body })
      expect((await me.rpc(address, ethereum, ask(bare))).error?.message).toMatch('unexpected answer')
    }
  })

  test('too little money keeps its type; other refusals are the server’s', async () => {
    const { backend, me, address } = await withWallet()
    backend.state.populate = () => ({ status: 400, body: { error: 'No', code: 'insufficient_funds' } })
    expect((await me.rpc(address, ethereum, ask(bare))).error?.type).toBe('insufficient_funds')
    backend.state.populate = () => ({
      status: 400,
      body: { error: 'No', code: 'transaction_execution_failure' },
    })
    expect((await me.rpc(address, ethereum, ask(bare))).error).toEqual({
      type: 'error',
      message: expect.stringContaining('transaction_execution_failure'),
    })
  })

  test('wrong requests never reach the server', async () => {
    const { backend, me, address } = await withWallet()
    const requests = [{ ...bare, from: to }, { ...bare, chainId: undefined }, { ...bare, more: 1 }, 'x']
    for (const transaction of requests)
      expect((await me.rpc(address, ethereum, ask(transaction))).error?.type).toBe(
        'invalid_request_arguments',
      )
    expect(paths(backend)).toEqual([''])
  })
})
