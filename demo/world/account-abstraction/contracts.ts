import { createRequire } from 'node:module'
import {
  type Abi,
  type Address,
  concatHex,
  createTestClient,
  encodeDeployData,
  getContractAddress,
  type Hex,
  http,
  parseEther,
  publicActions,
  walletActions,
  zeroHash,
} from 'viem'
import { entryPoint06Address, entryPoint07Address, entryPoint08Address } from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { create2Deployer } from '../chains/contract-wallets.ts'
import { managedAccountCode } from './managed-account.ts'
import { awaitInclusion, createNode } from './node.ts'

export type EntryPointVersion = '0.6' | '0.7' | '0.8'
export const entryPointVersions: readonly EntryPointVersion[] = ['0.6', '0.7', '0.8']

/** The contracts of each version come with a package of that version. */
const packages = {
  '0.6': 'account-abstraction-0.6',
  '0.7': 'account-abstraction-0.7',
  '0.8': '@account-abstraction/contracts',
} as const
/** The salts with which these contracts were really deployed, and their addresses on every chain. */
const salts = {
  '0.6': zeroHash,
  '0.7': '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3',
  '0.8': '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
} as const
export const entryPointAddresses = {
  '0.6': entryPoint06Address,
  '0.7': entryPoint07Address,
  '0.8': entryPoint08Address,
} as const satisfies Record<EntryPointVersion, Address>
/** The code that an account of EIP-7702 delegates to. */
export const simple7702Address: Address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
}
const read = createRequire(import.meta.url)
/** A contract as its package has compiled it. */
export const artifact = (version: EntryPointVersion, name: string): Artifact =>
  read(`${packages[version]}/artifacts/${name}.json`)

/** A contract that goes where its salt and its code say. */
export interface Deployment {
  readonly name: string
  readonly salt: Hex
  readonly bytecode: Hex
}
export const addressOf = ({ salt, bytecode }: Deployment): Address =>
  getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode })

const entryPoint = (version: EntryPointVersion): Deployment => ({
  name: `EntryPoint ${version}`,
  salt: salts[version],
  bytecode: artifact(version, 'EntryPoint').bytecode,
})
const simpleAccountFactory = (version: EntryPointVersion): Deployment => {
  const { abi, bytecode } = artifact(version, 'SimpleAccountFactory')
  return {
    name: `SimpleAccountFactory ${version}`,
    salt: zeroHash,
    bytecode: encodeDeployData({ abi, bytecode, args: [entryPointAddresses[version]] }),
  }
}
const simple7702 = (): Deployment => ({
  name: 'Simple7702Account',
  salt: zeroHash,
  bytecode: artifact('0.8', 'Simple7702Account').bytecode,
})

/** Factory of the sample accounts of an EntryPoint. */
export const simpleAccountFactoryAddress = (version: EntryPointVersion): Address =>
  addressOf(simpleAccountFactory(version))

/** The code that the factory's accounts share. */
const simpleAccountAddress = (version: EntryPointVersion): Address =>
  getContractAddress({ from: simpleAccountFactoryAddress(version), nonce: 1n })

/** Pays for deployments; like anvil's keys, everybody knows it. */
const deployerKey: Hex = `0x${'4e'.repeat(32)}`

/** Contracts of the demo's chains. */
export interface Contracts {
  /** Nodes by chain id. */
  readonly chains: Readonly<Record<number, string>>
  /**
   * Puts contracts onto a chain; those that are there already stay.
   * @throws Error that names the contract which is not where it belongs
   */
  deploy(chainId: number, deployments: readonly Deployment[]): Promise<void>
  /** Resolves when a chain has the EntryPoints, the account of EIP-7702 and the factories of accounts. */
  ready(chainId: number): Promise<void>
}

/** @param chains nodes of anvil's by chain id */
export function createContracts(chains: Readonly<Record<number, string>>): Contracts {
  /** One deployment at a time on a chain, so that each transaction has a number of its own. */
  const queues = new Map<number, Promise<void>>()
  const prepared = new Map<number, Promise<void>>()

  async function isRight(): Promise<void> {
    for (const version of entryPointVersions)
      if (addressOf(entryPoint(version)) !== entryPointAddresses[version])
        throw new Error(`The package of EntryPoint ${version} has other code than its release`)
  }
  function deploy(chainId: number, deployments: readonly Deployment[]): Promise<void> {
    const url = chains[chainId]
    if (url === undefined) return Promise.reject(new Error(`There is no chain ${chainId}`))
    const next = (queues.get(chainId) ?? isRight()).then(() => deployTo(url, deployments))
    queues.set(
      chainId,
      next.catch(() => {}),
    )
    return next
  }
  return {
    chains,
    deploy,
    ready(chainId) {
      const known =
        prepared.get(chainId) ??
        deploy(chainId, [
          ...entryPointVersions.map(entryPoint),
          simple7702(),
          ...entryPointVersions.map(simpleAccountFactory),
        ]).then(() => place(chains[chainId] ?? '', managedAccountCode(simpleAccountAddress('0.7'))))
      prepared.set(chainId, known)
      return known
    },
  }
}

/** Puts code where no deployment would bring it. @param code by address */
async function place(rpcUrl: string, code: Readonly<Record<Address, Hex>>): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  for (const [address, bytecode] of Object.entries(code) as [Address, Hex][])
    await client.setCode({ address, bytecode })
}

async function deployTo(rpcUrl: string, deployments: readonly Deployment[]): Promise<void> {
  const account = privateKeyToAccount(deployerKey)
  const client = createTestClient({
    mode: 'anvil',
    account,
    transport: http(rpcUrl),
    pollingInterval: 20,
  })
    .extend(publicActions)
    .extend(walletActions)
  const isThere = async (each: Deployment) =>
    (await client.getCode({ address: addressOf(each) })) !== undefined
  const there = await Promise.all(deployments.map(isThere))
  const missing = deployments.filter((_, at) => !there[at])
  if (missing.length === 0) return
  await client.setBalance({ address: account.address, value: parseEther('1000') })
  const node = createNode(rpcUrl)
  // One after the other: anvil never mines a transaction that reaches it in the moment in which the one before it is mined.
  for (const each of missing) {
    const hash = await client.sendTransaction({
      chain: null,
      to: create2Deployer,
      data: concatHex([each.salt, each.bytecode]),
      gas: 7_000_000n,
    })
    await awaitInclusion(node, hash)
    if (!(await isThere(each))) throw new Error(`${each.name} could not be deployed`)
  }
}
