import { type Hex, keccak256, toEventSelector, toFunctionSelector, toHex } from 'viem'
import { assemble } from './assembler.ts'

/** Where USDC is on the networks that it was really deployed to. */
export const usdcAddresses: Readonly<Record<number, Hex>> = {
  1: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  10: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
  137: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  8453: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  42161: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
}

/** Its mint on Solana. */
export const solanaUsdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
/** Seed of the key that may mint it on the demo's ledger: like anvil's keys, everybody knows it. */
export const usdcMinterSeed = new Uint8Array(32).fill(0x7e)

const transferred = BigInt(toEventSelector('Transfer(address,address,uint256)'))
const approved = BigInt(toEventSelector('Approval(address,address,uint256)'))
const argument = (at: number) => `${4 + 32 * at} CALLDATALOAD`
const returned = (source: string) => `${source} 0 MSTORE 32 0 RETURN`
const text = (words: string) =>
  `32 0 MSTORE ${words.length} 32 MSTORE 0x${Buffer.from(words).toString('hex').padEnd(64, '0')} 64 MSTORE 96 0 RETURN`
const add = (key: string, amount: string) => `${key} SLOAD ${amount} ADD ${key} SSTORE`
const subtract = (key: string, amount: string) => `${amount} ${key} SLOAD SUB ${key} SSTORE`
const allowance = (owner: string, spender: string) => `${owner} 0 MSTORE ${spender} 32 MSTORE 64 0 KECCAK256`
const move = (from: string, to: string, amount: string) => `
  ${amount} ${from} SLOAD LT @poor JUMPI ${subtract(from, amount)} ${add(to, amount)}
  ${amount} 0 MSTORE ${to} ${from} ${transferred} 32 0 LOG3 ${returned('1')}`

/** The domain under which owners sign (EIP-712), which is that of the real contracts. */
export const usdcDomain = { name: 'USD Coin', version: '2' } as const
const hashOf = (words: string) => BigInt(keccak256(toHex(words)))
const used = BigInt(toEventSelector('AuthorizationUsed(address,bytes32)'))
const domainType = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
const transferType =
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'
const separator = `
  ${hashOf(domainType)} 0 MSTORE ${hashOf(usdcDomain.name)} 32 MSTORE ${hashOf(usdcDomain.version)} 64 MSTORE
  CHAINID 96 MSTORE ADDRESS 128 MSTORE 160 0 KECCAK256`
/** Another slot than any allowance has. */
const authorization = (owner: string, nonce: string) =>
  `${owner} 0 MSTORE ${nonce} 32 MSTORE 1 64 MSTORE 96 0 KECCAK256`
/** A signed transfer (EIP-3009), which whoever has it may send. */
const transferWithAuthorization = `
  ${argument(3)} TIMESTAMP GT ISZERO @poor JUMPI
  ${argument(4)} TIMESTAMP LT ISZERO @poor JUMPI
  ${authorization(argument(0), argument(5))} SLOAD @poor JUMPI
  ${hashOf(transferType)} 0 MSTORE 192 4 32 CALLDATACOPY 224 0 KECCAK256
  ${separator}
  0x1901${'0'.repeat(60)} 0 MSTORE 2 MSTORE 34 MSTORE 66 0 KECCAK256
  0 MSTORE ${argument(6)} 32 MSTORE ${argument(7)} 64 MSTORE ${argument(8)} 96 MSTORE
  32 0 128 0 1 GAS STATICCALL ISZERO @poor JUMPI
  0 MLOAD ${argument(0)} EQ ISZERO @poor JUMPI
  1 ${authorization(argument(0), argument(5))} SSTORE
  ${argument(5)} ${argument(0)} ${used} 0 0 LOG3
  ${move(argument(0), argument(1), argument(2))}`

const functions: Readonly<Record<string, string>> = {
  'decimals()': returned('6'),
  'symbol()': text('USDC'),
  'name()': text('USD Coin'),
  'totalSupply()': returned(String(10n ** 18n)),
  'balanceOf(address)': returned(`${argument(0)} SLOAD`),
  'allowance(address,address)': returned(`${allowance(argument(0), argument(1))} SLOAD`),
  'transfer(address,uint256)': move('CALLER', argument(0), argument(1)),
  'approve(address,uint256)': `
    ${argument(1)} ${allowance('CALLER', argument(0))} SSTORE
    ${argument(1)} 0 MSTORE ${argument(0)} CALLER ${approved} 32 0 LOG3 ${returned('1')}`,
  'transferFrom(address,address,uint256)': `
    ${argument(2)} ${allowance(argument(0), 'CALLER')} SLOAD LT @poor JUMPI
    ${subtract(allowance(argument(0), 'CALLER'), argument(2))}
    ${move(argument(0), argument(1), argument(2))}`,
  'version()': text(usdcDomain.version),
  'DOMAIN_SEPARATOR()': returned(separator),
  'authorizationState(address,bytes32)': returned(`${authorization(argument(0), argument(1))} SLOAD`),
  'transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)':
    transferWithAuthorization,
}

/**
 * A token with the calls of ERC-20 and signed transfers (EIP-3009), whose balances stand at the number of their owner: the demo's chains
 * have it at USDC's addresses, and whoever runs the chain gives it out.
 */
export const usdcCode: Hex = assemble(`
  0 CALLDATALOAD 224 SHR
  ${Object.keys(functions)
    .map((name, at) => `DUP1 ${BigInt(toFunctionSelector(`function ${name}`))} EQ @f${at} JUMPI`)
    .join(' ')}
  :poor 0 0 REVERT
  ${Object.values(functions)
    .map((body, at) => `:f${at} ${body}`)
    .join(' ')}
`)
