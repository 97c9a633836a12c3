import {
  getAddMemoInstructionDataEncoder,
  MEMO_PROGRAM_ADDRESS,
  parseAddMemoInstruction,
} from '@solana-program/memo'
import type { ActionDetail } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { isExact, toParserInput } from './exact.ts'

/** The current one, and the one before it. */
export const MEMO_PROGRAMS: readonly string[] = [
  MEMO_PROGRAM_ADDRESS,
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]

/** Decodes a memo. `undefined` for one that is no text, which the program refuses. */
export function decodeMemo(instruction: MessageInstruction): ActionDetail | undefined {
  const { data } = parseAddMemoInstruction(toParserInput(instruction))
  return isExact(getAddMemoInstructionDataEncoder, data, instruction.data)
    ? { kind: 'memo', text: data.memo }
    : undefined
}
