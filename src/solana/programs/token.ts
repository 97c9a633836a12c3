import { type Option, unwrapOption } from '@solana/kit'
import {
  APPROVE_CHECKED_DISCRIMINATOR,
  APPROVE_DISCRIMINATOR,
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  AssociatedTokenInstruction,
  AuthorityType,
  BATCH_DISCRIMINATOR,
  BURN_CHECKED_DISCRIMINATOR,
  BURN_DISCRIMINATOR,
  CLOSE_ACCOUNT_DISCRIMINATOR,
  FREEZE_ACCOUNT_DISCRIMINATOR,
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
  INITIALIZE_ACCOUNT_DISCRIMINATOR,
  INITIALIZE_ACCOUNT2_DISCRIMINATOR,
  INITIALIZE_ACCOUNT3_DISCRIMINATOR,
  INITIALIZE_IMMUTABLE_OWNER_DISCRIMINATOR,
  INITIALIZE_MINT_DISCRIMINATOR,
  INITIALIZE_MINT2_DISCRIMINATOR,
  INITIALIZE_MULTISIG_DISCRIMINATOR,
  INITIALIZE_MULTISIG2_DISCRIMINATOR,
  MINT_TO_CHECKED_DISCRIMINATOR,
  MINT_TO_DISCRIMINATOR,
  parseApproveCheckedInstruction,
  parseApproveInstruction,
  parseAssociatedTokenInstruction,
  parseBurnCheckedInstruction,
  parseBurnInstruction,
  parseCloseAccountInstruction,
  parseFreezeAccountInstruction,
  parseInitializeAccount2Instruction,
  parseInitializeAccount3Instruction,
  parseInitializeAccountInstruction,
  parseInitializeImmutableOwnerInstruction,
  parseInitializeMint2Instruction,
  parseInitializeMintInstruction,
  parseInitializeMultisig2Instruction,
  parseInitializeMultisigInstruction,
  parseMintToCheckedInstruction,
  parseMintToInstruction,
  parseRevokeInstruction,
  parseSetAuthorityInstruction,
  parseSyncNativeInstruction,
  parseThawAccountInstruction,
  parseTransferCheckedInstruction,
  parseTransferInstruction,
  parseUnwrapLamportsInstruction,
  parseWithdrawExcessLamportsInstruction,
  REVOKE_DISCRIMINATOR,
  SET_AUTHORITY_DISCRIMINATOR,
  SYNC_NATIVE_DISCRIMINATOR,
  THAW_ACCOUNT_DISCRIMINATOR,
  TOKEN_PROGRAM_ADDRESS,
  TRANSFER_CHECKED_DISCRIMINATOR,
  TRANSFER_DISCRIMINATOR,
  UNWRAP_LAMPORTS_DISCRIMINATOR,
  WITHDRAW_EXCESS_LAMPORTS_DISCRIMINATOR,
} from '@solana-program/token'
import type { ActionDetail, AuthorityRole, TokenTransfer } from '../actions.ts'
import type { MessageInstruction } from '../message.ts'
import { assertExact, parseExactly, toParserInput } from './exact.ts'

/** The mint whose tokens are lamports. */
export const NATIVE_MINT = 'So11111111111111111111111111111111111111112'
export const TOKEN_PROGRAM: string = TOKEN_PROGRAM_ADDRESS
export const ASSOCIATED_TOKEN_PROGRAM: string = ASSOCIATED_TOKEN_PROGRAM_ADDRESS

const roles: Readonly<Record<AuthorityType, AuthorityRole>> = {
  [AuthorityType.MintTokens]: 'mintTokens',
  [AuthorityType.FreezeAccount]: 'freezeAccount',
  [AuthorityType.AccountOwner]: 'accountOwner',
  [AuthorityType.CloseAccount]: 'closeAccount',
}

/**
 * Decodes an instruction that the token program and Token-2022 share. Throws if its parser can't read it. Those that only
 * compute something are not named.
 */
