/** Holds what a trial run has left behind against the actions that are displayed: what none of them says is red. */
import type { SolanaAction } from '../../solana/actions.ts'
import {
  type Action,
  type AllowanceChange,
  type BalanceChange,
  isOpaque,
  rankWarnings,
  type TransactionPreview,
  type Warning,
} from '../preview.ts'

/** What explanations are made of. */
export type Explained = Pick<TransactionPreview, 'actions' | 'balanceChanges' | 'value' | 'wallet' | 'coin'> &
  Partial<Pick<TransactionPreview, 'rent' | 'deposits'>>

/** Warns of whatever a trial run has left behind that no displayed action says. */
export function unexplainedChanges(preview: Explained): readonly Warning[] {
  const { balanceChanges: changes } = preview
  if (typeof changes !== 'object') return []
  return rankWarnings([
    ...changes.allowances
      .filter((change) => !isExplained(change, preview))
      .map(({ spender, account, token }) => warningOf({ spender, address: account ?? token })),
    ...changes.out
      .filter((change) => !isOutflowExplained(change, preview))
      .map(({ token }) => warningOf({ address: token })),
  ])
}

const warningOf = ({ spender, address }: Pick<Warning, 'spender' | 'address'>): Warning => ({
  code: 'unexplained-change',
  severity: 'danger',
  ...(spender !== undefined && { spender }),
  ...(address !== undefined && { address }),
})

/** The changes of a preview, those marked that a displayed action says. */
export function withExplanations(preview: Explained): TransactionPreview['balanceChanges'] {
  const { balanceChanges: changes } = preview
  if (typeof changes !== 'object') return changes
  const allowances = changes.allowances.map(({ isExplained: _, ...change }) =>
    isExplained(change, preview) ? { ...change, isExplained: true } : change,
  )
  return { ...changes, allowances }
}

/** Warns of calls that nobody has described: without a trial run nothing vouches for them. */
export function trialWarnings({
  actions,
  balanceChanges: changes,
  wallet,
}: Pick<TransactionPreview, 'actions' | 'balanceChanges' | 'wallet'>): readonly Warning[] {
  // A warning that the answer takes back would teach people to read over it.
  if (changes === 'waiting') return []
  // A run that failed has said what it could, and is red by that.
  if (changes === 'failed' || isVouched(changes))
    return actions.some(isOpaque) ? [{ code: 'undescribed', severity: 'warning' }] : []
  if (actions.some((action) => isOpaque(action) || isForeignAccount(action, wallet)))
    return [{ code: 'not-understood', severity: 'danger' }]
  return []
}

/** Whether a trial run has shown everything, and no node contradicts it. */
const isVouched = (changes: TransactionPreview['balanceChanges']): boolean =>
  typeof changes === 'object' && changes.isComplete && !changes.isDisputed

/** Apps write after a call by whom it came (ERC-8021): where a run shows all that it does, such bytes are a fact and no risk. */
const withTrialled = (
  warning: Warning,
  { actions, balanceChanges: changes }: Pick<TransactionPreview, 'actions' | 'balanceChanges'>,
): Warning =>
  warning.code === 'trailing-bytes' &&
  (changes === 'waiting' || (isVouched(changes) && !actions.some(isOpaque)))
    ? { ...warning, severity: 'info' }
    : warning

/** A preview with what a trial run says of it. */
export function withTrial(preview: TransactionPreview): TransactionPreview {
  const balanceChanges = withExplanations(preview)
  return {
    ...preview,
    ...(balanceChanges && { balanceChanges }),
    warnings: [
      ...preview.warnings.map((warning) => withTrialled(warning, preview)),
      ...unexplainedChanges(preview),
      ...trialWarnings(preview),
    ],
  }
}

/** The function has the name of one of accounts, which any contract can give to its own. */
const isForeignAccount = (action: Action, wallet: string): boolean =>
  action.kind === 'account' && action.form !== 'userOperation' && !isSame(action.account, wallet)

/** Addresses of Ethereum are the same in any case; those of Solana aren't. */
const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  (one === other || (/^0x/i.test(one) && one.toLowerCase() === other.toLowerCase()))

