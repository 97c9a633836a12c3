import {
  getAuthorizeCheckedInstructionDataEncoder,
  getAuthorizeCheckedWithSeedInstructionDataEncoder,
  getAuthorizeInstructionDataEncoder,
  getAuthorizeWithSeedInstructionDataEncoder,
  getDeactivateDelinquentInstructionDataEncoder,
  getDeactivateInstructionDataEncoder,
  getDelegateStakeInstructionDataEncoder,
  getInitializeCheckedInstructionDataEncoder,
  getInitializeInstructionDataEncoder,
  getMergeInstructionDataEncoder,
  getMoveLamportsInstructionDataEncoder,
  getMoveStakeInstructionDataEncoder,
  getSetLockupCheckedInstructionDataEncoder,
  getSetLockupInstructionDataEncoder,
  getSplitInstructionDataEncoder,
  getWithdrawInstructionDataEncoder,
  parseStakeInstruction,
  STAKE_PROGRAM_ADDRESS,
  StakeAuthorize,
  StakeInstruction,
} from '@solana-program/stake'
import type { StakeAction } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { type DataEncoder, isExact, toParserInput } from './exact.ts'

export const STAKE_PROGRAM: string = STAKE_PROGRAM_ADDRESS

const encoders: Readonly<Partial<Record<StakeInstruction, DataEncoder>>> = {
  [StakeInstruction.Initialize]: getInitializeInstructionDataEncoder,
  [StakeInstruction.InitializeChecked]: getInitializeCheckedInstructionDataEncoder,
  [StakeInstruction.Authorize]: getAuthorizeInstructionDataEncoder,
  [StakeInstruction.AuthorizeChecked]: getAuthorizeCheckedInstructionDataEncoder,
  [StakeInstruction.AuthorizeWithSeed]: getAuthorizeWithSeedInstructionDataEncoder,
  [StakeInstruction.AuthorizeCheckedWithSeed]: getAuthorizeCheckedWithSeedInstructionDataEncoder,
  [StakeInstruction.DelegateStake]: getDelegateStakeInstructionDataEncoder,
  [StakeInstruction.Split]: getSplitInstructionDataEncoder,
  [StakeInstruction.Withdraw]: getWithdrawInstructionDataEncoder,
  [StakeInstruction.Deactivate]: getDeactivateInstructionDataEncoder,
  [StakeInstruction.DeactivateDelinquent]: getDeactivateDelinquentInstructionDataEncoder,
  [StakeInstruction.SetLockup]: getSetLockupInstructionDataEncoder,
  [StakeInstruction.SetLockupChecked]: getSetLockupCheckedInstructionDataEncoder,
  [StakeInstruction.Merge]: getMergeInstructionDataEncoder,
  [StakeInstruction.MoveStake]: getMoveStakeInstructionDataEncoder,
  [StakeInstruction.MoveLamports]: getMoveLamportsInstructionDataEncoder,
}
/** Accounts that the program once asked for, skips now, and that its parser doesn't expect. */
const skipped: readonly string[] = [
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
  'StakeConfig11111111111111111111111111111111',
]
const roleOf = (role: StakeAuthorize) => (role === StakeAuthorize.Withdrawer ? 'withdrawer' : 'staker')

/** Decodes an instruction of the stake program. Throws if its parser can't read it. */
export function decodeStake(instruction: MessageInstruction): StakeAction | undefined {
  const accounts = instruction.accounts.filter(({ address }) => !skipped.includes(address))
  const parsed = parseStakeInstruction(toParserInput({ ...instruction, accounts }))
  if (!('data' in parsed) || !isExact(encoders[parsed.instructionType], parsed.data, instruction.data))
    return undefined
  switch (parsed.instructionType) {
    case StakeInstruction.Initialize:
      return stake('initialize', parsed.accounts.stake.address, {
        authority: parsed.data.arg0.staker,
        target: parsed.data.arg0.withdrawer,
      })
    case StakeInstruction.InitializeChecked: {
      const { stake: account, stakeAuthority, withdrawAuthority } = parsed.accounts
      return stake('initialize', account.address, {
        authority: stakeAuthority.address,
        target: withdrawAuthority.address,
      })
    }
    case StakeInstruction.Authorize: {
      const { stake: account, authority } = parsed.accounts
      const { arg0, arg1 } = parsed.data
      return stake('authorize', account.address, {
        authority: authority.address,
        target: arg0,
        role: roleOf(arg1),
      })
    }
    case StakeInstruction.AuthorizeChecked: {
      const { stake: account, authority, newAuthority } = parsed.accounts
      return stake('authorize', account.address, {
        authority: authority.address,
        target: newAuthority.address,
        role: roleOf(parsed.data.stakeAuthorize),
      })
    }
    case StakeInstruction.AuthorizeWithSeed: {
      const { stake: account, base } = parsed.accounts
      return stake('authorize', account.address, {
        authority: base.address,
        target: parsed.data.newAuthorizedPubkey,
        role: roleOf(parsed.data.stakeAuthorize),
      })
    }
    case StakeInstruction.AuthorizeCheckedWithSeed: {
      const { stake: account, base, newAuthority } = parsed.accounts
      return stake('authorize', account.address, {
        authority: base.address,
        target: newAuthority.address,
        role: roleOf(parsed.data.stakeAuthorize),
      })
    }
    case StakeInstruction.DelegateStake: {
      const { stake: account, vote, stakeAuthority } = parsed.accounts
      return stake('delegate', account.address, {
        authority: stakeAuthority.address,
        target: vote.address,
      })
    }
    case StakeInstruction.Split: {
      const { stake: account, splitStake, stakeAuthority } = parsed.accounts
      return stake('split', account.address, {
        authority: stakeAuthority.address,
        target: splitStake.address,
        lamports: parsed.data.args,
      })
    }
    case StakeInstruction.Withdraw: {
      const { stake: account, recipient, withdrawAuthority } = parsed.accounts
      return stake('withdraw', account.address, {
        authority: withdrawAuthority.address,
        target: recipient.address,
        lamports: parsed.data.args,
      })
    }
    case StakeInstruction.Deactivate: {
      const { stake: account, stakeAuthority } = parsed.accounts
      return stake('deactivate', account.address, { authority: stakeAuthority.address })
    }
    case StakeInstruction.DeactivateDelinquent:
      return stake('deactivate', parsed.accounts.stake.address, {})
    case StakeInstruction.SetLockup:
    case StakeInstruction.SetLockupChecked: {
      const { stake: account, authority } = parsed.accounts
      return stake('setLockup', account.address, { authority: authority.address })
    }
    case StakeInstruction.Merge: {
      const { destinationStake, sourceStake, stakeAuthority } = parsed.accounts
      return stake('merge', sourceStake.address, {
        authority: stakeAuthority.address,
        target: destinationStake.address,
      })
    }
    case StakeInstruction.MoveStake:
    case StakeInstruction.MoveLamports: {
      const { sourceStake, destinationStake, stakeAuthority } = parsed.accounts
      const step = parsed.instructionType === StakeInstruction.MoveStake ? 'moveStake' : 'moveLamports'
      return stake(step, sourceStake.address, {
        authority: stakeAuthority.address,
        target: destinationStake.address,
        lamports: parsed.data.args,
      })
    }
    default:
      return undefined
  }
}

const stake = (
  step: StakeAction['step'],
  account: string,
  more: { authority?: string; target?: string; role?: StakeAction['role']; lamports?: bigint },
): StakeAction => ({
  kind: 'stake',
  step,
  account,
  authority: more.authority,
  target: more.target,
  role: more.role,
  lamports: more.lamports,
})
