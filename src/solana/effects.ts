/**
 * What a transaction leaves behind, out of its bytes alone: its instructions in their order, each a function from account states to
 * account states. Whoever judges looks at the last state, so an instruction and its undoing leave nothing, and a name says nothing.
 */
import { getStakeStateAccountDecoder } from '@solana-program/stake'
import { minOf } from '../lib/bigint.ts'
import type { SolanaAction, StakeLockup } from './actions.ts'
import { LOADER_PROGRAM } from './programs/loader.ts'
import { STAKE_PROGRAM } from './programs/stake.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'
import { NATIVE_MINT, TOKEN_PROGRAM } from './programs/token.ts'
import { TOKEN_2022_PROGRAM } from './programs/token-2022.ts'
import { VOTE_PROGRAM } from './programs/vote.ts'
import type { AccountState } from './queries.ts'
import { readTokenAccount } from './token-state.ts'

/** Somebody who may do something with an account. */
export interface Role {
  /** `undefined`: nobody, or an account that nobody has said yet where `isKnown` is false. */
  readonly holder: string | undefined
  readonly isKnown: boolean
  /** The instruction that has given it; `undefined`: it was there before. */
  readonly instruction: number | undefined
  /** `true`: the account was set up with it. */
  readonly isFirst: boolean
  readonly amount?: bigint | undefined
}

/** An account after the transaction. */
export interface AccountEffect {
  readonly address: string
  /** The program that it is for; `undefined`: nobody has said. */
  program: string | undefined
  size: bigint
  /** It is created here, or becomes one of a program. */
  isNew: boolean
  /** The address is made of this one and a seed. */
  base: string | undefined
  /** Its address follows from its holder and its mint. */
  isAssociated: boolean
  /** A program has set it up, so that nobody else can. */
  isSetUp: boolean
  isClosed: boolean
  /** An instruction that isn't understood may have changed it. */
  isUnknown: boolean
  /** The system program has given it, as it was, to another program. */
  isAssigned: boolean
  /** The wallet pays for it. */
  isPaid: boolean
  /** Tokens are transferred to it. */
  isReceiving: boolean
  /** Lamports of the wallet that it is created with, and those that are sent to it. */
  created: bigint
  transferred: bigint
  readonly roles: Map<string, Role>
  /** `instruction`: what has set it; `undefined`: it was there before. */
  lockup: (Partial<StakeLockup> & { readonly instruction: number | undefined }) | undefined
  /** The first instruction that changes it. */
  readonly instruction: number
}

export interface Effects {
  readonly wallet: string
  readonly accounts: ReadonlyMap<string, AccountEffect>
  /** Lamports of the wallet that are others' afterwards, as far as instructions state them. */
  readonly sent: bigint
  /** Lamports with which accounts are created that the wallet controls alone. */
  readonly kept: bigint
  /** Lamports that are put into accounts which the wallet controls alone, such as wrapped SOL. */
  readonly stored: bigint
  /** Whether the wallet alone controls an account afterwards. What nobody has said is not the wallet's. */
  isOwn(address: string): boolean
  /** Whether that is so by the instructions that are understood, whatever the others may do. */
  isOwnAsRead(address: string): boolean
}

export interface EffectsContext {
  readonly wallet: string
  /** States that a node has said. */
  readonly accounts?: ReadonlyMap<string, AccountState | undefined> | undefined
  /** Seconds since 1970, where the time can be relied on. */
  readonly now?: bigint | undefined
  /** The network has reached it at least. */
  readonly epoch?: bigint | undefined
  /** A trial run has shown what instructions do that aren't understood, and whoever has a role that nobody has said. */
  readonly isVouched?: boolean | undefined
}

const tokenPrograms: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
/** Programs whose accounts belong to those who have a role in them. */
const rolePrograms: readonly string[] = [...tokenPrograms, STAKE_PROGRAM, VOTE_PROGRAM, LOADER_PROGRAM]

/** Reads what is left behind. `unknown` instructions are part of it: whatever they may write to is unknown afterwards. */
export function readEffects(actions: readonly SolanaAction[], context: EffectsContext): Effects {
  const { wallet, isVouched = false } = context
  const state = new Map<string, AccountEffect>()
  for (const action of actions) step(state, action, context)
  const isOwnAsRead = (address: string) => address === wallet || isControlled(state.get(address), context)
  const isOwn = (address: string) =>
    isOwnAsRead(address) && (isVouched || state.get(address)?.isUnknown !== true)
  let sent = 0n
  let kept = 0n
  let stored = 0n
  for (const { address, created, transferred, isUnknown } of state.values()) {
    if (address === wallet) continue
    const isKept = isOwn(address)
    // What is put into an account before a program uses it is meant for the program, whoever has the account.
    const isStored = isKept && !isUnknown
    sent += (isStored ? 0n : transferred) + (isKept ? 0n : created)
    kept += isKept ? created : 0n
    stored += isStored ? transferred : 0n
  }
  return { wallet, accounts: state, sent, kept, stored, isOwn, isOwnAsRead }
}

