/** Who controls an account, strictly as its bytes say. */
import { getAddressDecoder, unwrapOption } from '@solana/kit'
import { getStakeStateAccountDecoder, type Meta } from '@solana-program/stake'
import { getNonceDecoder, getNonceSize, NonceState } from '@solana-program/system'
import { getMintDecoder, getMultisigDecoder, getMultisigSize } from '@solana-program/token'
import { LOADER_PROGRAM } from './programs/loader.ts'
import { STAKE_PROGRAM } from './programs/stake.ts'
import { SYSTEM_PROGRAM } from './programs/system.ts'
import { TOKEN_PROGRAM } from './programs/token.ts'
import { TOKEN_2022_PROGRAM } from './programs/token-2022.ts'
import type { AccountState } from './queries.ts'
import { extensionsIn, readMint, readTokenAccount } from './token-state.ts'

/** What somebody may do with an account. `control`: any other role. */
export type RoleKind =
  | 'owner'
  | 'delegate'
  | 'closeAuthority'
  | 'mintAuthority'
  | 'freezeAuthority'
  | 'nonceAuthority'
  | 'staker'
  | 'withdrawer'
  | 'custodian'
  | 'upgradeAuthority'
  | 'control'

export interface Role {
  readonly kind: RoleKind
  /** Tells roles of one kind apart. */
  readonly name: string
  readonly holder: string
  /** What a delegate may take; `undefined`: all. */
  readonly amount?: bigint | undefined
  /** Seconds since the epoch, until which a custodian holds what is in it. */
  readonly until?: bigint | undefined
  /** The same, in epochs of the network. */
  readonly epoch?: bigint | undefined
}

export interface AccountControl {
  readonly address: string
  /** The program that may change its bytes and take its lamports. */
  readonly program: string
  readonly size: number
  readonly lamports: bigint
  /** Of an account of tokens, or a mint itself. */
  readonly mint: string | undefined
  readonly roles: readonly Role[]
  /** `false`: its bytes don't say who controls it, so that its program is all that is known. */
  readonly isUnderstood: boolean
  readonly isFrozen: boolean
}

const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111'
const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'

interface Reading {
  readonly roles: readonly Role[]
  readonly mint?: string
  readonly isFrozen?: boolean
  /** `false`: there may be more roles than these. */
  readonly isAll?: boolean
}

/** Readers of data by the program that it is of. `undefined`: it can't be read, or has not been set up. */
const readers: Readonly<Record<string, (account: AccountState, address: string) => Reading | undefined>> = {
  [SYSTEM_PROGRAM]: readSystem,
  [TOKEN_PROGRAM]: readToken,
  [TOKEN_2022_PROGRAM]: readToken,
  [STAKE_PROGRAM]: readStake,
  [VOTE_PROGRAM]: readVote,
  [LOADER_PROGRAM]: readLoader,
  [LOOKUP_TABLE_PROGRAM]: readTable,
}

/** Reads who controls an account; `undefined` for one that does not exist. */
export function readControl(account: AccountState | undefined, address: string): AccountControl | undefined {
  if (!account || account.lamports === 0n) return undefined
  const { owner: program, lamports, data } = account
  const read = Object.hasOwn(readers, program)
    ? attempt(() => readers[program]?.(account, address))
    : undefined
  return {
    address,
    program,
    size: data.length,
    lamports,
    mint: read?.mint,
    roles: read?.roles ?? [],
    isUnderstood: read !== undefined && read.isAll !== false,
    isFrozen: read?.isFrozen ?? false,
  }
}

/** The decoders throw for bytes that they were not made for. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const role = (kind: RoleKind, holder: string | undefined, name: string = kind): readonly Role[] =>
  holder === undefined ? [] : [{ kind, name, holder }]

const addressAt = (data: Uint8Array, at: number): string => getAddressDecoder().decode(data, at)

/** An address after a byte that says whether there is one. */
const optionalAt = (data: Uint8Array, at: number): string | undefined =>
  data[at] === 1 ? addressAt(data, at + 1) : undefined

/** An address that nobody can have stands for none. */
function nonZeroAt(data: Uint8Array, at: number): string | undefined {
  const address = addressAt(data, at)
  return address === SYSTEM_PROGRAM ? undefined : address
}

const kindOf = (data: Uint8Array): number =>
  new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(0, true)

function readSystem({ data }: AccountState, address: string): Reading | undefined {
  if (data.length === 0) return { roles: role('owner', address, 'key') }
  if (data.length !== getNonceSize()) return undefined
  const { state, authority } = getNonceDecoder().decode(data)
  return state === NonceState.Initialized ? { roles: role('nonceAuthority', authority) } : undefined
}

