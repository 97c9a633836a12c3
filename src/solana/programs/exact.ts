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

const encoders = new Map<DataEncoder, ReturnType<DataEncoder>>()

/**
 * What a parser reads in an instruction. Throws if it can't read it, or if its data would be written by other bytes: the
 * parsers ignore what follows, and take some text for another. Such an instruction is shown by its bytes.
 *
 * The parsers are chosen by our own tables, because `identify…Instruction` encodes every discriminator on each call,
 * which made a hundred instructions take several times as long.
 */
export function parseExactly<T extends { readonly data: unknown }>(
  parse: (input: ParserInput) => T,
  encoder: DataEncoder,
  instruction: MessageInstruction,
): T {
  const parsed = parse(toParserInput(instruction))
  assertExact(encoder, parsed.data, instruction.data)
  return parsed
}

/** Throws if data that was read is not written by exactly these bytes. */
export function assertExact(encoder: DataEncoder, data: unknown, bytes: Uint8Array): void {
  const known = encoders.get(encoder) ?? encoder()
  encoders.set(encoder, known)
  if (!areEqual(known.encode(data as never), bytes)) throw new RangeError('Other bytes would say the same')
}

/** The number at the head of an instruction of the programs that use bincode; -1 if it is too short. */
export const bincodeKind = (data: Uint8Array): number =>
  data.length < 4 ? -1 : new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(0, true)
