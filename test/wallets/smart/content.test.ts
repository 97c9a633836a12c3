/** Messages and typed data for which smart accounts vouch, as the kit has their owner's key sign them. */
import { type Hex, recoverTypedDataAddress, serializeTypedData, stringToHex } from 'viem'
import { parseErc6492Signature } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import type { Plain } from '../../../src/lib/plain.ts'
import { createAccountSigner } from '../../../src/signing/user-operation/content.ts'
import type { SmartAccountKind } from '../../../src/wallets/smart/account-codec.ts'
import { loadSmartAccountCodec, smartAccountKinds } from '../../../src/wallets/smart/accounts/features.ts'
import { owner } from './support/accepted.ts'
import { embeddedOwner, signRpc } from './support/account.ts'

async function signerOf(kind: SmartAccountKind, isDeployed: boolean) {
  const codec = await loadSmartAccountCodec(kind)
  const account = { address: codec.getAddress(owner.address), codec, owner: embeddedOwner(owner.address) }
  return { codec, signer: createAccountSigner({ account, chainId: 1, isDeployed }) }
}

const typedData = JSON.parse(
  serializeTypedData({
    domain: { name: 'App', chainId: 1n },
    types: { Order: [{ name: 'amount', type: 'uint256' }] },
    primaryType: 'Order',
    message: { amount: 2n ** 200n },
  }),
) as Plain
const contents = [
  ['message', { message: stringToHex('hello') }],
  ['typed data', { typedData }],
] as const

describe.each(smartAccountKinds)('an account of kind %s', (kind) => {
  test.each(contents)(
    'its signature of a %s is wrapped for ERC-6492 until it is deployed',
    async (_, content) => {
      const sign = async (isDeployed: boolean) => {
        const { codec, signer } = await signerOf(kind, isDeployed)
        const { rpc, read } = signer.sign(content)
        return { codec, signature: read(await signRpc(owner, rpc)) as Hex }
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
})

test('a coinbase account vouches by typed data that its owner has signed', async () => {
  const { signer } = await signerOf('coinbase_smart_wallet', true)
  const { rpc } = signer.sign({ message: stringToHex('hello') })
  const [, signed] = (rpc?.params ?? []) as readonly unknown[]
  const signature = (await signRpc(owner, rpc)) as Hex
  expect(await recoverTypedDataAddress({ ...(signed as object), signature } as never)).toBe(owner.address)
})
