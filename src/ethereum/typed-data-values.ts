import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { parseEthereumAddress } from './address.ts'
import { isHexBytes, isWellFormed } from './hex.ts'
import { parseInteger } from './integer.ts'

const SIZED = /^(bytes|u?int)([1-9]\d{0,2})$/
const WORD = 32

/** Whether a type is one of EIP-712's own, written out: `uint256`, never the short form `uint`. */
export function isValueType(name: string): boolean {
  if (['bool', 'address', 'string', 'bytes'].includes(name)) return true
  const [, kind, digits] = SIZED.exec(name) ?? []
  const size = Number(digits)
  return kind === 'bytes' ? size <= WORD : kind !== undefined && size % 8 === 0 && size <= WORD * 8
}

/**
 * Reads a value of one of EIP-712's own types, in the one form in which a person sees it and {@link encodeValue} takes
 * it. `undefined` if it is no value of the type, or could be read in two ways.
 */
export function parseValue(type: string, value: unknown): string | undefined {
  if (type === 'bool') return typeof value === 'boolean' ? String(value) : undefined
  if (type === 'address') return parseEthereumAddress(value)
  if (type === 'string') return typeof value === 'string' && isWellFormed(value) ? value : undefined
  if (type === 'bytes') return isHexBytes(value) ? value.toLowerCase() : undefined
  const [, kind, digits] = SIZED.exec(type) ?? []
  if (kind === 'bytes')
    return isHexBytes(value) && value.length === 2 + 2 * Number(digits) ? value.toLowerCase() : undefined
  return parseSizedInteger(value, BigInt(digits ?? 0), kind === 'int')
}

function parseSizedInteger(value: unknown, bits: bigint, signed: boolean): string | undefined {
  const number = parseInteger(value)
  if (number === undefined) return undefined
  const limit = 2n ** (signed ? bits - 1n : bits)
  return number < limit && number >= (signed ? -limit : 0n) ? String(number) : undefined
}

/** The 32 bytes that encode a value in its struct (EIP-712 `encodeData`). `text` comes from {@link parseValue}. */
export function encodeValue(type: string, text: string): Uint8Array {
  if (type === 'bool') return integerWord(text === 'true' ? 1n : 0n)
  if (type === 'string') return keccak_256(utf8ToBytes(text))
  if (type === 'bytes') return keccak_256(hexToBytes(text.slice(2)))
  if (type === 'address') return hexToBytes(text.slice(2).padStart(2 * WORD, '0'))
  if (type.startsWith('bytes')) return hexToBytes(text.slice(2).padEnd(2 * WORD, '0'))
  return integerWord(BigInt(text))
}

/** A negative number is written as its two's complement. */
const integerWord = (number: bigint): Uint8Array =>
  hexToBytes(
    BigInt.asUintN(WORD * 8, number)
      .toString(16)
      .padStart(2 * WORD, '0'),
  )
