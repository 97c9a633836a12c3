/** Transactions and typed data as a person reads them. They bring the list of chains, which messages do without. */
import './more-words.ts'
import type { Translate } from '../../../copy/copy.ts'
import { decodeCall } from '../../../ethereum/call-decoder.ts'
import type { ChainOptions } from '../../../ethereum/chains.ts'
import { parseQuantity } from '../../../ethereum/integer.ts'
import { isAllowance, type TokenAction } from '../../../ethereum/token-action.ts'
import {
  completeTransaction,
  formatTransaction,
  parseTransaction,
  type TransactionRequest,
} from '../../../ethereum/transaction.ts'
import { parseTypedData } from '../../../ethereum/typed-data.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { approveTransaction } from '../../../signing/transaction/approve-transaction.tsx'
import { figuresOf } from '../../../signing/transaction/transaction-view.ts'
import { shownTypedData } from '../../../signing/typed-data/shown.ts'
import { signTypedData } from '../../../signing/typed-data/sign-typed-data.tsx'
import type { PlainTransfer } from '../../server/spending.ts'
import { takeParams } from '../../signing/ethereum.ts'
import { type Allowance, type Reading, reading, type Who } from './reading-of.ts'

/** The vault's own list of chains; another one is shown by its number. */
const chains: ChainOptions = { host: {} }

/** No typed data is harmless by its shape: any contract may give it a meaning. */
export function readTypedData({ request, chainId }: ApprovalRequests['sign'], who: Who): Reading {
  const [, data] = takeParams(request.params, 2, 'eth_signTypedData_v4 takes an address and typed data')
  const typed = parseTypedData(data)
  const shown = shownTypedData({ chains, origin: who.origin, chainId }, typed)
  const props = { ...who, ...shown, cancellable: true }
  const chain = typed.domain.chainId
  return reading(signTypedData, props, 'high', {
    allowance: allowanceOf(shown.permit, chain === undefined ? undefined : Number(chain), (permit) => ({
      ...props,
      permit,
    })),
  })
}

/** What a page has learned, in the vault's words. */
const problems = {
  preparing: undefined,
  underfunded: 'transaction.short',
  reverts: 'transaction.reverts',
  'may-fail': 'transaction.unprepared',
} as const

export function readTransaction(
  { request, action, state, layerOneFee = '0x0' }: ApprovalRequests['sign'],
  who: Who,
  t: Translate,
): Reading {
  const [raw] = takeParams(request.params, 1, 'eth_signTransaction takes a transaction')
  const asked = parseTransaction(raw)
  const preparing = state === 'preparing'
  const problem = state && problems[state]
  const transaction = preparing ? asked : completeTransaction(asked)
  const { gasLimit = 0n, gasPrice, maxFeePerGas = gasPrice ?? 0n } = transaction
  // The page can only have more shown than the gas costs, never less.
  const beside = parseQuantity(layerOneFee)
  if (beside === undefined) throw new InvalidRequest('layerOneFee is a quantity in hex')
  const figures = figuresOf(
    chains,
    { ...asked, ...transaction },
    preparing ? undefined : gasLimit * maxFeePerGas + beside,
  )
  const props = {
    ...who,
    ...figures,
    action,
    ...(preparing && { preparing }),
    ...(problem && { error: t(problem) }),
  }
  return reading(approveTransaction, props, 'high', {
    transfer:
      preparing || figures.feeConcern ? undefined : transferOf(transaction, gasLimit * maxFeePerGas + beside),
    allowance: allowanceOf(figures.call, asked.chainId, (call) => ({ ...props, call })),
  })
}

const allowanceOf = (
  action: TokenAction | undefined,
  chainId: number | undefined,
  withAction: Allowance['withAction'],
): Allowance | undefined =>
  action?.contract !== undefined && chainId !== undefined && isAllowance(action)
    ? { action, chainId, withAction }
    : undefined

/** A transaction that sends coins or tokens of the wallet's own, and does nothing else. */
function transferOf(transaction: TransactionRequest, fee: bigint): PlainTransfer | undefined {
  const { to, value, data, chainId } = transaction
  if (to === undefined) return undefined
  const signed = new TextEncoder().encode(JSON.stringify(formatTransaction(transaction)))
  const transfer = { chain: `eip155:${chainId}`, fee, signed }
  if (data === '0x') return { ...transfer, amount: value }
  const call = decodeCall(data, to)
  if (call?.action !== 'transfer' || call.from !== undefined || call.amount === undefined || value > 0n)
    return undefined
  return { ...transfer, asset: to, amount: call.amount }
}
