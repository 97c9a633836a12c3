import { base64 } from '@scure/base'
import type { ActivityEntry } from '../../activity/entry.ts'
import { KitError } from '../../errors/kit-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { TransactionFailedError } from '../../lib/node-errors.ts'
import { toDollars } from '../../lib/price.ts'
import type { Prices } from '../../prices/prices.ts'
import type { EditedContent } from '../../protocol/frame/approval.ts'
import type { PriorityChoice } from '../../solana/budget.ts'
import { SOL, type SolanaCluster, solanaExplorerUrl } from '../../solana/clusters.ts'
import type { PreparedTransaction, SolanaRequest } from '../../solana/prepare.ts'
import type { SolanaReceipt } from '../../solana/receipt.ts'
import type { SolanaRpc } from '../../solana/rpc.ts'
import type { SendOptions } from '../../solana/send-options.ts'
import type { Simulation } from '../../solana/simulate.ts'
import type { ChainAdapter, ChainTypes, TransactionAction } from '../chain-adapter.ts'
import {
  type PreviewPrices,
  shownUnits,
  solanaAsset,
  type TransactionPreview,
  type Untried,
} from '../preview.ts'
import { readSolanaSignature } from '../signature.ts'
import { withTrial } from '../transaction/explain.ts'
import { inTime } from '../transaction/review.ts'
import { readPriority, toEditableFees } from './fees.ts'
import { toSolanaPreview } from './preview.ts'
import { createSolanaTracker } from './track.ts'

/** Prepares, simulates and sends transactions; the caller has loaded it. */
export type SolanaRoom = typeof import('../../solana/adapter.ts')

export interface SolanaAdapterOptions {
  readonly cluster: SolanaCluster
  readonly rpc: SolanaRpc
  readonly room: SolanaRoom
  readonly clock: Clock
  /** The host page's. */
  readonly origin: string
  /** The address of the wallet that signs. */
  readonly wallet: string
  /** How the node is asked to take it. */
  readonly send?: SendOptions | undefined
  /** Prices of the app's server, for a review in the page. */
  readonly prices?: Prices | undefined
}

interface SolanaAttempt {
  readonly request: SolanaRequest
  /** Whether the wallet may fill in what the app has left out. */
  readonly mayChange: boolean
  /** The user's choice of priority fee. */
  readonly priority?: PriorityChoice | undefined
  readonly action: TransactionAction
}
export interface SolanaPrepared extends PreparedTransaction {
  readonly simulation?: Simulation | undefined
  readonly prices?: PreviewPrices | undefined
}
export interface SolanaTypes extends ChainTypes {
  readonly request: SolanaRequest
  readonly attempt: SolanaAttempt
  readonly prepared: SolanaPrepared
  /** `hash`: its first signature in base58. */
  readonly signed: { readonly bytes: Uint8Array; readonly hash: string | undefined }
}
export type SolanaAdapter = ChainAdapter<SolanaTypes>

/** Transactions of a key's own account on Solana. */
export function createSolanaAdapter({
  cluster,
  rpc,
  room,
  clock,
  origin,
  wallet,
  send,
  prices,
}: SolanaAdapterOptions): SolanaAdapter {
  const node = { rpc, clock }
  const simulate = async (prepared: SolanaPrepared, signal: AbortSignal): Promise<SolanaPrepared> => ({
    ...prepared,
    simulation: await room.simulate(node, prepared, { signal }),
  })
  const preview = ({ request, priority }: SolanaAttempt, prepared?: SolanaPrepared): TransactionPreview => {
    const fees = prepared && toEditableFees(prepared, priority)
    const simulation = prepared?.simulation
    const read = toSolanaPreview(
      prepared
        ? room.toPreview(prepared, simulation ?? 'waiting')
        : room.reviewMessage(request.transaction.message, request.wallet, { isWaiting: true }),
      { origin, network: { name: cluster.name, chain: cluster.chain } },
    )
    return {
      ...withTrial({ balanceChanges: untriedOf(simulation), ...read }),
      ...(fees && { fees }),
      ...(prepared?.prices && { prices: prepared.prices }),
    }
  }

  return {
    ...createSolanaTracker({ rpc, room }),
    chainType: 'solana',
    parse: (input) => room.parseRequest(room.readHostTransaction(input, wallet).bytes, wallet),
    start(request, action) {
      if (action === 'send') requireOtherSignatures(request)
      // An app that only wants a signature wants it for its own bytes.
      return { request, mayChange: action === 'send', action }
    },
    edit: (attempt, { fees }) => ({ ...attempt, priority: readPriority(fees) ?? attempt.priority }),
    async prepare({ request, mayChange, priority }, signal) {
      const price = prices?.of({ chain: cluster.chain, symbol: SOL })
      const prepared = await room.prepare(node, request, {
        mayChange,
        priority,
        isReviewed: true,
        signal,
      })
      const coin = price && (await inTime(clock, signal, () => price))
      return { ...prepared, ...(coin && { prices: { coin: toDollars(coin), tokens: {} } }) }
    },
    simulate,
    preview,

    encode({ request, action }, prepared) {
      const { message } = (prepared ?? request).transaction
      const state = prepared?.simulation
        ? stateOf(prepared, preview({ request, action, mayChange: false }, prepared))
        : 'preparing'
      return {
        content: {
          kind: 'solanaTransaction',
          action,
          message: base64.encode(message.bytes),
          ...(state && { state }),
          ...testCluster(cluster),
          ...(prepared?.priorities && action === 'send' && { isEditable: true }),
        },
        read(result, edited) {
          const signature = readSolanaSignature(result)
          const asked = prepared && edited ? withEdit(room, prepared, edited) : (prepared ?? request)
          const signed = room.withSignature(asked.transaction, wallet, signature)
          return { bytes: signed.bytes, hash: signed.signature }
        },
      }
    },

    adopt(attempt, prepared, edited) {
      const signed = withEdit(room, prepared, edited)
      if (signed === prepared) return { attempt, prepared }
      return { attempt: { ...attempt, priority: signed.fee.priority }, prepared: signed }
    },

    expectedFailure: () => undefined,

    async renew(attempt, displayed, signal) {
      // A node that can't run it doesn't undo what was displayed.
      if (displayed.simulation?.status === 'unavailable') return undefined
      const renewed = await simulate({ ...displayed, trial: undefined }, signal)
      if (renewed.simulation?.status === 'unavailable') return undefined
      return isSamePreview(preview(attempt, renewed), preview(attempt, displayed)) ? undefined : renewed
    },

    toEntry({ life }, { bytes }, { actions }) {
      const transfer = actions.find((action) => action.kind === 'transfer')
      return {
        chain: cluster.chain,
        raw: base64.encode(bytes),
        ...(transfer?.kind === 'transfer' && { to: transfer.to }),
        ...tokenTransferOf(actions),
        ...(life.kind === 'blockhash' && { lastValidBlockHeight: String(life.lastValidBlockHeight) }),
      }
    },

    submit: ({ message, actions }, { bytes, hash }) =>
      room.submit(rpc, { bytes, signature: hash }, { message, actions, send }),

    afterRefusal({ action }, { wallet, transaction }, cause) {
      // A node that does not know the blockhash may be behind, and another one may take the transaction until it expires.
      if (cause instanceof room.TransactionRefused && cause.failure.code === 'BlockhashNotFound')
        return { kind: 'track' }
      if (cause instanceof TransactionFailedError) return { kind: 'stop', cause }
      // The network takes the same bytes once, whatever has become of the first attempt.
      const attempt = { request: { wallet, transaction }, mayChange: false, action }
      return { kind: 'retry', cause: withShortage(room, cause), attempt }
    },

    afterOutcome({ request: asked, action, priority }, prepared, status) {
      const request = status === 'expired' ? room.renewRequest(asked, prepared, { status }) : undefined
      return request && { request, mayChange: true, action, priority }
    },

    isDifferent: ({ simulation }, { receipt }) =>
      simulation?.status === 'done' &&
      receipt !== undefined &&
      room.compareReceipt(simulation.changes, receipt as SolanaReceipt).length > 0,

    explorerUrl: (_, { hash }) => solanaExplorerUrl(cluster, hash),
  }
}

