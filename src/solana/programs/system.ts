import {
  getAdvanceNonceAccountInstructionDataEncoder,
  getAllocateInstructionDataEncoder,
  getAllocateWithSeedInstructionDataEncoder,
  getAssignInstructionDataEncoder,
  getAssignWithSeedInstructionDataEncoder,
  getAuthorizeNonceAccountInstructionDataEncoder,
  getCreateAccountAllowPrefundInstructionDataEncoder,
  getCreateAccountInstructionDataEncoder,
  getCreateAccountWithSeedInstructionDataEncoder,
  getInitializeNonceAccountInstructionDataEncoder,
  getTransferSolInstructionDataEncoder,
  getTransferSolWithSeedInstructionDataEncoder,
  getUpgradeNonceAccountInstructionDataEncoder,
  getWithdrawNonceAccountInstructionDataEncoder,
  parseSystemInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  SystemInstruction,
} from '@solana-program/system'
import type { ActionDetail, NonceAction } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { type DataEncoder, isExact, toParserInput } from './exact.ts'

export const SYSTEM_PROGRAM: string = SYSTEM_PROGRAM_ADDRESS

const encoders: Readonly<Record<SystemInstruction, DataEncoder>> = {
  [SystemInstruction.CreateAccount]: getCreateAccountInstructionDataEncoder,
  [SystemInstruction.Assign]: getAssignInstructionDataEncoder,
  [SystemInstruction.TransferSol]: getTransferSolInstructionDataEncoder,
  [SystemInstruction.CreateAccountWithSeed]: getCreateAccountWithSeedInstructionDataEncoder,
  [SystemInstruction.AdvanceNonceAccount]: getAdvanceNonceAccountInstructionDataEncoder,
  [SystemInstruction.WithdrawNonceAccount]: getWithdrawNonceAccountInstructionDataEncoder,
  [SystemInstruction.InitializeNonceAccount]: getInitializeNonceAccountInstructionDataEncoder,
  [SystemInstruction.AuthorizeNonceAccount]: getAuthorizeNonceAccountInstructionDataEncoder,
  [SystemInstruction.Allocate]: getAllocateInstructionDataEncoder,
  [SystemInstruction.AllocateWithSeed]: getAllocateWithSeedInstructionDataEncoder,
  [SystemInstruction.AssignWithSeed]: getAssignWithSeedInstructionDataEncoder,
  [SystemInstruction.TransferSolWithSeed]: getTransferSolWithSeedInstructionDataEncoder,
  [SystemInstruction.UpgradeNonceAccount]: getUpgradeNonceAccountInstructionDataEncoder,
  [SystemInstruction.CreateAccountAllowPrefund]: getCreateAccountAllowPrefundInstructionDataEncoder,
}

/** Decodes an instruction of the system program. Throws if its parser can't read it. */
export function decodeSystem(instruction: MessageInstruction): ActionDetail | undefined {
  const parsed = parseSystemInstruction(toParserInput(instruction))
  if (!isExact(encoders[parsed.instructionType], parsed.data, instruction.data)) return undefined
  switch (parsed.instructionType) {
    case SystemInstruction.TransferSol: {
      const { source, destination } = parsed.accounts
      return {
        kind: 'transferSol',
        from: source.address,
        to: destination.address,
        lamports: parsed.data.amount,
      }
    }
    case SystemInstruction.TransferSolWithSeed: {
      const { source, destination } = parsed.accounts
      return {
        kind: 'transferSol',
        from: source.address,
        to: destination.address,
        lamports: parsed.data.amount,
      }
    }
    case SystemInstruction.CreateAccount:
    case SystemInstruction.CreateAccountAllowPrefund: {
      const { payer, newAccount } = parsed.accounts
      const { lamports, space, programAddress } = parsed.data
      return created(payer?.address, newAccount.address, lamports, space, programAddress)
    }
    case SystemInstruction.CreateAccountWithSeed: {
      const { payer, newAccount } = parsed.accounts
      const { amount, space, programAddress } = parsed.data
      return created(payer.address, newAccount.address, amount, space, programAddress)
    }
    case SystemInstruction.Assign:
    case SystemInstruction.AssignWithSeed:
      return {
        kind: 'assign',
        account: parsed.accounts.account.address,
        owner: parsed.data.programAddress,
      }
    case SystemInstruction.Allocate:
      return {
        kind: 'allocate',
        account: parsed.accounts.newAccount.address,
        space: parsed.data.space,
        owner: undefined,
      }
    case SystemInstruction.AllocateWithSeed:
      return {
        kind: 'allocate',
        account: parsed.accounts.newAccount.address,
        space: parsed.data.space,
        owner: parsed.data.programAddress,
      }
    case SystemInstruction.AdvanceNonceAccount: {
      const { nonceAccount, nonceAuthority } = parsed.accounts
      return nonce('advance', nonceAccount.address, { authority: nonceAuthority.address })
    }
    case SystemInstruction.WithdrawNonceAccount: {
      const { nonceAccount, recipientAccount, nonceAuthority } = parsed.accounts
      return nonce('withdraw', nonceAccount.address, {
        authority: nonceAuthority.address,
        destination: recipientAccount.address,
        lamports: parsed.data.withdrawAmount,
      })
    }
    case SystemInstruction.InitializeNonceAccount:
      return nonce('initialize', parsed.accounts.nonceAccount.address, {
        authority: parsed.data.nonceAuthority,
      })
    case SystemInstruction.AuthorizeNonceAccount:
      return nonce('authorize', parsed.accounts.nonceAccount.address, {
        authority: parsed.data.newNonceAuthority,
      })
    case SystemInstruction.UpgradeNonceAccount:
      return nonce('upgrade', parsed.accounts.nonceAccount.address, {})
  }
}

const created = (
  payer: string | undefined,
  account: string,
  lamports: bigint,
  space: bigint,
  owner: string,
): ActionDetail => ({ kind: 'createAccount', payer, account, lamports, space, owner })

const nonce = (
  step: NonceAction['step'],
  account: string,
  more: { authority?: string; destination?: string; lamports?: bigint },
): NonceAction => ({
  kind: 'nonce',
  step,
  account,
  authority: more.authority,
  destination: more.destination,
  lamports: more.lamports,
})
