import { createClient, custom, type Hex } from 'viem'
import { toCoinbaseSmartAccount, toSimple7702SmartAccount } from 'viem/account-abstraction'
import { mainnet } from 'viem/chains'
import { hashTypedData } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { parseTypedData } from '../../../src/ethereum/typed-data.ts'
import { InvalidRequest } from '../../../src/lib/invalid-request.ts'
import type { OwnerPayload, SmartAccountKind } from '../../../src/wallets/smart/account-codec.ts'
import { loadSmartAccountCodec, smartAccountKinds } from '../../../src/wallets/smart/accounts/features.ts'
import { hashOperation } from '../../../src/wallets/smart/accounts/signatures.ts'
import { accepted, batchCalls, chainId, firstCalls, owner, signAsOwner } from './support/accepted.ts'

const [first, second] = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
] as const

describe('smart accounts: the published address of an owner without a deployed account is computed', () => {
  const published: readonly (readonly [SmartAccountKind, string | undefined, Hex, string, string])[] = [
    ['safe', '1.4.1', first, '0x124Ef647181eda69861b61596802129E3B018765', 'LiorAgnin/permissionless.dart'],
    [
      'kernel',
      '0.3.1',
      first,
      '0xB3729F7e1Ab0B4a50E7De5599Ecc321B8775d30d',
      "a Zig port's tests against ZeroDev's SDK",
    ],
    [
      'kernel',
      '0.3.1',
      second,
      '0xEC4b217240f0292c65Bf136b341e400e2D28cA6F',
      'an account seen on Monad testnet',
    ],
    [
      'biconomy',
      '2.0.0',
      first,
      '0x0788816536DEFa6A14779711c0B08b7f0edFe68b',
      "tests of Biconomy's account for viem",
    ],
    [
      'light_account',
      '1.1.0',
      first,
      '0x9EfDfCB56390eDd8b2eAE6daBC148CED3491AAf6',
      'alchemyplatform/aa-sdk, snapshot of its account',
    ],
    [
      'coinbase_smart_wallet',
      undefined,
      first,
      '0xBb0c1d5E7f530e8e648150fc7Cf30912575523E8',
      'wevm/viem, tests of toCoinbaseSmartAccount',
    ],
    [
      'coinbase_smart_wallet',
      '1',
      second,
      '0xA15C25E1d03280C19634954A38D380C076fcafa7',
      'wevm/viem, tests of toCoinbaseSmartAccount',
    ],
    [
      'coinbase_smart_wallet',
      '1.1',
      second,
      '0x452f678f6e588069D1Aef38D3D519567aA1014A4',
      'a sign-in verifier tested against Base',
    ],
    [
      'coinbase_smart_wallet',
      '1.1',
      '0x429A71fE1C17F890c3545F4ad05e4559c5489faA',
      '0x06D30a8DA60dDd004A93db4C1b3360c9068e64C1',
      'the same',
    ],
  ]
  test.each(published)('%s %s of %s: %s (%s)', async (kind, version, of, address) => {
    const codec = await loadSmartAccountCodec(kind, version)
    expect(codec.getAddress(of)).toBe(address)
    expect(codec.getAddress(of.toLowerCase() as Hex)).toBe(address)
  })
})

