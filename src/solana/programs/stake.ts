import { unwrapOption } from '@solana/kit'
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
  StakeInstruction as Kind,
  parseAuthorizeCheckedInstruction,
  parseAuthorizeCheckedWithSeedInstruction,
  parseAuthorizeInstruction,
  parseAuthorizeWithSeedInstruction,
  parseDeactivateDelinquentInstruction,
  parseDeactivateInstruction,
  parseDelegateStakeInstruction,
  parseInitializeCheckedInstruction,
  parseInitializeInstruction,
  parseMergeInstruction,
  parseMoveLamportsInstruction,
  parseMoveStakeInstruction,
  parseSetLockupCheckedInstruction,
  parseSetLockupInstruction,
  parseSplitInstruction,
  parseWithdrawInstruction,
  STAKE_PROGRAM_ADDRESS,
  StakeAuthorize,
} from '@solana-program/stake'
import type { StakeAction, StakeLockup } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { bincodeKind, parseExactly } from './exact.ts'
import { SYSTEM_PROGRAM } from './system.ts'

export const STAKE_PROGRAM: string = STAKE_PROGRAM_ADDRESS

/** Accounts that the program once asked for, skips now, and that its parser doesn't expect. */
const skipped: readonly string[] = [
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarRent111111111111111111111111111111111',
  'SysvarStakeHistory1111111111111111111111111',
  'StakeConfig11111111111111111111111111111111',
]

/** Decodes an instruction of the stake program. Throws if its parser can't read it. */
export function decodeStake(given: MessageInstruction): StakeAction | undefined {
  const accounts = given.accounts.filter(({ address }) => !skipped.includes(address))
  const instruction = { ...given, accounts }
  switch (bincodeKind(given.data) as Kind) {
    case Kind.Initialize: {
      const { accounts, data } = parseExactly(
        parseInitializeInstruction,
        getInitializeInstructionDataEncoder,
        instruction,
      )
      const { staker, withdrawer } = data.arg0
      return stake('initialize', accounts.stake, {
        authority: staker,
        target: withdrawer,
        lockup: lockupOf(data.arg1.unixTimestamp, data.arg1.epoch, data.arg1.custodian),
      })
    }
    case Kind.InitializeChecked: {
      const { accounts } = parseExactly(
        parseInitializeCheckedInstruction,
        getInitializeCheckedInstructionDataEncoder,
        instruction,
      )
      return stake('initialize', accounts.stake, {
        authority: accounts.stakeAuthority.address,
        target: accounts.withdrawAuthority.address,
        lockup: lockupOf(0n, 0n, SYSTEM_PROGRAM),
      })
    }
    case Kind.Authorize: {
      const { accounts, data } = parseExactly(
        parseAuthorizeInstruction,
        getAuthorizeInstructionDataEncoder,
        instruction,
      )
      return authorized(accounts.stake, accounts.authority, data.arg0, data.arg1)
    }
    case Kind.AuthorizeChecked: {
      const { accounts, data } = parseExactly(
        parseAuthorizeCheckedInstruction,
        getAuthorizeCheckedInstructionDataEncoder,
        instruction,
      )
      return authorized(
        accounts.stake,
        accounts.authority,
        accounts.newAuthority.address,
        data.stakeAuthorize,
      )
    }
    case Kind.AuthorizeWithSeed: {
      const { accounts, data } = parseExactly(
        parseAuthorizeWithSeedInstruction,
        getAuthorizeWithSeedInstructionDataEncoder,
        instruction,
      )
      return authorized(accounts.stake, accounts.base, data.newAuthorizedPubkey, data.stakeAuthorize)
    }
    case Kind.AuthorizeCheckedWithSeed: {
      const { accounts, data } = parseExactly(
        parseAuthorizeCheckedWithSeedInstruction,
        getAuthorizeCheckedWithSeedInstructionDataEncoder,
        instruction,
      )
      return authorized(accounts.stake, accounts.base, accounts.newAuthority.address, data.stakeAuthorize)
    }
    case Kind.DelegateStake: {
      const { accounts } = parseExactly(
        parseDelegateStakeInstruction,
        getDelegateStakeInstructionDataEncoder,
        instruction,
      )
      return stake('delegate', accounts.stake, {
        authority: accounts.stakeAuthority.address,
        target: accounts.vote.address,
      })
    }
    case Kind.Split: {
      const { accounts, data } = parseExactly(
        parseSplitInstruction,
        getSplitInstructionDataEncoder,
        instruction,
      )
      return stake('split', accounts.stake, {
        authority: accounts.stakeAuthority.address,
        target: accounts.splitStake.address,
        lamports: data.args,
      })
    }
    case Kind.Withdraw: {
      const { accounts, data } = parseExactly(
        parseWithdrawInstruction,
        getWithdrawInstructionDataEncoder,
        instruction,
      )
      return stake('withdraw', accounts.stake, {
        authority: accounts.withdrawAuthority.address,
        target: accounts.recipient.address,
        lamports: data.args,
      })
    }
    case Kind.Deactivate: {
      const { accounts } = parseExactly(
        parseDeactivateInstruction,
        getDeactivateInstructionDataEncoder,
        instruction,
      )
      return stake('deactivate', accounts.stake, { authority: accounts.stakeAuthority.address })
    }
    case Kind.DeactivateDelinquent: {
      const { accounts } = parseExactly(
        parseDeactivateDelinquentInstruction,
        getDeactivateDelinquentInstructionDataEncoder,
        instruction,
      )
      return stake('deactivate', accounts.stake, {})
    }
    case Kind.SetLockup: {
      const { accounts, data } = parseExactly(
        parseSetLockupInstruction,
        getSetLockupInstructionDataEncoder,
        instruction,
      )
      const custodian = unwrapOption(data.custodian) ?? undefined
      return stake('setLockup', accounts.stake, {
        authority: accounts.authority.address,
        ...(custodian !== undefined && { target: custodian }),
        lockup: lockupOf(unwrapOption(data.unixTimestamp), unwrapOption(data.epoch), custodian),
      })
    }
    case Kind.SetLockupChecked: {
      const { accounts, data } = parseExactly(
        parseSetLockupCheckedInstruction,
        getSetLockupCheckedInstructionDataEncoder,
        instruction,
      )
      // The parser knows this account by its place alone, where the program looks as well.
      const custodian = instruction.accounts[2]?.address
      return stake('setLockup', accounts.stake, {
        authority: accounts.authority.address,
        ...(custodian !== undefined && { target: custodian }),
        lockup: lockupOf(unwrapOption(data.unixTimestamp), unwrapOption(data.epoch), custodian),
      })
    }
    case Kind.Merge: {
      const { accounts } = parseExactly(parseMergeInstruction, getMergeInstructionDataEncoder, instruction)
      return stake('merge', accounts.sourceStake, {
        authority: accounts.stakeAuthority.address,
        target: accounts.destinationStake.address,
      })
    }
    case Kind.MoveStake: {
      const { accounts, data } = parseExactly(
        parseMoveStakeInstruction,
        getMoveStakeInstructionDataEncoder,
        instruction,
      )
      return moved('moveStake', accounts, data.args)
    }
    case Kind.MoveLamports: {
      const { accounts, data } = parseExactly(
        parseMoveLamportsInstruction,
        getMoveLamportsInstructionDataEncoder,
        instruction,
      )
      return moved('moveLamports', accounts, data.args)
    }
    default:
      return undefined
  }
}

