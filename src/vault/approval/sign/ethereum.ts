/** Transactions and typed data as a person reads them. They bring the list of chains, which messages do without. */
import './more-words.ts'
import { hashMessageType } from '../../../clear-signing/index.ts'
import { decodeCall } from '../../../ethereum/call-decoder.ts'
import { type ChainOptions, chainOf, gasPriceOracleOf } from '../../../ethereum/chains.ts'
import { type GivenAllowance, readAllowances, withAllowance } from '../../../ethereum/edit-allowance.ts'
import { readPermits, withPermit } from '../../../ethereum/edit-permit.ts'
import { parseQuantity } from '../../../ethereum/integer.ts'
import {
  completeTransaction,
  formatTransaction,
  parseTransaction,
  type TransactionRequest,
} from '../../../ethereum/transaction.ts'
import { parseTypedData, type TypedData } from '../../../ethereum/typed-data.ts'
import { InvalidRequest } from '../../../lib/invalid-request.ts'
import type { Plain } from '../../../lib/plain.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { readEdit, toEditable, tokensOf } from '../../../signing/allowances.ts'
import type { Warning } from '../../../signing/preview.ts'
import { approveTransaction } from '../../../signing/transaction/approve-transaction.tsx'
import { type Knowledge, missingKnowledge, toPreview } from '../../../signing/transaction/preview.ts'
import { missingForTypedData, permitProps, shownTypedData } from '../../../signing/typed-data/shown.ts'
import { signTypedData } from '../../../signing/typed-data/sign-typed-data.tsx'
import type { NeededDescriptors } from '../../server/descriptors.ts'
import { fetchPreview, type ServerPreview } from '../../server/preview.ts'
import type { PlainTransfer } from '../../server/spending.ts'
import { takeParams } from '../../signing/ethereum.ts'
import { type NeededTokens, type Reading, type ReadingKnowledge, reading, type Who } from './reading-of.ts'
import { balanceChangesOf, disputeWarnings, tokenAsset, triedWarnings } from './server-preview.ts'

/** The vault's own list of chains; another one is shown by its number. */
const chains: ChainOptions = { host: {} }

/** No typed data is harmless by its shape: any contract may give it a meaning. */
export function readTypedData(
  asked: ApprovalRequests['sign'],
  who: Who,
  { findFacts, asked: first = asked, since = 0n, ...knowledge }: ReadingKnowledge,
): Reading {
  const typed = typedDataOf(asked)
  const permits = readPermits(typed)
  const shown = shownTypedData(
    { chains, origin: who.origin, wallet: who.address, chainId: asked.chainId, ...knowledge, findFacts },
    typed,
  )
  const allowances = asked.isEditable
    ? toEditable(readPermits(typedDataOf(first)), permits, findFacts, since)
    : []
  const props = {
    ...who,
    ...shown,
    ...permitProps(shown.permit, permits, allowances, asked.isEditable),
    cancellable: true,
  }
  const chain = typed.domain.chainId
  const { contract } = typed.domain
  return reading(signTypedData, props, 'high', {
    needed:
      chain !== undefined && contract !== undefined && !shown.permit && !shown.held
        ? {
            chainId: Number(chain),
            messages: [hashMessageType(typed)],
            ...missingForTypedData(typed, { wallet: who.address, ...knowledge }),
          }
        : undefined,
    tokens: tokensNeeded(chain === undefined ? undefined : Number(chain), permits),
  })
}

const typedDataOf = ({ request }: ApprovalRequests['sign']): TypedData => {
  const [, data] = takeParams(request.params, 2, 'eth_signTypedData_v4 takes an address and typed data')
  return parseTypedData(data)
}

/** Warnings for what the page learned from its node. Only the kind of error is taken over, never the page's words. */
const nodeWarnings: Readonly<Record<string, readonly Warning[]>> = {
  reverts: [{ code: 'reverts', severity: 'danger' }],
  'may-fail': [{ code: 'may-fail', severity: 'danger' }],
}

