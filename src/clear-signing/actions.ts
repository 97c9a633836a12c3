/**
 * What calls and messages of well-known shapes do, whatever a descriptor says of them. Reads only what can be named with certainty:
 * every argument or field has to be there, in its canonical form.
 */
import { checksumAddress } from '../ethereum/address.ts'
import type { TypedData } from '../ethereum/typed-data.ts'
import type { InnerCall } from './call.ts'
import type { DataProvider } from './data.ts'
import { decodeArguments } from './decode.ts'
import { type FunctionSignature, parseSignature } from './signature.ts'
import { messageChainId } from './typed-data.ts'
import { getMember, rawText, type Value } from './values.ts'

/** Addresses have their checksum. */
export type Action =
  | Transfer
  | Allowance
  | Operator
  | Control
  | Order
  | Delegation
  | SafeTransaction
  | UserOperation
  | Revocation

export interface Transfer {
  readonly kind: 'transfer'
  /** `token-or-nft`: the function is the same for both, and nobody has said which the contract is. */
  readonly standard: 'native' | 'token' | 'nft' | 'multi-token' | 'token-or-nft'
  readonly chainId?: number | undefined
  readonly contract?: string | undefined
  /** Whose tokens move, where that isn't the signer by itself. */
  readonly from?: string | undefined
  readonly to: string
  /** In the smallest units. */
  readonly amount?: bigint | undefined
  readonly tokenId?: bigint | undefined
  /** An amount or the id of a token: see `token-or-nft`. */
  readonly amountOrId?: bigint | undefined
  /** Signed for somebody else to send (EIP-3009). */
  readonly isSigned: boolean
}
export interface Allowance {
  readonly kind: 'allowance'
  readonly method: 'approve' | 'increase' | 'permit' | 'permit2' | 'permit2-transfer'
  readonly chainId?: number | undefined
  readonly token?: string | undefined
  readonly spender: string
  readonly amount?: bigint | undefined
  readonly amountOrId?: bigint | undefined
  /** The greatest amount of its type: no limit. */
  readonly isUnlimited: boolean
  /** Whether it reaches all that the wallet has, or all that there is; absent if nobody has said how much that is. */
  readonly reach?: 'all' | 'part' | undefined
  /** It takes an allowance back. */
  readonly isRevoked: boolean
  /** Seconds since 1970 until when it may be used; absent if it has no end. */
  readonly expiresAt?: bigint | undefined
  /** The value that a wallet may change to allow less, and its type. */
  readonly editable?: { readonly path: string; readonly type: string } | undefined
  /** A signature over more than the allowance: an order of somebody else's contract. */
  readonly witness?: string | undefined
  readonly isSigned: boolean
}
/** Power over all tokens of a contract (`setApprovalForAll`). */
export interface Operator {
  readonly kind: 'operator'
  readonly chainId?: number | undefined
  readonly contract?: string | undefined
  readonly operator: string
  readonly isGranted: boolean
}
/** A change of who controls a contract or an account. */
export interface Control {
  readonly kind: 'control'
  readonly change:
    | 'owner'
    | 'code'
    | 'admin'
    | 'module'
    | 'signer'
    | 'threshold'
    | 'guard'
    | 'role'
    | 'fallback'
  readonly chainId?: number | undefined
  readonly contract?: string | undefined
  /** Who or what gets control. */
  readonly subject?: string | undefined
  readonly function: string
}
/** An offer that anybody may take. */
export interface Order {
  readonly kind: 'order'
  readonly protocol: 'seaport' | 'seaport-bulk' | 'cow' | 'zero-ex' | 'blur' | 'one-inch'
  readonly gives: readonly OrderItem[]
  readonly gets: readonly OrderItem[]
  readonly expiresAt?: bigint | undefined
  /** Somebody else than the one who signs gets what is paid. */
  readonly proceedsTo?: string | undefined
  /** What is sold stands in a hash, which nobody can read. */
  readonly isUnreadable?: boolean | undefined
}
export interface OrderItem {
  readonly token: string
  readonly amount: bigint
  readonly tokenId?: bigint | undefined
  readonly recipient?: string | undefined
}
/** Somebody else may act for the account. */
export interface Delegation {
  readonly kind: 'delegation'
  readonly form: 'erc7710' | 'spend-permission' | 'session-key' | 'eip7702'
  readonly delegate?: string | undefined
  /** No caveat bounds it. */
  readonly isOpen: boolean
  readonly chainId?: number | undefined
}
export interface SafeTransaction {
  readonly kind: 'safeTransaction'
  readonly safe?: string | undefined
  readonly to: string
  readonly value: bigint
  readonly isDelegateCall: boolean
  readonly calls: readonly InnerCall[]
}
export interface UserOperation {
  readonly kind: 'userOperation'
  readonly sender: string
  readonly calls: readonly InnerCall[]
}

/** A signed transfer that is taken back before it was sent (EIP-3009). */
export interface Revocation {
  readonly kind: 'revocation'
  readonly chainId?: number | undefined
  readonly contract?: string | undefined
}

