import { type Hex, toEventSelector, toFunctionSelector } from 'viem'
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
}

/**
 * A token with the calls of ERC-20, whose balances stand at the number of their owner: the demo's chains have it at USDC's
 * addresses, and whoever runs the chain gives it out.
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
