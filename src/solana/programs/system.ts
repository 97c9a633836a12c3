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
  SystemInstruction as Kind,
  parseAdvanceNonceAccountInstruction,
  parseAllocateInstruction,
  parseAllocateWithSeedInstruction,
  parseAssignInstruction,
  parseAssignWithSeedInstruction,
  parseAuthorizeNonceAccountInstruction,
  parseCreateAccountAllowPrefundInstruction,
  parseCreateAccountInstruction,
  parseCreateAccountWithSeedInstruction,
  parseInitializeNonceAccountInstruction,
  parseTransferSolInstruction,
  parseTransferSolWithSeedInstruction,
  parseUpgradeNonceAccountInstruction,
  parseWithdrawNonceAccountInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system'
import type { ActionDetail, NonceAction } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { bincodeKind, parseExactly } from './exact.ts'

export const SYSTEM_PROGRAM: string = SYSTEM_PROGRAM_ADDRESS

/** Decodes an instruction of the system program. Throws if its parser can't read it. */
export function decodeSystem(instruction: MessageInstruction): ActionDetail | undefined {
  switch (bincodeKind(instruction.data) as Kind) {
    case Kind.TransferSol: {
      const { accounts, data } = parseExactly(
        parseTransferSolInstruction,
        getTransferSolInstructionDataEncoder,
        instruction,
      )
      return transferred(accounts, data.amount)
    }
    case Kind.TransferSolWithSeed: {
      const { accounts, data } = parseExactly(
        parseTransferSolWithSeedInstruction,
        getTransferSolWithSeedInstructionDataEncoder,
        instruction,
      )
      return { ...transferred(accounts, data.amount), base: accounts.baseAccount.address }
    }
    case Kind.CreateAccount: {
      const { accounts, data } = parseExactly(
        parseCreateAccountInstruction,
        getCreateAccountInstructionDataEncoder,
        instruction,
      )
      return created(accounts, data.lamports, data)
    }
    case Kind.CreateAccountAllowPrefund: {
      const { accounts, data } = parseExactly(
        parseCreateAccountAllowPrefundInstruction,
        getCreateAccountAllowPrefundInstructionDataEncoder,
        instruction,
      )
      return created(accounts, data.lamports, data)
    }
    case Kind.CreateAccountWithSeed: {
      const { accounts, data } = parseExactly(
        parseCreateAccountWithSeedInstruction,
        getCreateAccountWithSeedInstructionDataEncoder,
        instruction,
      )
      return { ...created(accounts, data.amount, data), base: data.base }
    }
    case Kind.Assign: {
      const { accounts, data } = parseExactly(
        parseAssignInstruction,
        getAssignInstructionDataEncoder,
        instruction,
      )
      return { kind: 'assign', account: accounts.account.address, owner: data.programAddress }
    }
    case Kind.AssignWithSeed: {
      const { accounts, data } = parseExactly(
        parseAssignWithSeedInstruction,
        getAssignWithSeedInstructionDataEncoder,
        instruction,
      )
      return {
        kind: 'assign',
        account: accounts.account.address,
        owner: data.programAddress,
        base: data.base,
      }
    }
    case Kind.Allocate: {
      const { accounts, data } = parseExactly(
        parseAllocateInstruction,
        getAllocateInstructionDataEncoder,
        instruction,
      )
      return {
        kind: 'allocate',
        account: accounts.newAccount.address,
        space: data.space,
        owner: undefined,
      }
    }
    case Kind.AllocateWithSeed: {
      const { accounts, data } = parseExactly(
        parseAllocateWithSeedInstruction,
        getAllocateWithSeedInstructionDataEncoder,
        instruction,
      )
      return {
        kind: 'allocate',
        account: accounts.newAccount.address,
        space: data.space,
        owner: data.programAddress,
        base: data.base,
      }
    }
    case Kind.AdvanceNonceAccount: {
      const { accounts } = parseExactly(
        parseAdvanceNonceAccountInstruction,
        getAdvanceNonceAccountInstructionDataEncoder,
        instruction,
      )
      return nonce('advance', accounts.nonceAccount, { authority: accounts.nonceAuthority.address })
    }
    case Kind.WithdrawNonceAccount: {
      const { accounts, data } = parseExactly(
        parseWithdrawNonceAccountInstruction,
        getWithdrawNonceAccountInstructionDataEncoder,
        instruction,
      )
      return nonce('withdraw', accounts.nonceAccount, {
        authority: accounts.nonceAuthority.address,
        destination: accounts.recipientAccount.address,
        lamports: data.withdrawAmount,
      })
    }
    case Kind.InitializeNonceAccount: {
      const { accounts, data } = parseExactly(
        parseInitializeNonceAccountInstruction,
        getInitializeNonceAccountInstructionDataEncoder,
        instruction,
      )
      return nonce('initialize', accounts.nonceAccount, { authority: data.nonceAuthority })
    }
    case Kind.AuthorizeNonceAccount: {
      const { accounts, data } = parseExactly(
        parseAuthorizeNonceAccountInstruction,
        getAuthorizeNonceAccountInstructionDataEncoder,
        instruction,
      )
      return nonce('authorize', accounts.nonceAccount, {
        authority: data.newNonceAuthority,
        current: accounts.nonceAuthority.address,
      })
    }
    case Kind.UpgradeNonceAccount: {
      const { accounts } = parseExactly(
        parseUpgradeNonceAccountInstruction,
        getUpgradeNonceAccountInstructionDataEncoder,
        instruction,
      )
      return nonce('upgrade', accounts.nonceAccount, {})
    }
    default:
      return undefined
  }
}

interface Named {
  readonly address: string
}

const transferred = (
  { source, destination }: { source: Named; destination: Named },
  lamports: bigint,
): Extract<ActionDetail, { kind: 'transferSol' }> => ({
  kind: 'transferSol',
  from: source.address,
  to: destination.address,
  lamports,
})

const created = (
  { payer, newAccount }: { payer?: Named | undefined; newAccount: Named },
  lamports: bigint,
  { space, programAddress }: { space: bigint; programAddress: string },
): Extract<ActionDetail, { kind: 'createAccount' }> => ({
  kind: 'createAccount',
  payer: payer?.address,
  account: newAccount.address,
  lamports,
  space,
  owner: programAddress,
})

const nonce = (
  step: NonceAction['step'],
  account: Named,
  more: { authority?: string; current?: string; destination?: string; lamports?: bigint },
): NonceAction => ({
  kind: 'nonce',
  step,
  account: account.address,
  authority: more.authority,
  ...(more.current !== undefined && { current: more.current }),
  destination: more.destination,
  lamports: more.lamports,
})
