/** Reasons to look twice at a Solana transaction: codes with data, the gravest first. Words are the views'. */
import type { FeeConcern } from '../lib/fee-concern.ts'
import type { SolanaAction, TokenExtension } from './actions.ts'
import type { Allowance } from './balance-changes.ts'
import { type AccountEffect, type Effects, type EffectsContext, isLocking, readEffects } from './effects.ts'
import type { Shortage, TransactionFailure } from './failures.ts'
import { nameOfProgram } from './known-programs.ts'
import type { DecodedMessage } from './message.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'
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
  /** Its name is known, and a trial run has shown nothing that isn't displayed. */
  | { readonly code: 'knownProgram'; readonly program: string; readonly name: string }
  /** The wallet's own account has data or another program afterwards, so that it can't be used as before. */
  | { readonly code: 'walletAccount'; readonly account: string; readonly program: string | undefined }
  /** The wallet pays for an account that somebody else controls, or may come to control. */
  | { readonly code: 'strangeAccount'; readonly account: string; readonly to: string | undefined }
  /** The wallet pays for the token account of somebody else, and sends nothing to it. */
  | { readonly code: 'otherAccount'; readonly account: string }
  /** A part of a stake that only a trial run has shown to be the wallet's. */
  | { readonly code: 'stakePart'; readonly account: string }
  | {
      readonly code: 'lock'
      readonly account: string
      /** May lift it. `undefined`: nobody has said. */
      readonly to: string | undefined
      /** Seconds since 1970. */
      readonly until: bigint
      readonly epoch: bigint
    }
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

/** From the gravest down. */
const ranks: readonly WarningDetail['code'][] = [
  ...(['walletAccount', 'strangeAccount', 'lock'] as const),
  ...(['ownerChange', 'programOwner', 'authority', 'approval', 'unknownAccounts', 'unknownProgram'] as const),
  ...(['allowance', 'closeToOther', 'innerAction', 'programChange', 'tokenExtension', 'withdrawal'] as const),
  ...(['durableNonce', 'severalSigners', 'sentToToken', 'insufficientFunds', 'willFail', 'fee'] as const),
  ...(['mintExtension', 'knownProgram', 'stakePart', 'otherAccount'] as const),
  ...(['burn', 'freeze', 'close', 'nonceAccount'] as const),
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
  /** A trial run has succeeded, and `allowances` are all that it has shown. */
  readonly isTried?: boolean | undefined
  /** A trial run may still come: what it and the accounts of lookup tables may take back is no warning yet. */
  readonly isWaiting?: boolean | undefined
  readonly failure?: TransactionFailure | undefined
  readonly shortage?: Shortage | undefined
  readonly feeConcern?: FeeConcern | undefined
  readonly mintExtensions?: ReadonlyMap<string, readonly MintExtension[]> | undefined
  /** Accounts of this transaction that are mints or accounts of tokens. */
  readonly tokenPlaces?: ReadonlySet<string> | undefined
  /** States of accounts before the transaction, as a node has said them. */
  readonly accounts?: EffectsContext['accounts']
  /** Seconds since 1970. */
  readonly now?: bigint | undefined
  /** The network has reached it at least. */
  readonly epoch?: bigint | undefined
}

/** All warnings of a transaction, the gravest first and each once. */
export function assess(
  message: DecodedMessage,
  actions: readonly SolanaAction[],
  { isWaiting = false, ...context }: WarningContext,
): readonly SolanaWarning[] {
  const found = assessed(message, actions, context)
  if (!isWaiting) return found
  const unresolved = message.accounts.flatMap(({ address, isResolved }) => (isResolved ? [] : [address]))
  const kept = new Set(assessed(message, actions, { ...context, isTried: true }).map(keyOf))
  return found.filter(
    (warning) =>
      warning.code !== 'unknownAccounts' &&
      kept.has(keyOf(warning)) &&
      !unresolved.some((address) => keyOf(warning).includes(`"${address}"`)),
  )
}

const keyOf = (warning: SolanaWarning): string =>
  JSON.stringify(warning, (_, value) => (typeof value === 'bigint' ? String(value) : value))

