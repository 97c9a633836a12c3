import {
  type Address,
  concatHex,
  createPublicClient,
  createWalletClient,
  getContractAddress,
  type Hex,
  http,
  type LocalAccount,
  serializeErc6492Signature,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvilKeys } from '../wallet/accounts.ts'

/** A wallet that is a contract: it has no key of its own and says itself whose signature is good (ERC-1271). */
export interface ContractWallet {
  readonly address: Address
  /** As the wallet's owner signs; wrapped by ERC-6492 where the contract is not there yet. */
  signMessage(message: string): Promise<Hex>
}

/** Deploys code at an address that the code alone decides; anvil has it from the start, as all main chains do. */
export const create2Deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/**
 * What the contract does, in Solidity:
 *
 *     contract OwnedWallet {
 *       address immutable owner;
 *       constructor(address owner_) { owner = owner_; }
 *       function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
 *         if (signature.length != 65) return 0xffffffff;
 *         bytes32 r = bytes32(signature[0:32]); bytes32 s = bytes32(signature[32:64]); uint8 v = uint8(signature[64]);
 *         return ecrecover(hash, v, r, s) == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
 *       }
 *     }
 *
 * It is written below in the machine's own words, which need no compiler; any call at all is taken for
 * `isValidSignature`.
 */
const runtimeCode = (owner: Address) =>
  assembled([
    '6004 35 6000 52', // memory[00] = calldata[04], the hash
    '6024 35 6004 01', // start = 4 + calldata[24], which holds the length of the signature
    '80 35 6041 14 15 6069 57', // not 65 bytes: jump to "no"
    '80 6020 01 35 6040 52', // memory[40] = r
    '80 6040 01 35 6060 52', // memory[60] = s
    '6060 01 35 6000 1a 6020 52', // memory[20] = v, the first byte of what follows
    '6020 6080 6080 6000 6001 5a fa 50', // memory[80] = ecrecover(memory[00..80])
    `6080 51 73 ${owner.slice(2)} 14 15 6069 57`, // not the owner: jump to "no"
    '63 1626ba7e 60e0 1b 6000 52 6020 6000 f3', // return 1626ba7e
    '5b 63 ffffffff 60e0 1b 6000 52 6020 6000 f3', // 69, "no": return ffffffff
  ])
const assembled = (lines: readonly string[]): Hex => `0x${lines.join('').replaceAll(' ', '')}`

/** The init code: it copies the code that follows and returns it. */
export function deploymentCode(runtime: Hex): Hex {
  const code = runtime.slice(2)
  const size = (code.length / 2).toString(16).padStart(4, '0')
  return assembled([`61 ${size} 80 600c 6000 39 6000 f3`, code])
}

/** A wallet that is not there yet: its address follows from its owner, and so does whether a signature is its. */
export function counterfactualWallet(
  owner: LocalAccount,
  salt: Hex = zeroHash,
): ContractWallet & { readonly factory: Address; readonly factoryData: Hex } {
  const bytecode = deploymentCode(runtimeCode(owner.address))
  const factoryData = concatHex([salt, bytecode])
  const address = getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode })
  return {
    address,
    factory: create2Deployer,
    factoryData,
    async signMessage(message) {
      const signature = await owner.signMessage({ message })
      return serializeErc6492Signature({ address: create2Deployer, data: factoryData, signature })
    },
  }
}

/** Puts the owner's wallet onto a chain. @param options.payer who pays for it: one of anvil's accounts */
export async function deployContractWallet({
  rpcUrl,
  owner,
  salt = zeroHash,
  payer = anvilKeys[4],
}: {
  rpcUrl: string
  owner: LocalAccount
  salt?: Hex | undefined
  payer?: Hex | undefined
}): Promise<ContractWallet> {
  const { address, factory, factoryData } = counterfactualWallet(owner, salt)
  const transport = http(rpcUrl)
  const reader = createPublicClient({ transport, pollingInterval: 50 })
  if (!(await reader.getCode({ address }))) {
    const account = privateKeyToAccount(payer)
    const writer = createWalletClient({ account, transport })
    const hash = await writer.sendTransaction({ to: factory, data: factoryData, chain: null })
    const { status } = await reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error('The wallet could not be deployed')
  }
  return { address, signMessage: (message) => owner.signMessage({ message }) }
}