/** Whether a lockup binds the account, as far as the time is known. Once it is over, the custodian can't make it longer. */
export function isLocking(
  lockup: Partial<StakeLockup> | undefined,
  { wallet, now = 0n, epoch: reached = 0n }: Pick<EffectsContext, 'wallet' | 'now' | 'epoch'>,
): boolean {
  const { until = 0n, epoch = 0n, custodian } = lockup ?? {}
  return custodian !== wallet && (epoch > reached || until > now)
}

function isControlled(account: AccountEffect | undefined, context: EffectsContext): boolean {
  if (!account) return false
  const { wallet, isVouched = false } = context
  const { program, roles, size, base, isSetUp, isClosed, lockup } = account
  if (isClosed || program === undefined) return false
  const isHeld = [...roles.values()].every(({ holder, isKnown }) =>
    holder === undefined ? isKnown || isVouched : holder === wallet,
  )
  if (program === SYSTEM_PROGRAM) return roles.size > 0 ? isHeld : size === 0n && base === wallet
  return rolePrograms.includes(program) && isSetUp && roles.size > 0 && isHeld && !isLocking(lockup, context)
}

type State = Map<string, AccountEffect>

function step(state: State, action: SolanaAction, context: EffectsContext): void {
  const { instruction } = action
  const { wallet } = context
  const at = (address: string) => accountAt(state, address, instruction, context)
  /** A program has set an account up with these roles. */
  const setUp = (address: string, program: string, roles: Readonly<Record<string, string | undefined>>) => {
    const account = at(address)
    account.program = program
    account.isSetUp = true
    account.isClosed = false
    // Only an account with data can be set up.
    if (address === wallet && account.size === 0n) account.size = 1n
    for (const [role, holder] of Object.entries(roles))
      account.roles.set(role, { holder, isKnown: true, instruction, isFirst: true })
    return account
  }
  const give = (address: string, role: string, holder: string | undefined, amount?: bigint) => {
    const account = at(address)
    // The network refuses that for an account that is closed, so it can't count as one.
    account.isClosed = false
    account.roles.set(role, { holder, isKnown: true, instruction, isFirst: false, amount })
  }
  /** Somebody hands on a role that nobody else could: what they keep is not given. */
  const handOn = (address: string, role: string, by: string | undefined, next: string | undefined) => {
    const found = at(address).roles.get(role)
    const before: Role = found?.isKnown
      ? found
      : { holder: by, isKnown: true, instruction: undefined, isFirst: true }
    give(address, role, next)
    if (next !== undefined && next === before.holder) at(address).roles.set(role, before)
  }

  switch (action.kind) {
    case 'transferSol':
      pay(state, action, at, context)
      return
    case 'createAccount': {
      const { payer, lamports, owner, space, base } = action
      const account = at(action.account)
      account.program = owner
      account.size = space
      account.base = base
      account.isNew = true
      account.isSetUp = false
      account.isClosed = false
      account.isAssigned = false
      account.lockup = undefined
      account.roles.clear()
      if (payer === wallet && action.account !== wallet) {
        account.created += lamports
        account.isPaid = true
      } else if (payer !== undefined) move(state.get(payer), account, lamports)
      return
    }
    case 'assign':
    case 'allocate': {
      const account = at(action.account)
      if (action.base !== undefined) account.base = action.base
      if (action.kind === 'allocate') account.size = action.space
      // What is another program's already can't be given away by the system program.
      const isSystems = account.program === undefined || account.program === SYSTEM_PROGRAM
      if (action.owner !== undefined && isSystems) {
        account.program = action.owner
        account.isAssigned = true
        account.isNew ||= account.transferred > 0n
      }
      return
    }
    case 'nonce': {
      const { account, authority, current, destination, lamports } = action
      if (action.step === 'initialize') setUp(account, SYSTEM_PROGRAM, { nonce: authority })
      else if (action.step === 'authorize') handOn(account, 'nonce', current, authority)
      else if (action.step === 'withdraw' && destination !== undefined)
        withdraw(state, account, at(destination), lamports, wallet)
      return
    }
    case 'createTokenAccount': {
      const { payer, account: address, owner, tokenProgram } = action
      const account = at(address)
      const isThere = account.isSetUp && !account.isClosed
      if (!isThere) {
        setUp(address, tokenProgram, { holder: owner })
        account.isNew = true
        account.isAssociated = tokenPrograms.includes(tokenProgram)
        account.isPaid ||= payer === wallet
      }
      return
    }
    case 'initializeTokenAccount':
      setUp(action.account, action.program, { holder: action.owner })
      return
    case 'initializeMint':
      setUp(action.mint, action.program, {
        mintTokens: action.authority,
        freezeAccount: action.freezeAuthority,
      })
      return
    case 'initializeMultisig':
      setUp(
        action.account,
        action.program,
        Object.fromEntries(action.signers.map((signer, place) => [`signer ${place}`, signer])),
      )
      return
    case 'tokenExtension':
      if (action.authority !== undefined) give(action.account, action.extension, action.authority)
      return
    case 'transferToken':
      if (action.amount > 0n) at(action.destination).isReceiving = true
      // Tokens of this mint are the lamports of their account.
      if (action.mint === NATIVE_MINT) move(state.get(action.source), at(action.destination), action.amount)
      return
    case 'approveToken':
      give(action.account, 'delegate', action.delegate, action.amount)
      return
    case 'revokeToken':
      give(action.account, 'delegate', undefined)
      return
    case 'setAuthority':
      // The owner may change this role too, and not its holder alone.
      if (action.role === 'closeAccount') give(action.account, action.role, action.next)
      else
        handOn(
          action.account,
          action.role === 'accountOwner' ? 'holder' : action.role,
          action.current,
          action.next,
        )
      // A new owner begins without anybody who may take tokens.
      if (action.role === 'accountOwner') at(action.account).roles.delete('delegate')
      return
    case 'closeAccount':
    case 'recoverNested':
      withdraw(state, action.account, at(action.destination), undefined, wallet)
      if (action.kind === 'closeAccount') close(at(action.account))
      return
    case 'withdrawLamports':
      withdraw(state, action.account, at(action.destination), action.lamports, wallet)
      return
    case 'stake':
      stake(action, { at, setUp, give, handOn, state, wallet })
      return
    case 'vote': {
      const { account, authority, target, role, roles, lamports } = action
      if (action.step === 'initialize' && roles) setUp(account, VOTE_PROGRAM, { ...roles })
      else if (action.step === 'withdraw' && target !== undefined)
        withdraw(state, account, at(target), lamports, wallet)
      else if (role === 'withdrawer') handOn(account, role, authority, target)
      else if (role !== undefined) give(account, role, target)
      return
    }
    case 'program': {
      const { account, authority, recipient } = action
      if (action.step === 'close') {
        if (recipient !== undefined) withdraw(state, account, at(recipient), undefined, wallet)
        close(at(account))
      } else if (action.step === 'setAuthority') give(account, 'upgradeAuthority', authority)
      else setUp(account, LOADER_PROGRAM, { upgradeAuthority: authority })
      return
    }
    case 'unknown':
      for (const { address, writable } of action.accounts)
        if (writable && address !== wallet) at(address).isUnknown = true
      return
    default:
      return
  }
}