export function readTransaction(
  asked: ApprovalRequests['sign'],
  { origin, address: wallet }: Who,
  { findFacts, asked: first = asked, since = 0n, ...knowledge }: ReadingKnowledge,
): Reading {
  const { action, state, layerOneFee = '0x0' } = asked
  const request = transactionOf(asked)
  const preparing = state === 'preparing'
  const transaction = preparing ? request : completeTransaction(request)
  const { gasLimit = 0n, gasPrice, maxFeePerGas = gasPrice ?? 0n } = transaction
  // The page can only add to the gas cost that the vault computes, never reduce it.
  const beside = parseQuantity(layerOneFee)
  if (beside === undefined) throw new InvalidRequest('layerOneFee is a quantity in hex')
  const gas = gasLimit * maxFeePerGas
  const fee = gas + beside
  // Only of layer 1 the transaction's own bytes say nothing.
  const hasOwnFee = beside === 0n && gasPriceOracleOf(chains, request.chainId) === undefined
  const given = allowancesOf(request)
  const allowances = toEditable(allowancesOf(transactionOf(first)), given, findFacts, since)
  const previewWith = (server?: ServerPreview) => {
    const layerOne = server?.prepared?.layerOneFee
    const call = request.to ? decodeCall(request.data, request.to) : undefined
    const contract = call?.contract ?? (call && request.to)
    return toPreview(
      chains,
      { ...request, ...transaction },
      {
        ...knowledge,
        origin,
        wallet,
        findFacts,
        allowances,
        fee: preparing ? undefined : gas + (layerOne ?? beside),
        isFeeClaimed: !hasOwnFee && layerOne === undefined,
        balance: server?.balance,
        asset: server && contract ? tokenAsset(server.tokens, contract) : undefined,
        balanceChanges: server && balanceChangesOf(server, coinOf(request.chainId)),
        isUnderfunded: state === 'underfunded',
        warnings: [
          ...((server && triedWarnings(server)) ?? (state && nodeWarnings[state]) ?? []),
          ...(server ? disputeWarnings(server) : []),
        ],
      },
    )
  }
  const preview = previewWith()
  const props = { preview, action, ...(preparing && { preparing }) }
  return reading(approveTransaction, props, 'high', {
    needed: descriptorsNeeded(request, wallet, knowledge),
    transfer: preparing || preview.feeConcern ? undefined : transferOf(transaction, fee),
    tokens: tokensNeeded(request.chainId, given),
    ...(!preparing && {
      confirm: (cx, token) =>
        fetchPreview(cx, token, {
          address: wallet,
          chain: `eip155:${request.chainId}`,
          request: { transaction: formatTransaction(transaction) },
        }),
      confirmed: (server) => ({ ...props, preview: previewWith(server) }),
    }),
  })
}

const transactionOf = ({ request }: ApprovalRequests['sign']): TransactionRequest => {
  const [raw] = takeParams(request.params, 1, 'eth_signTransaction takes a transaction')
  return parseTransaction(raw)
}
const allowancesOf = ({ to, data }: TransactionRequest) => (to ? readAllowances(data, to) : [])

/**
 * The request with a lower allowance, which its bytes then give. `undefined` for what lowers nothing that the page has asked for.
 * @param asked the request as the page has brought it
 * @param now the same with what the user has chosen so far
 */
export function withEdit(
  asked: ApprovalRequests['sign'],
  now: ApprovalRequests['sign'],
  answer: unknown,
): ApprovalRequests['sign'] | undefined {
  const withParams = (params: readonly Plain[]) => ({
    ...now,
    request: { method: now.request.method, params },
  })
  if (now.request.method === 'eth_signTypedData_v4') {
    const edit = now.isEditable ? readEdit(answer, readPermits(typedDataOf(asked))) : undefined
    const [signer] = takeParams(now.request.params, 2, 'eth_signTypedData_v4 takes an address and typed data')
    return edit && withParams([signer ?? null, withPermit(typedDataOf(now), edit).data])
  }
  if (now.request.method !== 'eth_signTransaction') return undefined
  const [first, request] = [transactionOf(asked), transactionOf(now)]
  const edit = readEdit(answer, allowancesOf(first))
  if (!edit || request.to === undefined || first.gasLimit === undefined) return undefined
  const data = withAllowance(request.data, request.to, edit)
  return withParams([formatTransaction({ ...request, data, gasLimit: gasAfterEdit(first, data) })])
}

/** Gas that writing another number than the estimated one can take in addition: an unchanged one costs less. */
const STORAGE_CHANGE = 5_000n
/** Gas of a byte of data that isn't zero, where data cost most (EIP-7623). */
const DATA_BYTE = 40n

/** What was estimated was the page's amount; another one has other bytes. */
function gasAfterEdit({ data, gasLimit = 0n }: TransactionRequest, edited: string): bigint {
  if (data === edited) return gasLimit
  const count = (hex: string) =>
    BigInt(
      hex
        .slice(2)
        .match(/../g)
        ?.filter((byte) => byte !== '00').length ?? 0,
    )
  const more = count(edited) - count(data)
  return gasLimit + STORAGE_CHANGE + (more > 0n ? more * DATA_BYTE : 0n)
}

/** An unknown chain's coin has no known symbol; every EVM chain counts it in 18 decimals. */
const coinOf = (chainId: number) => chainOf(chains, chainId)?.nativeCurrency ?? { symbol: '', decimals: 18 }

const tokensNeeded = (
  chainId: number | undefined,
  allowances: readonly GivenAllowance[],
): NeededTokens | undefined =>
  chainId === undefined || allowances.length === 0 ? undefined : { chainId, list: tokensOf(allowances) }

/** What descriptors and tokens would say more of a transaction; a call of a token alone says all by itself. */
function descriptorsNeeded(
  request: TransactionRequest,
  wallet: string,
  knowledge: Knowledge,
): NeededDescriptors | undefined {
  const { contracts, tokens } = missingKnowledge({ ...request, from: wallet }, knowledge)
  if (contracts.length + tokens.length === 0) return undefined
  return { chainId: request.chainId, contracts, messages: [], tokens }
}

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
