/** Reasons to look twice at a Solana transaction: codes with data, the gravest first. Words are the views'. */
import type { FeeConcern } from '../lib/fee-concern.ts'
import type { SolanaAction } from './actions.ts'
import type { Allowance } from './balance-changes.ts'
import type { Shortage, TransactionFailure } from './failures.ts'
import type { DecodedMessage } from './message.ts'
import type { MintExtension } from './token-state.ts'

export type SolanaWarning = WarningDetail & {
  readonly severity: Severity
  /** The instruction that it is about, counted from 0. */
  readonly instruction?: number | undefined
}
/** `danger` is what a wallet shows in red. */
export type Severity = 'danger' | 'caution' | 'notice'
type WarningDetail =
  | { readonly code: 'ownerChange'; readonly account: string; readonly to: string | undefined }
  | { readonly code: 'programOwner'; readonly account: string; readonly program: string }
  | {
      readonly code: 'approval'
      readonly account: string
      readonly delegate: string
      readonly amount: bigint
      /** No account can ever hold more. */
      readonly isUnlimited: boolean
    }
  | {
      readonly code: 'authority'
      readonly account: string
      readonly role: string
      readonly to: string | undefined
    }
  | { readonly code: 'unknownAccounts'; readonly tables: readonly string[] }
  | { readonly code: 'unknownProgram'; readonly program: string }
  | { readonly code: 'closeToOther'; readonly account: string; readonly to: string }
  | { readonly code: 'tokenExtension'; readonly extension: string; readonly account: string }
  | { readonly code: 'programChange'; readonly account: string; readonly step: string }
  | { readonly code: 'durableNonce'; readonly account: string }
  | { readonly code: 'severalSigners'; readonly signers: readonly string[] }
  | { readonly code: 'allowance'; readonly allowance: Allowance }
  | { readonly code: 'innerAction'; readonly kind: SolanaAction['kind']; readonly program: string }
  | { readonly code: 'willFail'; readonly failure: TransactionFailure }
  | { readonly code: 'insufficientFunds'; readonly shortage: Shortage }
  /** Lamports that are sent to a mint or an account of tokens, or tokens to their own mint: few can be got back. */
  | { readonly code: 'sentToToken'; readonly to: string }
  | { readonly code: 'withdrawal'; readonly account: string; readonly to: string }
  | { readonly code: 'mintExtension'; readonly mint: string; readonly extension: MintExtension }
  | { readonly code: 'fee'; readonly concern: FeeConcern }
  | { readonly code: 'burn'; readonly account: string }
  | { readonly code: 'freeze'; readonly account: string }
  | { readonly code: 'close'; readonly account: string }
  | { readonly code: 'nonceAccount'; readonly account: string }
  | { readonly code: 'simulationUnavailable' }

/** From the gravest down. */
const ranks: readonly WarningDetail['code'][] = [
  ...(['ownerChange', 'programOwner', 'authority', 'approval', 'unknownAccounts', 'unknownProgram'] as const),
  ...(['allowance', 'closeToOther', 'innerAction', 'programChange', 'tokenExtension', 'withdrawal'] as const),
  ...(['durableNonce', 'severalSigners', 'sentToToken', 'insufficientFunds', 'willFail', 'fee'] as const),
  ...(['mintExtension', 'burn', 'freeze', 'close', 'nonceAccount', 'simulationUnavailable'] as const),
]
const severities: readonly Severity[] = ['danger', 'caution', 'notice']

const UNLIMITED = (1n << 64n) - 1n
/** Steps of an extension that only protect whoever holds the account. */
const harmlessExtensions: readonly string[] = ['memoTransfer']

/** What is known beyond the transaction's own bytes, as far as it is. */
export interface WarningContext {
  /** The address that signs. */
  readonly wallet: string
  readonly inner?: readonly SolanaAction[] | undefined
  readonly allowances?: readonly Allowance[] | undefined
  readonly failure?: TransactionFailure | undefined
  readonly shortage?: Shortage | undefined
  readonly feeConcern?: FeeConcern | undefined
  readonly mintExtensions?: ReadonlyMap<string, readonly MintExtension[]> | undefined
  readonly isSimulationAvailable?: boolean | undefined
  /** Accounts of this transaction that are mints or accounts of tokens. */
  readonly tokenPlaces?: ReadonlySet<string> | undefined
}

/** All warnings of a transaction, the gravest first and each once. */
export function assess(
  message: DecodedMessage,
  actions: readonly SolanaAction[],
  context: WarningContext,
): readonly SolanaWarning[] {
  const { wallet, inner = [], allowances = [], failure, shortage, feeConcern, mintExtensions } = context
  const warnings: SolanaWarning[] = [...actions.flatMap((action) => warningsOf(action, context))]

  const unresolved = message.accounts.filter((each) => !each.isResolved)
  if (unresolved.length > 0) {
    const tables = [...new Set(unresolved.map(({ address }) => address.split(' ')[0] ?? ''))]
    warnings.push({ code: 'unknownAccounts', severity: 'danger', tables })
  }
  if (message.signers.length > 1)
    warnings.push({
      code: 'severalSigners',
      severity: 'danger',
      signers: message.signers.filter((each) => each !== wallet),
    })
  // The network looks only there; elsewhere it is an instruction like any other.
  const [first] = actions
  if (first?.kind === 'nonce' && first.step === 'advance')
    warnings.push({ code: 'durableNonce', severity: 'danger', account: first.account, instruction: 0 })
  for (const action of inner.filter((each) => actsFor(each, wallet)))
    for (const { severity } of warningsOf(action, context))
      if (severity === 'danger')
        warnings.push({
          code: 'innerAction',
          severity,
          kind: action.kind,
          program: action.program,
          instruction: action.instruction,
        })
  for (const allowance of allowances) warnings.push({ code: 'allowance', severity: 'danger', allowance })
  for (const [mint, extensions] of mintExtensions ?? [])
    for (const extension of extensions)
      warnings.push({ code: 'mintExtension', severity: 'caution', mint, extension })
  if (shortage) warnings.push({ code: 'insufficientFunds', severity: 'caution', shortage })
  else if (failure) warnings.push({ code: 'willFail', severity: 'caution', failure })
  if (feeConcern) warnings.push({ code: 'fee', severity: 'caution', concern: feeConcern })
  if (context.isSimulationAvailable === false)
    warnings.push({ code: 'simulationUnavailable', severity: 'notice' })
  return ranked(warnings)
}

