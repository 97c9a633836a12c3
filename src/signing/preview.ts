/** The preview of a transaction: plain data, the same for all chains, and all that a review screen displays. */
import { formatUnits } from '../ethereum/amounts.ts'
import type { AllowanceEdit } from '../ethereum/edit-allowance.ts'
import type { FeeSpeed } from '../ethereum/fees.ts'
import { isAllowance, type TokenAction } from '../ethereum/token-action.ts'
import type { FeeConcern } from '../lib/fee-concern.ts'
import type { SolanaAction } from '../solana/actions.ts'
import { leastShown, type TokenScale, toShown } from '../solana/token-scale.ts'
import type { MintExtension } from '../solana/token-state.ts'
import type { SolanaWarning } from '../solana/warnings.ts'

/** A coin or token, and how its smallest units are counted. */
export interface Asset {
  readonly symbol: string
  readonly decimals: number
  /** How people see its amounts, where that isn't as the network moves them. */
  readonly scale?: TokenScale | undefined
}

/** One thing that a request does, with its own amount. Amounts are in smallest units; the view formats them. */
export type Action = ActionDetail & {
  /** The network's coin that goes along with it. */
  readonly coins?: bigint | undefined
  /** The account that does it with what is its own, where that isn't the wallet. */
  readonly by?: string | undefined
}
type ActionDetail =
  /** The network's own coin goes to `to`. */
  | { readonly kind: 'transfer'; readonly to: string; readonly amount: bigint }
  /** A known call of a token contract; `asset` if the token's figures are known. */
  | { readonly kind: 'token'; readonly call: TokenAction; readonly asset?: Asset | undefined }
  | { readonly kind: 'deploy' }
  /** Tokens are made. */
  | {
      readonly kind: 'mint'
      readonly contract?: string | undefined
      /** The one who gets them; `undefined`: the caller. */
      readonly to?: string | undefined
      readonly amount?: bigint | undefined
      readonly token?: bigint | undefined
      readonly amountOrToken?: bigint | undefined
    }
  /** A call or message in the words of its contract's descriptor (ERC-7730). */
  | Described
  /** An offer that anyone may take. */
  | {
      readonly kind: 'order'
      readonly gives: readonly OrderItem[]
      readonly gets: readonly OrderItem[]
      /** Seconds since 1970. */
      readonly expires?: bigint | undefined
      /** Who is paid, where that isn't the signer. */
      readonly proceedsTo?: string | undefined
    }
  /** Someone else may act for the account. */
  | {
      readonly kind: 'delegation'
      readonly delegate?: string | undefined
      /** It is for this alone. */
      readonly only?: 'votes' | 'fee' | undefined
    }
  /** Money that an app pays out for a signature, all of it in the app's own words. */
  | {
      readonly kind: 'payment'
      readonly to: string
      readonly amount: string
      readonly token?: string | undefined
    }
  /** A signed transfer that was not sent yet is taken back. */
  | { readonly kind: 'revocation'; readonly contract?: string | undefined }
  /** Someone or something gets control over a contract or an account. */
  | {
      readonly kind: 'control'
      readonly name: string
      readonly contract?: string | undefined
      readonly subject?: string | undefined
    }
  /** An account of a contract carries out what follows: a Safe, or a smart account. */
  | {
      readonly kind: 'account'
      readonly form: 'safe' | 'userOperation' | 'forwarded' | 'smart' | 'entryPoint'
      readonly account?: string | undefined
      readonly to?: string | undefined
      readonly isDelegateCall: boolean
    }
  /** A Safe pays for the sending of its transaction. */
  | {
      readonly kind: 'refund'
      readonly account?: string | undefined
      /** Its contract; `undefined`: the network's coin. */
      readonly token?: string | undefined
      readonly asset?: Asset | undefined
      /** The most that it can be. */
      readonly most: bigint
      /** `undefined`: whoever sends the transaction. */
      readonly to?: string | undefined
    }
  /** The wallet's own address gets the code of a contract (EIP-7702). Without a delegate its code is taken back. */
  | { readonly kind: 'code'; readonly delegate?: string | undefined; readonly name?: string | undefined }
  /** Any other contract call. */
  | { readonly kind: 'call'; readonly to: string }
  /** An instruction of a Solana transaction, with everything that it consists of. */
  | { readonly kind: 'instruction'; readonly instruction: SolanaAction }