/** Permit2, at the same address on all chains. */
export const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
const UINT256 = (1n << 256n) - 1n
const UINT160 = (1n << 160n) - 1n
const ZERO = '0x0000000000000000000000000000000000000000'

/** Reads arguments by name: all of them are there, for the signature has been matched. */
class Arguments {
  readonly #values: Value
  constructor(values: Value) {
    this.#values = values
  }
  value(name: string): Value | undefined {
    return getMember(this.#values, name)
  }
  /** With its checksum. */
  address(name: string): string {
    const value = this.value(name)
    return value?.kind === 'address' ? rawText(value) : ''
  }
  number(name: string): bigint {
    const value = this.value(name)
    return value?.kind === 'number' ? value.value : 0n
  }
  flag(name: string): boolean {
    const value = this.value(name)
    return value?.kind === 'bool' && value.value
  }
  bytes(name: string): string {
    const value = this.value(name)
    return value?.kind === 'bytes' ? value.hex : '0x'
  }
  list(name: string): readonly Value[] {
    const value = this.value(name)
    return value?.kind === 'list' ? value.items : []
  }
  part(name: string): Arguments {
    return new Arguments(this.value(name) ?? { kind: 'struct', type: '', names: [], items: [] })
  }
}

interface Known<T> {
  readonly signature: FunctionSignature
  readonly read: (args: Arguments, call: InnerCall) => T
}
type Table<T> = Readonly<Record<string, (args: Arguments, call: InnerCall, data: DataProvider) => T>>

const tables = new WeakMap<object, ReadonlyMap<string, readonly Known<unknown>[]>>()
/** Signatures by selector, made when first needed: each costs a hash. */
function bySelector(table: object): ReadonlyMap<string, readonly Known<unknown>[]> {
  let known = tables.get(table)
  if (!known) {
    const map = new Map<string, Known<unknown>[]>()
    for (const [text, read] of Object.entries(table)) {
      const signature = parseSignature(text)
      if (!signature) continue
      map.set(signature.selector, [...(map.get(signature.selector) ?? []), { signature, read }])
    }
    known = map
    tables.set(table, known)
  }
  return known
}

function readCall<T>(table: Table<T>, call: InnerCall, data?: DataProvider): T | undefined {
  for (const { signature, read } of bySelector(table).get(call.data.slice(0, 10)) ?? []) {
    const decoded = decodeArguments(signature.parameters, call.data.slice(10))
    if (decoded)
      return (read as (args: Arguments, call: InnerCall, data?: DataProvider) => T)(
        new Arguments(decoded.values),
        call,
        data,
      )
  }
  return undefined
}

const checksum = (hex: string) => checksumAddress(hex.slice(2))
const contractOf = ({ to, chainId }: InnerCall) => ({ contract: checksum(to), chainId })
/** Whether the contract is known to be a token, whose amounts are no ids. */
const isToken = ({ to, chainId }: InnerCall, data: DataProvider) => data.token?.(chainId, to) !== undefined
const isCollection = ({ to, chainId }: InnerCall, data: DataProvider) =>
  data.nftCollectionName?.(chainId, to) !== undefined

const amountOrId = (call: InnerCall, data: DataProvider, number: bigint) =>
  isToken(call, data)
    ? ({ standard: 'token', amount: number } as const)
    : isCollection(call, data)
      ? ({ standard: 'nft', tokenId: number } as const)
      : ({ standard: 'token-or-nft', amountOrId: number } as const)

const nft = (args: Arguments, call: InnerCall): readonly Action[] => [
  {
    kind: 'transfer',
    standard: 'nft',
    ...contractOf(call),
    from: args.address('from'),
    to: args.address('to'),
    tokenId: args.number('id'),
    isSigned: false,
  },
]

const increase = (args: Arguments, call: InnerCall): readonly Action[] => [
  {
    kind: 'allowance',
    method: 'increase',
    token: checksum(call.to),
    chainId: call.chainId,
    spender: args.address('spender'),
    amount: args.number('amount'),
    isUnlimited: args.number('amount') === UINT256,
    isRevoked: false,
    editable: { path: 'amount', type: 'uint256' },
    isSigned: false,
  },
]

/** An allowance that Permit2 takes from a signature which goes along with the call. */
const permit2Call = (details: Arguments, spender: string, { chainId }: InnerCall): Allowance => ({
  kind: 'allowance',
  method: 'permit2',
  chainId,
  token: details.address('token'),
  spender,
  amount: details.number('amount'),
  isUnlimited: details.number('amount') === UINT160,
  isRevoked: details.number('amount') === 0n,
  expiresAt: details.number('expiration'),
  isSigned: false,
})

const control =
  (change: Control['change'], name: string, subject?: string) =>
  (args: Arguments, call: InnerCall): readonly Action[] => [
    {
      kind: 'control',
      change,
      ...contractOf(call),
      function: name,
      ...(subject && { subject: subjectText(args.value(subject)) }),
    },
  ]
const subjectText = (value: Value | undefined) => (value ? rawText(value) : undefined)

const calls: Table<readonly Action[]> = {
  'transfer(address to,uint256 amount)': (args, call) => [
    {
      kind: 'transfer',
      standard: 'token',
      ...contractOf(call),
      to: args.address('to'),
      amount: args.number('amount'),
      isSigned: false,
    },
  ],
  'transferFrom(address from,address to,uint256 amount)': (args, call, data) => [
    {
      kind: 'transfer',
      ...contractOf(call),
      from: args.address('from'),
      to: args.address('to'),
      ...amountOrId(call, data, args.number('amount')),
      isSigned: false,
    },
  ],
  'safeTransferFrom(address from,address to,uint256 id)': nft,
  'safeTransferFrom(address from,address to,uint256 id,bytes data)': nft,
  'safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)': (args, call) => [
    {
      kind: 'transfer',
      standard: 'multi-token',
      ...contractOf(call),
      from: args.address('from'),
      to: args.address('to'),
      tokenId: args.number('id'),
      amount: args.number('amount'),
      isSigned: false,
    },
  ],
  'safeBatchTransferFrom(address from,address to,uint256[] ids,uint256[] amounts,bytes data)': (
    args,
    call,
  ) => {
    const amounts = args.list('amounts')
    return args.list('ids').map((id, at) => ({
      kind: 'transfer',
      standard: 'multi-token',
      ...contractOf(call),
      from: args.address('from'),
      to: args.address('to'),
      tokenId: numberOf(id),
      amount: numberOf(amounts[at]),
      isSigned: false,
    }))
  },
  'approve(address spender,uint256 amount)': (args, call, data) => {
    const amount = args.number('amount')
    const isUnlimited = amount === UINT256
    const { standard: _, ...figures } = isUnlimited
      ? { standard: '', amount }
      : amountOrId(call, data, amount)
    const { tokenId, ...named } = { tokenId: undefined, ...figures } as {
      tokenId?: bigint | undefined
      amount?: bigint
      amountOrId?: bigint
    }
    return [
      {
        kind: 'allowance',
        method: 'approve',
        token: checksum(call.to),
        chainId: call.chainId,
        spender: args.address('spender'),
        ...(tokenId === undefined ? named : { amountOrId: tokenId }),
        isUnlimited,
        isRevoked: amount === 0n && tokenId === undefined,
        editable: { path: 'amount', type: 'uint256' },
        isSigned: false,
      },
    ]
  },
  'increaseAllowance(address spender,uint256 amount)': increase,
  'increaseApproval(address spender,uint256 amount)': increase,
  'setApprovalForAll(address operator,bool approved)': (args, call) => [
    {
      kind: 'operator',
      ...contractOf(call),
      operator: args.address('operator'),
      isGranted: args.flag('approved'),
    },
  ],
  'approve(address token,address spender,uint160 amount,uint48 expiration)': (args, call) =>
    call.to === PERMIT2
      ? [
          {
            kind: 'allowance',
            method: 'permit2',
            chainId: call.chainId,
            token: args.address('token'),
            spender: args.address('spender'),
            amount: args.number('amount'),
            isUnlimited: args.number('amount') === UINT160,
            isRevoked: args.number('amount') === 0n,
            expiresAt: args.number('expiration'),
            editable: { path: 'amount', type: 'uint160' },
            isSigned: false,
          },
        ]
      : [],
  'permit(address owner,((address token,uint160 amount,uint48 expiration,uint48 nonce) details,address spender,uint256 deadline) permit,bytes signature)':
    (args, call) => {
      const permit = args.part('permit')
      return call.to === PERMIT2 ? [permit2Call(permit.part('details'), permit.address('spender'), call)] : []
    },
  'permit(address owner,((address token,uint160 amount,uint48 expiration,uint48 nonce)[] details,address spender,uint256 deadline) permit,bytes signature)':
    (args, call) => {
      const permit = args.part('permit')
      return call.to === PERMIT2
        ? permit
            .list('details')
            .map((details) => permit2Call(new Arguments(details), permit.address('spender'), call))
        : []
    },
  'transferFrom(address from,address to,uint160 amount,address token)': (args, call) =>
    call.to === PERMIT2
      ? [
          {
            kind: 'transfer',
            standard: 'token',
            chainId: call.chainId,
            contract: args.address('token'),
            from: args.address('from'),
            to: args.address('to'),
            amount: args.number('amount'),
            isSigned: false,
          },
        ]
      : [],
  'permit(address owner,address spender,uint256 value,uint256 deadline,uint8 v,bytes32 r,bytes32 s)': (
    args,
    call,
  ) => [
    {
      kind: 'allowance',
      method: 'permit',
      token: checksum(call.to),
      chainId: call.chainId,
      spender: args.address('spender'),
      amount: args.number('value'),
      isUnlimited: args.number('value') === UINT256,
      isRevoked: args.number('value') === 0n,
      isSigned: false,
    },
  ],
  'permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed,uint8 v,bytes32 r,bytes32 s)':
    (args, call) => [
      {
        kind: 'allowance',
        method: 'permit',
        token: checksum(call.to),
        chainId: call.chainId,
        spender: args.address('spender'),
        isUnlimited: args.flag('allowed'),
        isRevoked: !args.flag('allowed'),
        isSigned: false,
      },
    ],
  'transferOwnership(address newOwner)': control('owner', 'transferOwnership', 'newOwner'),
  'renounceOwnership()': control('owner', 'renounceOwnership'),
  'acceptOwnership()': control('owner', 'acceptOwnership'),
  'setOwner(address newOwner)': control('owner', 'setOwner', 'newOwner'),
  'upgradeTo(address code)': control('code', 'upgradeTo', 'code'),
  'upgradeToAndCall(address code,bytes data)': control('code', 'upgradeToAndCall', 'code'),
  'upgrade(address proxy,address code)': control('code', 'upgrade', 'code'),
  'upgradeAndCall(address proxy,address code,bytes data)': control('code', 'upgradeAndCall', 'code'),
  'changeMasterCopy(address code)': control('code', 'changeMasterCopy', 'code'),
  'setImplementation(address code)': control('code', 'setImplementation', 'code'),
  'diamondCut((address facet,uint8 action,bytes4[] selectors)[] cut,address init,bytes data)': control(
    'code',
    'diamondCut',
    'init',
  ),
  'changeAdmin(address newAdmin)': control('admin', 'changeAdmin', 'newAdmin'),
  'changeProxyAdmin(address proxy,address newAdmin)': control('admin', 'changeProxyAdmin', 'newAdmin'),
  'grantRole(bytes32 role,address account)': control('role', 'grantRole', 'account'),
  'enableModule(address module)': control('module', 'enableModule', 'module'),
  'installModule(uint256 kind,address module,bytes data)': control('module', 'installModule', 'module'),
  'addOwnerWithThreshold(address owner,uint256 threshold)': control(
    'signer',
    'addOwnerWithThreshold',
    'owner',
  ),
  'swapOwner(address previous,address oldOwner,address newOwner)': control('signer', 'swapOwner', 'newOwner'),
  'removeOwner(address previous,address owner,uint256 threshold)': control('signer', 'removeOwner', 'owner'),
  'addOwnerAddress(address owner)': control('signer', 'addOwnerAddress', 'owner'),
  'addOwnerPublicKey(bytes32 x,bytes32 y)': control('signer', 'addOwnerPublicKey'),
  'changeThreshold(uint256 threshold)': control('threshold', 'changeThreshold', 'threshold'),
  'setGuard(address guard)': control('guard', 'setGuard', 'guard'),
  'setModuleGuard(address guard)': control('guard', 'setModuleGuard', 'guard'),
  'setFallbackHandler(address handler)': control('fallback', 'setFallbackHandler', 'handler'),
}

const numberOf = (value: Value | undefined) => (value?.kind === 'number' ? value.value : undefined)

/** What a call does in itself; the calls within it are others. */
export function readCallActions(call: InnerCall, data: DataProvider): readonly Action[] {
  const actions: Action[] = []
  if (call.value !== undefined && call.value > 0n)
    actions.push({
      kind: 'transfer',
      standard: 'native',
      chainId: call.chainId,
      to: checksum(call.to),
      amount: call.value,
      isSigned: false,
    })
  return [...actions, ...(readCall(calls, call, data) ?? [])]
}

type Inner = Pick<InnerCall, 'to' | 'data'> & {
  readonly value?: bigint | undefined
  readonly isDelegateCall?: boolean
}

const hexOf = (value: Value | undefined) =>
  value?.kind === 'bytes' ? value.hex : value?.kind === 'address' ? value.hex : '0x'
/** Calls of the same contract, in a list of bytes. */
const ownCalls = (args: Arguments, call: InnerCall): readonly Inner[] =>
  args.list('data').map((data) => ({ to: call.to, data: hexOf(data) }))
const listOfCalls = (args: Arguments): readonly Inner[] =>
  args.list('calls').map((item) => ({
    to: hexOf(getMember(item, 'target')),
    data: hexOf(getMember(item, 'data')),
    value: numberOf(getMember(item, 'value')),
  }))
const threeLists = (args: Arguments): readonly Inner[] =>
  args.list('targets').map((target, at) => ({
    to: hexOf(target),
    data: hexOf(args.list('data')[at]),
    value: numberOf(args.list('values')[at]),
  }))
const oneCall = (args: Arguments): readonly Inner[] => [
  {
    to: hexOf(args.value('target')),
    data: args.bytes('data'),
    value: args.number('value'),
    isDelegateCall: args.number('operation') === 1n,
  },
]

/** Functions that make other calls. */
const wrappers: Table<readonly Inner[] | undefined> = {
  'multicall(bytes[] data)': ownCalls,
  'multicall(uint256 deadline,bytes[] data)': ownCalls,
  'multicall(bytes32 previous,bytes[] data)': ownCalls,
  'execute(address target,uint256 value,bytes data)': oneCall,
  'execute(address target,uint256 value,bytes data,uint8 operation)': oneCall,
  'executeBatch((address target,uint256 value,bytes data)[] calls)': listOfCalls,
  'executeBatch(address[] targets,uint256[] values,bytes[] data)': threeLists,
  'executeBatch(address[] targets,bytes[] data)': threeLists,
  'execute((address target,uint256 value,bytes data)[] calls)': listOfCalls,
  'execute(bytes32 mode,bytes execution)': executeMode,
  'aggregate((address target,bytes data)[] calls)': listOfCalls,
  'tryAggregate(bool required,(address target,bytes data)[] calls)': listOfCalls,
  'aggregate3((address target,bool allowFailure,bytes data)[] calls)': listOfCalls,
  'aggregate3Value((address target,bool allowFailure,uint256 value,bytes data)[] calls)': listOfCalls,
  'execTransaction(address target,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)':
    oneCall,
  'execTransactionFromModule(address target,uint256 value,bytes data,uint8 operation)': oneCall,
  'multiSend(bytes transactions)': (args) => multiSend(args.bytes('transactions')),
  'executeUserOp(address target,uint256 value,bytes data,uint8 operation)': oneCall,
}

/** ERC-7579: one call packed, or a list of calls; `undefined` for other kinds, which can't be read. */
function executeMode(args: Arguments): readonly Inner[] | undefined {
  const kind = args.bytes('mode').slice(2, 4)
  const execution = args.bytes('execution').slice(2)
  if (kind === '00' && execution.length >= 104)
    return [
      {
        to: `0x${execution.slice(0, 40)}`,
        value: BigInt(`0x${execution.slice(40, 104)}`),
        data: `0x${execution.slice(104)}`,
      },
    ]
  if (kind === 'ff' && execution.length >= 40)
    return [{ to: `0x${execution.slice(0, 40)}`, data: `0x${execution.slice(40)}`, isDelegateCall: true }]
  const list = parseSignature('batch((address target,uint256 value,bytes data)[] calls)')
  const decoded = kind === '01' && list ? decodeArguments(list.parameters, execution) : undefined
  return decoded && listOfCalls(new Arguments(decoded.values))
}

/** Safe's packed list: operation, address, value, length, data; `undefined` if it is cut off. */
function multiSend(transactions: string): readonly Inner[] | undefined {
  const found: Inner[] = []
  let at = 2
  while (at < transactions.length) {
    const header = transactions.slice(at, at + 170)
    if (header.length < 170) return undefined
    const length = BigInt(`0x${header.slice(106, 170)}`)
    const end = BigInt(at + 170) + 2n * length
    if (end > BigInt(transactions.length)) return undefined
    found.push({
      isDelegateCall: header.slice(0, 2) === '01',
      to: `0x${header.slice(2, 42)}`,
      value: BigInt(`0x${header.slice(42, 106)}`),
      data: `0x${transactions.slice(at + 170, Number(end))}`,
    })
    at = Number(end)
  }
  return found
}

/** The calls that a call makes, where its function says so. */
export function readInnerCalls(
  call: InnerCall,
): readonly (InnerCall & { readonly isDelegateCall: boolean })[] {
  return (readCall(wrappers, call) ?? []).map(({ to, data, value, isDelegateCall = false }) => ({
    chainId: call.chainId,
    to,
    data,
    value,
    from: call.to,
    isDelegateCall,
  }))
}

/**
 * Whether the data of a function that is known here are written as nobody writes them: contracts of old compilers take them all the same.
 * `trailing` is what stands behind the arguments.
 */
export function checkEncoding(call: InnerCall): { readonly isOdd: boolean; readonly trailing: string } {
  const selector = call.data.slice(0, 10)
  let trailing = '0x'
  for (const table of [calls, wrappers]) {
    const known = bySelector(table).get(selector)
    if (!known) continue
    const decoded = known.map(({ signature }) => decodeArguments(signature.parameters, call.data.slice(10)))
    const [first] = decoded.filter((each) => each !== undefined)
    if (!first || (table === wrappers && readCall(wrappers, call) === undefined))
      return { isOdd: true, trailing }
    trailing = first.trailing
  }
  return { isOdd: false, trailing }
}

/** Safe's own contracts that make a list of calls, versions 1.3.0 to 1.5.0. They run as a part of the Safe, and do nothing else. */
const multiSends = new Set([
  '0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761',
  '0x998739bfdaadde7c933b942a68053933098f9eda',
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
  '0x218543288004cd07832472d464648173c77d7eb7',
  '0xa83c336b20401af773b6219ba5027174338d1836',
])
const MULTI_SEND = '0x8d80ff0a'

/** Whether code that runs as a part of the account does nothing but make the calls that are listed. */
export const isMultiSend = ({ to, data }: Pick<InnerCall, 'to' | 'data'>): boolean =>
  multiSends.has(to) && data.startsWith(MULTI_SEND)

/** `from` is the wallet that signs, in lower case, if it is known. */
type MessageReader = (message: Arguments, typed: TypedData, from: string | undefined) => readonly Action[]

/** A struct's fields in order: another struct of the same name is another struct. */
const describeShape = (typed: TypedData, name: string) =>
  (typed.structs.get(name)?.fields ?? []).map((field) => `${field.text} ${field.name}`).join(',')

const domainOf = (typed: TypedData) => ({
  chainId: messageChainId(typed),
  contract: typed.domain.contract,
})

const permitDetails = 'address token,uint160 amount,uint48 expiration,uint48 nonce'
const tokenPermissions = 'address token,uint256 amount'

function allowance(
  part: Arguments,
  more: Pick<Allowance, 'method' | 'spender'> & {
    limit: bigint
    path: string
    type: string
    expiresAt: bigint
    token?: string | undefined
    chainId: number | undefined
    witness?: string | undefined
  },
): Allowance {
  const { limit, path, type, token, witness, ...rest } = more
  const amount = part.number('amount')
  return {
    kind: 'allowance',
    ...rest,
    token: token ?? part.address('token'),
    amount,
    isUnlimited: amount === limit,
    isRevoked: amount === 0n,
    editable: { path, type },
    ...(witness !== undefined && { witness }),
    isSigned: true,
  }
}

const authorization: MessageReader = (message, typed) => [
  {
    kind: 'transfer',
    standard: 'token',
    ...domainOf(typed),
    from: message.address('from'),
    to: message.address('to'),
    amount: message.number('value'),
    isSigned: true,
  },
]

/** By primary type and the fields of its struct. What a struct within has to have, its reader checks. */
const messages: Readonly<Record<string, MessageReader>> = {
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)': (message, typed) => {
    const amount = message.number('value')
    const { chainId, contract } = domainOf(typed)
    return [
      {
        kind: 'allowance',
        method: 'permit',
        chainId,
        token: contract,
        spender: message.address('spender'),
        amount,
        isUnlimited: amount === UINT256,
        isRevoked: amount === 0n,
        expiresAt: message.number('deadline'),
        editable: { path: 'value', type: 'uint256' },
        isSigned: true,
      },
    ]
  },
  'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)': (message, typed) => {
    const { chainId, contract } = domainOf(typed)
    const isGranted = message.flag('allowed')
    return [
      {
        kind: 'allowance',
        method: 'permit',
        chainId,
        token: contract,
        spender: message.address('spender'),
        isUnlimited: isGranted,
        isRevoked: !isGranted,
        // DAI's zero is no end.
        ...(message.number('expiry') > 0n && { expiresAt: message.number('expiry') }),
        isSigned: true,
      },
    ]
  },
  'PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)': (message, typed) =>
    describeShape(typed, 'PermitDetails') === permitDetails
      ? [
          allowance(message.part('details'), {
            method: 'permit2',
            chainId: domainOf(typed).chainId,
            spender: message.address('spender'),
            limit: UINT160,
            path: 'details.amount',
            type: 'uint160',
            expiresAt: message.part('details').number('expiration'),
          }),
        ]
      : [],
  'PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)': (message, typed) =>
    describeShape(typed, 'PermitDetails') === permitDetails
      ? message.list('details').map((item, at) => {
          const details = new Arguments(item)
          return allowance(details, {
            method: 'permit2',
            chainId: domainOf(typed).chainId,
            spender: message.address('spender'),
            limit: UINT160,
            path: `details.[${at}].amount`,
            type: 'uint160',
            expiresAt: details.number('expiration'),
          })
        })
      : [],
  'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)':
    authorization,
  'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)':
    authorization,
  'CancelAuthorization(address authorizer,bytes32 nonce)': (_, typed) => [
    { kind: 'revocation', ...domainOf(typed) },
  ],
  // Blur's listings and bids under one hash.
  'Root(bytes32 root)': () => [unreadableOrder('blur')],
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)':
    safeTransaction,
}

