/** A contract that changes who may act for its caller, and logs nothing of it. */
import { type Hex, toFunctionSelector } from 'viem'
import { assemble } from './token-code.ts'

const argument = (at: number) => `${4 + 32 * at} CALLDATALOAD`
const returned = (source: string) => `${source} 0 MSTORE 32 0 RETURN`
/** Where what somebody may do stands. */
const place = (book: number, who: string) => `${who} ${BigInt(book) << 200n} OR`
const set = (book: number, value: string) => `${value} ${place(book, argument(0))} SSTORE STOP`
const get = (book: number, who: number) => returned(`${place(book, argument(who))} SLOAD`)
const OWNER = '0xff'

const functions: Readonly<Record<string, string>> = {
  'symbol()': returned(`0x${Buffer.from('SIL').toString('hex').padEnd(64, '0')}`),
  'decimals()': returned('6'),
  'balanceOf(address)': get(1, 0),
  'take(uint256)': `${argument(0)} ${place(1, 'CALLER')} SLOAD SUB ${place(1, 'CALLER')} SSTORE STOP`,
  'allowance(address,address)': get(2, 1),
  'claim(address,uint256)': set(2, argument(1)),
  'isOperatorFor(address,address)': get(3, 0),
  'authorizeOperator(address)': set(3, '1'),
  'hasPermission(address,address)': get(4, 1),
  'allow(address,bool)': set(4, argument(1)),
  'isAuthorized(address,address)': get(5, 1),
  'setAuthorization(address,bool)': set(5, argument(1)),
  'borrowAllowance(address,address)': get(6, 1),
  'approveDelegation(address,uint256)': set(6, argument(1)),
  'owner()': returned(`${OWNER} SLOAD`),
  'transferOwnership(address)': `${argument(0)} ${OWNER} SSTORE STOP`,
  'isModuleEnabled(address)': get(7, 0),
  'enableModule(address)': set(7, '1'),
  'hasRole(bytes32,address)': get(8, 1),
  'grant(address)': set(8, '1'),
  'isApprovedForAll(address,address)': get(9, 1),
  'register(address)': set(9, '1'),
}

export const silentCode: Hex = assemble(`
  0 CALLDATALOAD 224 SHR
  ${Object.keys(functions)
    .map((name, at) => `DUP1 ${BigInt(toFunctionSelector(`function ${name}`))} EQ @f${at} JUMPI`)
    .join('\n')}
  0 0 REVERT
  ${Object.values(functions)
    .map((body, at) => `:f${at} ${body}`)
    .join('\n')}
`)

/** The storage that gives somebody a balance. */
export const balanceSlot = (who: string): Hex =>
  `0x${(BigInt(who) | (1n << 200n)).toString(16).padStart(64, '0')}`
export const ownerSlot: Hex = `0x${'ff'.padStart(64, '0')}`