export interface OrderItem {
  /** The contract; the zero address stands for the network's coin. */
  readonly token: string
  readonly amount: bigint
  /** The number of the one token that it is about. */
  readonly number?: bigint | undefined
  readonly recipient?: string | undefined
}

/** The words of a descriptor, with the values of the request. */
export interface Described {
  readonly kind: 'described'
  /** Such as 'Swap'. */
  readonly intent: string
  /** The intent as a sentence with values. */
  readonly sentence?: string | undefined
  /** Whoever is said to own the contract; empty if nobody is. */
  readonly owner: string
  /** Who vouches for the words. */
  readonly trust: 'built-in' | 'audited' | 'registry' | 'app'
  /** The auditors, by name or address. */
  readonly auditors: readonly string[]
  /** The contract. */
  readonly contract?: string | undefined
  readonly fields: readonly DescribedField[]
  /** It says nothing of what the request has, and nobody vouches for it. */
  readonly isBare?: boolean | undefined
}

export interface DescribedField {
  readonly label: string
  readonly value: string
  /** The heading of the fields that it belongs to. */
  readonly group?: string | undefined
  /** The address that `value` is, or is a name of. */
  readonly address?: string | undefined
  /** Who says the name. */
  readonly source?: 'local' | 'ens' | 'token' | 'collection' | 'sender' | undefined
  /** The contract of the token that an amount is of. */
  readonly token?: string | undefined
  /** The greatest amount that there is. */
  readonly isMaximum?: boolean | undefined
  /** The description leaves it out, and nobody vouches that it may: its label is its name in the request. */
  readonly isUnsaid?: boolean | undefined
}

/** Codes of the clear-signing room that have words of their own, under their own names. */
export const roomCodes = [
  'account-delegation',
  'delegate-call',
  'control-change',
  'odd-encoding',
  'must-match',
  'token-contract-recipient',
  'zero-address-recipient',
  'allowance-to-account',
  'unreadable-order',
  'sell-order-without-price',
  'proceeds-elsewhere',
  'open-delegation',
  'session-key',
  'refund',
  'signed-transfer',
  'safe-transaction',
  'user-operation',
  'order',
  'delegation',
  'votes-delegation',
  'fee-delegation',
  'witness',
  'long-allowance',
  'too-large',
  'trailing-bytes',
  'hidden-characters',
  'address-type',
  'wrong-type',
  'invalid-checksum',
  'domain-incomplete',
  'unknown-token',
  'unknown-chain',
  'contract-creation',
] as const

/** Codes about what a trial run has found, or that there was none. */
export const trialCodes = ['unexplained-change', 'not-understood', 'undescribed'] as const

export type WarningCode =
  | (typeof roomCodes)[number]
  | (typeof trialCodes)[number]
  | 'unlimited-somebody'
  | 'allowance-somebody'
  | 'gives-key'
  | 'unreadable'
  | 'insufficient-funds'
  | 'reverts'
  | 'may-fail'
  | 'unlimited-allowance'
  | 'allowance'
  | 'nodes-differ'
  | 'low-fee'
  | 'charging-paymaster'
  | 'foreign-code'
  | 'later-code'
  | SolanaWarningCode

/** Those of the Solana room that have words of their own. */
export type SolanaWarningCode =
  | `solana-${Exclude<SolanaWarning['code'], 'fee' | 'willFail' | 'allowance' | 'mintExtension'> | 'control'}`
  | `solana-mint.${MintExtension}`

/** Why the user should look twice. The words are the view's. */
export interface Warning {
  readonly code: WarningCode
  /** `info`: a fact that nobody has to act on. */
  readonly severity: 'info' | 'warning' | 'danger'
  /** The address that an allowance is for, or that gets power or what is sent. */
  readonly spender?: string | undefined
  /** The account, program or token that it is about. */
  readonly address?: string | undefined
  /** The node's own words. */
  readonly reason?: string | undefined
}