function safeTransaction(message: Arguments, typed: TypedData): readonly Action[] {
  const { chainId, contract } = domainOf(typed)
  const call = {
    chainId: chainId ?? 0,
    to: message.address('to').toLowerCase(),
    data: message.bytes('data'),
    value: message.number('value'),
    from: contract?.toLowerCase(),
  }
  return [
    {
      kind: 'safeTransaction',
      safe: contract,
      to: message.address('to'),
      value: call.value,
      isDelegateCall: message.number('operation') !== 0n && !isMultiSend(call),
      calls: [call],
    },
  ]
}

/** Permit2's transfers: of one token or several, alone or together with a witness of somebody else's contract. */
function permit2Transfer(message: Arguments, typed: TypedData): readonly Action[] {
  const match = /^Permit(Batch)?(Witness)?TransferFrom$/.exec(typed.primaryType)
  if (!match || describeShape(typed, 'TokenPermissions') !== tokenPermissions) return []
  const isBatch = match[1] !== undefined
  const own = `TokenPermissions${isBatch ? '[]' : ''} permitted,address spender,uint256 nonce,uint256 deadline`
  const shape = describeShape(typed, typed.primaryType)
  const witness = /^(\w+) \w+$/.exec(shape.slice(own.length + 1))?.[1]
  if (match[2] ? !(shape.startsWith(`${own},`) && witness) : shape !== own) return []
  const items = isBatch ? message.list('permitted') : [message.value('permitted') as Value]
  return items.map((item, at) =>
    allowance(new Arguments(item), {
      method: 'permit2-transfer',
      chainId: domainOf(typed).chainId,
      spender: message.address('spender'),
      limit: UINT256,
      path: isBatch ? `permitted.[${at}].amount` : 'permitted.amount',
      type: 'uint256',
      expiresAt: message.number('deadline'),
      witness,
    }),
  )
}

