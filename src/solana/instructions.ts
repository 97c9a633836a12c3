/** A transaction out of instructions that somebody else has named, with the tables that make its accounts short. */
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { InvalidRequest } from '../lib/invalid-request.ts'
import { readLookupTable } from './lookup-tables.ts'
import { encodeTransaction } from './message.ts'
import { NO_BLOCKHASH, parseRequest, type SolanaRequest } from './prepare.ts'
import { getAccounts } from './queries.ts'
import type { RpcOptions, SolanaRpc } from './rpc.ts'

export interface NamedInstruction {
  readonly program: string
  readonly accounts: readonly {
    readonly address: string
    readonly signer: boolean
    readonly writable: boolean
  }[]
  readonly data: Uint8Array
}

/**
 * Makes an unsigned request of a wallet, whose blockhash the preparation fills in.
 * @param lookupTables addresses of tables
 * @throws InvalidRequest for instructions that make no transaction, or that another key has to sign; what the node throws
 */
export async function instructionsRequest(
  rpc: SolanaRpc,
  {
    wallet,
    instructions,
    lookupTables,
  }: {
    readonly wallet: string
    readonly instructions: readonly NamedInstruction[]
    readonly lookupTables: readonly string[]
  },
  options: RpcOptions = {},
): Promise<SolanaRequest> {
  const signers = new Set(
    instructions.flatMap(({ accounts }) =>
      accounts.filter(({ signer }) => signer).map((each) => each.address),
    ),
  )
  signers.delete(wallet)
  if (signers.size > 0) throw new InvalidRequest('The transaction is to be signed by another key')
  const { accounts } =
    lookupTables.length > 0 ? await getAccounts(rpc, lookupTables, options) : { accounts: new Map() }
  const tables: Record<Address, Address[]> = {}
  for (const table of lookupTables) {
    const entries = readLookupTable(accounts.get(table))
    if (!entries) throw new InvalidRequest('The transaction names a lookup table that does not exist')
    tables[address(table)] = entries.map((each) => address(each))
  }
  try {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayer(address(wallet), empty),
      (paid) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: NO_BLOCKHASH as Blockhash, lastValidBlockHeight: 0n },
          paid,
        ),
      (living) =>
        appendTransactionMessageInstructions(
          instructions.map(({ program, accounts: named, data }) => ({
            programAddress: address(program),
            accounts: named.map(({ address: account, signer, writable }) => ({
              address: address(account),
              role: roleOf(signer, writable),
            })),
            data,
          })),
          living,
        ),
    )
    const short =
      lookupTables.length > 0 ? compressTransactionMessageUsingAddressLookupTables(message, tables) : message
    const { messageBytes } = compileTransaction(short)
    return parseRequest(encodeTransaction(Uint8Array.from(messageBytes), [undefined]), wallet)
  } catch (cause) {
    if (cause instanceof InvalidRequest) throw cause
    throw new InvalidRequest("The instructions don't make a transaction", { cause })
  }
}

const roleOf = (signer: boolean, writable: boolean): AccountRole => {
  if (signer) return writable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER
  return writable ? AccountRole.WRITABLE : AccountRole.READONLY
}
