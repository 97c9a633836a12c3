import type { Address } from '@solana/kit'
import { type Done, type InnerInstructions, toBase58, toBase64 } from './ledger.ts'

const systemProgram = '11111111111111111111111111111111'
type Instruction = NonNullable<Done['sent']>['message']['instructions'][number]

/** A transaction as `getTransaction` shows it; nothing for an airdrop, which nobody has signed. */
export function transactionView(one: Done, encoding = 'json') {
  const { sent, signature, slot, time, error, logs, units, fee } = one
  if (!sent) return null
  const { message, keys, loaded, pre, post, bytes, inner } = sent
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header
  const parsed = encoding === 'jsonParsed'
  const own = message.staticAccounts
  const isWritable = (at: number) =>
    at < numSignerAccounts
      ? at < numSignerAccounts - numReadonlySignerAccounts
      : at < own.length
        ? at < own.length - numReadonlyNonSignerAccounts
        : at < own.length + loaded.writable.length

  const meta = {
    err: error,
    fee,
    preBalances: pre.lamports,
    postBalances: post.lamports,
    logMessages: logs,
    innerInstructions: parsed ? innerView(inner, keys) : inner.map(plainInner),
    preTokenBalances: pre.tokens,
    postTokenBalances: post.tokens,
    rewards: [],
    loadedAddresses: loaded,
    status: error ? { Err: error } : { Ok: null },
    computeUnitsConsumed: units,
  }
  const accountKeys = parsed
    ? keys.map((pubkey, at) => ({
        pubkey,
        signer: at < numSignerAccounts,
        writable: isWritable(at),
        source: at < own.length ? 'transaction' : 'lookupTable',
      }))
    : own
  const shown = {
    accountKeys,
    header: {
      numRequiredSignatures: numSignerAccounts,
      numReadonlySignedAccounts: numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: numReadonlyNonSignerAccounts,
    },
    recentBlockhash: message.lifetimeToken,
    instructions: message.instructions.map((each) =>
      parsed ? parsedInstruction(each, keys) : plainInstruction(each),
    ),
    addressTableLookups:
      message.version === 0
        ? (message.addressTableLookups ?? []).map((each) => ({
            accountKey: each.lookupTableAddress,
            writableIndexes: each.writableIndexes,
            readonlyIndexes: each.readonlyIndexes,
          }))
        : [],
  }
  const transaction =
    encoding === 'base64' ? [toBase64(bytes), 'base64'] : { signatures: [signature], message: shown }
  return { slot, blockTime: time, meta, version: message.version, transaction }
}

const dataOf = ({ data }: Instruction) => Uint8Array.from(data ?? [])

const plainInstruction = (instruction: Instruction) => ({
  programIdIndex: instruction.programAddressIndex,
  accounts: instruction.accountIndices ?? [],
  data: toBase58(dataOf(instruction)),
  stackHeight: null,
})

const parsedInstruction = (instruction: Instruction, keys: readonly Address[]) =>
  parse(
    keys[instruction.programAddressIndex],
    (instruction.accountIndices ?? []).map((at) => keys[at]),
    dataOf(instruction),
    null,
  )

const plainInner = ({ index, instructions }: InnerInstructions[number]) => ({
  index,
  instructions: instructions.map(({ program, accounts, data, height }) => ({
    programIdIndex: program,
    accounts,
    data: toBase58(data),
    stackHeight: height,
  })),
})

/** The instructions that programs have made, in parsed form where there is one: so nodes answer simulations. */
export const innerView = (inner: InnerInstructions, keys: readonly Address[]) =>
  inner.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map(({ program, accounts, data, height }) =>
      parse(
        keys[program],
        accounts.map((at) => keys[at]),
        data,
        height,
      ),
    ),
  }))

const tokenNames: Readonly<Record<string, string>> = {
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'spl-token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'spl-token-2022',
}

/** Transfers in parsed form, as nodes show known programs; everything else with its accounts and data. */
function parse(
  programId: Address | undefined,
  accounts: readonly (Address | undefined)[],
  data: Uint8Array,
  stackHeight: number | null,
) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const [source, second, third, fourth] = accounts
  const token = tokenNames[String(programId)]
  if (programId === systemProgram && data.length === 12 && view.getUint32(0, true) === 2) {
    const info = { source, destination: second, lamports: Number(view.getBigUint64(4, true)) }
    return { program: 'system', programId, parsed: { type: 'transfer', info }, stackHeight }
  }
  if (token && data.length === 9 && data[0] === 3) {
    const amount = String(view.getBigUint64(1, true))
    const info = { source, destination: second, authority: third, amount }
    return { program: token, programId, parsed: { type: 'transfer', info }, stackHeight }
  }
  if (token && data.length === 10 && data[0] === 12) {
    const amount = String(view.getBigUint64(1, true))
    const tokenAmount = { amount, decimals: data[9] }
    const info = { source, mint: second, destination: third, authority: fourth, tokenAmount }
    return { program: token, programId, parsed: { type: 'transferChecked', info }, stackHeight }
  }
  return { programId, accounts, data: toBase58(data), stackHeight }
}