/** An asset that leaves the wallet, or comes to it. */
export interface BalanceChange {
  /** `undefined`: its figures are unknown, or it has a number of its own. */
  readonly asset?: Asset | undefined
  /** The token's contract or mint; `undefined` for the network's own coin. */
  readonly token?: string | undefined
  /** The number of the one token. */
  readonly id?: bigint | undefined
  readonly amount: bigint
}
/** An allowance that somebody has before the request. */
export interface StandingAllowance extends Omit<BalanceChange, 'amount'> {
  readonly token: string
  /** `undefined`: nobody has said it. */
  readonly amount?: bigint | undefined
  readonly isUnlimited: boolean
}
/** What somebody may do with something of the wallet. */
export const allowanceRoles = [
  'spender',
  'delegate',
  'owner',
  'closeAuthority',
  'program',
  /** The wallet's own account holds data. */
  'data',
  'nonceAuthority',
  'staker',
  'withdrawer',
  'custodian',
  'mintAuthority',
  'freezeAuthority',
  'upgradeAuthority',
  /** May act for all of it, at a contract. */
  'operator',
  /** The code of the account itself. */
  'code',
  /** Any other role. */
  'control',
] as const
export type AllowanceKind = (typeof allowanceRoles)[number]

/** Somebody who may take or control something of the wallet afterwards, and could not before. */
export interface AllowanceChange {
  /** `spender` of a token; the others are roles of an account or a contract. */
  readonly kind: AllowanceKind
  readonly spender: string
  /** The account or contract that is controlled. */
  readonly account?: string | undefined
  readonly token?: string | undefined
  readonly asset?: Asset | undefined
  /** The number of the one token. */
  readonly id?: bigint | undefined
  /** `undefined`: as much as there is. */
  readonly amount?: bigint | undefined
  readonly isUnlimited: boolean
  /** Unix seconds, until which a custodian holds it. */
  readonly until?: bigint | undefined
  /** A displayed action says so. */
  readonly isExplained?: boolean | undefined
}
/** What a simulation says that the transaction changes for the wallet. */
export interface BalanceChanges {
  readonly out: readonly BalanceChange[]
  readonly in: readonly BalanceChange[]
  readonly allowances: readonly AllowanceChange[]
  /** `false`: there are more than these. */
  readonly isComplete: boolean
  /** Two nodes contradict each other: what is worse for the user is given. */
  readonly isDisputed?: boolean | undefined
  /** One node alone has run it, where two were to. */
  readonly isSingle?: boolean | undefined
}

/** Why nobody says what a transaction changes. */
export type Untried =
  /** The answer may still come: until then nothing is approved. */
  | 'waiting'
  /** Nobody has answered, or not in time. */
  | 'unanswered'
  /** The network's nodes have no such method. */
  | 'unavailable'
  /** It was run, and fails. */
  | 'failed'
  /** What it does depends on calls before it, which a trial run doesn't know. */
  | 'follows'

/** An allowance that the user may lower before it is signed. */
export interface EditableAllowance {
  /** Its place among the allowances of the request, counted from 0. */
  readonly at: number
  /** The token's contract. */
  readonly token: string
  readonly spender: string
  /** As the host page asks for it. */
  readonly asked: bigint
  /** As it will be signed. */
  readonly amount: bigint
  /** The greatest amount is asked for. */
  readonly isMaximum: boolean
  /** What the request needs: the amount that it names, or the wallet's balance where it names none. */
  readonly once?: bigint | undefined
  readonly asset: Asset
  /** The end, in seconds since 1970, where it can be a sooner one. */
  readonly end?:
    | { readonly asked: bigint; readonly now: bigint; readonly sooner: readonly bigint[] }
    | undefined
}

/** The user wants another allowance: the request is reviewed again with it. */
export interface EditedAllowance {
  readonly edited: { readonly allowance: AllowanceEdit }
}

/** Fees that a user names. `priority`: what Solana takes beside its own fee, in lamports. */
export type OwnFees =
  | { readonly gasPrice: bigint }
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly priority: bigint }

/** The fees that a user may choose from before anything is signed. */
export interface EditableFees {
  /** `asked`: the host page's, of which nobody knows whether they are a level. */
  readonly chosen: FeeSpeed | 'own' | 'asked'
  /** Levels that differ, with the most that each costs, the slowest first; `perGas` where the review itself signs. */
  readonly levels: readonly { readonly speed: FeeSpeed; readonly fee: bigint; readonly perGas?: OwnFees }[]
  /** As they will be signed. */
  readonly own: OwnFees
}

/** A level of fees, or fees of the user's own. */
export type ChosenFees = FeeSpeed | OwnFees

