import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Plain } from '../../../wire/frame/plain.ts'
import { utf8 } from '../../bytes.ts'
import { readAddress, readBytes } from '../hex.ts'
import { readInteger } from '../integer.ts'
import { isWellFormed } from '../message.ts'

/** The 32 bytes that stand for a value in its struct, or `undefined` when it is not of the type. */
export type Encode = (value: Plain | undefined) => Uint8Array | undefined

const WORD = 32

/** How values of a type without parts of its own are written (EIP-712 `encodeData`); `undefined`: no such type. */
export function valueType(name: string): Encode | undefined {
  if (name === 'bool') return (value) => (typeof value === 'boolean' ? toWord(value ? 1n : 0n) : undefined)
  if (name === 'address') return (value) => padded(readAddress(value), 'left')
  if (name === 'string')
    return (value) => (typeof value === 'string' && isWellFormed(value) ? keccak_256(utf8(value)) : undefined)
  if (name === 'bytes') return (value) => hashed(readBytes(value))

  const [, kind, digits = ''] = /^(bytes|u?int)([1-9]\d{0,2})$/.exec(name) ?? []
  const size = Number(digits)
  if (kind === 'bytes') return size <= WORD ? fixedBytes(size) : undefined
  if (!kind || size % 8 !== 0 || size > WORD * 8) return undefined
  return integer(BigInt(size), kind === 'int')
}

const fixedBytes = (size: number) => (value: Plain | undefined) => {
  const bytes = readBytes(value)
  return bytes?.length === size ? padded(bytes, 'right') : undefined
}

function integer(bits: bigint, signed: boolean): Encode {
  const least = signed ? -(1n << (bits - 1n)) : 0n
  const most = (1n << (signed ? bits - 1n : bits)) - 1n
  return (value) => {
    const number = readInteger(value)
    return number !== undefined && number >= least && number <= most ? toWord(number) : undefined
  }
}

const hashed = (bytes: Uint8Array | undefined) => bytes && keccak_256(bytes)

function padded(bytes: Uint8Array | undefined, side: 'left' | 'right'): Uint8Array | undefined {
  if (!bytes) return undefined
  const word = new Uint8Array(WORD)
  word.set(bytes, side === 'left' ? WORD - bytes.length : 0)
  return word
}

/** A negative number as its two's complement. */
function toWord(number: bigint): Uint8Array {
  const hex = BigInt.asUintN(WORD * 8, number).toString(16)
  return padded(readBytes(`0x${hex.length % 2 === 0 ? hex : `0${hex}`}`), 'left') ?? new Uint8Array(WORD)
}
