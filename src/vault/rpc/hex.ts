import type { Plain } from '../../wire/frame/plain.ts'
import { type Bytes, hexToBytes } from '../bytes.ts'
import { checksummed } from '../derive/address.ts'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** Reads 0x-hex of whole bytes. Gives `undefined` for anything else. */
export const readBytes = (value: Plain | undefined): Bytes | undefined =>
  typeof value === 'string' && value.length % 2 === 0 && /^0x[0-9a-fA-F]*$/.test(value)
    ? hexToBytes(value.slice(2))
    : undefined

/** Reads an Ethereum address. One with capitals and small letters has to have them where EIP-55 puts them. */
export function readAddress(value: Plain | undefined): Bytes | undefined {
  if (typeof value !== 'string' || !ADDRESS.test(value)) return undefined
  const hex = value.slice(2)
  const mixed = hex !== hex.toLowerCase() && hex !== hex.toUpperCase()
  return mixed && checksummed(hex) !== value ? undefined : hexToBytes(hex)
}
