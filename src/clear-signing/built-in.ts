/** Descriptors of our own for standards, which stand before all others: nobody else words an approval of tokens. */

import { PERMIT2 } from '../ethereum/calls/arguments.ts'
import type { DataProvider } from './data.ts'
import type { Candidate, DescriptorSource } from './description.ts'
import { readDescriptor, typeHash } from './descriptor.ts'

type Field = Readonly<Record<string, unknown>>
type Formats = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const amount = (path: string, label = 'Amount', token: Field = { tokenPath: '@.to' }): Field => ({
  path,
  label,
  format: 'tokenAmount',
  params: token,
})
/** The greatest amount of its type is no amount. */
const limit = (path: string, bits: number, token: Field = { tokenPath: '@.to' }): Field =>
  amount(path, 'Spending limit', { ...token, threshold: `0x${'f'.repeat(bits / 4)}`, message: 'Maximum' })
const address = (path: string, label: string): Field => ({ path, label, format: 'addressName' })
const date = (path: string, label = 'Expires'): Field => ({
  path,
  label,
  format: 'date',
  params: { encoding: 'timestamp' },
})
const raw = (path: string, label: string): Field => ({ path, label, format: 'raw' })
const call = (path: string, callee: string, value: string): Field => ({
  path,
  label: 'Call',
  format: 'calldata',
  params: { calleePath: callee, amountPath: value, spenderPath: '@.to' },
})

const token: Formats = {
  'transfer(address to,uint256 amount)': {
    intent: 'Send',
    interpolatedIntent: 'Send {amount} to {to}',
    fields: [amount('amount'), address('to', 'To')],
  },
  'transferFrom(address from,address to,uint256 amount)': {
    intent: 'Send',
    interpolatedIntent: 'Send {amount} from {from} to {to}',
    fields: [amount('amount'), address('from', 'From'), address('to', 'To')],
  },
  'approve(address spender,uint256 amount)': {
    intent: 'Approve spending',
    interpolatedIntent: 'Approve {spender} to spend {amount}',
    fields: [address('spender', 'Spender'), limit('amount', 256)],
  },
}

const nftId = (path: string): Field => ({
  path,
  label: 'NFT',
  format: 'nftName',
  params: { collectionPath: '@.to' },
})
const operator = {
  intent: 'Approve all NFTs of a collection',
  fields: [address('operator', 'Operator'), raw('approved', 'Allowed')],
}
const collection: Formats = {
  'transferFrom(address from,address to,uint256 id)': {
    intent: 'Send NFT',
    fields: [nftId('id'), address('from', 'From'), address('to', 'To')],
  },
  'safeTransferFrom(address from,address to,uint256 id)': {
    intent: 'Send NFT',
    fields: [nftId('id'), address('from', 'From'), address('to', 'To')],
  },
  'safeTransferFrom(address from,address to,uint256 id,bytes data)': {
    intent: 'Send NFT',
    fields: [nftId('id'), address('from', 'From'), address('to', 'To'), raw('data', 'Data')],
  },
  'safeTransferFrom(address from,address to,uint256 id,uint256 amount,bytes data)': {
    intent: 'Send NFT',
    fields: [
      nftId('id'),
      raw('amount', 'Number'),
      address('from', 'From'),
      address('to', 'To'),
      raw('data', 'Data'),
    ],
  },
  'approve(address spender,uint256 id)': {
    intent: 'Approve NFT',
    fields: [address('spender', 'Operator'), nftId('id')],
  },
  'setApprovalForAll(address operator,bool approved)': operator,
}

const permitDetails = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const tokenPermissions = 'TokenPermissions(address token,uint256 amount)'
const spender = address('spender', 'Spender')

/** Messages whose verifying contract is the token. */
const tokenMessages: Formats = {
  'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)': {
    intent: 'Approve spending',
    interpolatedIntent: 'Approve {spender} to spend {value}',
    fields: [spender, limit('value', 256), date('deadline')],
  },
  'Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)': {
    intent: 'Approve spending',
    fields: [spender, raw('allowed', 'Allowed without limit'), date('expiry')],
  },
  ...Object.fromEntries(
    ['TransferWithAuthorization', 'ReceiveWithAuthorization'].map((name) => [
      `${name}(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)`,
      {
        intent: 'Send',
        interpolatedIntent: 'Send {value} to {to}',
        fields: [amount('value'), address('from', 'From'), address('to', 'To'), date('validBefore')],
      },
    ]),
  ),
}

