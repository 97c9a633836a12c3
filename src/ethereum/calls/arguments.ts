import { checksumAddress } from '../address.ts'
import { getMember, rawText, type Value } from './values.ts'

/** Permit2, at the same address on all chains. */
export const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
export const UINT256 = (1n << 256n) - 1n
export const UINT160 = (1n << 160n) - 1n

/** Reads arguments by name: all of them are there, for the signature has been matched. */
export class Arguments {
  readonly #values: Value
  constructor(values: Value) {
    this.#values = values
  }
  value(name: string): Value | undefined {
    return getMember(this.#values, name)
  }
  /** With its checksum. */
  address(name: string): string {
    const value = this.value(name)
    return value?.kind === 'address' ? rawText(value) : ''
  }
  number(name: string): bigint {
    const value = this.value(name)
    return value?.kind === 'number' ? value.value : 0n
  }
  flag(name: string): boolean {
    const value = this.value(name)
    return value?.kind === 'bool' && value.value
  }
  bytes(name: string): string {
    const value = this.value(name)
    return value?.kind === 'bytes' ? value.hex : '0x'
  }
  list(name: string): readonly Value[] {
    const value = this.value(name)
    return value?.kind === 'list' ? value.items : []
  }
  part(name: string): Arguments {
    return new Arguments(this.value(name) ?? { kind: 'struct', type: '', names: [], items: [] })
  }
}

export const numberOf = (value: Value | undefined) => (value?.kind === 'number' ? value.value : undefined)

/** An address in lower case, with its checksum. */
export const checksum = (hex: string) => checksumAddress(hex.slice(2))
