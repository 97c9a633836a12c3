import '../transaction-copy.ts'
import { decodeCall } from '../../../../ethereum/call-decoder.ts'
import { chainOf, gasPriceOracleOf } from '../../../../ethereum/chains.ts'
import { parseQuantity } from '../../../../ethereum/integer.ts'
import type { TokenAction } from '../../../../ethereum/token-action.ts'
import {
  completeTransaction,
  formatTransaction,
  parseTransaction,
  type TransactionRequest,
} from '../../../../ethereum/transaction.ts'
import { InvalidRequest } from '../../../../lib/invalid-request.ts'
import type { TransactionPreview, Warning } from '../../../../signing/preview.ts'
import { approveTransaction } from '../../../../signing/transaction/approve-transaction.tsx'
import { toPreview } from '../../../../signing/transaction/preview.ts'
import { fetchPreview, type ServerPreview } from '../../../server/preview.ts'
import type { PlainTransfer } from '../../../server/spending.ts'
import { allowanceOf } from '../allowance.ts'
import { chains } from '../chains.ts'
import { toEditableFees } from '../fees.ts'
import { type ReadKind, toReview } from '../review.ts'
import { balanceChangesOf, disputeWarnings, pricesOf, tokenAsset, triedWarnings } from '../server-preview.ts'

/** Warnings for what the page learned from its node. Only the kind of error is taken over, never the page's words. */
const nodeWarnings: Readonly<Record<string, readonly Warning[]>> = {
  reverts: [{ code: 'reverts', severity: 'danger' }],
  'may-fail': [{ code: 'may-fail', severity: 'danger' }],
}

export const readTransaction: ReadKind<'evmTransaction'> = (
  request,
  { requester: { origin, address: wallet }, knowledge },
) => {
  const { transaction: raw, action, state, layerOneFee = '0x0' } = request
  const asked = parseTransaction(raw)
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
  const previewWith = (call?: TokenAction, server?: ServerPreview) => {
    const layerOne = server?.prepared?.layerOneFee
    const contract = call?.contract ?? (call && asked.to)
    return toPreview(
      chains,
      { ...asked, ...transaction },
      {
        ...knowledge,
        origin,
        wallet,
        call,
        fee: preparing ? undefined : gas + (layerOne ?? beside),
        isFeeClaimed: !hasOwnFee && layerOne === undefined,
        balance: server?.balance,
        asset: server && contract ? tokenAsset(server.tokens, contract) : undefined,
        balanceChanges: server && balanceChangesOf(server, coinOf(asked.chainId)),
        prices: server && pricesOf(server),
        fees: server && complete && toEditableFees(complete, server, layerOne ?? beside),
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
  const [does, ...others] = preview.actions
  const contracts = preview.actions.flatMap((action) => (action.kind === 'call' ? [action.to] : []))
  return toReview(approveTransaction, props, 'high', {
    needed:
      contracts.length > 0
        ? { chainId: asked.chainId, contracts: [...new Set(contracts)], messages: [] }
        : undefined,
    transfer: preparing || preview.feeConcern ? undefined : transferOf(transaction, fee),
    confirm: preparing
      ? undefined
      : async (cx, token) => {
          const server = await fetchPreview(cx, token, {
            address: wallet,
            chain: `eip155:${asked.chainId}`,
            request: { transaction: formatTransaction(transaction) },
          })
          return (shown) => {
            const [action] = (shown as { readonly preview: TransactionPreview }).preview.actions
            const call = action?.kind === 'token' ? action.call : undefined
            return { ...shown, preview: previewWith(call, server) }
          }
        },
    withFees: (fees) => ({ ...request, transaction: formatTransaction({ ...transaction, ...fees }) }),
    allowance: allowanceOf(
      does?.kind === 'token' && others.length === 0 ? does.call : undefined,
      asked.chainId,
      (call) => ({
        ...props,
        preview: previewWith(call),
      }),
    ),
  })
}

/** An unknown chain's coin has no known symbol; every EVM chain counts it in 18 decimals. */
const coinOf = (chainId: number) => chainOf(chains, chainId)?.nativeCurrency ?? { symbol: '', decimals: 18 }

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
