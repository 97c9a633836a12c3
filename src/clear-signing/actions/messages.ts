/** Actions of messages of well-known shapes, whatever a descriptor says of them. */

import { Arguments, checksum, UINT160, UINT256 } from '../../ethereum/calls/arguments.ts'
import { isMultiSend } from '../../ethereum/calls/inner-calls.ts'
import { getMember, rawText, type Value } from '../../ethereum/calls/values.ts'
import type { TypedData } from '../../ethereum/typed-data.ts'
import type { Action, Allowance } from './action.ts'
import { describeShape, domainOf, type MessageReader } from './message-reader.ts'
import { blurOrder, seaport, swapOrder, unreadableOrder, zeroExAssets, zeroExNft } from './orders.ts'
import { readRefund } from './refund.ts'

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

/** Power over all that the signer has at the contract of the domain. */
const operator =
  (party: string, granted: string): MessageReader =>
  (message, typed) => [
    {
      kind: 'operator',
      ...domainOf(typed),
      operator: message.address(party),
      isGranted: message.flag(granted),
    },
  ]

const votes: MessageReader = (message, typed) => [
  {
    kind: 'delegation',
    form: 'votes',
    delegate: message.address('delegatee'),
    isOpen: false,
    chainId: domainOf(typed).chainId,
  },
]

/** A call that a forwarder makes for the one who signs it: `to` of the message, or else the contract of the domain. */
const forwarded =
  (data: string): MessageReader =>
  (message, typed) => {
    const { chainId, contract } = domainOf(typed)
    const to = message.value('to') ? message.address('to') : contract
    if (!to) return []
    const sender = message.address('from')
    const call = {
      chainId: chainId ?? 0,
      to: to.toLowerCase(),
      data: message.bytes(data),
      value: message.number('value'),
      from: sender.toLowerCase(),
    }
    return [{ kind: 'userOperation', sender, isForwarded: true, calls: [call] }]
  }

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
  // ERC-4494, of positions among others.
  'Permit(address spender,uint256 tokenId,uint256 nonce,uint256 deadline)': (message, typed) => {
    const { chainId, contract } = domainOf(typed)
    return [
      {
        kind: 'allowance',
        method: 'permit',
        chainId,
        token: contract,
        spender: message.address('spender'),
        amountOrId: message.number('tokenId'),
        isUnlimited: false,
        isRevoked: false,
        expiresAt: message.number('deadline'),
        isSigned: true,
      },
    ]
  },
  'PermitForAll(address owner,address operator,bool approved,uint256 nonce,uint256 deadline)': operator(
    'operator',
    'approved',
  ),
  // Morpho's and Comet's.
  'Authorization(address authorizer,address authorized,bool isAuthorized,uint256 nonce,uint256 deadline)':
    operator('authorized', 'isAuthorized'),
  'Authorization(address owner,address manager,bool isAllowed,uint256 nonce,uint256 expiry)': operator(
    'manager',
    'isAllowed',
  ),
  // Credit of Aave: whoever may draw it leaves the debt with the signer.
  'DelegationWithSig(address delegatee,uint256 value,uint256 nonce,uint256 deadline)': (message, typed) => {
    const { chainId, contract } = domainOf(typed)
    const amount = message.number('value')
    return [
      {
        kind: 'allowance',
        method: 'permit',
        chainId,
        token: contract,
        spender: message.address('delegatee'),
        amount,
        isUnlimited: amount === UINT256,
        isRevoked: amount === 0n,
        expiresAt: message.number('deadline'),
        isSigned: true,
      },
    ]
  },
  'Delegation(address delegatee,uint256 nonce,uint256 expiry)': votes,
  'Delegate(address delegator,address delegatee,uint256 nonce,uint256 deadline)': votes,
  'Delegate(address delegatee,uint256 nonce,uint256 expiry)': votes,
  'DelegateByType(address delegator,address delegatee,uint8 delegationType,uint256 nonce,uint256 deadline)':
    votes,
  // Forwarders of OpenZeppelin and Biconomy.
  'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,bytes data)':
    forwarded('data'),
  'ForwardRequest(address from,address to,uint256 value,uint256 gas,uint256 nonce,uint48 deadline,bytes data)':
    forwarded('data'),
  'MetaTransaction(uint256 nonce,address from,bytes functionSignature)': forwarded('functionSignature'),
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
    ...optional(readRefund(message, { safe: contract?.toLowerCase(), chainId })),
  ]
}
const optional = <T>(value: T | undefined): readonly T[] => (value === undefined ? [] : [value])

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

const textOf = (value: Value | undefined): string | undefined =>
  value?.kind === 'text' || value?.kind === 'number' || value?.kind === 'address' ? rawText(value) : undefined

/** Hyperliquid writes amounts and receivers as text. */
const payment =
  (coin?: string): MessageReader =>
  (message) => {
    const [to, amount] = [textOf(message.value('destination')), textOf(message.value('amount'))]
    const token = coin ?? textOf(message.value('token'))
    if (to === undefined || amount === undefined) return []
    return [{ kind: 'payment', to, amount, ...(token !== undefined && { token }) }]
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
  'HyperliquidTransaction:UsdSend': payment('USDC'),
  'HyperliquidTransaction:Withdraw': payment('USDC'),
  'HyperliquidTransaction:SpotSend': payment(),
  'HyperliquidTransaction:SendAsset': payment(),
  'HyperliquidTransaction:ApproveAgent': (message) => [
    {
      kind: 'delegation',
      form: 'agent',
      ...(message.value('agentAddress') && { delegate: message.address('agentAddress') }),
      isOpen: true,
    },
  ],
  'HyperliquidTransaction:ApproveBuilderFee': (message) => [
    {
      kind: 'delegation',
      form: 'fee',
      ...(message.value('builder') && { delegate: message.address('builder') }),
      isOpen: false,
    },
  ],
  'HyperliquidTransaction:ConvertToMultiSigUser': () => [
    { kind: 'control', change: 'signer', function: 'ConvertToMultiSigUser' },
  ],
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

/** Names under which contracts take another owner, or another power over them, from a signature. */
const CONTROL =
  /^(Set|Change|Transfer|Add|Swap|Replace|Update|Grant|Accept)(New)?(Owner|Ownership|Admin|Guardian|Signer|Signers|Owners|Role|Manager|Controller|Recovery|Module)s?([A-Z]\w*)?$/

/** Whoever gets the power: the address that isn't the signer's own. */
function controlOf(typed: TypedData, values: Value, from: string | undefined): Action {
  const { chainId, contract } = domainOf(typed)
  const found = values.kind === 'struct' ? values.items.filter(({ kind }) => kind === 'address') : []
  const subject = found.find((each) => rawText(each).toLowerCase() !== from) ?? found[0]
  return {
    kind: 'control',
    change: 'owner',
    chainId,
    ...(contract && { contract }),
    function: typed.primaryType,
    ...(subject && { subject: rawText(subject) }),
  }
}

/** Actions of a message itself; the calls within it are others. */
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
  if (CONTROL.test(typed.primaryType)) return [controlOf(typed, values, from)]
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