describe.each(accepted)('smart accounts: $kind, as its contract has accepted it', (vector) => {
  const { kind, version, address, deployment, operation, hash, batch, contents } = vector
  const place = { address, chainId }
  const load = () => loadSmartAccountCodec(kind, version)

  test('the address and the deployment are those of the contract', async () => {
    const codec = await load()
    expect(codec.getAddress(owner.address)).toBe(address)
    const made = codec.getFactoryArgs(owner.address)
    expect(made && lower(made)).toEqual(deployment && lower(deployment))
  })

  test('a call and a batch are written and read back', async () => {
    const codec = await load()
    expect(codec.encodeCalls(firstCalls)).toBe(operation.callData)
    expect(codec.decodeCalls(operation.callData)).toEqual(firstCalls)
    expect(codec.encodeCalls(batchCalls)).toBe(batch)
    expect(codec.decodeCalls(batch)).toEqual(batchCalls)
  })

  test("the nonce's key, the hash and the owner's signature are those of the operation that was included", async () => {
    const codec = await load()
    expect(operation.nonce >> 64n).toBe(codec.nonceKey)
    expect(hashOperation(codec, operation, chainId)).toBe(hash)
    const signature = await signAsOwner(codec.toOperationPayload(operation, chainId))
    expect(codec.toOperationSignature(signature)).toBe(operation.signature)
    expect(codec.stubSignature).toHaveLength(operation.signature.length)
  })

  test.each(contents)(
    'a signature of ERC-1271 is that which the contract accepts: $content.type',
    async (each) => {
      const codec = await load()
      const signature = await signAsOwner(codec.toContentPayload(each.content, place))
      expect(codec.toContentSignature(signature, each.content, place)).toBe(each.signature.toLowerCase())
    },
  )

  test('a signature of ERC-1271 for one account is another than for a second account, unless the key itself vouches', async () => {
    const codec = await load()
    const content: OwnerPayload = { type: 'message', raw: '0x68656c6c6f' }
    const one = codec.toContentPayload(content, place)
    const other = codec.toContentPayload(content, { ...place, address: first })
    const elsewhere = codec.toContentPayload(content, { ...place, chainId: 1 })
    const isBare = kind === 'biconomy' || kind === 'simple_7702'
    expect(JSON.stringify(other) === JSON.stringify(one)).toBe(isBare)
    expect(JSON.stringify(elsewhere) === JSON.stringify(one)).toBe(isBare)
  })

  test('typed data for the owner is JSON that the vault reads', async () => {
    const codec = await load()
    const payloads = [
      codec.toOperationPayload(operation, chainId),
      ...contents.map(({ content }) => codec.toContentPayload(content, place)),
    ]
    for (const payload of payloads)
      if (payload.type === 'typedData')
        expect(() => parseTypedData(JSON.stringify(payload.typedData))).not.toThrow()
  })

  test("the owner's signature may end with 0 or 1, and anything else than a signature is refused", async () => {
    const codec = await load()
    const signature = await signAsOwner(codec.toOperationPayload(operation, chainId))
    const early = `${signature.slice(0, -2)}0${Number.parseInt(signature.slice(-2), 16) - 27}` as Hex
    expect(codec.toOperationSignature(early)).toBe(operation.signature)
    for (const wrong of [
      '0x',
      '0x00',
      `${signature}00`,
      `${signature.slice(0, -2)}1d`,
      'x'.repeat(132),
    ] as Hex[]) {
      expect(() => codec.toOperationSignature(wrong)).toThrow(InvalidRequest)
      expect(() => codec.toContentSignature(wrong, { type: 'message', raw: '0x' }, place)).toThrow(
        InvalidRequest,
      )
    }
  })
})

const lower = (value: object) => JSON.parse(JSON.stringify(value).toLowerCase())

describe('smart accounts: viem’s own accounts agree', () => {
  const client = createClient({
    chain: mainnet,
    transport: custom({ request: async ({ method }) => (method === 'eth_getCode' ? '0x01' : '0x1') }),
  })
  const operation = {
    sender: first,
    nonce: 3n,
    callData: '0x1234',
    callGasLimit: 1n,
    verificationGasLimit: 2n,
    preVerificationGas: 3n,
    maxFeePerGas: 4n,
    maxPriorityFeePerGas: 5n,
    signature: '0x',
  } as const

  test.each(['1', '1.1'] as const)(
    'Coinbase Smart Wallet %s: calls, signatures and deployment',
    async (version) => {
      const codec = await loadSmartAccountCodec('coinbase_smart_wallet', version)
      const address = codec.getAddress(owner.address)
      const account = await toCoinbaseSmartAccount({ client, owners: [owner], version, address })
      for (const calls of [firstCalls, batchCalls])
        expect(codec.encodeCalls(calls)).toBe(await account.encodeCalls(calls))
      expect(await account.getStubSignature()).toBe(codec.stubSignature)
      const signed = codec.toOperationPayload({ ...operation, sender: address }, 1)
      expect(signed.type).toBe('hash')
      expect(codec.toOperationSignature(await signAsOwner(signed))).toBe(
        await account.signUserOperation({ ...operation, sender: address }),
      )
      const content = { type: 'message', raw: '0x6869' } as const
      const vouched = await signAsOwner(codec.toContentPayload(content, { address, chainId: 1 }))
      expect(codec.toContentSignature(vouched, content, { address, chainId: 1 })).toBe(
        await account.signMessage({ message: 'hi' }),
      )
    },
  )

  test('Coinbase Smart Wallet 1.1: a published signature on Base is made again', async () => {
    const codec = await loadSmartAccountCodec('coinbase_smart_wallet', '1.1')
    const raw = `0x${Buffer.from('regent smart wallet sign-in test').toString('hex')}` as const
    const place = { address: codec.getAddress(second), chainId: 8453 }
    const content = { type: 'message', raw } as const
    const signature = await signAsOwner(codec.toContentPayload(content, place))
    expect(codec.toContentSignature(signature, content, place)).toBe(
      '0x0000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000400000000000000000000000000000000000000000000000000000000000000041ca4d8a90ca0affff9dfc4cb485e0b7a5d144ca28874beed10aa5d75f92d859f81aadc758ca6138c9fabfd20bb107a9610d3cbab9ce85e8690011d28ec5894da31b00000000000000000000000000000000000000000000000000000000000000',
    )
  })

  test('Simple7702Account: calls and signatures, for an account that delegates with the operation as well', async () => {
    const codec = await loadSmartAccountCodec('simple_7702')
    const account = await toSimple7702SmartAccount({ client, owner })
    for (const calls of [firstCalls, batchCalls])
      expect(codec.encodeCalls(calls)).toBe(await account.encodeCalls(calls))
    expect(codec.implementation).toBe(account.authorization?.address)
    const authorization = {
      address: codec.implementation ?? '0x',
      chainId: 1,
      nonce: 0,
      yParity: 0,
      r: '0x01',
      s: '0x02',
    } as const
    for (const more of [{}, { factory: '0x7702', factoryData: '0x', authorization }] as const) {
      const complete = { ...operation, ...more, sender: owner.address } as const
      expect(codec.toOperationSignature(await signAsOwner(codec.toOperationPayload(complete, 1)))).toBe(
        await account.signUserOperation(complete as never),
      )
    }
  })
})

