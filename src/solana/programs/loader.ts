/** The program by which programs are deployed, replaced and closed. */
import type { ActionDetail } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'

export const LOADER_PROGRAM = 'BPFLoaderUpgradeab1e11111111111111111111111'

/** Decodes an instruction of the upgradeable loader, of which only the kind matters to a wallet. */
export function decodeLoader({ accounts, data }: MessageInstruction): ActionDetail | undefined {
  const at = (index: number) => accounts[index]?.address
  const program = (
    step: Extract<ActionDetail, { kind: 'program' }>['step'],
    account: string | undefined,
    authority: string | undefined,
  ): ActionDetail | undefined =>
    account === undefined ? undefined : { kind: 'program', step, account, authority }
  if (data.length < 4) return undefined
  switch (new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(0, true)) {
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
      return program('close', at(0), at(2))
    default:
      return undefined
  }
}