/** Another account does it with what is its own, which says nothing of the wallet. */
function isByOther(action: Action, wallet: string): boolean {
  const by = 'by' in action ? action.by : undefined
  return typeof by === 'string' && !isSame(by, wallet)
}

function isExplained(change: AllowanceChange, { actions, wallet }: Explained): boolean {
  return actions.some((action) => {
    if (isByOther(action, wallet)) return false
    switch (action.kind) {
      case 'token':
        return isSaidByToken(change, action.call)
      case 'delegation':
        return isActing(change) && isSame(action.delegate, change.spender)
      case 'control':
        return (
          (isActing(change) || change.kind === 'owner') &&
          isSame(action.subject, change.spender) &&
          (action.contract === undefined ||
            change.account === undefined ||
            isSame(action.contract, change.account))
        )
      case 'code':
        return change.kind === 'code' && isSame(action.delegate, change.spender)
      case 'instruction':
        return isSaidByInstruction(change, action.instruction)
      default:
        return false
    }
  })
}

/** May act for the account, in whatever way. */
const isActing = ({ kind }: AllowanceChange): boolean =>
  kind === 'operator' || kind === 'control' || kind === 'delegate'

type TokenCall = Extract<Action, { kind: 'token' }>['call']

function isSaidByToken(change: AllowanceChange, call: TokenCall): boolean {
  const { kind, spender, token, account, amount, id, isUnlimited } = change
  const where = token ?? account
  if (!isSame(call.party, spender)) return false
  if (call.contract !== undefined && where !== undefined && !isSame(call.contract, where)) return false
  if (call.action === 'approveAll') return kind === 'spender' || kind === 'operator'
  // Credit that somebody may draw is written as an allowance of the debt.
  if (call.action !== 'approve' || (kind !== 'spender' && kind !== 'delegate')) return false
  if (id !== undefined) return call.token === id || call.amountOrToken === id
  if (call.unlimited) return true
  const allowed = call.amount ?? call.amountOrToken
  return !isUnlimited && allowed !== undefined && amount !== undefined && amount <= allowed
}

/** Kinds of instructions that can leave a role behind. */
const instructionsOf: Readonly<Partial<Record<AllowanceChange['kind'], readonly SolanaAction['kind'][]>>> = {
  spender: ['approveToken'],
  delegate: ['approveToken'],
  owner: ['setAuthority', 'createTokenAccount', 'initializeTokenAccount'],
  closeAuthority: ['setAuthority', 'tokenExtension'],
  program: ['createAccount', 'assign', 'allocate'],
  data: ['createAccount', 'allocate', 'nonce', 'stake'],
  nonceAuthority: ['nonce'],
  staker: ['stake'],
  withdrawer: ['stake'],
  custodian: ['stake'],
  mintAuthority: ['initializeMint', 'setAuthority'],
  freezeAuthority: ['initializeMint', 'setAuthority', 'freezeAccount'],
  upgradeAuthority: ['program'],
  control: ['setAuthority', 'tokenExtension', 'initializeMultisig'],
}
/** A new holder is said for one role alone. */
const roles: Readonly<Partial<Record<AllowanceChange['kind'], string>>> = {
  owner: 'accountOwner',
  closeAuthority: 'closeAccount',
  mintAuthority: 'mintTokens',
  freezeAuthority: 'freezeAccount',
}

