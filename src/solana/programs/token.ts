import { type Option, unwrapOption } from '@solana/kit'
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  AssociatedTokenInstruction,
  AuthorityType,
  getApproveCheckedInstructionDataEncoder,
  getApproveInstructionDataEncoder,
  getBatchInstructionDataDecoder,
  getBatchInstructionDataEncoder,
  getBurnCheckedInstructionDataEncoder,
  getBurnInstructionDataEncoder,
  getCloseAccountInstructionDataEncoder,
  getFreezeAccountInstructionDataEncoder,
  getInitializeAccount2InstructionDataEncoder,
  getInitializeAccount3InstructionDataEncoder,
  getInitializeAccountInstructionDataEncoder,
  getInitializeImmutableOwnerInstructionDataEncoder,
  getInitializeMint2InstructionDataEncoder,
  getInitializeMintInstructionDataEncoder,
  getInitializeMultisig2InstructionDataEncoder,
  getInitializeMultisigInstructionDataEncoder,
  getMintToCheckedInstructionDataEncoder,
  getMintToInstructionDataEncoder,
  getRevokeInstructionDataEncoder,
  getSetAuthorityInstructionDataEncoder,
  getSyncNativeInstructionDataEncoder,
  getThawAccountInstructionDataEncoder,
  getTransferCheckedInstructionDataEncoder,
  getTransferInstructionDataEncoder,
  getUnwrapLamportsInstructionDataEncoder,
  getWithdrawExcessLamportsInstructionDataEncoder,
  parseAssociatedTokenInstruction,
  parseTokenInstruction,
  TOKEN_PROGRAM_ADDRESS,
  TokenInstruction,
} from '@solana-program/token'
import type { ActionDetail, AuthorityRole, TokenTransfer } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { type DataEncoder, isExact, toParserInput } from './exact.ts'

export const TOKEN_PROGRAM: string = TOKEN_PROGRAM_ADDRESS
export const ASSOCIATED_TOKEN_PROGRAM: string = ASSOCIATED_TOKEN_PROGRAM_ADDRESS

/** What is missing only computes something, and moves nothing. */
const encoders: Readonly<Partial<Record<TokenInstruction, DataEncoder>>> = {
  [TokenInstruction.InitializeMint]: getInitializeMintInstructionDataEncoder,
  [TokenInstruction.InitializeMint2]: getInitializeMint2InstructionDataEncoder,
  [TokenInstruction.InitializeAccount]: getInitializeAccountInstructionDataEncoder,
  [TokenInstruction.InitializeAccount2]: getInitializeAccount2InstructionDataEncoder,
  [TokenInstruction.InitializeAccount3]: getInitializeAccount3InstructionDataEncoder,
  [TokenInstruction.InitializeMultisig]: getInitializeMultisigInstructionDataEncoder,
  [TokenInstruction.InitializeMultisig2]: getInitializeMultisig2InstructionDataEncoder,
  [TokenInstruction.InitializeImmutableOwner]: getInitializeImmutableOwnerInstructionDataEncoder,
  [TokenInstruction.Transfer]: getTransferInstructionDataEncoder,
  [TokenInstruction.TransferChecked]: getTransferCheckedInstructionDataEncoder,
  [TokenInstruction.Approve]: getApproveInstructionDataEncoder,
  [TokenInstruction.ApproveChecked]: getApproveCheckedInstructionDataEncoder,
  [TokenInstruction.Revoke]: getRevokeInstructionDataEncoder,
  [TokenInstruction.SetAuthority]: getSetAuthorityInstructionDataEncoder,
  [TokenInstruction.MintTo]: getMintToInstructionDataEncoder,
  [TokenInstruction.MintToChecked]: getMintToCheckedInstructionDataEncoder,
  [TokenInstruction.Burn]: getBurnInstructionDataEncoder,
  [TokenInstruction.BurnChecked]: getBurnCheckedInstructionDataEncoder,
  [TokenInstruction.CloseAccount]: getCloseAccountInstructionDataEncoder,
  [TokenInstruction.FreezeAccount]: getFreezeAccountInstructionDataEncoder,
  [TokenInstruction.ThawAccount]: getThawAccountInstructionDataEncoder,
  [TokenInstruction.SyncNative]: getSyncNativeInstructionDataEncoder,
  [TokenInstruction.WithdrawExcessLamports]: getWithdrawExcessLamportsInstructionDataEncoder,
  [TokenInstruction.UnwrapLamports]: getUnwrapLamportsInstructionDataEncoder,
}

