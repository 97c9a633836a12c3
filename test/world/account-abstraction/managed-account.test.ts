/** Thirdweb's accounts on the demo's chains, used by the kit's own codec: deployed, carrying out calls, and vouching for messages. */
import { type Hex, hashMessage, isErc6492Signature, type LocalAccount, parseAbi } from 'viem'
import { base } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managedFactoryAddress } from '../../../demo/world/account-abstraction/managed-account.ts'
import type { OwnerPayload } from '../../../src/wallets/smart/account-codec.ts'
import { createCodec } from '../../../src/wallets/smart/accounts/thirdweb.ts'
import { createSmartAccount } from '../../../src/wallets/smart/viem-account.ts'
import { newAddress, newOwner, type StandIns, startStandIns } from './support/stand-ins.ts'

let world: StandIns
beforeAll(async () => {
  world = await startStandIns()
})
afterAll(() => world?.close())

const codec = createCodec()
const signerOf = (key: LocalAccount) => ({
  address: key.address,
  async sign(payload: OwnerPayload): Promise<Hex> {
    if (payload.type === 'message') return key.signMessage({ message: { raw: payload.raw } })
    if (payload.type === 'hash') throw new Error('This account signs no bare hashes')
    return key.signTypedData(payload.typedData as never)
  },
})
const accountOf = (key: LocalAccount) =>
  createSmartAccount({ codec, owner: signerOf(key), client: world.client })

describe("a managed account of thirdweb's", () => {
  it('is deployed at the address that the kit computes, by a sponsored operation', async () => {
    const key = newOwner()
    const account = await accountOf(key)
    const client = world.clientFor(account, { context: {} })
    const to = newAddress()
    await world.tester.setBalance({ address: account.address, value: 100n })
    const hash = await client.sendUserOperation({
      calls: [
        { to, value: 40n },
        { to, value: 2n },
      ],
    })
    const receipt = await client.waitForUserOperationReceipt({ hash })
    expect(receipt).toMatchObject({ success: true, sender: codec.getAddress(key.address) })
    expect(await world.client.getBalance({ address: to })).toBe(42n)
    const again = await client.sendUserOperation({ calls: [{ to, value: 8n }] })
    expect((await client.waitForUserOperationReceipt({ hash: again })).success).toBe(true)
    expect(await world.client.getBalance({ address: to })).toBe(50n)
  })

  it('is given by its factory whether or not it is there, and made for its owner alone', async () => {
    const abi = parseAbi(['function getAddress(address admin, bytes data) view returns (address)'])
    const key = newOwner()
    const read = () =>
      world.client.readContract({
        address: managedFactoryAddress,
        abi,
        functionName: 'getAddress',
        args: [key.address, '0x'],
      })
    expect(await read()).toBe(codec.getAddress(key.address))
    const account = await accountOf(key)
    const client = world.clientFor(account, { context: {} })
    const hash = await client.sendUserOperation({ calls: [{ to: newAddress() }] })
    await client.waitForUserOperationReceipt({ hash })
    expect(await read()).toBe(account.address)
    const owner = parseAbi(['function owner() view returns (address)'])
    expect(
      await world.client.readContract({ address: account.address, abi: owner, functionName: 'owner' }),
    ).toBe(key.address)
    const thief = await createSmartAccount({
      codec,
      owner: signerOf(newOwner()),
      client: world.client,
      address: account.address,
    })
    const stolen = world
      .clientFor(thief, { context: {} })
      .sendUserOperation({ calls: [{ to: newAddress() }] })
    await expect(stolen).rejects.toMatchObject({ cause: { name: 'UserOperationSignatureError' } })
  })

  it.each([
    ['before it is deployed', false],
    ['once it is deployed', true],
  ])('vouches for what its owner signed %s, and for nothing else', async (_, isDeployed) => {
    const account = await accountOf(newOwner())
    const { address } = account
    if (isDeployed) {
      const client = world.clientFor(account, { context: {} })
      const hash = await client.sendUserOperation({ calls: [{ to: newAddress() }] })
      await client.waitForUserOperationReceipt({ hash })
    }
    const message = 'Hello from an account with code'
    const signature = await account.signMessage({ message })
    expect(isErc6492Signature(signature)).toBe(!isDeployed)
    expect(await world.client.verifyMessage({ address, message, signature })).toBe(true)
    expect(await world.client.verifyMessage({ address, message: 'Another', signature })).toBe(false)
    const other = await accountOf(newOwner())
    expect(await world.client.verifyMessage({ address: other.address, message, signature })).toBe(false)
    if (!isDeployed) return
    const abi = parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)'])
    for (const wrong of ['0x', `${signature}00`, `0x${'00'.repeat(65)}`] as const)
      expect(
        await world.client.readContract({
          address,
          abi,
          functionName: 'isValidSignature',
          args: [hashMessage(message), wrong],
        }),
      ).toBe('0xffffffff')
  })

  it('takes coins that are sent to it', async () => {
    const account = await accountOf(newOwner())
    const client = world.clientFor(account, { context: {} })
    const hash = await client.sendUserOperation({ calls: [{ to: newAddress() }] })
    await client.waitForUserOperationReceipt({ hash })
    const [sender] = await world.tester.getAddresses()
    const sent = await world.tester.sendTransaction({
      account: sender ?? null,
      chain: base,
      to: account.address,
      value: 9n,
    })
    expect((await world.client.waitForTransactionReceipt({ hash: sent })).status).toBe('success')
    expect(await world.client.getBalance({ address: account.address })).toBe(9n)
  })
})