/** The one transfer of a token, whose recipient and amount the activity names. */
function tokenTransferOf(
  actions: TransactionPreview['actions'],
): Pick<ActivityEntry, 'to' | 'amount' | 'asset'> {
  const [only, ...others] = actions.flatMap((action) =>
    action.kind === 'instruction' && action.instruction.kind === 'transferToken' ? [action.instruction] : [],
  )
  if (!only || others.length > 0) return {}
  const { amount, destination, destinationOwner = destination } = only
  const asset = solanaAsset(only)
  // What is kept stays as people saw it, whatever the token's issuer changes later.
  return {
    to: destinationOwner,
    ...(asset && {
      amount: String(shownUnits(amount, asset)),
      asset: { symbol: asset.symbol, decimals: asset.decimals },
    }),
  }
}

/** Nobody is asked to approve what no network would take. */
function requireOtherSignatures({ wallet, transaction: { message, signatures } }: SolanaRequest): void {
  const missing = message.signers.filter((signer, at) => signer !== wallet && !signatures[at])
  if (missing.length === 0) return
  throw new InvalidRequest(
    missing.includes(message.payer)
      ? 'The transaction is not signed by its fee payer'
      : `The transaction is not signed by ${missing.join(', ')}`,
  )
}

/** State that the page read from the nodes. */
/** Why there are no changes to display, where there are none. */
function untriedOf(simulation: Simulation | undefined): Untried {
  if (!simulation) return 'waiting'
  if (simulation.status === 'failed') return 'failed'
  return simulation.status === 'unavailable' && simulation.reason === 'method' ? 'unavailable' : 'unanswered'
}

function stateOf({ simulation }: SolanaPrepared, { isUnderfunded }: TransactionPreview) {
  if (isUnderfunded) return 'underfunded'
  return simulation?.status === 'failed' ? 'may-fail' : undefined
}

/** The prepared transaction, with the priority fee that the user has chosen in the vault. */
const withEdit = (room: SolanaRoom, prepared: SolanaPrepared, edited: EditedContent): SolanaPrepared =>
  'message' in edited
    ? { ...prepared, ...room.withSignedMessage(prepared, base64.decode(edited.message)) }
    : prepared

/** For the vault, which takes it for what the page says. */
function testCluster({ chain }: SolanaCluster): { cluster?: 'devnet' | 'testnet' } {
  if (chain === 'solana:devnet') return { cluster: 'devnet' }
  return chain === 'solana:testnet' ? { cluster: 'testnet' } : {}
}

function isSamePreview(one: TransactionPreview, other: TransactionPreview): boolean {
  const plain = ({ total, balance, balanceChanges, warnings, tokenShortage }: TransactionPreview) =>
    JSON.stringify([total, balance, balanceChanges, warnings, tokenShortage], (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
  return plain(one) === plain(other)
}

/** A refusal for missing funds in the host's terms, where the node says so by the name of its error alone. */
const withShortage = (room: SolanaRoom, cause: unknown): unknown =>
  cause instanceof room.TransactionRefused && cause.shortage
    ? new KitError('insufficient_funds', 'Solana wallet has insufficient funds for this transaction.', {
        cause,
      })
    : cause
