/** Decodes transactions of Solana instruction by instruction. It brings the parsers of its programs, so it is loaded lazily. */
import type { ActionDetail, SolanaAction } from './actions.ts'
import type { DecodedMessage, MessageInstruction } from './message.ts'
import { COMPUTE_BUDGET_PROGRAM, decodeComputeBudget } from './programs/compute-budget.ts'
import { decodeLoader, LOADER_PROGRAM } from './programs/loader.ts'
import { decodeMemo, MEMO_PROGRAMS } from './programs/memo.ts'
import { decodeStake, STAKE_PROGRAM } from './programs/stake.ts'
import { decodeSystem, SYSTEM_PROGRAM } from './programs/system.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  decodeAssociatedToken,
  decodeToken,
  TOKEN_PROGRAM,
  unpackBatch,
} from './programs/token.ts'
import { decodeToken2022, TOKEN_2022_PROGRAM } from './programs/token-2022.ts'
import { decodeVote, VOTE_PROGRAM } from './programs/vote.ts'

type Decoder = (instruction: MessageInstruction) => ActionDetail | undefined

const decoders: ReadonlyMap<string, Decoder> = new Map([
  [SYSTEM_PROGRAM, decodeSystem],
  [TOKEN_PROGRAM, decodeToken],
  [TOKEN_2022_PROGRAM, decodeToken2022],
  [ASSOCIATED_TOKEN_PROGRAM, decodeAssociatedToken],
  [COMPUTE_BUDGET_PROGRAM, decodeComputeBudget],
  [STAKE_PROGRAM, decodeStake],
  [VOTE_PROGRAM, decodeVote],
  [LOADER_PROGRAM, decodeLoader],
  ...MEMO_PROGRAMS.map((program): [string, Decoder] => [program, decodeMemo]),
])

/** All actions of a message in their order. An instruction that can't be named with certainty is `unknown`. */
export const decodeActions = (message: DecodedMessage): readonly SolanaAction[] =>
  message.instructions.flatMap((instruction, at) => decodeInstruction(instruction, at))

/** @param at the number of the transaction's instruction that this is, or that has made it */
export function decodeInstruction(
  instruction: MessageInstruction,
  at: number,
  isInner = false,
): readonly SolanaAction[] {
  const decode = decoders.get(instruction.program)
  const isToken = instruction.program === TOKEN_PROGRAM || instruction.program === TOKEN_2022_PROGRAM
  const parts = (isToken && attempt(unpackBatch, instruction)) || [instruction]
  return parts.map((part) => ({
    ...((decode && attempt(decode, part)) ?? { kind: 'unknown' }),
    instruction: at,
    isInner,
    ...part,
  }))
}

/** The parsers throw on whatever they can't read. */
function attempt<T>(
  decode: (instruction: MessageInstruction) => T | undefined,
  instruction: MessageInstruction,
): T | undefined {
  try {
    return decode(instruction)
  } catch {
    return undefined
  }
}
