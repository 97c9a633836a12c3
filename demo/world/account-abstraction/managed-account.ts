import { type Address, concatHex, type Hex, keccak256, sliceHex, stringToHex, toFunctionSelector } from 'viem'
import { assemble } from '../chains/assembler.ts'

/**
 * Thirdweb's managed account for the EntryPoint 0.7: no package has its code, so other code stands at its addresses. Its factory makes
 * the same clones; an account validates and executes as the EntryPoint's own sample does, whose calls and signatures are the same,
 * and vouches for messages (ERC-1271) in thirdweb's form.
 */
export const managedFactoryAddress: Address = '0x4bE0ddfebcA9A5A4a617dee4DeCe99E7c862dceb'
const implementationAddress: Address = '0x94eC38a5d2EDA5A543Ab4c08D998338D4082beb2'

const clone = concatHex([
  '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
  implementationAddress,
  '0x5af43d82803e903d91602b57fd5bf3',
])
const selector = (signature: string) => toFunctionSelector(`function ${signature}`)
const hashOf = (text: string) => keccak256(stringToHex(text))
const returned = '0 MSTORE 32 0 RETURN'

/** The salt is the hash of the arguments as they stand in the call. */
const address = `
  4 CALLDATASIZE SUB 4 128 CALLDATACOPY
  4 CALLDATASIZE SUB 128 KECCAK256
  DUP1 32 MSTORE ADDRESS 255 160 SHL OR 0 MSTORE ${keccak256(clone)} 64 MSTORE
  85 11 KECCAK256 ${2n ** 160n - 1n} AND`

/** `createAccount` gives the account that is there, or makes it and its owner the first argument. */
const factoryCode = assemble(`
  0 CALLDATALOAD 224 SHR
  DUP1 ${selector('createAccount(address,bytes)')} EQ @create JUMPI
  DUP1 ${selector('getAddress(address,bytes)')} EQ @address JUMPI
  ${selector('accountImplementation()')} EQ @implementation JUMPI
  :no 0 0 REVERT
  :implementation ${implementationAddress} ${returned}
  :address ${address} ${returned}
  :create ${address} DUP1 EXTCODESIZE @there JUMPI
  POP ${sliceHex(clone, 0, 32)} 0 MSTORE ${BigInt(sliceHex(clone, 32)) << 72n} 32 MSTORE
  55 0 0 CREATE2
  ${selector('initialize(address)')} 224 SHL 0 MSTORE 4 CALLDATALOAD 4 MSTORE
  0 0 36 0 0 DUP6 GAS CALL ISZERO @no JUMPI
  :there ${returned}`)

/** Everything but ERC-1271 is up to the sample account, whose owner stands in the first slot. */
const implementationCode = (sample: Address) =>
  assemble(`
  0 CALLDATALOAD 224 SHR ${selector('isValidSignature(bytes32,bytes)')} EQ @check JUMPI
  CALLDATASIZE 0 0 CALLDATACOPY
  0 0 CALLDATASIZE 0 ${sample} GAS DELEGATECALL
  RETURNDATASIZE 0 0 RETURNDATACOPY @done JUMPI
  RETURNDATASIZE 0 REVERT
  :done RETURNDATASIZE 0 RETURN

  :check 4 CALLDATALOAD 0 MSTORE 32 0 KECCAK256
  32 MSTORE ${hashOf('AccountMessage(bytes message)')} 0 MSTORE 64 0 KECCAK256
  ${hashOf('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')} 0 MSTORE
  ${hashOf('Account')} 32 MSTORE ${hashOf('1')} 64 MSTORE CHAINID 96 MSTORE ADDRESS 128 MSTORE
  160 0 KECCAK256
  6401 240 SHL 0 MSTORE 2 MSTORE 34 MSTORE 66 0 KECCAK256 0 MSTORE
  36 CALLDATALOAD 4 ADD
  DUP1 CALLDATALOAD 65 EQ ISZERO @bad JUMPI
  DUP1 32 ADD CALLDATALOAD 64 MSTORE
  DUP1 64 ADD CALLDATALOAD 96 MSTORE
  96 ADD CALLDATALOAD 0 BYTE 32 MSTORE
  0 128 MSTORE 32 128 128 0 1 GAS STATICCALL POP
  128 MLOAD 0 SLOAD EQ ISZERO @bad JUMPI
  ${selector('isValidSignature(bytes32,bytes)')} 224 SHL ${returned}
  :bad 4294967295 224 SHL ${returned}`)

/** Code by the address at which it stands. @param sample the sample account of the EntryPoint 0.7 */
export const managedAccountCode = (sample: Address): Readonly<Record<Address, Hex>> => ({
  [managedFactoryAddress]: factoryCode,
  [implementationAddress]: implementationCode(sample),
})
