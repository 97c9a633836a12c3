import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  getRequestHeapFrameInstructionDataEncoder,
  getSetComputeUnitLimitInstructionDataEncoder,
  getSetComputeUnitPriceInstructionDataEncoder,
  getSetLoadedAccountsDataSizeLimitInstructionDataEncoder,
  parseRequestHeapFrameInstruction,
  parseSetComputeUnitLimitInstruction,
  parseSetComputeUnitPriceInstruction,
  parseSetLoadedAccountsDataSizeLimitInstruction,
  REQUEST_HEAP_FRAME_DISCRIMINATOR,
  SET_COMPUTE_UNIT_LIMIT_DISCRIMINATOR,
  SET_COMPUTE_UNIT_PRICE_DISCRIMINATOR,
  SET_LOADED_ACCOUNTS_DATA_SIZE_LIMIT_DISCRIMINATOR,
} from '@solana-program/compute-budget'
import type { ActionDetail } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { parseExactly } from './exact.ts'

export const COMPUTE_BUDGET_PROGRAM: string = COMPUTE_BUDGET_PROGRAM_ADDRESS

/** Decodes an instruction of the compute budget. Throws if its parser can't read it. */
export function decodeComputeBudget(instruction: MessageInstruction): ActionDetail | undefined {
  switch (instruction.data[0]) {
    case SET_COMPUTE_UNIT_LIMIT_DISCRIMINATOR: {
      const { data } = parseExactly(
        parseSetComputeUnitLimitInstruction,
        getSetComputeUnitLimitInstructionDataEncoder,
        instruction,
      )
      return { kind: 'computeBudget', setting: 'unitLimit', value: BigInt(data.units) }
    }
    case SET_COMPUTE_UNIT_PRICE_DISCRIMINATOR: {
      const { data } = parseExactly(
        parseSetComputeUnitPriceInstruction,
        getSetComputeUnitPriceInstructionDataEncoder,
        instruction,
      )
      return { kind: 'computeBudget', setting: 'unitPrice', value: data.microLamports }
    }
    case REQUEST_HEAP_FRAME_DISCRIMINATOR: {
      const { data } = parseExactly(
        parseRequestHeapFrameInstruction,
        getRequestHeapFrameInstructionDataEncoder,
        instruction,
      )
      return { kind: 'computeBudget', setting: 'heapSize', value: BigInt(data.bytes) }
    }
    case SET_LOADED_ACCOUNTS_DATA_SIZE_LIMIT_DISCRIMINATOR: {
      const { data } = parseExactly(
        parseSetLoadedAccountsDataSizeLimitInstruction,
        getSetLoadedAccountsDataSizeLimitInstructionDataEncoder,
        instruction,
      )
      return { kind: 'computeBudget', setting: 'dataSize', value: BigInt(data.accountDataSizeLimit) }
    }
    default:
      return undefined
  }
}