const roles: Readonly<Record<AuthorityType, AuthorityRole>> = {
  [AuthorityType.MintTokens]: 'mintTokens',
  [AuthorityType.FreezeAccount]: 'freezeAccount',
  [AuthorityType.AccountOwner]: 'accountOwner',
  [AuthorityType.CloseAccount]: 'closeAccount',
}

/** Decodes an instruction that the token program and Token-2022 share. Throws if its parser can't read it. */
export function decodeToken(instruction: MessageInstruction): ActionDetail | undefined {
  const parsed = parseTokenInstruction(toParserInput(instruction))
  const { instructionType: type } = parsed
  if (!('data' in parsed) || !isExact(encoders[type], parsed.data, instruction.data)) return undefined
  switch (parsed.instructionType) {
    case TokenInstruction.Transfer: {
      const { source, destination, authority } = parsed.accounts
      return transferred(source.address, destination.address, authority.address, parsed.data.amount)
    }
    case TokenInstruction.TransferChecked: {
      const { source, mint, destination, authority } = parsed.accounts
      const { amount, decimals } = parsed.data
      return {
        ...transferred(source.address, destination.address, authority.address, amount),
        mint: mint.address,
        decimals,
      }
    }
    case TokenInstruction.Approve:
    case TokenInstruction.ApproveChecked: {
      const { source, delegate, owner } = parsed.accounts
      const { amount } = parsed.data
      return {
        kind: 'approveToken',
        account: source.address,
        delegate: delegate.address,
        owner: owner.address,
        amount,
        mint: 'mint' in parsed.accounts ? parsed.accounts.mint.address : undefined,
        decimals: 'decimals' in parsed.data ? parsed.data.decimals : undefined,
      }
    }
    case TokenInstruction.Revoke: {
      const { source, owner } = parsed.accounts
      return { kind: 'revokeToken', account: source.address, owner: owner.address }
    }
    case TokenInstruction.SetAuthority: {
      const { owned, owner } = parsed.accounts
      const { authorityType, newAuthority } = parsed.data
      return {
        kind: 'setAuthority',
        account: owned.address,
        role: roles[authorityType],
        current: owner.address,
        next: unwrapped(newAuthority),
      }
    }
    case TokenInstruction.MintTo:
    case TokenInstruction.MintToChecked: {
      const { mint, token, mintAuthority } = parsed.accounts
      return {
        kind: 'mintToken',
        mint: mint.address,
        account: token.address,
        authority: mintAuthority.address,
        amount: parsed.data.amount,
        decimals: 'decimals' in parsed.data ? parsed.data.decimals : undefined,
      }
    }
    case TokenInstruction.Burn:
    case TokenInstruction.BurnChecked: {
      const { mint, account, authority } = parsed.accounts
      return {
        kind: 'burnToken',
        mint: mint.address,
        account: account.address,
        authority: authority.address,
        amount: parsed.data.amount,
        decimals: 'decimals' in parsed.data ? parsed.data.decimals : undefined,
      }
    }
    case TokenInstruction.CloseAccount: {
      const { account, destination, owner } = parsed.accounts
      return {
        kind: 'closeAccount',
        account: account.address,
        destination: destination.address,
        owner: owner.address,
      }
    }
    case TokenInstruction.FreezeAccount:
    case TokenInstruction.ThawAccount: {
      const { account, mint, owner } = parsed.accounts
      return {
        kind: type === TokenInstruction.FreezeAccount ? 'freezeAccount' : 'thawAccount',
        account: account.address,
        mint: mint.address,
        authority: owner.address,
      }
    }
    case TokenInstruction.InitializeAccount: {
      const { account, mint, owner } = parsed.accounts
      return initialized(account.address, mint.address, owner.address)
    }
    case TokenInstruction.InitializeAccount2:
    case TokenInstruction.InitializeAccount3: {
      const { account, mint } = parsed.accounts
      return initialized(account.address, mint.address, parsed.data.owner)
    }
    case TokenInstruction.InitializeMint:
    case TokenInstruction.InitializeMint2: {
      const { decimals, mintAuthority, freezeAuthority } = parsed.data
      return {
        kind: 'initializeMint',
        mint: parsed.accounts.mint.address,
        decimals,
        authority: mintAuthority,
        freezeAuthority: unwrapped(freezeAuthority),
      }
    }
    case TokenInstruction.InitializeMultisig:
    case TokenInstruction.InitializeMultisig2:
      return {
        kind: 'initializeMultisig',
        account: parsed.accounts.multisig.address,
        required: parsed.data.m,
      }
    case TokenInstruction.InitializeImmutableOwner:
    case TokenInstruction.SyncNative:
      return { kind: 'prepareTokenAccount', account: parsed.accounts.account.address }
    case TokenInstruction.WithdrawExcessLamports:
    case TokenInstruction.UnwrapLamports: {
      const { source, destination, authority } = parsed.accounts
      return {
        kind: 'withdrawLamports',
        account: source.address,
        destination: destination.address,
        authority: authority.address,
        lamports: 'amount' in parsed.data ? unwrapped(parsed.data.amount) : undefined,
      }
    }
    default:
      return undefined
  }
}

