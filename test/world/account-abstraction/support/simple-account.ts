import {
  type Abi,
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  type PublicClient,
  parseAbi,
  type Transport,
} from 'viem'
import {
  entryPoint06Abi,
  entryPoint07Abi,
  entryPoint08Abi,
  getUserOperationHash,
  getUserOperationTypedData,
  toSmartAccount,
  type UserOperation,
} from 'viem/account-abstraction'
import type { base } from 'viem/chains'
import {
  type EntryPointVersion,
  entryPointAddresses,
  simpleAccountFactoryAddress,
} from '../../../../demo/world/account-abstraction/contracts.ts'

const abis = { '0.6': entryPoint06Abi, '0.7': entryPoint07Abi, '0.8': entryPoint08Abi } as const
const factoryAbi = parseAbi([
  'function createAccount(address owner, uint256 salt) returns (address)',
  'function getAddress(address owner, uint256 salt) view returns (address)',
])
const executeAbi = parseAbi(['function execute(address to, uint256 value, bytes data)'])
const batchAbis = {
  '0.6': parseAbi(['function executeBatch(address[] to, bytes[] data)']),
  '0.7': parseAbi(['function executeBatch(address[] to, uint256[] value, bytes[] data)']),
  '0.8': parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)']),
} as const

/** A signature of the right form, from which contracts recover some address. */
const stubSignature: Hex =
  '0xfffffffffffffffffffffffffffffff0000000000000000000000000000000007aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1c'

/** The EntryPoints' own sample account, for an unmodified client of viem's. */
export async function toSimpleAccount({
  client,
  owner,
  version,
  salt = 0n,
}: {
  client: PublicClient<Transport, typeof base>
  owner: LocalAccount
  version: EntryPointVersion
  salt?: bigint
}) {
  const factory = simpleAccountFactoryAddress(version)
  const entryPoint = { address: entryPointAddresses[version], abi: abis[version] as Abi, version }
  const args = [owner.address, salt] as const
  const address: Address = await client.readContract({
    address: factory,
    abi: factoryAbi,
    functionName: 'getAddress',
    args,
  })
  return toSmartAccount({
    client,
    entryPoint,
    getAddress: async () => address,
    getFactoryArgs: async () => ({
      factory,
      factoryData: encodeFunctionData({ abi: factoryAbi, functionName: 'createAccount', args }),
    }),
    async encodeCalls(calls) {
      const all = calls.map(({ to, value = 0n, data = '0x' }) => ({ target: to, value, data }))
      const [only] = all
      if (only && all.length === 1)
        return encodeFunctionData({ abi: executeAbi, args: [only.target, only.value, only.data] })
      const [targets, values, datas] = [
        all.map((c) => c.target),
        all.map((c) => c.value),
        all.map((c) => c.data),
      ]
      if (version === '0.6') return encodeFunctionData({ abi: batchAbis['0.6'], args: [targets, datas] })
      if (version === '0.7')
        return encodeFunctionData({ abi: batchAbis['0.7'], args: [targets, values, datas] })
      return encodeFunctionData({ abi: batchAbis['0.8'], args: [all] })
    },
    getStubSignature: async () => stubSignature,
    signMessage: () => Promise.reject(new Error('Sample accounts sign no messages')),
    signTypedData: () => Promise.reject(new Error('Sample accounts sign no typed data')),
    async signUserOperation({ chainId = client.chain.id, ...fields }) {
      const userOperation = { ...fields, sender: address, signature: '0x' } as UserOperation
      const signed = { chainId, entryPointAddress: entryPoint.address, userOperation }
      if (version === '0.8') return owner.signTypedData(getUserOperationTypedData(signed))
      const raw = getUserOperationHash({ ...signed, entryPointVersion: version })
      return owner.signMessage({ message: { raw } })
    },
  })
}