test('smart accounts: published hashes of operations for the EntryPoint 0.8 are computed (wevm/viem, getUserOperationHash)', async () => {
  const codec = await loadSmartAccountCodec('simple_7702')
  const operation = {
    callData: '0x',
    callGasLimit: 6942069n,
    maxFeePerGas: 69420n,
    maxPriorityFeePerGas: 69n,
    nonce: 0n,
    preVerificationGas: 6942069n,
    sender: '0x1234567890123456789012345678901234567890',
    signature: '0x',
    verificationGasLimit: 6942069n,
  } as const
  const paid = {
    ...operation,
    paymaster: '0x1234567890123456789012345678901234567890',
    paymasterVerificationGasLimit: 6942069n,
    paymasterPostOpGasLimit: 6942069n,
    paymasterData: '0xdeadbeef',
  } as const
  for (const [each, hash] of [
    [operation, '0xa2224e732a1d4e2f923c7c05d586a0aa6cbc42172ec02f31d35fa9a2b8ba9208'],
    [paid, '0xf10ef9afcf27a4fd17e477cd19f37e588e3ff7d48eade07ab5b7eb8caf75667f'],
  ] as const) {
    expect(hashOperation(codec, each, 1)).toBe(hash)
    const payload = codec.toOperationPayload(each, 1)
    expect(payload.type === 'typedData' && hashTypedData(payload.typedData as never)).toBe(hash)
  }
})

test('nexus: a message is signed as the text that its user reads, and typed data with all its fields', async () => {
  const codec = await loadSmartAccountCodec('nexus')
  const place = { address: first, chainId: 1 }
  const message = codec.toContentPayload({ type: 'message', raw: '0x68656c6c6f' }, place)
  expect(message).toMatchObject({
    typedData: {
      primaryType: 'PersonalSign',
      message: { prefixed: `0x${Buffer.from('\x19Ethereum Signed Message:\n5hello').toString('hex')}` },
    },
  })
  const typedData = {
    domain: { name: 'App' },
    types: { Order: [{ name: 'amount', type: 'uint256' }] },
    primaryType: 'Order',
    message: { amount: '7' },
  }
  expect(codec.toContentPayload({ type: 'typedData', typedData }, place)).toMatchObject({
    typedData: {
      primaryType: 'TypedDataSign',
      message: { contents: { amount: '7' }, verifyingContract: first },
    },
  })
  // A name with a small letter can't be nested, so its digest is signed.
  const small = { ...typedData, types: { order: typedData.types.Order }, primaryType: 'order' }
  expect(codec.toContentPayload({ type: 'typedData', typedData: small }, place).type).toBe('message')
})

test('the kinds of smart accounts: each is loaded, and another kind or version is refused', async () => {
  expect(smartAccountKinds).toEqual(accepted.map(({ kind }) => kind))
  for (const kind of smartAccountKinds) {
    const codec = await loadSmartAccountCodec(kind)
    expect(codec.kind).toBe(kind)
    expect((await loadSmartAccountCodec(kind, codec.version)).version).toBe(codec.version)
    await expect(loadSmartAccountCodec(kind, '9.9.9')).rejects.toThrow(InvalidRequest)
  }
  await expect(loadSmartAccountCodec('constructor' as SmartAccountKind)).rejects.toThrow(InvalidRequest)
  expect((await loadSmartAccountCodec('coinbase_smart_wallet', '1.1.0')).version).toBe('1.1')
  expect((await loadSmartAccountCodec('coinbase_smart_wallet', '1.0')).version).toBe('1')
})