const permit2Messages: Formats = {
  [`PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${permitDetails}`]: {
    intent: 'Approve spending',
    interpolatedIntent: 'Approve {spender} to spend {details.amount}',
    fields: [
      spender,
      limit('details.amount', 160, { tokenPath: 'details.token' }),
      date('details.expiration'),
      date('sigDeadline', 'Signature expires'),
    ],
  },
  [`PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${permitDetails}`]: {
    intent: 'Approve spending',
    interpolatedIntent: 'Approve {spender} to spend {details.[].amount}',
    fields: [
      spender,
      { path: 'details.[]', fields: [limit('amount', 160, { tokenPath: 'token' }), date('expiration')] },
      date('sigDeadline', 'Signature expires'),
    ],
  },
  [`PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)${tokenPermissions}`]:
    {
      intent: 'Approve a transfer',
      interpolatedIntent: 'Approve {spender} to take {permitted.amount}',
      fields: [spender, limit('permitted.amount', 256, { tokenPath: 'permitted.token' }), date('deadline')],
    },
  [`PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)${tokenPermissions}`]:
    {
      intent: 'Approve a transfer',
      interpolatedIntent: 'Approve {spender} to take {permitted.[].amount}',
      fields: [
        spender,
        { path: 'permitted.[]', fields: [limit('amount', 256, { tokenPath: 'token' })] },
        date('deadline'),
      ],
    },
}

const safeMessages: Formats = {
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)':
    {
      intent: 'Approve a Safe transaction',
      fields: [
        address('@.to', 'Safe'),
        address('to', 'To'),
        { path: 'value', label: 'Value', format: 'amount' },
        { ...call('data', 'to', 'value'), visible: { ifNotIn: ['0x'] } },
        {
          path: 'operation',
          label: 'Operation',
          format: 'enum',
          params: { $ref: '$.metadata.enums.operation' },
        },
        { path: 'gasPrice', label: 'Gas refund price', format: 'raw', visible: { ifNotIn: [0] } },
        {
          ...address('refundReceiver', 'Gas refund to'),
          visible: { ifNotIn: ['0x0000000000000000000000000000000000000000'] },
        },
        raw('nonce', 'Nonce'),
      ],
    },
}

/** A source of these descriptors. They bind to contracts that the data provider knows as tokens or collections, and to Permit2. */
export function createBuiltInSource(data: DataProvider): DescriptorSource {
  const candidate = (
    kind: 'contract' | 'eip712',
    formats: Formats,
    chainId: number,
    address: string,
  ): Candidate => ({
    descriptor: readDescriptor({
      context: { [kind]: { deployments: [{ chainId, address }] } },
      metadata: { enums: { operation: { 0: 'Call', 1: 'Delegate call' } } },
      display: { formats },
    }),
    origin: 'built-in',
    auditors: [],
  })
  return {
    calls(chainId, address) {
      if (data.token?.(chainId, address)) return [candidate('contract', token, chainId, address)]
      if (data.nftCollectionName?.(chainId, address))
        return [candidate('contract', collection, chainId, address)]
      return []
    },
    messages(hash, chainId, address) {
      const known = messageTypes().get(hash)
      const fits =
        known === safeMessages ||
        (known === permit2Messages && address === PERMIT2) ||
        (known === tokenMessages && data.token?.(chainId, address) !== undefined)
      return known && fits ? [candidate('eip712', known, chainId, address)] : []
    },
  }
}

let types: ReadonlyMap<string, Formats> | undefined
/** Each message type by its hash, which is made when first needed. */
function messageTypes(): ReadonlyMap<string, Formats> {
  types ??= new Map(
    [tokenMessages, permit2Messages, safeMessages].flatMap((formats) =>
      Object.keys(formats).map((key) => [typeHash(key), formats] as const),
    ),
  )
  return types
}
