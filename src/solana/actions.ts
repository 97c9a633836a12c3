/** The actions of Solana's transactions in typed fields. Addresses are base58, amounts in the smallest unit that the network moves. */
import type { MessageAccount } from './message.ts'
import type { TokenScale } from './token-scale.ts'

/** One action of an instruction, with everything that the instruction consists of. */
export type SolanaAction = ActionDetail & ActionSource
export interface ActionSource {
  /** Counts the transaction's instructions from 0. */
  readonly instruction: number
  /** `true` for an instruction that a program made while the transaction was simulated. */
  readonly isInner: boolean
  readonly program: string
  readonly accounts: readonly MessageAccount[]
  readonly data: Uint8Array
}

export type ActionDetail =
  | {
      readonly kind: 'transferSol'
      readonly from: string
      /** Signs for `from`, whose address is made of it and a seed. */
      readonly base?: string | undefined
      readonly to: string
      readonly lamports: bigint
      /** What `to` is, where that is known to be an account of tokens. */
      readonly token?: { readonly owner: string; readonly mint: string } | undefined
    }
  | {
      readonly kind: 'createAccount'
      /** Without it the account was paid for before. */
      readonly payer: string | undefined
      readonly account: string
      readonly lamports: bigint
      readonly space: bigint
      /** The program that the account is for. */
      readonly owner: string
      /** The address is made of it and a seed. */
      readonly base?: string | undefined
    }
  | {
      readonly kind: 'assign'
      readonly account: string
      readonly owner: string
      readonly base?: string | undefined
    }
  | {
      readonly kind: 'allocate'
      readonly account: string
      readonly space: bigint
      readonly owner: string | undefined
      readonly base?: string | undefined
    }
  | NonceAction
  | TokenTransfer
  | {
      readonly kind: 'approveToken'
      readonly account: string
      readonly delegate: string
      readonly owner: string
      readonly amount: bigint
      readonly mint: string | undefined
      readonly decimals: number | undefined
      readonly symbol?: string | undefined
      /** As in a {@link TokenTransfer}. */
      readonly scale?: TokenScale | undefined
    }
  | { readonly kind: 'revokeToken'; readonly account: string; readonly owner: string }
  | {
      readonly kind: 'setAuthority'
      /** A mint, or an account of tokens. */
      readonly account: string
      readonly role: AuthorityRole
      readonly current: string
      /** `undefined`: nobody has it from then on. */
      readonly next: string | undefined
    }
  | {
      readonly kind: 'closeAccount'
      readonly account: string
      readonly destination: string
      readonly owner: string
    }
  | {
      readonly kind: 'burnToken' | 'mintToken'
      readonly mint: string
      readonly account: string
      readonly authority: string
      readonly amount: bigint
      readonly decimals: number | undefined
      readonly symbol?: string | undefined
      /** As in a {@link TokenTransfer}. */
      readonly scale?: TokenScale | undefined
    }
  | {
      readonly kind: 'freezeAccount' | 'thawAccount'
      readonly account: string
      readonly mint: string
      readonly authority: string
    }
  | {
      readonly kind: 'createTokenAccount'
      readonly payer: string
      readonly account: string
      readonly owner: string
      readonly mint: string
      readonly tokenProgram: string
      /** `true`: an account that exists already is left as it is. */
      readonly isIdempotent: boolean
    }
  | {
      readonly kind: 'recoverNested'
      readonly account: string
      readonly destination: string
      readonly owner: string
    }
  | {
      readonly kind: 'initializeTokenAccount'
      readonly account: string
      readonly mint: string
      readonly owner: string
    }
  | {
      readonly kind: 'initializeMint'
      readonly mint: string
      readonly decimals: number
      readonly authority: string
      readonly freezeAuthority: string | undefined
    }
  | {
      readonly kind: 'initializeMultisig'
      readonly account: string
      readonly required: number
      readonly signers: readonly string[]
    }
  /** Of an account: it takes the size that its token wants, or counts lamports that came from outside. */
  | { readonly kind: 'prepareTokenAccount'; readonly account: string }
  | {
      readonly kind: 'withdrawLamports'
      readonly account: string
      readonly destination: string
      readonly authority: string
      /** `undefined`: all that it can spare. */
      readonly lamports: bigint | undefined
    }
  | {
      readonly kind: 'tokenExtension'
      readonly extension: TokenExtension
      /** The extension's own instruction by number; 0 sets it up. */
      readonly step: number
      /** What it is about: a mint, or an account of tokens. */
      readonly account: string
      /** Who may act by it from then on, where the instruction says so. */
      readonly authority: string | undefined
    }
  | {
      readonly kind: 'computeBudget'
      readonly setting: 'unitLimit' | 'unitPrice' | 'heapSize' | 'dataSize'
      /** Units, micro-lamports for each unit, or bytes. */
      readonly value: bigint
    }
  | { readonly kind: 'memo'; readonly text: string }
  | StakeAction
  | VoteAction
  | {
      readonly kind: 'program'
      readonly step: 'upgrade' | 'setAuthority' | 'close' | 'deploy' | 'write'
      readonly account: string
      readonly authority: string | undefined
      /** Gets what a closed account holds. */
      readonly recipient?: string | undefined
    }
  | { readonly kind: 'unknown' }