const BATCH = 255

/** The instructions that one of the token program runs in a row; `undefined` for any other, and for one that can't be read. */
export function unpackBatch(instruction: MessageInstruction): readonly MessageInstruction[] | undefined {
  const { program, accounts, data } = instruction
  if (data[0] !== BATCH) return undefined
  const batch = getBatchInstructionDataDecoder().decode(data)
  if (!isExact(getBatchInstructionDataEncoder, batch, data)) return undefined
  let used = 0
  const parts = batch.data.map(({ numberOfAccounts, instructionData }) => {
    const own = accounts.slice(used, used + numberOfAccounts)
    used += numberOfAccounts
    return { program, accounts: own, data: Uint8Array.from(instructionData) }
  })
  const isComplete = used <= accounts.length && parts.every((part) => part.data[0] !== BATCH)
  return isComplete ? parts : undefined
}

/** Decodes an instruction of the program of associated token accounts. Throws if its parser can't read it. */
export function decodeAssociatedToken(instruction: MessageInstruction): ActionDetail | undefined {
  const { data } = instruction
  if (data.length > 1) return undefined
  // Without data it creates an account.
  const input = { ...toParserInput(instruction), data: data.length === 0 ? Uint8Array.of(0) : data }
  const parsed = parseAssociatedTokenInstruction(input)
  if (parsed.instructionType === AssociatedTokenInstruction.RecoverNestedAssociatedToken) {
    const { nestedAssociatedAccountAddress, destinationAssociatedAccountAddress, walletAddress } =
      parsed.accounts
    return {
      kind: 'recoverNested',
      account: nestedAssociatedAccountAddress.address,
      destination: destinationAssociatedAccountAddress.address,
      owner: walletAddress.address,
    }
  }
  const { payer, ata, owner, mint, tokenProgram } = parsed.accounts
  return {
    kind: 'createTokenAccount',
    payer: payer.address,
    account: ata.address,
    owner: owner.address,
    mint: mint.address,
    tokenProgram: tokenProgram.address,
    isIdempotent: parsed.instructionType === AssociatedTokenInstruction.CreateAssociatedTokenIdempotent,
  }
}

const unwrapped = <T>(option: Option<T>): T | undefined => unwrapOption(option) ?? undefined

const transferred = (
  source: string,
  destination: string,
  authority: string,
  amount: bigint,
): TokenTransfer => ({
  kind: 'transferToken',
  source,
  destination,
  authority,
  amount,
  mint: undefined,
  decimals: undefined,
  fee: undefined,
  sourceOwner: undefined,
  destinationOwner: undefined,
})

const initialized = (account: string, mint: string, owner: string): ActionDetail => ({
  kind: 'initializeTokenAccount',
  account,
  mint,
  owner,
})
