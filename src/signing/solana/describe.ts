import type {
  AuthorityRole,
  NonceAction,
  SolanaAction,
  StakeAction,
  TokenTransfer,
  VoteAction,
} from '../../solana/actions.ts'
import { LAMPORT_DECIMALS, SOL } from '../../solana/clusters.ts'
import { NATIVE_MINT } from '../../solana/programs/token.ts'
import { type Asset, type SolanaToken, solanaAsset } from '../preview.ts'

/** An instruction as its screen names it. */
export interface InstructionDescription {
  readonly name: InstructionName
  readonly facts: readonly InstructionFact[]
}
export type InstructionFact = (
  | { readonly label: FactLabel }
  /** What whoever receives it gets. */
  | { readonly label: 'arrives'; readonly receiver: string }
) &
  (
    | { readonly address: string }
    | { readonly amount: bigint; readonly asset: Asset }
    /** In units that the network moves, where nobody has said how people see them. */
    | { readonly units: bigint }
    | { readonly count: bigint }
    | { readonly text: string }
    /** Seconds since 1970. */
    | { readonly time: bigint }
    | { readonly role: AuthorityRole | 'staker' | 'withdrawer' | 'voter' | 'node' }
    /** Nobody has it from then on. */
    | { readonly nobody: true }
  )
export type FactLabel =
  | 'from'
  | 'recipient'
  | 'spender'
  | 'authority'
  | 'owner'
  | 'newOwner'
  | 'account'
  | 'mint'
  | 'amount'
  | 'tokenFee'
  | 'limit'
  | 'price'
  | 'text'
  | 'space'
  | 'program'
  | 'role'
  | 'newAuthority'
  | 'validator'
  | 'payer'
  | 'staker'
  | 'withdrawer'
  | 'voter'
  | 'custodian'
  | 'lockedUntil'
  | 'lockedEpoch'
  | 'freezeAuthority'
  | 'signer'
export type InstructionName =
  | Exclude<SolanaAction['kind'], 'nonce' | 'stake' | 'vote' | 'computeBudget' | 'program' | 'unknown'>
  | (typeof budgetNames)[keyof typeof budgetNames]
  | 'wrapSol'
  | `nonce.${NonceAction['step']}`
  | `stake.${StakeAction['step']}`
  | `vote.${VoteAction['step']}`
  | `program.${Extract<SolanaAction, { kind: 'program' }>['step']}`

const budgetNames = {
  unitLimit: 'computeLimit',
  unitPrice: 'computePrice',
  heapSize: 'heapSize',
  dataSize: 'dataSize',
} as const

const sol: Asset = { symbol: SOL, decimals: LAMPORT_DECIMALS }

/** Describes what an instruction does; `undefined` for one that can't be named with certainty. */
export function describeInstruction(action: SolanaAction): InstructionDescription | undefined {
  switch (action.kind) {
    case 'unknown':
      return undefined
    case 'transferSol':
      return { name: isWrapping(action) ? 'wrapSol' : action.kind, facts: factsOf(action) }
    case 'nonce':
      return { name: `nonce.${action.step}`, facts: factsOf(action) }
    case 'stake':
      return { name: `stake.${action.step}`, facts: factsOf(action) }
    case 'vote':
      return { name: `vote.${action.step}`, facts: factsOf(action) }
    case 'program':
      return { name: `program.${action.step}`, facts: factsOf(action) }
    case 'computeBudget':
      return { name: budgetNames[action.setting], facts: factsOf(action) }
    default:
      return { name: action.kind, facts: factsOf(action) }
  }
}

/** SOL for an account of wrapped SOL becomes tokens of whoever holds that account. */
const isWrapping = ({ token }: Extract<SolanaAction, { kind: 'transferSol' }>): boolean =>
  token?.mint === NATIVE_MINT

const address = (label: FactLabel, value: string | undefined): InstructionFact[] =>
  value === undefined ? [] : [{ label, address: value }]
const lamports = (value: bigint | undefined): InstructionFact[] =>
  value === undefined ? [] : [{ label: 'amount', amount: value, asset: sol }]
const tokens = (label: FactLabel, amount: bigint | undefined, token: SolanaToken): InstructionFact[] => {
  if (amount === undefined) return []
  const asset = solanaAsset(token)
  return [asset ? { label, amount, asset } : { label, units: amount }]
}
/** Of what a token with a fee transfers, as much as there is afterwards; nothing is taken from what stays in its place. */
const arrivals = ({ amount, fee, ...action }: TokenTransfer): InstructionFact[] =>
  fee === undefined || fee > amount || action.source === action.destination
    ? []
    : tokens('amount', amount - fee, action).map((fact) => ({
        ...fact,
        label: 'arrives',
        receiver: action.destinationOwner ?? action.destination,
      }))
const owner = (label: FactLabel, next: string | undefined): InstructionFact =>
  next === undefined ? { label, nobody: true } : { label, address: next }

