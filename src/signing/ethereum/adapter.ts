import { broadcast, transactionHash } from '../../ethereum/broadcast.ts'
import { decodeCall } from '../../ethereum/call-decoder.ts'
import { type ChainOptions, explorerUrlOf, gasPriceOracleOf } from '../../ethereum/chains.ts'
import { readAllowance, withAllowance } from '../../ethereum/edit-allowance.ts'
import type { FailureReason } from '../../ethereum/failure-reason.ts'
import { formatQuantity } from '../../ethereum/integer.ts'
import { nextAttempt } from '../../ethereum/next-attempt.ts'
import { type PreparedTransaction, prepareTransaction } from '../../ethereum/prepare-transaction.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { withReach } from '../../ethereum/token-action.ts'
import { readToken, type Token } from '../../ethereum/tokens.ts'
import {
  type CompleteTransaction,
  formatTransaction,
  parseTransaction,
  type TransactionRequest,
  type WalletTransaction,
  withSender,
} from '../../ethereum/transaction.ts'
import { EXECUTION_REVERTED, NodeError, Unreachable } from '../../lib/node-errors.ts'
import type { ChainAdapter, ChainTypes, TransactionAction } from '../chain-adapter.ts'
import type { Warning } from '../preview.ts'
import { readHex } from '../signature.ts'
import { reasonOf } from '../transaction/failure.ts'
import { type PreviewContext, toPreview } from '../transaction/preview.ts'

export interface EthereumAdapterOptions {
  readonly chains: ChainOptions
  /** The host page's. */
  readonly origin: string
  /** The address of the wallet that signs. */
  readonly wallet: string
  /** The node of the transaction's own chain. */
  readonly node: ChainNode
  /** The chain of a transaction that names none. */
  readonly chainId?: number | undefined
  /** A transaction that waits, whose nonce the request has: the first attempt pays more. */
  readonly replaces?: CompleteTransaction | undefined
}

interface EthereumAttempt {
  /** The app's own request. */
  readonly asked: WalletTransaction
  /** The same with the allowance that the user has chosen, and what a refusal has decided. */
  readonly request: WalletTransaction
  readonly replaces: CompleteTransaction | undefined
  readonly action: TransactionAction
}
interface EthereumPrepared extends PreparedTransaction {
  /** The token of an allowance. */
  readonly token: Token | undefined
}
export interface EthereumTypes extends ChainTypes {
  readonly request: WalletTransaction
  readonly attempt: EthereumAttempt
  readonly prepared: EthereumPrepared
  /** `raw`: 0x-hex, ready to be sent. */
  readonly signed: { readonly raw: string; readonly hash: string }
}
export type EthereumAdapter = ChainAdapter<EthereumTypes>

/** Transactions of a key's own account on an EVM chain. */
export function createEthereumAdapter({
  chains,
  origin,
  wallet,
  node,
  chainId,
  replaces,
}: EthereumAdapterOptions): EthereumAdapter {
  const prepare = async ({ request, replaces }: EthereumAttempt, signal: AbortSignal) => {
    const gasPriceOracle = gasPriceOracleOf(chains, request.chainId)
    const [prepared, token] = await Promise.all([
      prepareTransaction(node, request, { gasPriceOracle, replaces, signal }),
      readAllowanceToken(node, request, signal),
    ])
    return { ...prepared, token }
  }

  return {
    chainType: 'ethereum',
    parse: (input) =>
      withSender(parseTransaction(input, chainId === undefined ? undefined : { chainId }), wallet),
    start: (request, action) => ({ asked: request, request, replaces, action }),
    edit(attempt, { allowance }) {
      const { data, to } = attempt.request
      if (to === undefined || allowance === undefined) return attempt
      return { ...attempt, request: { ...attempt.request, data: withAllowance(data, to, allowance) } }
    },
    prepare,

    preview({ asked, request }, prepared) {
      if (!prepared) return toPreview(chains, request, { origin, wallet })
      const { transaction, fee, balance, isUnderfunded, simulationError, reason, token } = prepared
      return toPreview(chains, transaction, {
        origin,
        wallet,
        ...allowanceContext(asked, transaction, token),
        fee,
        balance,
        isUnderfunded,
        warnings: simulationError && !isUnderfunded ? [simulationWarning(simulationError, reason)] : [],
      })
    },

    encode: ({ request, action }, prepared) => ({
      content: {
        kind: 'evmTransaction',
        action,
        transaction: formatTransaction(prepared?.transaction ?? request),
        ...(prepared ? stateOf(prepared) : { state: 'preparing' }),
      },
      read(result) {
        const raw = readHex(result)
        return { raw, hash: transactionHash(raw) }
      },
    }),

    expectedFailure: ({ simulationError, reason, isUnderfunded }) =>
      isUnderfunded || !simulationError ? undefined : { cause: simulationError, kind: reason?.kind },

    async renew(attempt, displayed, signal) {
      try {
        const renewed = await prepare(attempt, signal)
        return holds(displayed, renewed) ? undefined : renewed
      } catch (cause) {
        signal.throwIfAborted()
        // A node that can't answer now doesn't undo what was displayed.
        if (cause instanceof NodeError || cause instanceof Unreachable) return undefined
        throw cause
      }
    },

    toEntry({ transaction: { chainId, to, nonce } }, { raw }, { actions: [action] }) {
      const token = action?.kind === 'token' && action.call.action === 'transfer' ? action : undefined
      const party = token?.call.party ?? to
      return {
        chain: `eip155:${chainId}`,
        raw,
        nonce: String(nonce),
        ...(party && { to: party }),
        ...(token?.asset &&
          token.call.amount !== undefined && { amount: String(token.call.amount), asset: token.asset }),
      }
    },

    async submit({ transaction }, { raw }) {
      await broadcast(node, raw, transaction.chainId)
    },

    afterRefusal(attempt, { transaction }, cause) {
      const next = nextAttempt(attempt.request, transaction, attempt.asked.nonce, cause)
      if (!next) return { kind: 'stop', cause }
      const { request, replaces: refused = replaces } = next
      // Whatever else was refused, it must still pay more than the one that it replaces.
      return { kind: 'retry', cause, attempt: { ...attempt, request, replaces: refused } }
    },

    afterOutcome({ asked, request, action }, _, status) {
      // A nonce that the app has given would be another payment, beside the one that went through.
      if (status !== 'failed' || asked.nonce !== undefined) return undefined
      // A mined transaction has used its nonce.
      return {
        asked,
        request: { ...asked, data: request.data, nonce: undefined },
        replaces: undefined,
        action,
      }
    },

    explorerUrl: ({ transaction }, { hash }) => explorerUrlOf(chains, transaction.chainId, hash),
  }
}