export function decodeToken(instruction: MessageInstruction): ActionDetail | undefined {
  switch (instruction.data[0]) {
    case TRANSFER_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseTransferInstruction,
        getTransferInstructionDataEncoder,
        instruction,
      )
      return transferred(accounts, data)
    }
    case TRANSFER_CHECKED_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseTransferCheckedInstruction,
        getTransferCheckedInstructionDataEncoder,
        instruction,
      )
      return transferred(accounts, data)
    }
    case APPROVE_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseApproveInstruction,
        getApproveInstructionDataEncoder,
        instruction,
      )
      return approved(accounts, data)
    }
    case APPROVE_CHECKED_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseApproveCheckedInstruction,
        getApproveCheckedInstructionDataEncoder,
        instruction,
      )
      return approved(accounts, data)
    }
    case REVOKE_DISCRIMINATOR: {
      const { accounts } = parseExactly(parseRevokeInstruction, getRevokeInstructionDataEncoder, instruction)
      return { kind: 'revokeToken', account: accounts.source.address, owner: accounts.owner.address }
    }
    case SET_AUTHORITY_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseSetAuthorityInstruction,
        getSetAuthorityInstructionDataEncoder,
        instruction,
      )
      return {
        kind: 'setAuthority',
        account: accounts.owned.address,
        role: roles[data.authorityType],
        current: accounts.owner.address,
        next: unwrapped(data.newAuthority),
      }
    }
    case MINT_TO_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseMintToInstruction,
        getMintToInstructionDataEncoder,
        instruction,
      )
      const { mint, token, mintAuthority } = accounts
      return supplied('mintToken', { mint, account: token, authority: mintAuthority }, data)
    }
    case MINT_TO_CHECKED_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseMintToCheckedInstruction,
        getMintToCheckedInstructionDataEncoder,
        instruction,
      )
      const { mint, token, mintAuthority } = accounts
      return supplied('mintToken', { mint, account: token, authority: mintAuthority }, data)
    }
    case BURN_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseBurnInstruction,
        getBurnInstructionDataEncoder,
        instruction,
      )
      return supplied('burnToken', accounts, data)
    }
    case BURN_CHECKED_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseBurnCheckedInstruction,
        getBurnCheckedInstructionDataEncoder,
        instruction,
      )
      return supplied('burnToken', accounts, data)
    }
    case CLOSE_ACCOUNT_DISCRIMINATOR: {
      const { accounts } = parseExactly(
        parseCloseAccountInstruction,
        getCloseAccountInstructionDataEncoder,
        instruction,
      )
      const { account, destination, owner } = accounts
      return {
        kind: 'closeAccount',
        account: account.address,
        destination: destination.address,
        owner: owner.address,
      }
    }
    case FREEZE_ACCOUNT_DISCRIMINATOR: {
      const { accounts } = parseExactly(
        parseFreezeAccountInstruction,
        getFreezeAccountInstructionDataEncoder,
        instruction,
      )
      return frozen('freezeAccount', accounts)
    }
    case THAW_ACCOUNT_DISCRIMINATOR: {
      const { accounts } = parseExactly(
        parseThawAccountInstruction,
        getThawAccountInstructionDataEncoder,
        instruction,
      )
      return frozen('thawAccount', accounts)
    }
    case INITIALIZE_ACCOUNT_DISCRIMINATOR: {
      const { accounts } = parseExactly(
        parseInitializeAccountInstruction,
        getInitializeAccountInstructionDataEncoder,
        instruction,
      )
      return initialized(accounts, accounts.owner.address)
    }
    case INITIALIZE_ACCOUNT2_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseInitializeAccount2Instruction,
        getInitializeAccount2InstructionDataEncoder,
        instruction,
      )
      return initialized(accounts, data.owner)
    }
    case INITIALIZE_ACCOUNT3_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseInitializeAccount3Instruction,
        getInitializeAccount3InstructionDataEncoder,
        instruction,
      )
      return initialized(accounts, data.owner)
    }
    case INITIALIZE_MINT_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseInitializeMintInstruction,
        getInitializeMintInstructionDataEncoder,
        instruction,
      )
      return minted(accounts, data)
    }
    case INITIALIZE_MINT2_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseInitializeMint2Instruction,
        getInitializeMint2InstructionDataEncoder,
        instruction,
      )
      return minted(accounts, data)
    }
    case INITIALIZE_MULTISIG_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseInitializeMultisigInstruction,
        getInitializeMultisigInstructionDataEncoder,
        instruction,
      )
      // The second is the sysvar of rents.
      return multisig(accounts.multisig, data.m, instruction.accounts.slice(2))
    }
    case INITIALIZE_MULTISIG2_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseInitializeMultisig2Instruction,
        getInitializeMultisig2InstructionDataEncoder,
        instruction,
      )
      return multisig(accounts.multisig, data.m, instruction.accounts.slice(1))
    }
    case INITIALIZE_IMMUTABLE_OWNER_DISCRIMINATOR: {
      const { accounts } = parseExactly(
        parseInitializeImmutableOwnerInstruction,
        getInitializeImmutableOwnerInstructionDataEncoder,
        instruction,
      )
      return { kind: 'prepareTokenAccount', account: accounts.account.address }
    }
    case SYNC_NATIVE_DISCRIMINATOR: {
      const { accounts } = parseExactly(
        parseSyncNativeInstruction,
        getSyncNativeInstructionDataEncoder,
        instruction,
      )
      return { kind: 'prepareTokenAccount', account: accounts.account.address }
    }
    case WITHDRAW_EXCESS_LAMPORTS_DISCRIMINATOR: {
      const { accounts } = parseExactly(
        parseWithdrawExcessLamportsInstruction,
        getWithdrawExcessLamportsInstructionDataEncoder,
        instruction,
      )
      return withdrawn(accounts, undefined)
    }
    case UNWRAP_LAMPORTS_DISCRIMINATOR: {
      const { accounts, data } = parseExactly(
        parseUnwrapLamportsInstruction,
        getUnwrapLamportsInstructionDataEncoder,
        instruction,
      )
      return withdrawn(accounts, unwrapped(data.amount))
    }
    default:
      return undefined
  }
}

