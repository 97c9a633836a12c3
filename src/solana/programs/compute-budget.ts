import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  ComputeBudgetInstruction,
  getRequestHeapFrameInstructionDataEncoder,
  getSetComputeUnitLimitInstructionDataEncoder,
  getSetComputeUnitPriceInstructionDataEncoder,
  getSetLoadedAccountsDataSizeLimitInstructionDataEncoder,
  parseComputeBudgetInstruction,
} from '@solana-program/compute-budget'
import type { ActionDetail } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { type DataEncoder, isExact, toParserInput } from './exact.ts'

export const COMPUTE_BUDGET_PROGRAM: string = COMPUTE_BUDGET_PROGRAM_ADDRESS

/** `RequestUnits` was taken out of the network. */
const encoders: Readonly<Partial<Record<ComputeBudgetInstruction, DataEncoder>>> = {
  [ComputeBudgetInstruction.RequestHeapFrame]: getRequestHeapFrameInstructionDataEncoder,
  [ComputeBudgetInstruction.SetComputeUnitLimit]: getSetComputeUnitLimitInstructionDataEncoder,
  [ComputeBudgetInstruction.SetComputeUnitPrice]: getSetComputeUnitPriceInstructionDataEncoder,
  [ComputeBudgetInstruction.SetLoadedAccountsDataSizeLimit]:
    getSetLoadedAccountsDataSizeLimitInstructionDataEncoder,
}

/** Decodes an instruction of the compute budget. Throws if its parser can't read it. */
export function decodeComputeBudget(instruction: MessageInstruction): ActionDetail | undefined {
  const parsed = parseComputeBudgetInstruction(toParserInput(instruction))
  if (!isExact(encoders[parsed.instructionType], parsed.data, instruction.data)) return undefined
  switch (parsed.instructionType) {
    case ComputeBudgetInstruction.SetComputeUnitLimit:
      return { kind: 'computeBudget', setting: 'unitLimit', value: BigInt(parsed.data.units) }
    case ComputeBudgetInstruction.SetComputeUnitPrice:
      return { kind: 'computeBudget', setting: 'unitPrice', value: parsed.data.microLamports }
    case ComputeBudgetInstruction.RequestHeapFrame:
      return { kind: 'computeBudget', setting: 'heapSize', value: BigInt(parsed.data.bytes) }
    case ComputeBudgetInstruction.SetLoadedAccountsDataSizeLimit:
      return {
        kind: 'computeBudget',
        setting: 'dataSize',
        value: BigInt(parsed.data.accountDataSizeLimit),
      }
    default:
      return undefined
  }
}