interface Named {
  readonly address: string
}

const authorized = (account: Named, authority: Named, next: string, role: StakeAuthorize): StakeAction =>
  stake('authorize', account, {
    authority: authority.address,
    target: next,
    role: role === StakeAuthorize.Withdrawer ? 'withdrawer' : 'staker',
  })

const moved = (
  step: 'moveStake' | 'moveLamports',
  accounts: { sourceStake: Named; destinationStake: Named; stakeAuthority: Named },
  lamports: bigint,
): StakeAction =>
  stake(step, accounts.sourceStake, {
    authority: accounts.stakeAuthority.address,
    target: accounts.destinationStake.address,
    lamports,
  })

const stake = (
  step: StakeAction['step'],
  account: Named,
  more: {
    authority?: string
    target?: string
    role?: StakeAction['role']
    lamports?: bigint
    lockup?: Partial<StakeLockup>
  },
): StakeAction => ({
  kind: 'stake',
  step,
  account: account.address,
  authority: more.authority,
  target: more.target,
  role: more.role,
  lamports: more.lamports,
  ...(more.lockup && { lockup: more.lockup }),
})

const lockupOf = (
  until: number | bigint | null,
  epoch: number | bigint | null,
  custodian: string | undefined,
): Partial<StakeLockup> => ({
  ...(until !== null && { until: BigInt(until) }),
  ...(epoch !== null && { epoch: BigInt(epoch) }),
  ...(custodian !== undefined && { custodian }),
})