/**
 * Whether an instruction that a program made uses what the wallet may do. Programs set up accounts of their own by the same
 * instructions, which concern nobody else.
 */
function actsFor(action: SolanaAction, wallet: string): boolean {
  switch (action.kind) {
    case 'approveToken':
    case 'closeAccount':
      return action.owner === wallet
    case 'setAuthority':
      return action.current === wallet
    case 'assign':
      return action.account === wallet
    case 'nonce':
    case 'stake':
    case 'withdrawLamports':
      return action.authority === wallet
    case 'tokenExtension':
      return action.accounts.some(({ address, signer }) => signer && address === wallet)
    default:
      return false
  }
}

function warningsOf(action: SolanaAction, { wallet, tokenPlaces }: WarningContext): readonly SolanaWarning[] {
  const { instruction } = action
  const danger = (detail: WarningDetail): SolanaWarning => ({ ...detail, severity: 'danger', instruction })
  const caution = (detail: WarningDetail): SolanaWarning => ({ ...detail, severity: 'caution', instruction })
  switch (action.kind) {
    case 'unknown':
      return [danger({ code: 'unknownProgram', program: action.program })]
    case 'assign':
      return [danger({ code: 'programOwner', account: action.account, program: action.owner })]
    case 'allocate':
      return action.owner === undefined
        ? []
        : [danger({ code: 'programOwner', account: action.account, program: action.owner })]
    case 'approveToken': {
      const { account, delegate, amount } = action
      return [danger({ code: 'approval', account, delegate, amount, isUnlimited: amount === UNLIMITED })]
    }
    case 'setAuthority':
      return [
        danger(
          action.role === 'accountOwner'
            ? { code: 'ownerChange', account: action.account, to: action.next }
            : { code: 'authority', account: action.account, role: action.role, to: action.next },
        ),
      ]
    case 'closeAccount':
      return [
        action.destination === wallet
          ? caution({ code: 'close', account: action.account })
          : danger({ code: 'closeToOther', account: action.account, to: action.destination }),
      ]
    case 'recoverNested':
      return []
    case 'withdrawLamports':
      return action.destination === wallet
        ? []
        : [danger({ code: 'withdrawal', account: action.account, to: action.destination })]
    case 'tokenExtension':
      return harmlessExtensions.includes(action.extension)
        ? []
        : [danger({ code: 'tokenExtension', extension: action.extension, account: action.account })]
    case 'program':
      return [danger({ code: 'programChange', account: action.account, step: action.step })]
    case 'nonce':
      if (action.step === 'authorize')
        return [danger({ code: 'authority', account: action.account, role: 'nonce', to: action.authority })]
      if (action.step === 'withdraw' && action.destination !== undefined && action.destination !== wallet)
        return [danger({ code: 'withdrawal', account: action.account, to: action.destination })]
      // An advance that is not the first instruction had a banner of its own before, and keeps one.
      return action.step === 'advance'
        ? [danger({ code: 'durableNonce', account: action.account })]
        : [caution({ code: 'nonceAccount', account: action.account })]
    case 'stake':
      if (action.step === 'authorize' || action.step === 'setLockup')
        return [
          danger({
            code: 'authority',
            account: action.account,
            role: action.step === 'setLockup' ? 'lockup' : `stake ${action.role}`,
            to: action.target,
          }),
        ]
      if (
        (action.step === 'withdraw' && action.target !== wallet) ||
        action.step === 'moveLamports' ||
        action.step === 'moveStake'
      )
        return [danger({ code: 'withdrawal', account: action.account, to: action.target ?? '' })]
      return action.step === 'initialize' && action.target !== wallet
        ? [
            caution({
              code: 'authority',
              account: action.account,
              role: 'stake withdrawer',
              to: action.target,
            }),
          ]
        : []
    case 'transferSol':
      return tokenPlaces?.has(action.to) && action.to !== wallet
        ? [caution({ code: 'sentToToken', to: action.to })]
        : []
    case 'transferToken':
      // Tokens sent to their own mint are lost.
      return action.mint !== undefined &&
        (action.destination === action.mint || action.destinationOwner === action.mint)
        ? [danger({ code: 'sentToToken', to: action.mint })]
        : []
    case 'burnToken':
      return [caution({ code: 'burn', account: action.account })]
    case 'freezeAccount':
      return [caution({ code: 'freeze', account: action.account })]
    default:
      return []
  }
}

function ranked(warnings: readonly SolanaWarning[]): readonly SolanaWarning[] {
  const unique = new Map(
    warnings.map(({ instruction, ...rest }) => [
      JSON.stringify(rest, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      { ...rest, ...(instruction !== undefined && { instruction }) } as SolanaWarning,
    ]),
  )
  const rank = ({ severity, code }: SolanaWarning) =>
    severities.indexOf(severity) * ranks.length + ranks.indexOf(code)
  return [...unique.values()].sort((one, other) => rank(one) - rank(other))
}
