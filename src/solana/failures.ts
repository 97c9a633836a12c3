/** Errors of transactions as nodes write them, and what their logs say of missing funds. */
import type { SolanaAction } from './actions.ts'
import { describeFailure } from './failure-words.ts'
import type { DecodedMessage } from './message.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'
import { TOKEN_PROGRAM } from './programs/token.ts'
import { TOKEN_2022_PROGRAM } from './programs/token-2022.ts'
import type { TokenScale } from './token-scale.ts'

/** Why a transaction has failed, or would. */
export interface TransactionFailure {
  /** The network's own name, such as `InsufficientFundsForFee` or `InvalidAccountData`; `Custom` for a program's error. */
  readonly code: string
  /** Counts instructions from 0. */
  readonly instruction?: number | undefined
  readonly program?: string | undefined
  /** A program's own number. */
  readonly custom?: number | undefined
  readonly account?: string | undefined
  /** What it means, where that is known. */
  readonly words?: string | undefined
}
/** Funds that are missing. */
export interface Shortage {
  readonly account: string
  /** `undefined`: lamports. */
  readonly mint: string | undefined
  /** `undefined` if only the fact is known. */
  readonly missing: bigint | undefined
}

/** A token that a wallet transfers more of than it has. */
export interface TokenShortage {
  readonly mint: string
  readonly symbol: string | undefined
  readonly decimals: number
  readonly scale: TokenScale | undefined
  /** In the smallest units that the network moves. */
  readonly missing: bigint
}

/** Reads the error of a transaction; one of an unknown shape has the code `Unknown`. */
export const readFailure = (error: unknown, message: DecodedMessage): TransactionFailure =>
  withWords(failureIn(error, message))

function withWords({ words: _, ...failure }: TransactionFailure): TransactionFailure {
  const words = describeFailure(failure)
  return { ...failure, ...(words !== undefined && { words }) }
}

function failureIn(error: unknown, message: DecodedMessage): TransactionFailure {
  if (typeof error === 'string') {
    const isFee = error === 'InsufficientFundsForFee'
    return { code: error, ...(isFee && { account: message.payer }) }
  }
  const [[code, detail] = ['Unknown', undefined]] =
    typeof error === 'object' && error !== null ? Object.entries(error) : []
  if (code === 'InstructionError' && Array.isArray(detail)) {
    const [instruction, what] = detail as unknown[]
    if (typeof instruction !== 'number') return { code: 'Unknown' }
    const program = message.instructions[instruction]?.program
    if (typeof what === 'string') return { code: what, instruction, program }
    const [[name, value] = ['Unknown', undefined]] =
      typeof what === 'object' && what !== null ? Object.entries(what) : []
    return { code: name, instruction, program, ...(typeof value === 'number' && { custom: value }) }
  }
  // Beside such a name stands nothing but the number of an account.
  const index: unknown = Object.values(Object(detail) as object).at(0)
  const account = typeof index === 'number' ? message.accounts[index]?.address : undefined
  return { code, ...(account !== undefined && { account }) }
}

/**
 * The failure with the program that has raised it, which one of the transaction's programs may have called. The line is the network's
 * own: what programs write themselves begins with other words.
 */
export function withRaiser(failure: TransactionFailure, logs: readonly string[]): TransactionFailure {
  const { code, custom } = failure
  if (code !== 'Custom' || custom === undefined) return failure
  for (const line of logs) {
    const [, program, number] = RAISED.exec(line) ?? []
    if (program !== undefined && number !== undefined && Number.parseInt(number, 16) === custom)
      return withWords({ ...failure, program })
  }
  return failure
}
const RAISED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: custom program error: 0x([0-9a-f]{1,8})$/

const LAMPORTS = /insufficient lamports (\d{1,20}), need (\d{1,20})/
const INSUFFICIENT = /insufficient (funds|lamports)/i
/** Of the system program and of the token programs alike. */
const NOT_ENOUGH = 1
const tokenPrograms: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]

/**
 * The funds that a failed transaction lacked. Programs write the amounts into their logs; a wallet that its own fee is too
 * much for is told by the error's name alone.
 */
export function readShortage(
  failure: TransactionFailure,
  logs: readonly string[],
  actions: readonly SolanaAction[],
  { payer }: Pick<DecodedMessage, 'payer'>,
): Shortage | undefined {
  const { code, instruction, program, custom, account } = failure
  if (code === 'InsufficientFundsForFee' || code === 'InsufficientFundsForRent')
    return { account: account ?? payer, mint: undefined, missing: undefined }
  const failed = actions.find((action) => action.instruction === instruction)
  // A log may have been cut off, so the last one that names amounts counts.
  const said = logs.findLast((line) => LAMPORTS.test(line))
  const [, has, need] = (said && LAMPORTS.exec(said)) || []
  if (has !== undefined && need !== undefined && BigInt(need) > BigInt(has))
    return { account: payingAccount(failed) ?? payer, mint: undefined, missing: BigInt(need) - BigInt(has) }
  const isToken = program !== undefined && tokenPrograms.includes(program)
  if (code === 'Custom' && custom === NOT_ENOUGH && (program === SYSTEM_PROGRAM || isToken))
    return {
      account: payingAccount(failed) ?? payer,
      mint: failed?.kind === 'transferToken' ? failed.mint : undefined,
      missing: undefined,
    }
  return code === 'InsufficientFunds' || logs.some((line) => INSUFFICIENT.test(line))
    ? { account: payingAccount(failed) ?? payer, mint: undefined, missing: undefined }
    : undefined
}

function payingAccount(action: SolanaAction | undefined): string | undefined {
  switch (action?.kind) {
    case 'transferSol':
      return action.from
    case 'createAccount':
    case 'createTokenAccount':
      return action.payer
    case 'transferToken':
      return action.source
    case 'burnToken':
      return action.account
    default:
      return undefined
  }
}