function assessed(
  message: DecodedMessage,
  actions: readonly SolanaAction[],
  context: WarningContext,
): readonly SolanaWarning[] {
  const { wallet, inner = [], failure, shortage, feeConcern, mintExtensions } = context
  const { effects, isVouched } = judgedEffects(actions, context)
  const warnings: SolanaWarning[] = [
    ...stateWarnings(effects, context),
    ...actions.flatMap((action) => warningsOf(action, effects, context, isVouched)),
  ]

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
  for (const action of inner.filter((each) => actsFor(each, wallet))) {
    const alone = readEffects([action], { wallet })
    const found = [...stateWarnings(alone, context), ...warningsOf(action, alone, context, false)]
    if (found.some(({ severity }) => severity === 'danger'))
      warnings.push({
        code: 'innerAction',
        severity: 'danger',
        kind: action.kind,
        program: action.program,
        instruction: action.instruction,
      })
  }
  for (const [mint, extensions] of mintExtensions ?? [])
    for (const extension of extensions)
      warnings.push({ code: 'mintExtension', severity: 'caution', mint, extension })
  if (shortage) warnings.push({ code: 'insufficientFunds', severity: 'caution', shortage })
  else if (failure) warnings.push({ code: 'willFail', severity: 'caution', failure })
  if (feeConcern) warnings.push({ code: 'fee', severity: 'caution', concern: feeConcern })
  return ranked(warnings)
}

/** What a transaction leaves behind, and whether a trial run vouches for what its instructions alone don't say. */
export function judgedEffects(
  actions: readonly SolanaAction[],
  context: WarningContext,
): { readonly effects: Effects; readonly isVouched: boolean } {
  const effects = readEffects(actions, context)
  const { isTried = false, allowances = [] } = context
  const isKnown = actions.every((action) => action.kind !== 'unknown' || nameOfProgram(action) !== undefined)
  const isVouched = isTried && isKnown && allowances.every((each) => explains(effects, each))
  return { effects: isVouched ? readEffects(actions, { ...context, isVouched }) : effects, isVouched }
}

/** Somebody who may take or control an account afterwards, as a trial run has shown it. */
export interface Gain {
  readonly to: string
  /** `undefined`: nobody has said which, so that no instruction explains it. */
  readonly account: string | undefined
}

/** Whether the instructions themselves say that somebody may take or control an account afterwards. */
export function explains(effects: Effects, { to, account }: Gain): boolean {
  const effect = account === undefined ? undefined : effects.accounts.get(account)
  if (!effect) return false
  const { roles, isNew, isAssigned, program, lockup } = effect
  return (
    [...roles.values()].some(({ holder, instruction }) => instruction !== undefined && holder === to) ||
    ((isNew || isAssigned) && program === to) ||
    (lockup?.instruction !== undefined && lockup.custodian === to)
  )
}

/** Roles that nobody has to have: without a holder somebody else can do less. */
const optionalRoles: readonly string[] = ['delegate', 'closeAccount']
const roleNames: Readonly<Record<string, string>> = {
  staker: 'stake staker',
  withdrawer: 'stake withdrawer',
  voter: 'vote voter',
  node: 'vote node',
}

/** Warnings of the last state, whatever the instructions are called that have led to it. */
function stateWarnings(effects: Effects, context: WarningContext): readonly SolanaWarning[] {
  const { wallet } = context
  const warnings: SolanaWarning[] = []
  for (const account of effects.accounts.values()) {
    const { address, instruction, program, lockup } = account
    const warn = (severity: Severity, detail: WarningDetail, at = instruction) =>
      warnings.push({ ...detail, severity, instruction: at })
    if (address === wallet) {
      if (program !== SYSTEM_PROGRAM || account.size > 0n)
        warn('danger', { code: 'walletAccount', account: address, program })
      continue
    }
    if (account.isClosed) continue
    // An instruction that isn't understood has a warning of its own, whatever it does to this account.
    const isOwn = effects.isOwnAsRead(address)
    const isCharged = account.isPaid || account.created > 0n || (account.transferred > 0n && account.isNew)
    if (isCharged && !isOwn) {
      if (!isForHolder(account, wallet)) {
        const to = controllerOf(account, wallet)
        warn('danger', { code: 'strangeAccount', account: address, to })
      } else if (!account.isReceiving) warn('caution', { code: 'otherAccount', account: address })
    }
    if (isOwn && [...account.roles.values()].some(({ isKnown }) => !isKnown))
      warn('caution', { code: 'stakePart', account: address })
    if (account.isAssigned && !isOwn && program !== undefined)
      warn('danger', { code: 'programOwner', account: address, program })
    // What was locked before is no effect of the transaction.
    if (lockup?.instruction !== undefined) {
      const { until = 0n, epoch = 0n, custodian: to } = lockup
      if (isLocking(lockup, context))
        warn('danger', { code: 'lock', account: address, to, until, epoch }, lockup.instruction)
      else if (to !== undefined && to !== wallet && to !== SYSTEM_PROGRAM && !account.isNew)
        warn('danger', { code: 'authority', account: address, role: 'lockup', to }, lockup.instruction)
    }
    for (const [role, given] of account.roles) {
      const { holder: to, amount = 0n, isFirst, isKnown, instruction: at } = given
      if (
        at === undefined ||
        (isOwn && !isKnown) ||
        to === wallet ||
        (to === undefined && optionalRoles.includes(role))
      )
        continue
      const name = roleNames[role] ?? role
      if (isFirst) {
        if (role === 'withdrawer' && !isCharged)
          warn('caution', { code: 'authority', account: address, role: name, to }, at)
      } else if (role === 'delegate' && to !== undefined) {
        const isUnlimited = amount === UNLIMITED
        warn('danger', { code: 'approval', account: address, delegate: to, amount, isUnlimited }, at)
      } else if (role === 'holder') warn('danger', { code: 'ownerChange', account: address, to }, at)
      // Extensions and programs have warnings of their own.
      else if (!extensions.includes(role) && role !== 'upgradeAuthority')
        warn('danger', { code: 'authority', account: address, role: name, to }, at)
    }
  }
  return warnings
}

