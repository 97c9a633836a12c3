import type { Address } from '@solana/kit'
import { type Done, toBase58, toBase64 } from './ledger.ts'

const systemProgram = '11111111111111111111111111111111'
type Instruction = NonNullable<Done['sent']>['message']['instructions'][number]

/** A transaction as `getTransaction` shows it; nothing for an airdrop, which nobody has signed. */
export function transactionView(one: Done, encoding = 'json') {
  const { sent, signature, slot, time, error, logs, units, fee } = one
  if (!sent) return null
  const { message, keys, pre, post, bytes } = sent
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header
  const parsed = encoding === 'jsonParsed'
  const isWritable = (at: number) =>
    at < numSignerAccounts
      ? at < numSignerAccounts - numReadonlySignerAccounts
      : at < keys.length - numReadonlyNonSignerAccounts

  const meta = {
    err: error,
    fee,
    preBalances: pre,
    postBalances: post,
    logMessages: logs,
    innerInstructions: [],
    preTokenBalances: [],
    postTokenBalances: [],
    rewards: [],
    loadedAddresses: { readonly: [], writable: [] },
    status: error ? { Err: error } : { Ok: null },
    computeUnitsConsumed: units,
  }
  const accountKeys = parsed
    ? keys.map((pubkey, at) => ({
        pubkey,
        signer: at < numSignerAccounts,
        writable: isWritable(at),
        source: 'transaction',
      }))
    : keys
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
    addressTableLookups: [],
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

/** Transfers in parsed form, as nodes show known programs; everything else unchanged. */
function parsedInstruction(instruction: Instruction, keys: readonly Address[]) {
  const programId = keys[instruction.programAddressIndex]
  const accounts = (instruction.accountIndices ?? []).map((at) => keys[at])
  const data = dataOf(instruction)
  const view = new DataView(data.buffer)
  const isTransfer = programId === systemProgram && data.length === 12 && view.getUint32(0, true) === 2
  if (!isTransfer) return { programId, accounts, data: toBase58(data), stackHeight: null }
  const [source, destination] = accounts
  const info = { source, destination, lamports: Number(view.getBigUint64(4, true)) }
  return { program: 'system', programId, parsed: { type: 'transfer', info }, stackHeight: null }
}