/** The user wants other fees: the transaction is prepared and reviewed again with them. */
export interface EditedFees {
  readonly edited: { readonly fees: ChosenFees }
}

export const withChosenFees = (fees: EditableFees, chosen: ChosenFees): EditableFees => ({
  ...fees,
  chosen: typeof chosen === 'string' ? chosen : 'own',
})

/** What was displayed, while other fees are on their way: all else stays in its place. */
export function withoutFee(preview: TransactionPreview, chosen: ChosenFees): TransactionPreview {
  const { fee: _, total: __, feeConcern: ___, fees, ...rest } = preview
  return {
    ...rest,
    ...(fees && { fees: withChosenFees(fees, chosen) }),
  }
}

/** US dollars for one whole coin or token, where the app's server has a price that can be relied on. */
export interface PreviewPrices {
  readonly coin?: number | undefined
  /** By contract or mint. */
  readonly tokens: Readonly<Record<string, number>>
}

/** The wallet can't transfer as much of a token as it is asked to. */
export interface TokenShortage {
  /** Contract or mint. */
  readonly token: string
  readonly asset: Asset
  /** In the smallest units that people see. */
  readonly missing: bigint
}

/** The code that a wallet has at its own address (EIP-7702). */
export interface WalletCode {
  /** The contract. */
  readonly delegate: string
  /** Its name, where the app allows it. */
  readonly name?: string | undefined
}

export interface TransactionPreview {
  readonly network: {
    readonly name: string
    /** CAIP-2; `undefined` where nobody but the page names it. */
    readonly chain?: string | undefined
    /** The network is named by the host page alone. */
    readonly isClaimed?: boolean | undefined
  }
  /** The network's own coin. */
  readonly coin: Asset
  /** The origin of the host page, or of the page of another app that asks. */
  readonly origin: string
  /** The name of that other app, as this app's own server says it. */
  readonly app?: string | undefined
  /** The address of the wallet that signs. */
  readonly wallet: string
  /** The network's coin that leaves the wallet beside the fee. */
  readonly value: bigint
  readonly actions: readonly Action[]
  /** The network's coin that leaves by all actions together, those of accounts which carry them out among them; {@link value} by default. */
  readonly coinsOut?: bigint | undefined
  /** One sentence for all calls of a batch, in words of their descriptors. */
  readonly sentence?: string | undefined
  /** Allowances that the user may lower. */
  readonly allowances?: readonly EditableAllowance[] | undefined
  /** The most that the network may take; `undefined` while it is unknown, or where somebody else pays. */
  readonly fee?: bigint | undefined
  readonly fees?: EditableFees | undefined
  readonly prices?: PreviewPrices | undefined
  /** The network's coin that stays in accounts which the wallet pays for. */
  readonly rent?: bigint | undefined
  /** The network's coin that stays in token accounts of others which the wallet pays for. */
  readonly deposits?: bigint | undefined
  /** The address that pays the fee in place of the wallet. */
  readonly sponsor?: string | undefined
  /** Allowances of the contract that the fee goes through, in the tokens that were asked about. `unread`: nobody has said them. */
  readonly sponsorMayTake?: readonly StandingAllowance[] | 'unread' | undefined
  /** The name by which the payer of the fee calls itself. */
  readonly sponsorName?: string | undefined
  /** The smart account that sends it is created along with it. */
  readonly deploysAccount?: boolean | undefined
  /** A part of the fee is known from the host page alone. */
  readonly isFeeClaimed?: boolean | undefined
  /** The value, the rent, the deposits and the fee together. */
  readonly total?: bigint | undefined
  /** The wallet's balance of the network's coin. */
  readonly balance?: bigint | undefined
  /** The code that the wallet has before the transaction; `undefined`: it has none, or nobody has said. */
  readonly walletCode?: WalletCode | undefined
  /** The wallet can't pay the total. */
  readonly isUnderfunded: boolean
  /** The amount by which the balance is below the total, where both are known. */
  readonly missing?: bigint | undefined
  /** The token that the wallet has too little of, where the balance is known. */
  readonly tokenShortage?: TokenShortage | undefined
  /** What a trial run has found, or why there was none. `undefined`: it is a part of a request that is tried as a whole. */
  readonly balanceChanges?: BalanceChanges | Untried | undefined
  /** The fee needs a confirmation of its own. */
  readonly feeConcern?: FeeConcern | undefined
  /** In any order; {@link rankWarnings} puts the gravest first. */
  readonly warnings: readonly Warning[]
  /** The call data, 0x-hex. */
  readonly data?: string | undefined
}

