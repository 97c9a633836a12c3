/** Addresses at which factories create the proxies of accounts. */
import type { Address, Hex } from 'viem'
import { concatHex, getContractAddress } from 'viem/utils'

/** Writes an address as a number of 32 bytes. */
export const addressWord = (address: Address): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/**
 * @param salt 32 bytes
 * @param initCode the code that creates the contract, or its hash where that is the same for all owners
 */
export const create2Address = (
  factory: Address,
  salt: Hex,
  initCode: Hex | { readonly hash: Hex },
): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt,
    ...(typeof initCode === 'string' ? { bytecode: initCode } : { bytecodeHash: initCode.hash }),
  })

/** The proxy of ERC-1967 that `LibClone.createDeterministicERC1967` of Solady (MIT) creates. */
export const erc1967Proxy = (implementation: Address): Hex =>
  concatHex([
    '0x603d3d8160223d3973',
    implementation,
    '0x60095155f3363d3d373d3d363d7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af43d6000803e6038573d6000fd5b3d6000f3',
  ])

/** The minimal proxy of ERC-1167. */
export const minimalProxy = (implementation: Address): Hex =>
  concatHex([
    '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
  ])
