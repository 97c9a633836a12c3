import {
  getAddMemoInstructionDataEncoder,
  parseAddMemoInstruction,
  SUPPORTED_MEMO_PROGRAM_ADDRESSES,
} from '@solana-program/memo'
import type { ActionDetail } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { parseExactly } from './exact.ts'

/** The current one, and those before it. */
export const MEMO_PROGRAMS: readonly string[] = SUPPORTED_MEMO_PROGRAM_ADDRESSES

/** Decodes a memo. Throws for one that is no text, which the program refuses. */
export function decodeMemo(instruction: MessageInstruction): ActionDetail {
  const { data } = parseExactly(parseAddMemoInstruction, getAddMemoInstructionDataEncoder, instruction)
  return { kind: 'memo', text: data.memo }
}
