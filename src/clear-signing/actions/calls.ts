/** Actions of calls of well-known functions. */

import { Arguments, checksum, numberOf, PERMIT2, UINT160, UINT256 } from '../../ethereum/calls/arguments.ts'
import { readCall, type Table } from '../../ethereum/calls/call-table.ts'
import { rawText, type Value } from '../../ethereum/calls/values.ts'
import type { InnerCall } from '../call.ts'
import type { DataProvider } from '../data.ts'
import type { Action, Allowance, Control, Delegation } from './action.ts'
import { readRefund } from './refund.ts'

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

const multiToken = (args: Arguments, call: InnerCall): readonly Action[] => [
  {
    kind: 'transfer',
    standard: 'multi-token',
    ...contractOf(call),
    ...(args.value('from') && { from: args.address('from') }),
    to: args.address('to'),
    tokenId: args.number('id'),
    amount: args.number('amount'),
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

/** Power over all that the caller has at the contract. */
const operator =
  (party: string, granted: boolean | string) =>
  (args: Arguments, call: InnerCall): readonly Action[] => [
    {
      kind: 'operator',
      ...contractOf(call),
      operator: args.address(party),
      isGranted: typeof granted === 'string' ? args.flag(granted) : granted,
    },
  ]

/** Tokens of a contract that is known to be one, for its function has no other kind. */
const sending = (args: Arguments, call: InnerCall): readonly Action[] => [
  {
    kind: 'transfer',
    standard: 'token',
    ...contractOf(call),
    ...(args.value('from') && { from: args.address('from') }),
    to: args.address('to'),
    amount: args.number('amount'),
    isSigned: false,
  },
]

/** An amount that somebody may take, by tokens or by debt that the caller answers for. */
const allowing = (args: Arguments, call: InnerCall): readonly Action[] => {
  const amount = args.number('amount')
  return [
    {
      kind: 'allowance',
      method: 'approve',
      token: checksum(call.to),
      chainId: call.chainId,
      spender: args.address('spender'),
      amount,
      isUnlimited: amount === UINT256,
      isRevoked: amount === 0n,
      isSigned: false,
    },
  ]
}

const delegating =
  (form: Delegation['form'], party: string, granted?: string) =>
  (args: Arguments, { chainId }: InnerCall): readonly Action[] =>
    granted !== undefined && !args.flag(granted)
      ? []
      : [{ kind: 'delegation', form, delegate: args.address(party), isOpen: false, chainId }]

const morphoAuthorization =
  'address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline'

/** A Safe is set up: its owners, and whatever else has power over it from then on. */
function safeSetup(args: Arguments, call: InnerCall): readonly Action[] {
  const power = (change: Control['change'], subject: string): Control => ({
    kind: 'control',
    change,
    ...contractOf(call),
    function: 'setup',
    subject,
  })
  const code = args.address('target')
  const fallback = args.address('fallback')
  const payment = args.number('payment')
  const [token, receiver] = [args.address('paymentToken'), args.address('receiver')]
  return [
    ...args.list('owners').map((owner) => power('owner', rawText(owner))),
    ...(isZero(code) ? [] : [power('code', code)]),
    ...(isZero(fallback) ? [] : [power('fallback', fallback)]),
    ...(payment > 0n
      ? [
          {
            kind: 'refund' as const,
            chainId: call.chainId,
            account: checksum(call.to),
            most: payment,
            ...(!isZero(token) && { token }),
            ...(!isZero(receiver) && { to: receiver }),
          },
        ]
      : []),
  ]
}
const isZero = (address: string) => /^0x0{40}$/.test(address)

export const calls: Table<readonly Action[], InnerCall, DataProvider> = {
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
  // ERC-777, whose operators may move everything.
  'authorizeOperator(address operator)': operator('operator', true),
  'revokeOperator(address operator)': operator('operator', false),
  'send(address to,uint256 amount,bytes data)': sending,
  'operatorSend(address from,address to,uint256 amount,bytes data,bytes operatorData)': sending,
  // ERC-677 and ERC-1363. What `approveAndCall` has its spender do at once nobody can read, so it stays a call.
  'transferAndCall(address to,uint256 amount)': sending,
  'transferAndCall(address to,uint256 amount,bytes data)': sending,
  'transferFromAndCall(address from,address to,uint256 amount)': sending,
  'transferFromAndCall(address from,address to,uint256 amount,bytes data)': sending,
  // ERC-6909.
  'setOperator(address operator,bool approved)': operator('operator', 'approved'),
  'transfer(address to,uint256 id,uint256 amount)': multiToken,
  'transferFrom(address from,address to,uint256 id,uint256 amount)': multiToken,
  // Credit of Aave: whoever may draw it leaves the debt with the caller.
  'approveDelegation(address spender,uint256 amount)': allowing,
  'delegationWithSig(address delegator,address spender,uint256 amount,uint256 deadline,uint8 v,bytes32 r,bytes32 s)':
    allowing,
  // Managers of accounts at Comet, Morpho, Maker, Balancer, Euler.
  'allow(address manager,bool isAllowed)': operator('manager', 'isAllowed'),
  'allowBySig(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry,uint8 v,bytes32 r,bytes32 s)':
    operator('manager', 'isAllowed'),
  'setAuthorization(address authorized,bool isAuthorized)': operator('authorized', 'isAuthorized'),
  [`setAuthorizationWithSig((${morphoAuthorization}) authorization,(uint8 v,bytes32 r,bytes32 s) signature)`]:
    (args, call) => operator('authorized', 'isAuthorized')(args.part('authorization'), call),
  'hope(address user)': operator('user', true),
  'nope(address user)': operator('user', false),
  'setRelayerApproval(address sender,address relayer,bool approved)': operator('relayer', 'approved'),
  'setAccountOperator(address account,address operator,bool authorized)': operator('operator', 'authorized'),
  // Votes, and the wallets that a registry knows to act for another.
  'delegate(address delegatee)': delegating('votes', 'delegatee'),
  'delegateBySig(address delegatee,uint256 nonce,uint256 expiry,uint8 v,bytes32 r,bytes32 s)': delegating(
    'votes',
    'delegatee',
  ),
  'delegateAll(address to,bytes32 rights,bool enable)': delegating('registry', 'to', 'enable'),
  'delegateForAll(address to,bool enable)': delegating('registry', 'to', 'enable'),
  'setup(address[] owners,uint256 threshold,address target,bytes data,address fallback,address paymentToken,uint256 payment,address receiver)':
    safeSetup,
  'rely(address user)': control('role', 'rely', 'user'),
  'deny(address user)': control('role', 'deny', 'user'),
  'setDelegate(address delegate)': control('admin', 'setDelegate', 'delegate'),
  'setOwner(bytes32 node,address owner)': control('owner', 'setOwner', 'owner'),
  'setSubnodeOwner(bytes32 node,bytes32 label,address owner)': control('owner', 'setSubnodeOwner', 'owner'),
  'setRecord(bytes32 node,address owner,address resolver,uint64 ttl)': control('owner', 'setRecord', 'owner'),
  'reclaim(uint256 id,address owner)': control('owner', 'reclaim', 'owner'),
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
  'execTransaction(address target,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,bytes signatures)':
    (args, call) => {
      const refund = readRefund(args, { safe: call.to, chainId: call.chainId })
      // Without a receiver it goes to the one who sends the transaction.
      return refund ? [{ ...(call.from && { to: checksum(call.from) }), ...refund }] : []
    },
}

/** Actions of a call itself; the calls within it are others. */
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
