/** The program by which programs are deployed, replaced and closed. */
import type { ActionDetail } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { bincodeKind } from './exact.ts'

export const LOADER_PROGRAM = 'BPFLoaderUpgradeab1e11111111111111111111111'

/** An instruction's number, an offset and the size of what is written. */
const WRITE_HEADER = 16

/** Decodes an instruction of the upgradeable loader, strictly by the size of its data. Other loaders are not read. */
export function decodeLoader({ accounts, data }: MessageInstruction): ActionDetail | undefined {
  const at = (index: number) => accounts[index]?.address
  const program = (
    step: Extract<ActionDetail, { kind: 'program' }>['step'],
    account: string | undefined,
    authority: string | undefined,
    recipient?: string | undefined,
  ): ActionDetail | undefined =>
    account === undefined
      ? undefined
      : { kind: 'program', step, account, authority, ...(recipient !== undefined && { recipient }) }
  const kind = bincodeKind(data)
  if (!isWhole(kind, data)) return undefined
  switch (kind) {
    case 0:
      return program('write', at(0), at(1))
    case 1:
      return program('write', at(0), at(1))
    case 2:
      return program('deploy', at(2), at(7))
    case 3:
      return program('upgrade', at(1), at(6))
    // The new authority; without one nobody can replace the program any more.
    case 4:
    case 7:
      return program('setAuthority', at(0), at(2))
    case 5:
      return program('close', at(0), at(2), at(1))
    default:
      return undefined
  }
}

function isWhole(kind: number, data: Uint8Array): boolean {
  if (kind === 2) return data.length === 12
  if (kind !== 1) return data.length === 4
  if (data.length < WRITE_HEADER) return false
  const size = new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(8, true)
  return BigInt(data.length - WRITE_HEADER) === size
}
