import {
  getAddMemoInstructionDataEncoder,
  MEMO_PROGRAM_ADDRESS,
  parseAddMemoInstruction,
} from '@solana-program/memo'
import type { ActionDetail } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { parseExactly } from './exact.ts'

/** The current one, and the one before it. */
export const MEMO_PROGRAMS: readonly string[] = [
  MEMO_PROGRAM_ADDRESS,
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]

/** Decodes a memo. Throws for one that is no text, which the program refuses. */
export function decodeMemo(instruction: MessageInstruction): ActionDetail {
  const { data } = parseExactly(parseAddMemoInstruction, getAddMemoInstructionDataEncoder, instruction)
  return { kind: 'memo', text: data.memo }
}
