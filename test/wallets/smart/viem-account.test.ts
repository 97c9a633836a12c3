import { createClient, custom, type Hex } from 'viem'
import { entryPoint07Address, prepareUserOperation } from 'viem/account-abstraction'
import { mainnet } from 'viem/chains'
import { parseErc6492Signature, recoverTypedDataAddress } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import type { OwnerPayload, SmartAccountKind } from '../../../src/wallets/smart/account-codec.ts'
import { loadSmartAccountCodec, smartAccountKinds } from '../../../src/wallets/smart/accounts/features.ts'
import { createSmartAccount } from '../../../src/wallets/smart/viem-account.ts'
import { firstCalls, owner, signAsOwner } from './support/accepted.ts'
import { word } from './support/services.ts'

async function createAccount(kind: SmartAccountKind, { isDeployed = false } = {}) {
  const codec = await loadSmartAccountCodec(kind)
  const signed: OwnerPayload[] = []
  const client = createClient({
    chain: mainnet,
    transport: custom({
      async request({ method }) {
        if (method === 'eth_getCode') return isDeployed ? '0x01' : '0x'
        if (method === 'eth_call') return word((codec.nonceKey << 64n) | 4n)
        throw new Error(`The client asks for ${method}`)
      },
    }),
  })
  const account = await createSmartAccount({
    codec,
    client,
    owner: {
      address: owner.address,
      async sign(payload) {
        signed.push(payload)
        return signAsOwner(payload)
      },
    },
  })
  return { codec, account, signed, client }
}

const typedData = {
  domain: { name: 'App', chainId: 1n },
  types: { Order: [{ name: 'amount', type: 'uint256' }] },
  primaryType: 'Order',
  message: { amount: 2n ** 200n },
} as const

describe.each(smartAccountKinds)('a viem account of kind %s', (kind) => {
  test('has the address, the calls, the nonce and the deployment of its codec', async () => {
    const { account, codec } = await createAccount(kind)
    expect(account.address).toBe(codec.getAddress(owner.address))
    expect(account.entryPoint).toMatchObject(codec.entryPoint)
    expect(await account.encodeCalls([{ to: firstCalls[0].to, value: 5n }])).toBe(
      codec.encodeCalls(firstCalls),
    )
    expect(await account.decodeCalls?.(codec.encodeCalls(firstCalls))).toEqual(firstCalls)
    expect(await account.getNonce()).toBe((codec.nonceKey << 64n) | 4n)
    expect(await account.getStubSignature()).toBe(codec.stubSignature)
    const args = codec.getFactoryArgs(owner.address)
    expect(await account.getFactoryArgs()).toEqual(args ?? { factory: undefined, factoryData: undefined })
  })

  test.each(['signMessage', 'signTypedData'] as const)(
    '%s: the signature is wrapped for ERC-6492 until the account is deployed',
    async (name) => {
      const sign = async (isDeployed: boolean) => {
        const { account, codec } = await createAccount(kind, { isDeployed })
        const signature =
          name === 'signMessage'
            ? await account.signMessage({ message: 'hello' })
            : await account.signTypedData(typedData)
        return { codec, signature }
      }
      const { signature: plain } = await sign(true)
      const { signature: early, codec } = await sign(false)
      const args = codec.getFactoryArgs(owner.address)
      const parsed = parseErc6492Signature(early)
      expect(parsed.signature).toBe(plain)
      expect(parsed.data).toBe(args?.factoryData)
      expect(parsed.address?.toLowerCase()).toBe(args?.factory.toLowerCase())
      expect(parseErc6492Signature(plain).address).toBeUndefined()
    },
  )

  test('signs what the codec says, with large numbers as text', async () => {
    const { account, codec, signed } = await createAccount(kind, { isDeployed: true })
    const place = { address: account.address, chainId: 1 }
    await account.signMessage({ message: 'hello' })
    await account.signMessage({ message: { raw: '0x68656c6c6f' } })
    await account.signMessage({ message: { raw: new TextEncoder().encode('hello') } })
    const expected = codec.toContentPayload({ type: 'message', raw: '0x68656c6c6f' }, place)
    expect(signed).toEqual([expected, expected, expected])
    await account.signTypedData(typedData)
    expect(() => JSON.stringify(signed)).not.toThrow()
  })

  test('signs an operation as its EntryPoint hashes it', async () => {
    const { account, codec } = await createAccount(kind, { isDeployed: true })
    const operation = {
      nonce: 1n,
      callData: codec.encodeCalls(firstCalls),
      callGasLimit: 1n,
      verificationGasLimit: 2n,
      preVerificationGas: 3n,
      maxFeePerGas: 4n,
      maxPriorityFeePerGas: 5n,
    }
    const complete = { ...operation, sender: account.address, signature: '0x' as Hex }
    expect(await account.signUserOperation(operation as never)).toBe(
      codec.toOperationSignature(await signAsOwner(codec.toOperationPayload(complete as never, 1))),
    )
  })
})

test('a viem account is prepared by viem’s own bundler action', async () => {
  const { account, codec } = await createAccount('kernel')
  const bundler = createClient({
    chain: mainnet,
    transport: custom({
      async request({ method }) {
        if (method === 'eth_estimateUserOperationGas')
          return { preVerificationGas: '0x1', verificationGasLimit: '0x2', callGasLimit: '0x3' }
        throw new Error(`The bundler client asks for ${method}`)
      },
    }),
  })
  const operation = await prepareUserOperation(
    bundler as never,
    {
      account,
      calls: firstCalls,
      maxFeePerGas: 1n,
      maxPriorityFeePerGas: 1n,
    } as never,
  )
  expect(operation).toMatchObject({
    sender: account.address,
    callData: codec.encodeCalls(firstCalls),
    ...codec.getFactoryArgs(owner.address),
    callGasLimit: 3n,
  })
  expect(account.entryPoint.address).toBe(entryPoint07Address)
})

test('a coinbase account vouches by typed data that its owner has signed', async () => {
  const { account, signed } = await createAccount('coinbase_smart_wallet', { isDeployed: true })
  await account.signMessage({ message: 'hello' })
  const [payload] = signed
  if (payload?.type !== 'typedData') throw new Error('The owner signed something else')
  const signature = await signAsOwner(payload)
  const signer = await recoverTypedDataAddress({ ...(payload.typedData as object), signature } as never)
  expect(signer).toBe(owner.address)
})