/** The instructions that one of the token program runs in a row; `undefined` for any other. Throws if they can't be read. */
export function unpackBatch(instruction: MessageInstruction): readonly MessageInstruction[] | undefined {
  const { program, accounts, data } = instruction
  if (data[0] !== BATCH_DISCRIMINATOR) return undefined
  const batch = getBatchInstructionDataDecoder().decode(data)
  assertExact(getBatchInstructionDataEncoder, batch, data)
  let used = 0
  const parts = batch.data.map(({ numberOfAccounts, instructionData }) => {
    const own = accounts.slice(used, used + numberOfAccounts)
    used += numberOfAccounts
    return { program, accounts: own, data: Uint8Array.from(instructionData) }
  })
  // An empty one would be no action at all, and not be shown.
  const isComplete =
    parts.length > 0 && used <= accounts.length && parts.every((part) => part.data[0] !== BATCH_DISCRIMINATOR)
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

interface Named {
  readonly address: string
}
/** `decimals` only where the instruction checks them. */
interface Amount {
  readonly amount: bigint
  readonly decimals?: number
}

const transferred = (
  accounts: { source: Named; mint?: Named; destination: Named; authority: Named },
  { amount, decimals }: Amount,
): TokenTransfer => ({
  kind: 'transferToken',
  source: accounts.source.address,
  destination: accounts.destination.address,
  authority: accounts.authority.address,
  amount,
  mint: accounts.mint?.address,
  decimals,
  fee: undefined,
  sourceOwner: undefined,
  destinationOwner: undefined,
})

const approved = (
  accounts: { source: Named; mint?: Named; delegate: Named; owner: Named },
  { amount, decimals }: Amount,
): ActionDetail => ({
  kind: 'approveToken',
  account: accounts.source.address,
  delegate: accounts.delegate.address,
  owner: accounts.owner.address,
  amount,
  mint: accounts.mint?.address,
  decimals,
})

const supplied = (
  kind: 'mintToken' | 'burnToken',
  { mint, account, authority }: { mint: Named; account: Named; authority: Named },
  { amount, decimals }: Amount,
): ActionDetail => ({
  kind,
  mint: mint.address,
  account: account.address,
  authority: authority.address,
  amount,
  decimals,
})

const frozen = (
  kind: 'freezeAccount' | 'thawAccount',
  { account, mint, owner }: { account: Named; mint: Named; owner: Named },
): ActionDetail => ({ kind, account: account.address, mint: mint.address, authority: owner.address })

const initialized = ({ account, mint }: { account: Named; mint: Named }, owner: string): ActionDetail => ({
  kind: 'initializeTokenAccount',
  account: account.address,
  mint: mint.address,
  owner,
})

const multisig = (account: Named, required: number, signers: readonly Named[]): ActionDetail => ({
  kind: 'initializeMultisig',
  account: account.address,
  required,
  signers: signers.map(({ address }) => address),
})

const minted = (
  { mint }: { mint: Named },
  data: { decimals: number; mintAuthority: string; freezeAuthority: Option<string> },
): ActionDetail => ({
  kind: 'initializeMint',
  mint: mint.address,
  decimals: data.decimals,
  authority: data.mintAuthority,
  freezeAuthority: unwrapped(data.freezeAuthority),
})

const withdrawn = (
  { source, destination, authority }: { source: Named; destination: Named; authority: Named },
  lamports: bigint | undefined,
): ActionDetail => ({
  kind: 'withdrawLamports',
  account: source.address,
  destination: destination.address,
  authority: authority.address,
  lamports,
})