interface Steps {
  readonly state: State
  readonly wallet: string
  at(address: string): AccountEffect
  setUp(address: string, program: string, roles: Readonly<Record<string, string | undefined>>): AccountEffect
  give(address: string, role: string, holder: string | undefined): void
  handOn(address: string, role: string, by: string | undefined, next: string | undefined): void
}

function stake(
  action: Extract<SolanaAction, { kind: 'stake' }>,
  { at, setUp, give, handOn, state, wallet }: Steps,
): void {
  const { account: address, authority, target, role, lamports, instruction, lockup } = action
  switch (action.step) {
    case 'initialize': {
      const account = setUp(address, STAKE_PROGRAM, { staker: authority, withdrawer: target })
      account.lockup = { ...lockup, instruction }
      return
    }
    case 'authorize':
      // The withdrawer may change the staker too.
      if (role === 'withdrawer') handOn(address, role, authority, target)
      else if (role !== undefined) give(address, role, target)
      return
    case 'setLockup': {
      const account = at(address)
      account.lockup = { ...account.lockup, ...lockup, instruction }
      return
    }
    case 'split': {
      if (target === undefined) return
      const source = at(address)
      const account = at(target)
      account.program = STAKE_PROGRAM
      account.isSetUp = true
      // A part has the roles of the whole. Whoever signs for it may delegate, which is not to withdraw.
      const unknown = { holder: undefined, isKnown: false, instruction, isFirst: true }
      for (const each of ['staker', 'withdrawer'])
        account.roles.set(each, { ...(source.roles.get(each) ?? unknown), isFirst: true })
      if (source.lockup) account.lockup = source.lockup
      return
    }
    case 'merge':
      if (target === undefined) return
      withdraw(state, address, at(target), undefined, wallet)
      close(at(address))
      return
    case 'withdraw':
    case 'moveLamports':
    case 'moveStake':
      if (target !== undefined) withdraw(state, address, at(target), lamports, wallet)
      return
    default:
      return
  }
}

