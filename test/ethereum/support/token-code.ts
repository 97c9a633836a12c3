/** A contract with the calls and events of tokens, assembled by hand: enough of ERC-20, 721, 1155 and WETH for previews. */
import { type Hex, toEventSelector, toFunctionSelector } from 'viem'

const opcodes: Readonly<Record<string, number>> = {
  STOP: 0x00,
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  LT: 0x10,
  GT: 0x11,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  SHR: 0x1c,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  ORIGIN: 0x32,
  CALLER: 0x33,
  CALLVALUE: 0x34,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  CODECOPY: 0x39,
  GASPRICE: 0x3a,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMP: 0x56,
  JUMPI: 0x57,
  JUMPDEST: 0x5b,
  GAS: 0x5a,
  DUP1: 0x80,
  DUP3: 0x82,
  LOG2: 0xa2,
  LOG3: 0xa3,
  LOG4: 0xa4,
  CALL: 0xf1,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  REVERT: 0xfd,
}

/** Words are opcodes, `:label`, `@label` for its place, or hex and decimal numbers that are pushed. */
export function assemble(source: string): Hex {
  const bytes: number[] = []
  const labels = new Map<string, number>()
  const uses: [at: number, label: string][] = []
  for (const word of source.trim().split(/\s+/)) {
    if (word.startsWith(':')) {
      labels.set(word.slice(1), bytes.length)
      bytes.push(0x5b)
    } else if (word.startsWith('@')) {
      bytes.push(0x61, 0, 0)
      uses.push([bytes.length - 2, word.slice(1)])
    } else if (word in opcodes) bytes.push(opcodes[word] ?? 0)
    else {
      const digits = BigInt(word).toString(16)
      const value = digits.length % 2 ? `0${digits}` : digits
      bytes.push(
        0x5f + value.length / 2,
        ...(value.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)),
      )
    }
  }
  for (const [at, label] of uses) {
    const place = labels.get(label)
    if (place === undefined) throw new Error(`No label ${label}`)
    bytes[at] = place >> 8
    bytes[at + 1] = place & 0xff
  }
  return `0x${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const events = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  approval: toEventSelector('Approval(address,address,uint256)'),
  approvalForAll: toEventSelector('ApprovalForAll(address,address,bool)'),
  single: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  deposit: toEventSelector('Deposit(address,uint256)'),
  withdrawal: toEventSelector('Withdrawal(address,uint256)'),
}
const argument = (at: number) => `${4 + 32 * at} CALLDATALOAD`
const dataWord = (source: string) => `${source} 0 MSTORE`
const returned = (source: string) => `${dataWord(source)} 32 0 RETURN`
const add = (key: string, amount: string) => `${key} SLOAD ${amount} ADD ${key} SSTORE`
const subtract = (key: string, amount: string) => `${amount} ${key} SLOAD SUB ${key} SSTORE`
/** Where an allowance stands: beside the balances. */
const allowanceKey = (spender: string) => `${spender} ${1n << 200n} OR`

const functions: Readonly<Record<string, string>> = {
  'decimals()': returned('6'),
  'symbol()': returned(`0x${Buffer.from('TST').toString('hex').padEnd(64, '0')}`),
  'balanceOf(address)': returned(`${argument(0)} SLOAD`),
  'allowance(address,address)': returned(`${allowanceKey(argument(1))} SLOAD`),
  'transfer(address,uint256)': `
    ${argument(1)} CALLER SLOAD LT @poor JUMPI
    ${subtract('CALLER', argument(1))} ${add(argument(0), argument(1))}
    ${dataWord(argument(1))} ${argument(0)} CALLER ${events.transfer} 32 0 LOG3 STOP`,
  'approve(address,uint256)': `
    ${argument(1)} ${allowanceKey(argument(0))} SSTORE
    ${dataWord(argument(1))} ${argument(0)} CALLER ${events.approval} 32 0 LOG3 STOP`,
  'setApprovalForAll(address,bool)': `
    ${dataWord(argument(1))} ${argument(0)} CALLER ${events.approvalForAll} 32 0 LOG3 STOP`,
  'safeTransferFrom(address,address,uint256)': `
    ${argument(2)} ${argument(1)} ${argument(0)} ${events.transfer} 0 0 LOG4 STOP`,
  'safeTransferFrom(address,address,uint256,uint256,bytes)': `
    ${argument(3)} 32 MSTORE ${dataWord(argument(2))}
    ${argument(1)} ${argument(0)} CALLER ${events.single} 64 0 LOG4 STOP`,
  'mint(uint256)': `
    ${add('CALLER', argument(0))} ${dataWord(argument(0))} CALLER 0 ${events.transfer} 32 0 LOG3 STOP`,
  'deposit()': `
    ${add('CALLER', 'CALLVALUE')} ${dataWord('CALLVALUE')} CALLER ${events.deposit} 32 0 LOG2 STOP`,
  'withdraw(uint256)': `
    ${subtract('CALLER', argument(0))} ${dataWord(argument(0))} CALLER ${events.withdrawal} 32 0 LOG2
    0 0 0 0 ${argument(0)} CALLER GAS CALL POP STOP`,
  /** Runs each of the calls as its caller: the stack holds the number of the call, then where it is and its length. */
  'multicall(bytes[])': `
    0
    :next DUP1 36 CALLDATALOAD GT ISZERO @end JUMPI
    DUP1 32 MUL 68 ADD CALLDATALOAD 68 ADD DUP1 CALLDATALOAD
    DUP1 DUP3 32 ADD 0 CALLDATACOPY
    0 0 DUP3 0 ADDRESS GAS DELEGATECALL ISZERO @poor JUMPI
    POP POP 1 ADD @next JUMP
    :end STOP`,
  /** Says that it pays out, and doesn't. */
  'pretend(uint256)': `${dataWord(argument(0))} CALLER ${events.deposit} 32 0 LOG2 STOP`,
}

const REASON = 'not enough'
/** `Error(string)` with that reason. */
const revert = `
  0x08c379a0${'0'.repeat(56)} 0 MSTORE 32 4 MSTORE ${REASON.length} 36 MSTORE
  0x${Buffer.from(REASON).toString('hex').padEnd(64, '0')} 68 MSTORE 100 0 REVERT`

/** The code that is at the contract's address. */
export const tokenCode: Hex = assemble(`
  0 CALLDATALOAD 224 SHR
  ${Object.keys(functions)
    .map((name, at) => `DUP1 ${BigInt(toFunctionSelector(`function ${name}`))} EQ @f${at} JUMPI`)
    .join('\n')}
  :poor ${revert}
  ${Object.values(functions)
    .map((body, at) => `:f${at} ${body}`)
    .join('\n')}
`)
