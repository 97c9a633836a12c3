import '../transaction-copy.ts'
import { decodeCall } from '../../../../ethereum/call-decoder.ts'
import { chainOf, gasPriceOracleOf } from '../../../../ethereum/chains.ts'
import { readAllowances, withAllowance } from '../../../../ethereum/edit-allowance.ts'
import { parseQuantity } from '../../../../ethereum/integer.ts'
import {
  completeTransaction,
  formatTransaction,
  parseTransaction,
  type TransactionRequest,
} from '../../../../ethereum/transaction.ts'
import { InvalidRequest } from '../../../../lib/invalid-request.ts'
import { type FindTokenFacts, readEdit, toEditable } from '../../../../signing/allowances.ts'
import type { TokenShortage, Untried, Warning } from '../../../../signing/preview.ts'
import { approveTransaction } from '../../../../signing/transaction/approve-transaction.tsx'
import { withTrial } from '../../../../signing/transaction/explain.ts'
import { missingKnowledge, toPreview } from '../../../../signing/transaction/preview.ts'
import { fetchPreview, type ServerPreview } from '../../../server/preview.ts'
import type { PlainTransfer } from '../../../server/spending.ts'
import { chains } from '../chains.ts'
import { toEditableFees } from '../fees.ts'
import { tokensNeeded } from '../needed.ts'
import { type ReadKind, toReview } from '../review.ts'
import { balanceChangesOf, disputeWarnings, pricesOf, tokenAsset, triedWarnings } from '../server-preview.ts'

/** Warnings for what the page learned from its node. Only the kind of error is taken over, never the page's words. */
const nodeWarnings: Readonly<Record<string, readonly Warning[]>> = {
  reverts: [{ code: 'reverts', severity: 'danger' }],
  'may-fail': [{ code: 'may-fail', severity: 'danger' }],
}

export const readTransaction: ReadKind<'evmTransaction'> = (
  request,
  { requester: { origin, app, address: wallet }, knowledge, delegates, after = [] },
) => {
  const { transaction: raw, action, state, layerOneFee = '0x0' } = request
  const { findFacts, asked: brought = request, since = 0n, ...words } = knowledge
  const asked = parseTransaction(raw, { delegates })
  const preparing = state === 'preparing'
  const complete = preparing ? undefined : completeTransaction(asked)
  const transaction: TransactionRequest = complete ?? asked
  const { gasLimit = 0n, gasPrice, maxFeePerGas = gasPrice ?? 0n } = transaction
  // The page can only add to the gas cost that the vault computes, never reduce it.
  const beside = parseQuantity(layerOneFee)
  if (beside === undefined) throw new InvalidRequest('layerOneFee is a quantity in hex')
  const gas = gasLimit * maxFeePerGas
  const fee = gas + beside
  // Only of layer 1 the transaction's own bytes say nothing.
  const hasOwnFee = beside === 0n && gasPriceOracleOf(chains, asked.chainId) === undefined
  const given = allowancesOf(asked)
  // As the page has brought it.
  const first =
    brought.kind === 'evmTransaction' ? parseTransaction(brought.transaction, { delegates }) : asked
  const allowances = toEditable(allowancesOf(first), given, findFacts, since)
  const transfer = fundableTransfer(request, asked)
  const tokenShortage = transfer && shortageOf(transfer, findFacts)
  const previewWith = (server: ServerPreview | undefined, untried: Untried) => {
    const layerOne = server?.prepared?.layerOneFee
    const call = asked.to ? decodeCall(asked.data, asked.to) : undefined
    const contract = call?.contract ?? (call && asked.to)
    const preview = toPreview(
      chains,
      { ...asked, ...transaction },
      {
        ...words,
        origin,
        app,
        wallet,
        findFacts,
        allowances,
        delegates,
        walletCode: server?.walletCode ?? undefined,
        fee: preparing ? undefined : gas + (layerOne ?? beside),
        isFeeClaimed: !hasOwnFee && layerOne === undefined,
        balance: server?.balance,
        asset: server && contract ? tokenAsset(server, contract) : undefined,
        balanceChanges: server ? balanceChangesOf(server, coinOf(asked.chainId)) : untried,
        prices: server && pricesOf(server),
        fees: server && complete && toEditableFees(complete, first, server, layerOne ?? beside),
        isUnderfunded: state === 'underfunded',
        tokenShortage,
        warnings: [
          ...(tokenShortage
            ? []
            : ((server && triedWarnings(server)) ?? (state && nodeWarnings[state]) ?? [])),
          ...(server ? disputeWarnings(server) : []),
        ],
      },
    )
    return withTrial(preview)
  }
  const propsWith = (server: ServerPreview | undefined, untried: Untried = 'unanswered') => {
    const preview = previewWith(server, untried)
    const isFundable = preview.isUnderfunded ? request.isFundable === true : tokenShortage !== undefined
    return { preview, action, ...(preparing && { preparing }), ...(isFundable && { isFundable }) }
  }
  const props = propsWith(undefined, 'waiting')
  const { preview } = props
  const { contracts, tokens } = missingKnowledge({ ...asked, from: wallet }, words)
  return toReview(approveTransaction, props, 'high', {
    needed:
      contracts.length + tokens.length > 0
        ? { chainId: asked.chainId, contracts, messages: [], tokens }
        : undefined,
    transfer: preparing || preview.feeConcern ? undefined : transferOf(transaction, fee),
    tokens: tokensNeeded(asked.chainId, given, transfer ? [{ token: transfer.token }] : []),
    ...(!preparing && {
      confirm: (cx, token) =>
        fetchPreview(cx, token, {
          address: wallet,
          chain: `eip155:${asked.chainId}`,
          request: { transaction: formatTransaction(transaction), ...(after.length > 0 && { after }) },
        }),
      confirmed: (server) => propsWith(server),
    }),
    edit(answer) {
      const edit = readEdit((answer as { edited?: unknown }).edited, allowancesOf(first))
      if (!edit || asked.to === undefined || first.gasLimit === undefined) return undefined
      const data = withAllowance(asked.data, asked.to, edit)
      const changed = { ...asked, data, gasLimit: gasAfterEdit(first, data) }
      return { ...request, transaction: formatTransaction(changed) }
    },
    withFees(fees) {
      if ('priority' in fees) throw new InvalidRequest('This network has no such fee')
      return { ...request, transaction: formatTransaction({ ...transaction, ...fees }) }
    },
  })
}