const extensions: readonly string[] = [
  ...(['permanentDelegate', 'mintCloseAuthority', 'transferHook'] satisfies TokenExtension[]),
]

/** A token account whose address follows from its holder: nobody else can have it, and nobody but that holder its tokens. */
const isForHolder = ({ isAssociated, roles }: AccountEffect, wallet: string): boolean => {
  const others = [...roles].filter(([role, { holder }]) => role !== 'holder' && holder !== undefined)
  return (
    isAssociated &&
    roles.get('holder')?.isFirst === true &&
    roles.get('holder')?.holder !== wallet &&
    others.length === 0
  )
}

/** Somebody else who controls an account, as far as it is known. */
function controllerOf({ roles, program, lockup }: AccountEffect, wallet: string): string | undefined {
  for (const { holder } of roles.values()) if (holder !== undefined && holder !== wallet) return holder
  return roles.size > 0 ? lockup?.custodian : program
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
    case 'createAccount':
      return action.account === wallet
    case 'assign':
    case 'allocate':
      return action.account === wallet || action.base === wallet
    case 'transferSol':
      return action.base === wallet
    case 'nonce':
    case 'stake':
    case 'vote':
    case 'withdrawLamports':
      return action.authority === wallet
    case 'tokenExtension':
      return action.accounts.some(({ address, signer }) => signer && address === wallet)
    default:
      return false
  }
}

/** Warnings of what an instruction does for good, and of what can't be seen in the state that it leaves. */
function warningsOf(
  action: SolanaAction,
  effects: Effects,
  { wallet, tokenPlaces }: WarningContext,
  isVouched: boolean,
): readonly SolanaWarning[] {
  const { instruction } = action
  const danger = (detail: WarningDetail): SolanaWarning => ({ ...detail, severity: 'danger', instruction })
  const caution = (detail: WarningDetail): SolanaWarning => ({ ...detail, severity: 'caution', instruction })
  const notice = (detail: WarningDetail): SolanaWarning => ({ ...detail, severity: 'notice', instruction })
  const withdrawal = (account: string, to: string | undefined) =>
    to !== undefined && effects.isOwn(to) ? [] : [danger({ code: 'withdrawal', account, to: to ?? '' })]
  switch (action.kind) {
    case 'unknown': {
      const { program } = action
      const name = isVouched ? nameOfProgram(action) : undefined
      return [
        name === undefined
          ? danger({ code: 'unknownProgram', program })
          : caution({ code: 'knownProgram', program, name }),
      ]
    }
    case 'closeAccount':
      return [
        effects.isOwn(action.destination)
          ? notice({ code: 'close', account: action.account })
          : danger({ code: 'closeToOther', account: action.account, to: action.destination }),
      ]
    case 'withdrawLamports':
      return withdrawal(action.account, action.destination)
    case 'tokenExtension':
      return harmlessExtensions.includes(action.extension)
        ? []
        : [danger({ code: 'tokenExtension', extension: action.extension, account: action.account })]
    case 'program':
      return [danger({ code: 'programChange', account: action.account, step: action.step })]
    case 'nonce':
      // An advance that is not the first instruction had a banner of its own before, and keeps one.
      if (action.step === 'advance') return [danger({ code: 'durableNonce', account: action.account })]
      return [
        ...(action.step === 'withdraw' ? withdrawal(action.account, action.destination) : []),
        caution({ code: 'nonceAccount', account: action.account }),
      ]
    case 'stake':
      if (action.step === 'withdraw') return withdrawal(action.account, action.target)
      return action.step === 'moveLamports' || action.step === 'moveStake'
        ? [danger({ code: 'withdrawal', account: action.account, to: action.target ?? '' })]
        : []
    case 'vote':
      return action.step === 'withdraw' ? withdrawal(action.account, action.target) : []
    case 'transferSol':
      return [
        ...(action.base === wallet ? withdrawal(action.from, action.to) : []),
        ...(tokenPlaces?.has(action.to) && action.to !== wallet
          ? [caution({ code: 'sentToToken', to: action.to })]
          : []),
      ]
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