export interface TokenTransfer {
  readonly kind: 'transferToken'
  readonly source: string
  readonly destination: string
  /** Signs for the source: its owner, or a delegate. */
  readonly authority: string
  readonly amount: bigint
  readonly mint: string | undefined
  readonly decimals: number | undefined
  /** In the token's own words, as far as a node has said them. */
  readonly symbol?: string | undefined
  /** How people see amounts of the token; `undefined`: nobody has said it. */
  readonly scale?: TokenScale | undefined
  /** What the token's own fee takes of the amount, where the instruction or the mint says so. */
  readonly fee: bigint | undefined
  readonly sourceOwner: string | undefined
  readonly destinationOwner: string | undefined
}
export interface NonceAction {
  readonly kind: 'nonce'
  readonly step: 'advance' | 'withdraw' | 'initialize' | 'authorize' | 'upgrade'
  readonly account: string
  /** Signs for the account, or is to do so from then on. */
  readonly authority: string | undefined
  /** Signs for the account until another is authorized. */
  readonly current?: string | undefined
  readonly destination: string | undefined
  readonly lamports: bigint | undefined
}
export interface StakeAction {
  readonly kind: 'stake'
  readonly step:
    | 'initialize'
    | 'authorize'
    | 'delegate'
    | 'split'
    | 'withdraw'
    | 'deactivate'
    | 'setLockup'
    | 'merge'
    | 'moveStake'
    | 'moveLamports'
  readonly account: string
  /** Signs for the account. */
  readonly authority: string | undefined
  /** Whom the stake is delegated to, who receives it, or who has the role from then on. */
  readonly target: string | undefined
  readonly role: 'staker' | 'withdrawer' | undefined
  readonly lamports: bigint | undefined
  /** Of a lockup that is set: what is `undefined` stays as it is. */
  readonly lockup?: Partial<StakeLockup> | undefined
}
/** Until both are over, nobody withdraws without the custodian. */
export interface StakeLockup {
  /** Seconds since 1970; 0 for none. */
  readonly until: bigint
  readonly epoch: bigint
  readonly custodian: string
}
export interface VoteAction {
  readonly kind: 'vote'
  readonly step: 'initialize' | 'authorize' | 'withdraw' | 'identity' | 'commission'
  readonly account: string
  /** Signs for the account. */
  readonly authority: string | undefined
  /** Who receives it, or has the role from then on. */
  readonly target: string | undefined
  readonly role: 'voter' | 'withdrawer' | 'node' | undefined
  readonly lamports: bigint | undefined
  /** All roles of an account that is set up. */
  readonly roles?: { readonly node: string; readonly voter: string; readonly withdrawer: string } | undefined
}
export type AuthorityRole =
  | 'mintTokens'
  | 'freezeAccount'
  | 'accountOwner'
  | 'closeAccount'
  | 'transferFeeConfig'
  | 'withheldWithdraw'
  | 'closeMint'
  | 'interestRate'
  | 'permanentDelegate'
  | 'confidentialTransferMint'
  | 'transferHookProgram'
  | 'confidentialTransferFee'
  | 'metadataPointer'
  | 'groupPointer'
  | 'groupMemberPointer'
  | 'scaledAmount'
  | 'pause'
  | 'permissionedBurn'
export type TokenExtension =
  | 'transferFee'
  | 'mintCloseAuthority'
  | 'confidentialTransfer'
  | 'defaultAccountState'
  | 'memoTransfer'
  | 'nonTransferable'
  | 'interestBearing'
  | 'cpiGuard'
  | 'permanentDelegate'
  | 'transferHook'
  | 'confidentialTransferFee'
  | 'metadataPointer'
  | 'groupPointer'
  | 'groupMemberPointer'
  | 'confidentialMintBurn'
  | 'scaledAmount'
  | 'pausable'
  | 'permissionedBurn'