/** Whether nobody can say what it does: a call without words, or with a title alone that nobody vouches for. */
export const isOpaque = (action: Action): boolean =>
  action.kind === 'call' || (action.kind === 'described' && action.isBare === true)

/** An amount in the smallest units that people see: whatever displays, values or keeps an amount takes it from here. */
export const shownUnits = (units: bigint, { scale = 1 }: Pick<Asset, 'scale'>): bigint =>
  toShown(units, scale)

/** Formats an exact amount, in the units that the network moves, with its symbol. */
export const formatAmount = (units: bigint, asset: Asset): string =>
  `${formatUnits(shownUnits(units, asset), asset.decimals)} ${asset.symbol}`.trim()

/** What is known of a token of Solana. */
export interface SolanaToken {
  readonly symbol?: string | undefined
  readonly decimals?: number | undefined
  readonly scale?: TokenScale | undefined
}

/** The asset that a token of Solana is; `undefined` unless its mint has said how its amounts are displayed. */
export function solanaAsset({ symbol = '', decimals, scale }: SolanaToken): Asset | undefined {
  if (decimals === undefined || scale === undefined) return undefined
  return { symbol, decimals, ...(scale !== 1 && { scale }) }
}

/** The shortage of a token of Solana in units that people see, in which it is added; `undefined` where nobody can say those. */
export function solanaShortage(
  token: string,
  { missing, ...figures }: SolanaToken & { readonly missing: bigint },
): TokenShortage | undefined {
  const asset = solanaAsset(figures)
  if (!asset) return undefined
  const { scale = 1, ...shown } = asset
  return { token, asset: shown, missing: leastShown(missing, scale) }
}

/** Warnings by gravity, the gravest first. */
const ranks: readonly WarningCode[] = [
  ...([
    'foreign-code',
    'later-code',
    'unexplained-change',
    'not-understood',
    'account-delegation',
    'delegate-call',
    'control-change',
    'charging-paymaster',
    'unlimited-somebody',
  ] as const),
  ...(['solana-walletAccount', 'solana-strangeAccount', 'solana-lock'] as const),
  ...(['unlimited-allowance', 'solana-ownerChange', 'solana-programOwner', 'solana-authority'] as const),
  ...(['solana-control', 'solana-approval', 'solana-unknownAccounts', 'solana-unknownProgram'] as const),
  ...roomCodes.slice(roomCodes.indexOf('odd-encoding'), roomCodes.indexOf('witness')),
  ...(['solana-closeToOther', 'solana-innerAction', 'solana-programChange'] as const),
  ...(['solana-tokenExtension', 'solana-withdrawal', 'allowance', 'solana-durableNonce'] as const),
  ...(['allowance-somebody', 'gives-key', 'unreadable'] as const),
  ...roomCodes.slice(roomCodes.indexOf('witness')),
  'undescribed',
  ...(['solana-severalSigners', 'solana-sentToToken', 'reverts', 'may-fail', 'low-fee'] as const),
  ...(['insufficient-funds', 'solana-insufficientFunds'] as const),
  ...(['solana-mint.permanentDelegate', 'solana-mint.transferHook', 'solana-mint.transferFee'] as const),
  ...(['solana-mint.nonTransferable', 'solana-mint.defaultAccountState', 'solana-mint.pausable'] as const),
  ...(['solana-mint.confidentialTransfer', 'solana-burn', 'solana-freeze', 'solana-close'] as const),
  ...(['solana-knownProgram', 'solana-stakePart', 'solana-otherAccount'] as const),
  ...(['solana-nonceAccount', 'nodes-differ'] as const),
]
const severities: readonly Warning['severity'][] = ['danger', 'warning', 'info']

/** Sorts warnings by severity and then by gravity, and drops repeated ones. */
export function rankWarnings(warnings: readonly Warning[]): readonly Warning[] {
  const distinct = new Map(
    warnings.map((warning) => [`${warning.code} ${warning.spender ?? warning.address ?? ''}`, warning]),
  )
  const rank = ({ code, severity }: Warning) =>
    severities.indexOf(severity) * ranks.length + ranks.indexOf(code)
  return [...distinct.values()].sort((a, b) => rank(a) - rank(b))
}