/** What the page has learned from the node. Its words stay here: they come by way of the page, so the vault only gets the kind. */
function stateOf({ isUnderfunded, simulationError, layerOneFee }: PreparedTransaction) {
  const state = isUnderfunded
    ? 'underfunded'
    : simulationError && (isRevert(simulationError) ? 'reverts' : 'may-fail')
  return {
    ...(state && ({ state } as const)),
    ...(layerOneFee > 0n && { layerOneFee: formatQuantity(layerOneFee) }),
  }
}

const isRevert = ({ code, message }: NodeError) => code === EXECUTION_REVERTED || /revert/i.test(message)

/** A gas estimate may move by this many hundredths before the user is asked again. */
const GAS_TOLERANCE = 10n

/** Whether what was displayed can still be carried out, for the fee and with the outcome that were displayed. */
function holds(displayed: EthereumPrepared, renewed: EthereumPrepared): boolean {
  const { transaction, fee } = displayed
  const { gasPrice = 0n, maxFeePerGas = gasPrice } = transaction
  const isUnderfunded = renewed.balance < transaction.value + fee
  return (
    transaction.nonce === renewed.transaction.nonce &&
    isUnderfunded === displayed.isUnderfunded &&
    displayed.reason?.kind === renewed.reason?.kind &&
    (renewed.baseFee === undefined || renewed.baseFee <= maxFeePerGas) &&
    renewed.transaction.gasLimit * 100n <= transaction.gasLimit * (100n + GAS_TOLERANCE)
  )
}

/** What the token itself says of an allowance: how it is counted, and what it reaches. */
function allowanceContext(
  asked: WalletTransaction,
  { data, to }: Pick<TransactionRequest, 'data' | 'to'>,
  token: Token | undefined,
): Pick<PreviewContext, 'allowance' | 'call'> {
  if (!token || !to) return {}
  const [first, now, call] = [readAllowance(asked.data, to), readAllowance(data, to), decodeCall(data, to)]
  if (!first || !now || !call) return {}
  const { symbol, decimals, balance } = token
  const { isUnlimited } = first
  // A request that names no amount needs no more than the wallet has.
  const once = !isUnlimited ? first.amount : balance && balance <= first.amount ? balance : undefined
  const { amountOrToken: _, ...named } = call
  return {
    call: withReach({ ...named, amount: now.amount }, balance === undefined ? undefined : { balance }),
    allowance: {
      asked: first.amount,
      amount: now.amount,
      isMaximum: isUnlimited,
      ...(once !== undefined && { once }),
      asset: { symbol, decimals },
    },
  }
}

/** The token that an allowance is of. Without its decimals no amount can be chosen, and the request stays as it is. */
async function readAllowanceToken(
  node: ChainNode,
  { data, to, from }: WalletTransaction,
  signal: AbortSignal,
): Promise<Token | undefined> {
  const allowance = to && readAllowance(data, to)
  if (!allowance) return undefined
  try {
    const token = await readToken(node, allowance.token, { owner: from, signal })
    return token.kind === 'token' ? token : undefined
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

/** With the contract's own words where it gave some. */
function simulationWarning(error: NodeError, reason: FailureReason | undefined): Warning {
  const words = reason?.message ?? reasonOf(error)?.message
  return {
    code: isRevert(error) ? 'reverts' : 'may-fail',
    severity: 'danger',
    ...(words && { reason: words }),
  }
}