/** Seaport: what is offered, and what has to be paid for it. */
function seaport(message: Arguments, typed: TypedData): readonly Action[] {
  if (
    !/^uint8 itemType,address token,uint256 identifierOrCriteria,uint256 startAmount,uint256 endAmount$/.test(
      describeShape(typed, 'OfferItem'),
    )
  )
    return []
  const items = (name: string): readonly OrderItem[] =>
    message.list(name).map((value) => {
      const item = new Arguments(value)
      const [start, end] = [item.number('startAmount'), item.number('endAmount')]
      const isNft = item.number('itemType') >= 2n
      return {
        token: item.address('token'),
        // The worse of the two for whoever signs: all of what is offered, the least of what is paid.
        amount: (name === 'offer') === start > end ? start : end,
        ...(isNft && { tokenId: item.number('identifierOrCriteria') }),
        ...(item.value('recipient') && { recipient: item.address('recipient') }),
      }
    })
  const offerer = message.address('offerer')
  return [
    {
      kind: 'order',
      protocol: 'seaport',
      gives: items('offer'),
      gets: items('consideration').filter(({ recipient }) => recipient === offerer),
      expiresAt: message.number('endTime'),
    },
  ]
}

/** Orders that sell one token for another. */
function swapOrder(
  protocol: Order['protocol'],
  names: {
    readonly give: string
    readonly giveAmount: string
    readonly get: string
    readonly getAmount: string
    readonly until?: string
  },
): MessageReader {
  return (message, _typed, from) => {
    const fields = [names.give, names.giveAmount, names.get, names.getAmount]
    if (fields.some((name) => message.value(name) === undefined)) return []
    const expires = names.until ? message.value(names.until) : undefined
    const receiver = message.value('receiver') ? message.address('receiver') : ZERO
    const own = [ZERO, from && checksum(from), message.address('maker')]
    return [
      {
        kind: 'order',
        protocol,
        gives: [{ token: message.address(names.give), amount: message.number(names.giveAmount) }],
        gets: [{ token: message.address(names.get), amount: message.number(names.getAmount) }],
        ...(expires?.kind === 'number' && { expiresAt: expires.value }),
        ...(!own.includes(receiver) && { proceedsTo: receiver }),
      },
    ]
  }
}

