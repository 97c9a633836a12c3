/** Thirdweb's accounts on the demo's chains, used by the kit's own codec: deployed, carrying out calls, and vouching for messages. */
import { hashMessage, isErc6492Signature, type LocalAccount, parseAbi, stringToHex } from 'viem'
import { base } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { managedFactoryAddress } from '../../../demo/world/account-abstraction/managed-account.ts'
import { createCodec } from '../../../src/wallets/smart/accounts/thirdweb.ts'
import { createAccount } from '../../wallets/smart/support/account.ts'
import { newAddress, newOwner, type StandIns, startStandIns } from './support/stand-ins.ts'

let world: StandIns
beforeAll(async () => {
  world = await startStandIns()
})
afterAll(() => world?.close())

const codec = createCodec()
const accountOf = (key: LocalAccount) =>
  createAccount(world.contextOf(codec, key.address, { isSponsored: true }), key)
/** A call without an effect. */
const nothing = () => ({ to: newAddress(), value: 0n, data: '0x' }) as const
const confirmed = { change: { status: 'confirmed' } }

describe("a managed account of thirdweb's", () => {
  it('is deployed at the address that the kit computes, by a sponsored operation', async () => {
    const key = newOwner()
    const account = accountOf(key)
    const to = newAddress()
    await world.tester.setBalance({ address: account.address, value: 100n })
    const first = await account.send([
      { to, value: 40n, data: '0x' },
      { to, value: 2n, data: '0x' },
    ])
    expect(first).toMatchObject({
      ...confirmed,
      prepared: { deploysAccount: true, sponsor: { name: 'Example' } },
    })
    expect(await world.client.getBalance({ address: to })).toBe(42n)
    expect(await account.send([{ to, value: 8n, data: '0x' }])).toMatchObject(confirmed)
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
    const account = accountOf(key)
    await account.send([nothing()])
    expect(await read()).toBe(account.address)
    const owner = parseAbi(['function owner() view returns (address)'])
    expect(
      await world.client.readContract({ address: account.address, abi: owner, functionName: 'owner' }),
    ).toBe(key.address)
    const stolen = account.submit(await account.prepare([nothing()]), newOwner())
    await expect(stolen).rejects.toMatchObject({ code: 'user_operation_signature_invalid' })
  })

  it.each([
    ['before it is deployed', false],
    ['once it is deployed', true],
  ])('vouches for what its owner signed %s, and for nothing else', async (_, isDeployed) => {
    const account = accountOf(newOwner())
    const { address } = account
    if (isDeployed) await account.send([nothing()])
    const message = 'Hello from an account with code'
    const signature = await account.signMessage(stringToHex(message))
    expect(isErc6492Signature(signature)).toBe(!isDeployed)
    expect(await world.client.verifyMessage({ address, message, signature })).toBe(true)
    expect(await world.client.verifyMessage({ address, message: 'Another', signature })).toBe(false)
    const other = accountOf(newOwner())
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
    const account = accountOf(newOwner())
    await account.send([nothing()])
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