function factsOf(action: SolanaAction): InstructionFact[] {
  switch (action.kind) {
    case 'transferSol':
      return [
        ...address('from', action.from),
        ...address('recipient', (isWrapping(action) && action.token?.owner) || action.to),
        ...(isWrapping(action) ? address('account', action.to) : []),
        ...lamports(action.lamports),
      ]
    case 'createAccount':
      return [
        ...address('account', action.account),
        ...address('payer', action.payer),
        ...lamports(action.lamports),
        { label: 'space', count: action.space },
        ...address('program', action.owner),
      ]
    case 'assign':
      return [...address('account', action.account), ...address('program', action.owner)]
    case 'allocate':
      return [
        ...address('account', action.account),
        { label: 'space', count: action.space },
        ...address('program', action.owner),
      ]
    case 'nonce':
      return [
        ...address('account', action.account),
        ...address(action.step === 'authorize' ? 'newAuthority' : 'authority', action.authority),
        ...address('recipient', action.destination),
        ...lamports(action.lamports),
      ]
    case 'transferToken':
      return [
        ...address('from', action.sourceOwner ?? action.source),
        ...address('recipient', action.destinationOwner ?? action.destination),
        ...(action.destinationOwner === undefined ? [] : address('account', action.destination)),
        ...tokens('amount', action.amount, action),
        ...tokens('tokenFee', action.fee, action),
        ...arrivals(action),
        ...address('mint', action.mint),
      ]
    case 'approveToken':
      return [
        ...address('account', action.account),
        ...address('spender', action.delegate),
        ...tokens('amount', action.amount, action),
        ...address('mint', action.mint),
      ]
    case 'revokeToken':
      return address('account', action.account)
    case 'setAuthority':
      return [
        ...address('account', action.account),
        { label: 'role', role: action.role },
        owner(action.role === 'accountOwner' ? 'newOwner' : 'newAuthority', action.next),
      ]
    case 'closeAccount':
    case 'recoverNested':
      return [...address('account', action.account), ...address('recipient', action.destination)]
    case 'burnToken':
    case 'mintToken':
      return [
        ...address('account', action.account),
        ...tokens('amount', action.amount, action),
        ...address('mint', action.mint),
      ]
    case 'freezeAccount':
    case 'thawAccount':
      return [...address('account', action.account), ...address('mint', action.mint)]
    case 'createTokenAccount':
    case 'initializeTokenAccount':
      return [
        ...address('owner', action.owner),
        ...address('account', action.account),
        ...address('mint', action.mint),
      ]
    case 'initializeMint':
      return [
        ...address('mint', action.mint),
        ...address('authority', action.authority),
        ...address('freezeAuthority', action.freezeAuthority),
      ]
    case 'initializeMultisig':
      return [
        ...address('account', action.account),
        ...action.signers.flatMap((signer) => address('signer', signer)),
      ]
    case 'prepareTokenAccount':
      return address('account', action.account)
    case 'withdrawLamports':
      return [
        ...address('account', action.account),
        ...address('recipient', action.destination),
        ...lamports(action.lamports),
      ]
    case 'tokenExtension':
      return [...address('account', action.account), ...address('newAuthority', action.authority)]
    case 'computeBudget':
      return [{ label: action.setting === 'unitPrice' ? 'price' : 'limit', count: action.value }]
    case 'memo':
      return [{ label: 'text', text: action.text }]
    case 'stake':
      if (action.step === 'initialize' || action.step === 'setLockup')
        return [...address('account', action.account), ...rolesOf(action), ...lockupOf(action)]
      return [
        ...address('account', action.account),
        ...(action.role ? [{ label: 'role', role: action.role } as const] : []),
        ...address(stakeTarget(action), action.target),
        ...lamports(action.lamports),
      ]
    case 'vote': {
      const { account, role, roles, target } = action
      return [
        ...address('account', account),
        ...(roles
          ? [
              ...address('validator', roles.node),
              ...address('voter', roles.voter),
              ...address('withdrawer', roles.withdrawer),
            ]
          : [
              ...(role ? [{ label: 'role', role } as const] : []),
              ...address(action.step === 'withdraw' ? 'recipient' : 'newAuthority', target),
            ]),
        ...lamports(action.lamports),
      ]
    }
    case 'program':
      return [
        ...address('account', action.account),
        ...address('authority', action.authority),
        ...address('recipient', action.recipient),
      ]
    case 'unknown':
      return []
  }
}

const rolesOf = ({ step, authority, target }: StakeAction): InstructionFact[] =>
  step === 'initialize' ? [...address('staker', authority), ...address('withdrawer', target)] : []

/** A lockup of an account that is set up is displayed where it binds; one that is set later in all that it changes. */
function lockupOf({ step, lockup: { until, epoch, custodian } = {} }: StakeAction): InstructionFact[] {
  const isLocked = (until ?? 0n) > 0n || (epoch ?? 0n) > 0n
  if (step === 'initialize' && !isLocked) return []
  return [
    ...(until === undefined ? [] : [{ label: 'lockedUntil', time: until } as const]),
    ...(epoch === undefined ? [] : [{ label: 'lockedEpoch', count: epoch } as const]),
    ...address('custodian', custodian),
  ]
}

function stakeTarget({ step }: StakeAction): FactLabel {
  if (step === 'delegate') return 'validator'
  return step === 'authorize' ? 'newAuthority' : 'recipient'
}