const unreadableOrder = (protocol: Order['protocol']): Order => ({
  kind: 'order',
  protocol,
  gives: [],
  gets: [],
  isUnreadable: true,
})

/** 0x before version 4: both assets are packed bytes. */
const zeroExAssets: MessageReader = (message) =>
  message.value('makerAssetData') && message.value('takerAssetData') ? [unreadableOrder('zero-ex')] : []

/** 0x: one NFT for tokens, or tokens for one NFT. */
const zeroExNft =
  (standard: 'erc721' | 'erc1155'): MessageReader =>
  (message) => {
    const names = ['direction', 'erc20Token', 'erc20TokenAmount', `${standard}Token`, `${standard}TokenId`]
    if (names.some((name) => message.value(name) === undefined)) return []
    const nft = {
      token: message.address(`${standard}Token`),
      amount: standard === 'erc721' ? 1n : message.number('erc1155TokenAmount'),
      tokenId: message.number(`${standard}TokenId`),
    }
    const price = { token: message.address('erc20Token'), amount: message.number('erc20TokenAmount') }
    const isSale = message.number('direction') === 0n
    const expires = message.value('expiry')
    return [
      {
        kind: 'order',
        protocol: 'zero-ex',
        gives: [isSale ? nft : price],
        gets: [isSale ? price : nft],
        ...(expires?.kind === 'number' && { expiresAt: expires.value }),
      },
    ]
  }