/** Warns of an allowance, unless it is known to reach a part of the tokens alone. */
export function allowanceWarnings(call: TokenAction): readonly Warning[] {
  if (!isAllowance(call) || call.reach === 'part') return []
  const code = call.unlimited || call.reach === 'all' ? 'unlimited-allowance' : 'allowance'
  return [{ code, severity: code === 'allowance' ? 'warning' : 'danger', spender: call.party }]
}

/** An asset that leaves by the actions of a preview, as its headline names it. */
export interface Outflow {
  /** The contract or mint; `undefined`: the network's coin. */
  readonly token?: string | undefined
  readonly asset: Asset
  readonly amount: bigint
}

/**
 * What leaves by all actions together, by asset: the sum of the actions, of which each row names its own. Tokens whose figures nobody has
 * said stand in their rows alone.
 */
export function outflowsOf({
  value,
  coinsOut = value,
  coin,
  actions,
  wallet,
}: Pick<TransactionPreview, 'value' | 'coinsOut' | 'coin' | 'actions' | 'wallet'>): readonly Outflow[] {
  const sums = new Map<string, Outflow>()
  for (const action of actions) {
    const sent = tokensSent(action, wallet)
    if (!sent) continue
    const known = sums.get(sent.token ?? '')
    sums.set(sent.token ?? '', known ? { ...known, amount: known.amount + sent.amount } : sent)
  }
  return [...(coinsOut > 0n ? [{ asset: coin, amount: coinsOut }] : []), ...sums.values()]
}

function tokensSent(action: Action, wallet: string): Outflow | undefined {
  if (action.kind === 'instruction') {
    const { instruction } = action
    if (instruction.kind !== 'transferToken') return undefined
    const { mint, amount, authority, destinationOwner } = instruction
    const asset = solanaAsset(instruction)
    if (!asset || authority !== wallet || destinationOwner === wallet || amount === 0n) return undefined
    return { token: mint, asset, amount }
  }
  if (action.kind !== 'token') return undefined
  const { call, asset, by = wallet } = action
  const { contract, from = by, party, amount = call.amountOrToken } = call
  const isSent = call.action === 'transfer' && call.token === undefined && from === by && party !== by
  return isSent && asset && amount ? { token: contract, asset, amount } : undefined
}

/** The kind of transaction that its title names. */
export type PreviewTitle = 'transfer' | 'approve' | 'revoke' | 'deploy' | 'call' | 'add-code' | 'remove-code'

/** The title of a preview: its one action beside Solana's budget and memos, or a call where it has several kinds. */
export function titleOf({ actions }: Pick<TransactionPreview, 'actions'>): PreviewTitle {
  const kinds = new Set(actions.flatMap((action) => titleOfAction(action) ?? []))
  const [first] = kinds
  return kinds.size === 1 && first ? first : 'call'
}

function titleOfAction(action: Action): PreviewTitle | undefined {
  switch (action.kind) {
    case 'transfer':
    case 'payment':
      return 'transfer'
    case 'deploy':
      return 'deploy'
    case 'revocation':
      return 'revoke'
    case 'code':
      return action.delegate === undefined ? 'remove-code' : 'add-code'
    // What an account carries out stands beside it.
    case 'account':
      return undefined
    case 'token': {
      const { call } = action
      if (call.action === 'transfer') return 'transfer'
      return call.action === 'revokeAll' || (call.action === 'approve' && call.amount === 0n)
        ? 'revoke'
        : 'approve'
    }
    case 'instruction': {
      const { kind } = action.instruction
      return instructionTitles.has(kind) ? instructionTitles.get(kind) : 'call'
    }
    default:
      return 'call'
  }
}

/** Instructions that only prepare a transfer have no title of their own. */
const instructionTitles = new Map<SolanaAction['kind'], PreviewTitle | undefined>([
  ['transferSol', 'transfer'],
  ['transferToken', 'transfer'],
  ['approveToken', 'approve'],
  ['revokeToken', 'revoke'],
  ['computeBudget', undefined],
  ['memo', undefined],
  ['createTokenAccount', undefined],
])
