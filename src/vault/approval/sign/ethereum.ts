/** Transactions and typed data as a person reads them. They bring the list of chains, which messages do without. */
import './more-words.ts'
import type { Translate } from '../../../copy/copy.ts'
import type { ChainOptions } from '../../../ethereum/chains.ts'
import { parseQuantity } from '../../../ethereum/integer.ts'
import { completeTransaction, parseTransaction } from '../../../ethereum/transaction.ts'
import { parseTypedData } from '../../../ethereum/typed-data.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { approveTransaction } from '../../../signing/transaction/approve-transaction.tsx'
import { figuresOf } from '../../../signing/transaction/transaction-view.ts'
import { shownTypedData } from '../../../signing/typed-data/shown.ts'
import { signTypedData } from '../../../signing/typed-data/sign-typed-data.tsx'
import { takeParams } from '../../signing/ethereum.ts'
import { type Reading, reading, type Who } from './reading-of.ts'

/** The vault's own list of chains; another one is shown by its number. */
const chains: ChainOptions = { host: {} }

/** No typed data is harmless by its shape: any contract may give it a meaning. */
export function readTypedData({ request, chainId }: ApprovalRequests['sign'], who: Who): Reading {
  const [, data] = takeParams(request.params, 2, 'eth_signTypedData_v4 takes an address and typed data')
  const shown = shownTypedData({ chains, origin: who.origin, chainId }, parseTypedData(data))
  return reading(signTypedData, { ...who, ...shown, cancellable: true }, 'high')
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
  return reading(
    approveTransaction,
    {
      ...who,
      ...figures,
      action,
      ...(preparing && { preparing }),
      ...(problem && { error: t(problem) }),
    },
    'high',
  )
}