/** Blur: one NFT for a price, or many under a hash. */
const blurOrder: MessageReader = (message) => {
  if (message.value('listingsRoot')) return [unreadableOrder('blur')]
  const names = ['trader', 'side', 'collection', 'tokenId', 'amount', 'paymentToken', 'price']
  if (names.some((name) => message.value(name) === undefined)) return []
  const nft = {
    token: message.address('collection'),
    amount: message.number('amount'),
    tokenId: message.number('tokenId'),
  }
  const price = { token: message.address('paymentToken'), amount: message.number('price') }
  const isSale = message.number('side') === 1n
  return [{ kind: 'order', protocol: 'blur', gives: [isSale ? nft : price], gets: [isSale ? price : nft] }]
}

/** By primary type alone: their structs differ between versions. */
const families: Readonly<Record<string, MessageReader>> = {
  OrderComponents: seaport,
  // A tree of orders, all signed at once: each of its leaves is an offer.
  BulkOrder: (message, typed) => {
    const leaves: Action[] = []
    const visit = (value: Value | undefined, depth: number) => {
      if (!value || depth > 24 || leaves.length >= 256) return
      if (value.kind === 'list') for (const item of value.items) visit(item, depth + 1)
      else if (value.kind === 'struct' && value.type === 'OrderComponents')
        for (const order of seaport(new Arguments(value), typed))
          if (order.kind === 'order' && (order.gives.length > 0 || order.gets.length > 0))
            leaves.push({ ...order, protocol: 'seaport-bulk' })
    }
    visit(message.value('tree'), 0)
    return leaves
  },
  Order: (message, typed, from) => {
    const cow = {
      give: 'sellToken',
      giveAmount: 'sellAmount',
      get: 'buyToken',
      getAmount: 'buyAmount',
      until: 'validTo',
    }
    const oneInch = {
      give: 'makerAsset',
      giveAmount: 'makingAmount',
      get: 'takerAsset',
      getAmount: 'takingAmount',
    }
    const all = [swapOrder('cow', cow), swapOrder('one-inch', oneInch), blurOrder, zeroExAssets]
    return all.flatMap((read) => read(message, typed, from))
  },
  LimitOrder: swapOrder('zero-ex', {
    give: 'makerToken',
    giveAmount: 'makerAmount',
    get: 'takerToken',
    getAmount: 'takerAmount',
    until: 'expiry',
  }),
  RfqOrder: swapOrder('zero-ex', {
    give: 'makerToken',
    giveAmount: 'makerAmount',
    get: 'takerToken',
    getAmount: 'takerAmount',
    until: 'expiry',
  }),
  OtcOrder: swapOrder('zero-ex', {
    give: 'makerToken',
    giveAmount: 'makerAmount',
    get: 'takerToken',
    getAmount: 'takerAmount',
  }),
  ERC721Order: zeroExNft('erc721'),
  ERC1155Order: zeroExNft('erc1155'),
  PermitTransferFrom: permit2Transfer,
  PermitBatchTransferFrom: permit2Transfer,
  PermitWitnessTransferFrom: permit2Transfer,
  PermitBatchWitnessTransferFrom: permit2Transfer,
  SpendPermission: (message, typed) => [
    {
      kind: 'delegation',
      form: 'spend-permission',
      chainId: domainOf(typed).chainId,
      ...(message.value('spender') && { delegate: message.address('spender') }),
      isOpen: message.number('allowance') >= UINT160,
    },
  ],
  SpendPermissionBatch: (message, typed) =>
    message.list('permissions').map((item) => {
      const permission = new Arguments(item)
      return {
        kind: 'delegation',
        form: 'spend-permission',
        chainId: domainOf(typed).chainId,
        ...(permission.value('spender') && { delegate: permission.address('spender') }),
        isOpen: permission.number('allowance') >= UINT160,
      }
    }),
  Delegation: (message, typed) => [
    {
      kind: 'delegation',
      form: 'erc7710',
      chainId: domainOf(typed).chainId,
      ...(message.value('delegate') && { delegate: message.address('delegate') }),
      isOpen: message.list('caveats').length === 0,
    },
  ],
  PackedUserOperation: (message, typed) => {
    const { chainId } = domainOf(typed)
    const sender = message.address('sender')
    if (!sender || chainId === undefined) return []
    const call = {
      chainId,
      to: sender.toLowerCase(),
      data: message.bytes('callData'),
      value: undefined,
      from: sender.toLowerCase(),
    }
    return [{ kind: 'userOperation', sender, calls: [call] }]
  },
}
/** Names under which session keys and validators are enabled. */
const SESSION_KEY =
  /^(Enable|EnableSession\w*|SessionKey\w*|PermissionEnable\w*|ValidatorApproved|ChainSession\w*|MultiChainSession|SessionEIP712)$/

