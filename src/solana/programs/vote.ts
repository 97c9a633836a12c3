/**
 * The vote program, as far as somebody's authority or lamports are concerned. No parser of it is published; the numbers and fields are those
 * of `VoteInstruction` in `solana-vote-interface`. Votes themselves are not read.
 */
import { getAddressDecoder } from '@solana/kit'
import type { VoteAction } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { bincodeKind } from './exact.ts'

export const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111'

const KEY_SIZE = 32
/** In the order of `VoteAuthorize`. */
const roles = ['voter', 'withdrawer'] as const

/** Decodes an instruction of the vote program; `undefined` for one whose data has another size than its kind. */
export function decodeVote({ accounts, data }: MessageInstruction): VoteAction | undefined {
  const at = (index: number) => accounts[index]?.address
  const account = at(0)
  if (account === undefined) return undefined
  const vote = (step: VoteAction['step'], more: Partial<VoteAction>): VoteAction => ({
    kind: 'vote',
    step,
    account,
    authority: undefined,
    target: undefined,
    role: undefined,
    lamports: undefined,
    ...more,
  })
  const authorized = (place: number, authority: string | undefined, target: string | undefined) => {
    const role = roleAt(data, place)
    return role && authority !== undefined && target !== undefined
      ? vote('authorize', { authority, target, role })
      : undefined
  }
  switch (bincodeKind(data)) {
    case 0: {
      if (data.length !== 4 + 3 * KEY_SIZE + 1) return undefined
      const [node, voter, withdrawer] = [4, 4 + KEY_SIZE, 4 + 2 * KEY_SIZE].map((place) => keyAt(data, place))
      if (node === undefined || voter === undefined || withdrawer === undefined) return undefined
      return vote('initialize', { authority: voter, target: withdrawer, roles: { node, voter, withdrawer } })
    }
    case 1:
      return data.length === 4 + KEY_SIZE + 4 ? authorized(4 + KEY_SIZE, at(2), keyAt(data, 4)) : undefined
    case 3:
      return data.length === 12 && at(2) !== undefined
        ? vote('withdraw', { authority: at(2), target: at(1), lamports: viewOf(data).getBigUint64(4, true) })
        : undefined
    case 4:
      return data.length === 4 && at(2) !== undefined
        ? vote('identity', { authority: at(2), target: at(1), role: 'node' })
        : undefined
    case 5:
      return data.length === 5 && at(1) !== undefined ? vote('commission', { authority: at(1) }) : undefined
    case 7:
      return data.length === 8 ? authorized(4, at(2), at(3)) : undefined
    case 10: {
      const end = endOfSeed(data)
      return end !== undefined && data.length === end + KEY_SIZE
        ? authorized(4, at(2), keyAt(data, end))
        : undefined
    }
    case 11:
      return data.length === endOfSeed(data) ? authorized(4, at(2), at(3)) : undefined
    default:
      return undefined
  }
}

const viewOf = (data: Uint8Array) => new DataView(data.buffer, data.byteOffset, data.byteLength)

const keyAt = (data: Uint8Array, at: number): string => getAddressDecoder().decode(data, at)

const roleAt = (data: Uint8Array, at: number) =>
  data.length >= at + 4 ? roles[viewOf(data).getUint32(at, true)] : undefined

/** Where a seed ends, which follows the number of the instruction, a role and the program that owns the derived address. */
function endOfSeed(data: Uint8Array): number | undefined {
  const sizeAt = 8 + KEY_SIZE
  if (data.length < sizeAt + 8) return undefined
  const size = viewOf(data).getBigUint64(sizeAt, true)
  return size <= BigInt(KEY_SIZE) ? sizeAt + 8 + Number(size) : undefined
}