function readToken(account: AccountState, address: string): Reading | undefined {
  const { data, owner: program } = account
  if (data.length === getMultisigSize()) {
    const { n, isInitialized, signers } = getMultisigDecoder().decode(data)
    if (!isInitialized) return undefined
    return { roles: signers.slice(0, n).flatMap((each) => role('control', each, `signer ${each}`)) }
  }
  const tokens = readTokenAccount(account)
  if (tokens) {
    const { mint, owner, delegate, delegatedAmount: amount, closeAuthority, isFrozen } = tokens
    return {
      mint,
      isFrozen,
      roles: [
        ...role('owner', owner),
        ...(amount > 0n ? role('delegate', delegate).map((each) => ({ ...each, amount })) : []),
        ...role('closeAuthority', closeAuthority),
      ],
    }
  }
  if (!readMint(account)) return undefined
  const { mintAuthority, freezeAuthority } = getMintDecoder().decode(data)
  const extensions = program === TOKEN_2022_PROGRAM ? extensionsIn(data) : []
  const known = extensions.map((each) => rolesOf(each.type, each.data))
  return {
    mint: address,
    roles: [
      ...role('mintAuthority', unwrapOption(mintAuthority) ?? undefined),
      ...role('freezeAuthority', unwrapOption(freezeAuthority) ?? undefined),
      ...known.flatMap((each) => each ?? []),
    ],
    isAll: known.every((each) => each !== undefined),
  }
}

/** Extensions of a mint that nobody has a role in: a state of new accounts, one without transfers, a member of a group. */
const withoutRoles: readonly number[] = [6, 9, 23]
/** Roles of the other extensions of a mint: their names, in the order in which their addresses stand. */
const extensionRoles: Readonly<Record<number, readonly [RoleKind, string][]>> = {
  1: [
    ['control', 'transferFee'],
    ['control', 'withheldFee'],
  ],
  3: [['closeAuthority', 'closeMint']],
  4: [['control', 'confidentialTransfer']],
  10: [['control', 'interest']],
  12: [['delegate', 'permanentDelegate']],
  14: [
    ['control', 'transferHook'],
    ['control', 'transferHookProgram'],
  ],
  16: [['control', 'confidentialFee']],
  18: [['control', 'metadataPointer']],
  19: [['control', 'metadata']],
  20: [['control', 'groupPointer']],
  21: [['control', 'group']],
  22: [['control', 'memberPointer']],
  25: [['control', 'scaledAmount']],
  26: [['control', 'pause']],
}
const ADDRESS_SIZE = 32

/** `undefined` for an extension that is not known. */
function rolesOf(type: number, data: Uint8Array): readonly Role[] | undefined {
  if (withoutRoles.includes(type)) return []
  return extensionRoles[type]?.flatMap(([kind, name], at) =>
    role(kind, nonZeroAt(data, at * ADDRESS_SIZE), name),
  )
}

function readStake({ data }: AccountState): Reading | undefined {
  const { state } = getStakeStateAccountDecoder().decode(data)
  if (state.__kind !== 'Initialized' && state.__kind !== 'Stake') return undefined
  const [{ authorized, lockup }]: readonly [Meta, ...unknown[]] = state.fields
  const { unixTimestamp: until, epoch, custodian } = lockup
  const isLocked = until > 0n || epoch > 0n
  return {
    roles: [
      ...role('withdrawer', authorized.withdrawer),
      ...role('staker', authorized.staker),
      ...(isLocked
        ? role('custodian', custodian).map((each) => ({
            ...each,
            ...(until > 0n && { until }),
            ...(epoch > 0n && { epoch }),
          }))
        : []),
    ],
  }
}

/** Versions of a vote account that begin with the node and who may withdraw. */
const voteVersions: readonly number[] = [1, 2, 3]
const NODE_AT = 4
const WITHDRAWER_AT = NODE_AT + ADDRESS_SIZE

function readVote({ data }: AccountState): Reading | undefined {
  if (!voteVersions.includes(kindOf(data))) return undefined
  const withdrawer = nonZeroAt(data, WITHDRAWER_AT)
  if (withdrawer === undefined) return undefined
  return { roles: [...role('withdrawer', withdrawer), ...role('control', nonZeroAt(data, NODE_AT), 'node')] }
}

/** Kinds of the accounts of the loader, each with the place where its authority stands. */
const BUFFER = 1
const PROGRAM = 2
const PROGRAM_DATA = 3

function readLoader({ data }: AccountState): Reading | undefined {
  switch (kindOf(data)) {
    case BUFFER:
      return { roles: role('upgradeAuthority', optionalAt(data, 4)) }
    case PROGRAM:
      return { roles: [] }
    case PROGRAM_DATA:
      return { roles: role('upgradeAuthority', optionalAt(data, 12)) }
    default:
      return undefined
  }
}

function readTable({ data }: AccountState): Reading | undefined {
  return kindOf(data) === 1 ? { roles: role('control', optionalAt(data, 21), 'lookupTable') } : undefined
}