interface Transfer {
  readonly token: string
  readonly amount: bigint
}

/** The transfer of the wallet's own tokens, if the page can lead its user to fund that token. */
function fundableTransfer(
  { fundableToken }: { readonly fundableToken?: string | undefined },
  { to, data }: TransactionRequest,
): Transfer | undefined {
  if (to === undefined || fundableToken?.toLowerCase() !== to.toLowerCase()) return undefined
  const call = decodeCall(data, to)
  if (call?.action !== 'transfer' || call.from !== undefined || call.amount === undefined) return undefined
  return { token: to, amount: call.amount }
}

/** The amount that the wallet lacks for a transfer, by the figures of the vault's own server. */
function shortageOf(
  { token, amount }: Transfer,
  findFacts: FindTokenFacts | undefined,
): TokenShortage | undefined {
  const { symbol, decimals, balance } = findFacts?.(token) ?? {}
  if (symbol === undefined || decimals === undefined || balance === undefined || balance >= amount)
    return undefined
  return { token, asset: { symbol, decimals }, missing: amount - balance }
}

const allowancesOf = ({ to, data }: TransactionRequest) => (to ? readAllowances(data, to) : [])

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

/** A transaction that sends coins or tokens of the wallet's own, and does nothing else. */
function transferOf(transaction: TransactionRequest, fee: bigint): PlainTransfer | undefined {
  const { to, value, data, chainId } = transaction
  // Code for the wallet's address is no transfer, however little else the transaction does.
  if (to === undefined || transaction.authorizationList) return undefined
  const signed = new TextEncoder().encode(JSON.stringify(formatTransaction(transaction)))
  const transfer = { chain: `eip155:${chainId}`, fee, signed }
  if (data === '0x') return { ...transfer, amount: value }
  const call = decodeCall(data, to)
  if (call?.action !== 'transfer' || call.from !== undefined || call.amount === undefined || value > 0n)
    return undefined
  return { ...transfer, asset: to, amount: call.amount }
}