/** What a message does in itself; the calls within it are others. */
export function readMessageActions(
  typed: TypedData,
  values: Value,
  from: string | undefined,
): readonly Action[] {
  const message = new Arguments(values)
  const key = `${typed.primaryType}(${describeShape(typed, typed.primaryType)})`
  if (Object.hasOwn(messages, key)) return messages[key]?.(message, typed, from) ?? []
  if (Object.hasOwn(families, typed.primaryType))
    return families[typed.primaryType]?.(message, typed, from) ?? []
  if (SESSION_KEY.test(typed.primaryType))
    return [{ kind: 'delegation', form: 'session-key', chainId: domainOf(typed).chainId, isOpen: true }]
  // Typed data within that of a smart account (ERC-7739) does what it does by itself.
  const inner = typed.primaryType === 'TypedDataSign' ? nestedMessage(typed, values) : undefined
  return inner ? readMessageActions(inner.typed, inner.values, from) : []
}

function nestedMessage(typed: TypedData, values: Value): { typed: TypedData; values: Value } | undefined {
  const contents = getMember(values, 'contents')
  if (contents?.kind !== 'struct' || !typed.structs.has(contents.type)) return undefined
  return { typed: { ...typed, primaryType: contents.type }, values: contents }
}

/** EIP-7702: the code of another contract takes the place of the account's own. Chain 0 means every chain. */
export const authorizationAction = (authorization: {
  readonly chainId: number
  readonly address: string
}): Action => ({
  kind: 'delegation',
  form: 'eip7702',
  delegate: checksum(authorization.address.toLowerCase()),
  chainId: authorization.chainId,
  isOpen: true,
})