/** The state of an account, as a node has said it before. */
function accountAt(
  state: State,
  address: string,
  instruction: number,
  { wallet, accounts }: EffectsContext,
): AccountEffect {
  const found = state.get(address)
  if (found) return found
  const before = address === wallet ? undefined : accounts?.get(address)
  const account: AccountEffect = {
    address,
    // Whoever pays a fee or signs as a wallet has an account of the system program without data.
    program: address === wallet ? SYSTEM_PROGRAM : before?.owner,
    size: BigInt(before?.data.length ?? 0),
    isNew: false,
    base: undefined,
    isAssociated: false,
    isSetUp: before !== undefined && before.data.length > 0,
    isClosed: false,
    isUnknown: false,
    isAssigned: false,
    isPaid: false,
    isReceiving: false,
    created: 0n,
    transferred: 0n,
    roles: rolesBefore(before),
    lockup: lockupBefore(before),
    instruction,
  }
  state.set(address, account)
  return account
}

function rolesBefore(account: AccountState | undefined): Map<string, Role> {
  const role = (holder: string | undefined): Role => ({
    holder,
    isKnown: true,
    instruction: undefined,
    isFirst: true,
  })
  const token = readTokenAccount(account)
  if (token)
    return new Map([
      ['holder', role(token.owner)],
      ['delegate', role(token.delegate)],
      ['closeAccount', role(token.closeAuthority)],
    ])
  const meta = account?.owner === STAKE_PROGRAM ? stakeOf(account.data) : undefined
  return new Map(
    meta
      ? [
          ['staker', role(meta.authorized.staker)],
          ['withdrawer', role(meta.authorized.withdrawer)],
        ]
      : [],
  )
}

function lockupBefore(account: AccountState | undefined): AccountEffect['lockup'] {
  const meta = account?.owner === STAKE_PROGRAM ? stakeOf(account.data) : undefined
  if (!meta) return undefined
  const { unixTimestamp: until, epoch, custodian } = meta.lockup
  return { until, epoch, custodian, instruction: undefined }
}

function stakeOf(data: Uint8Array) {
  try {
    const { state } = getStakeStateAccountDecoder().decode(data)
    return state.__kind === 'Initialized' || state.__kind === 'Stake' ? state.fields[0] : undefined
  } catch {
    return undefined
  }
}

function pay(
  state: State,
  { from, base, to, lamports }: Extract<SolanaAction, { kind: 'transferSol' }>,
  at: (address: string) => AccountEffect,
  { wallet }: EffectsContext,
): void {
  const target = at(to)
  if (from === wallet) {
    if (to !== wallet) target.transferred += lamports
    return
  }
  const source = at(from)
  if (base !== undefined) source.base = base
  withdraw(state, from, target, lamports, wallet)
}

/** Lamports of the wallet go on to another account, or come back. Without an amount it is all of them. */
function withdraw(
  state: State,
  address: string,
  target: AccountEffect,
  lamports: bigint | undefined,
  wallet: string,
): void {
  const source = state.get(address)
  // Of what an instruction may have taken that isn't understood, nobody knows how much goes on.
  if (!source || source === target || source.isUnknown) return
  const held = source.created + source.transferred
  const moved = lamports === undefined ? held : minOf(lamports, held)
  if (target.address === wallet) take(source, moved)
  else move(source, target, moved)
}

function move(source: AccountEffect | undefined, target: AccountEffect, lamports: bigint): void {
  if (!source || source.isUnknown) return
  const moved = minOf(lamports, source.created + source.transferred)
  take(source, moved)
  target.transferred += moved
}

function take(account: AccountEffect, lamports: bigint): void {
  const created = minOf(lamports, account.created)
  account.created -= created
  account.transferred -= lamports - created
}

function close(account: AccountEffect): void {
  account.isClosed = true
  account.isSetUp = false
  account.roles.clear()
  account.lockup = undefined
}
