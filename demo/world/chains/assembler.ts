import type { Hex } from 'viem'

const opcodes: Readonly<Record<string, number>> = {
  ADD: 0x01,
  MUL: 0x02,
  SUB: 0x03,
  LT: 0x10,
  GT: 0x11,
  EQ: 0x14,
  ISZERO: 0x15,
  AND: 0x16,
  OR: 0x17,
  BYTE: 0x1a,
  SHL: 0x1b,
  SHR: 0x1c,
  KECCAK256: 0x20,
  ADDRESS: 0x30,
  CALLER: 0x33,
  CALLDATALOAD: 0x35,
  CALLDATASIZE: 0x36,
  CALLDATACOPY: 0x37,
  EXTCODESIZE: 0x3b,
  RETURNDATASIZE: 0x3d,
  RETURNDATACOPY: 0x3e,
  TIMESTAMP: 0x42,
  CHAINID: 0x46,
  POP: 0x50,
  MLOAD: 0x51,
  MSTORE: 0x52,
  SLOAD: 0x54,
  SSTORE: 0x55,
  JUMPI: 0x57,
  GAS: 0x5a,
  DUP1: 0x80,
  DUP2: 0x81,
  DUP6: 0x85,
  LOG3: 0xa3,
  CALL: 0xf1,
  RETURN: 0xf3,
  DELEGATECALL: 0xf4,
  CREATE2: 0xf5,
  STATICCALL: 0xfa,
  REVERT: 0xfd,
}

/** Words are opcodes, `:label`, `@label` for its place, or numbers that are pushed. */
export function assemble(source: string): Hex {
  const bytes: number[] = []
  const labels = new Map<string, number>()
  const uses: [at: number, label: string][] = []
  for (const word of source.trim().split(/\s+/)) {
    const opcode = opcodes[word]
    if (word.startsWith(':')) {
      labels.set(word.slice(1), bytes.length)
      bytes.push(0x5b)
    } else if (word.startsWith('@')) {
      uses.push([bytes.length + 1, word.slice(1)])
      bytes.push(0x61, 0, 0)
    } else if (opcode !== undefined) bytes.push(opcode)
    else {
      const digits = BigInt(word).toString(16)
      const value = Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex')
      bytes.push(0x5f + value.length, ...value)
    }
  }
  for (const [at, label] of uses)
    bytes.splice(at, 2, (labels.get(label) ?? 0) >> 8, (labels.get(label) ?? 0) & 0xff)
  return `0x${Buffer.from(bytes).toString('hex')}`
}
