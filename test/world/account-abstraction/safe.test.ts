/**
 * Safe's own contracts with the kit's codec and the bundler. They are under the LGPL and the GPL, so no run has them unless they are
 * installed: `NODE_PATH=<folder>/node_modules`, with @safe-global/safe-contracts 1.4.1 and @safe-global/safe-4337 0.3.0.
 */
import { createRequire } from 'node:module'
import {
  type Abi,
  type Address,
  encodeDeployData,
  getContractAddress,
  type Hex,
  type LocalAccount,
  stringToHex,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entryPointAddresses } from '../../../demo/world/account-abstraction/contracts.ts'
import { createCodec } from '../../../src/wallets/smart/accounts/safe.ts'
import { soaking } from '../../support/soak.ts'
import { createAccount } from '../../wallets/smart/support/account.ts'
import { newAddress, newOwner, type StandIns, startStandIns } from './support/stand-ins.ts'

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}
const read = createRequire(import.meta.url)
const core = (path: string): Artifact =>
  read(`@safe-global/safe-contracts/build/artifacts/contracts/${path}.json`)
const module4337 = (name: string): Artifact =>
  read(`@safe-global/safe-4337/build/artifacts/contracts/${name}.sol/${name}.json`)
const missing = (() => {
  if (!soaking) return 'it is part of the long run'
  try {
    module4337('Safe4337Module')
    core('Safe.sol/Safe')
    return undefined
  } catch {
    return 'the packages of Safe are not installed'
  }
})()

const safeFactory: Address = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7'
/** Contracts that stand where their code says. */
const sources: readonly (readonly [Address, () => Artifact])[] = [
  ['0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67', () => core('proxies/SafeProxyFactory.sol/SafeProxyFactory')],
  ['0x41675C099F32341bf84BFc5382aF534df5C7461a', () => core('Safe.sol/Safe')],
  ['0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526', () => core('libraries/MultiSend.sol/MultiSend')],
  [
    '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
    () => core('libraries/MultiSendCallOnly.sol/MultiSendCallOnly'),
  ],
]
/** Contracts whose package was compiled with other settings than those that are deployed, so that only their behaviour is the same. */
const placed: readonly (readonly [Address, string, readonly unknown[]])[] = [
  ['0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226', 'Safe4337Module', [entryPointAddresses['0.7']]],
  ['0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47', 'SafeModuleSetup', []],
]

const title = missing ? `Safe accounts are skipped: ${missing}` : 'Safe accounts'
describe.skipIf(missing !== undefined)(title, () => {
  let world: StandIns
  beforeAll(async () => {
    world = await startStandIns()
    for (const [address, source] of sources) {
      const { bytecode } = source()
      expect(getContractAddress({ opcode: 'CREATE2', from: safeFactory, salt: zeroHash, bytecode })).toBe(
        address,
      )
      await place(address, bytecode)
    }
    for (const [address, name, args] of placed) {
      const { abi, bytecode } = module4337(name)
      await place(address, encodeDeployData({ abi, bytecode, args }))
    }
  })
  afterAll(() => world?.close())

  /** Places the code that a deployment would return. */
  async function place(address: Address, deployment: Hex): Promise<void> {
    const { data: bytecode = '0x' } = await world.client.call({ data: deployment })
    await world.tester.setCode({ address, bytecode })
  }
  const accountOf = (key: LocalAccount) =>
    createAccount(world.contextOf(createCodec(), key.address, { isSponsored: true }), key)

  it('are deployed by a sponsored operation, and carry out one call and several', async () => {
    const account = accountOf(newOwner())
    const to = newAddress()
    await world.tester.setBalance({ address: account.address, value: 100n })
    for (const values of [[40n], [1n, 2n]]) {
      const { change } = await account.send(values.map((value) => ({ to, value, data: '0x' })))
      expect(change.status).toBe('confirmed')
    }
    expect(await world.client.getBalance({ address: to })).toBe(43n)
  })

  it('vouch for what their owner signed before they are deployed, and afterwards', async () => {
    const account = accountOf(newOwner())
    const { address } = account
    const message = 'Hello from a Safe'
    const check = async () => {
      const signature = await account.signMessage(stringToHex(message))
      expect(await world.client.verifyMessage({ address, message, signature })).toBe(true)
      expect(await world.client.verifyMessage({ address, message: 'Another', signature })).toBe(false)
    }
    await check()
    await account.send([{ to: newAddress(), value: 0n, data: '0x' }])
    await check()
  })
})
