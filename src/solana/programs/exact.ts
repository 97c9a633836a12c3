import { AccountRole, type Address } from '@solana/kit'
import { areEqual, type MessageInstruction } from '../message.ts'

/** An instruction as the parsers of `@solana-program/*` take it. */
export interface ParserInput {
  readonly programAddress: Address
  readonly accounts: { readonly address: Address; readonly role: AccountRole }[]
  readonly data: Uint8Array
}
/** Encodes the data of an instruction that a parser has read. */
export type DataEncoder = () => { encode(data: never): ArrayLike<number> }

export const toParserInput = ({ program, accounts, data }: MessageInstruction): ParserInput => ({
  programAddress: program as Address,
  accounts: accounts.map(({ address, signer, writable }) => ({
    address: address as Address,
    role: signer
      ? writable
        ? AccountRole.WRITABLE_SIGNER
        : AccountRole.READONLY_SIGNER
      : writable
        ? AccountRole.WRITABLE
        : AccountRole.READONLY,
  })),
  data,
})

/**
 * Whether data that a parser has read is written by exactly these bytes. The parsers ignore what follows, and some read
 * text as something else; such an instruction is shown by its bytes.
 */
export function isExact(encoder: DataEncoder | undefined, data: unknown, bytes: Uint8Array): boolean {
  return encoder !== undefined && areEqual(encoder().encode(data as never), bytes)
}
