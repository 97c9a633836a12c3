import fs from 'node:fs/promises'
import path from 'node:path'
import {
  type Abi,
  type Address,
  concatHex,
  encodeDeployData,
  getContractAddress,
  type Hex,
  zeroHash,
} from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { create2Deployer } from '../../demo/world/chains/contract-wallets.ts'
import type { StandIns } from '../world/account-abstraction/support/stand-ins.ts'

/** The deployer that Safe's contracts go through on every chain. Its code is that of {@link create2Deployer}. */
const safeDeployer: Address = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7'

interface SafeContract {
  /** Below `build/artifacts/contracts` of its package. */
  readonly file: string
  readonly package: 'safe-contracts' | 'safe-4337'
  /** The address at which clients expect it. */
  readonly address: Address
  readonly args?: readonly unknown[]
}
/** The contracts of an account of Safe 1.4.1, for EntryPoint 0.7. */
const contracts: readonly SafeContract[] = [
  {
    package: 'safe-contracts',
    file: 'Safe.sol/Safe.json',
    address: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  },
  {
    package: 'safe-contracts',
    file: 'proxies/SafeProxyFactory.sol/SafeProxyFactory.json',
    address: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
  },
  {
    package: 'safe-contracts',
    file: 'libraries/MultiSend.sol/MultiSend.json',
    address: '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
  },
  {
    package: 'safe-4337',
    file: 'SafeModuleSetup.sol/SafeModuleSetup.json',
    address: '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47',
  },
  {
    package: 'safe-4337',
    file: 'Safe4337Module.sol/Safe4337Module.json',
    address: '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226',
    args: [entryPoint07Address],
  },
]

/**
 * Puts Safe's contracts onto a chain, from the packages of Safe that are installed in a folder. The package of the module was compiled with
 * other settings than the release, so its code doesn't lead to the release's addresses, and is copied there.
 */
export async function deploySafe({ tester, client }: StandIns, folder: string): Promise<void> {
  const bytecode = (await client.getCode({ address: create2Deployer })) ?? '0x'
  await tester.setCode({ address: safeDeployer, bytecode })
  for (const each of contracts) {
    const file = path.join(
      folder,
      `node_modules/@safe-global/${each.package}/build/artifacts/contracts`,
      each.file,
    )
    const { abi, bytecode } = JSON.parse(await fs.readFile(file, 'utf8')) as { abi: Abi; bytecode: Hex }
    const code = encodeDeployData({ abi, bytecode, args: each.args ?? [] })
    const at = getContractAddress({
      opcode: 'CREATE2',
      from: safeDeployer,
      salt: zeroHash,
      bytecode: code,
    })
    const hash = await tester.sendTransaction({
      account: payer,
      chain: null,
      to: safeDeployer,
      data: concatHex([zeroHash, code]),
      gas: 10_000_000n,
    })
    await client.waitForTransactionReceipt({ hash })
    const deployed = await client.getCode({ address: at })
    if (!deployed) throw new Error(`${each.file} could not be deployed`)
    if (at !== each.address) await tester.setCode({ address: each.address, bytecode: deployed })
  }
}

/** The first of anvil's own accounts, which have coins and sign without a key. */
const payer: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