/** An instruction says a change if it names the account and, in a field of its own, whoever has the role from then on. */
function isSaidByInstruction(
  { kind, account, spender, amount }: AllowanceChange,
  action: SolanaAction,
): boolean {
  if (!instructionsOf[kind]?.includes(action.kind)) return false
  const named = namedIn(action)
  if (account !== undefined && !named.includes(account)) return false
  switch (action.kind) {
    case 'approveToken':
      return (
        action.delegate === spender && (amount === undefined ? isAll(action.amount) : amount <= action.amount)
      )
    case 'setAuthority': {
      const role = roles[kind]
      return action.next === spender && (role === undefined ? kind === 'control' : role === action.role)
    }
    case 'initializeMint':
      return (kind === 'mintAuthority' ? action.authority : action.freezeAuthority) === spender
    case 'createAccount':
    case 'assign':
    case 'allocate':
      // An account of data says what it holds, and not who may change it.
      return kind === 'data' || action.owner === spender
    case 'createTokenAccount':
    case 'initializeTokenAccount':
      return action.owner === spender
    case 'stake':
      return (
        kind === 'data' || (named.includes(spender) && (action.role === undefined || action.role === kind))
      )
    case 'nonce':
      return kind === 'data' || named.includes(spender)
    default:
      return named.includes(spender)
  }
}

const U64_MAX = (1n << 64n) - 1n
const isAll = (amount: bigint): boolean => amount === U64_MAX

/** Fields of every instruction, which say nothing of its own. */
const unsaid: ReadonlySet<string> = new Set(['kind', 'program', 'accounts', 'data'])

/** The texts in the fields of an action, addresses among them. */
const namedIn = (action: SolanaAction): readonly string[] =>
  Object.entries(action).flatMap(([field, value]) => (unsaid.has(field) ? [] : textsIn(value)))

const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

/** What leaves needs an explanation only where all actions say their amounts; any other is displayed as a change of the balance. */
function isOutflowExplained(change: BalanceChange, preview: Explained): boolean {
  const said = saidOutflow(change, preview)
  return said === undefined || change.amount <= said
}

/** The amount that the actions name of an asset; `undefined`: they may take more of it than they say. */
function saidOutflow(
  { token, id }: Pick<BalanceChange, 'token' | 'id'>,
  { actions, value, rent = 0n, deposits = 0n, wallet }: Explained,
): bigint | undefined {
  let sum = 0n
  const isSolana = actions.some(({ kind }) => kind === 'instruction')
  for (const action of actions) {
    if (isByOther(action, wallet)) continue
    switch (action.kind) {
      case 'transfer':
        // On Solana it stands for an instruction that is there as well.
        if (token === undefined && !isSolana) sum += action.amount
        break
      case 'token':
        sum += token === undefined ? 0n : amountOfCall(action.call, { token, id }, wallet)
        break
      case 'instruction': {
        const said =
          token === undefined ? lamportsOf(action.instruction) : tokensOf(action.instruction, token)
        if (said === undefined) return undefined
        sum += said
        break
      }
      case 'code':
      case 'deploy':
        break
      default:
        return undefined
    }
  }
  const along = value + rent + deposits
  return token === undefined && along > sum ? along : sum
}

function amountOfCall(
  { action, contract, from, amount, amountOrToken, token: number }: TokenCall,
  { token, id }: Pick<BalanceChange, 'token' | 'id'>,
  wallet: string,
): bigint {
  if (action !== 'transfer' || (from !== undefined && !isSame(from, wallet))) return 0n
  if (contract !== undefined && !isSame(contract, token)) return 0n
  if (id === undefined) return amount ?? amountOrToken ?? 0n
  if (number === id) return amount ?? 1n
  return amountOrToken === id ? 1n : 0n
}

function lamportsOf(action: SolanaAction): bigint | undefined {
  switch (action.kind) {
    case 'transferSol':
    case 'createAccount':
      return action.lamports
    case 'nonce':
    case 'stake':
      return action.lamports ?? 0n
    case 'withdrawLamports':
      return action.lamports
    // All that is in it, whatever that is.
    case 'closeAccount':
    case 'recoverNested':
    case 'program':
    case 'unknown':
      return undefined
    default:
      return 0n
  }
}

function tokensOf(action: SolanaAction, token: string): bigint | undefined {
  switch (action.kind) {
    case 'transferToken':
    case 'burnToken':
      // Without a mint only its accounts say which token it is.
      return action.mint === undefined ? undefined : action.mint === token ? action.amount : 0n
    case 'closeAccount':
    case 'recoverNested':
    case 'tokenExtension':
    case 'unknown':
      return undefined
    default:
      return 0n
  }
}
