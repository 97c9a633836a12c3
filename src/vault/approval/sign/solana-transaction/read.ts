import '../transaction-copy.ts'
import { maxOf } from '../../../../lib/bigint.ts'
import { InvalidRequest } from '../../../../lib/invalid-request.ts'
import { toRpcRequest } from '../../../../protocol/frame/sign-request.ts'
import {
  solanaShortage,
  type TokenShortage,
  type TransactionPreview,
  type Warning,
} from '../../../../signing/preview.ts'
import { toSolanaPreview } from '../../../../signing/solana/preview.ts'
import { approveTransaction } from '../../../../signing/transaction/approve-transaction.tsx'
import { withTrial } from '../../../../signing/transaction/explain.ts'
import { withPriority } from '../../../../solana/budget.ts'
import { leastEpoch } from '../../../../solana/clusters.ts'
import { solanaFeeLimits } from '../../../../solana/fees.ts'
import { type DecodedMessage, decodeTransaction, resolveLookups } from '../../../../solana/message.ts'
import {
  readSignableMessage,
  reviewMessage,
  type SolanaReview,
  type Trial,
} from '../../../../solana/review.ts'
import { withTokenFigures } from '../../../../solana/token-figures.ts'
import { fetchPreview, type ServerPreview } from '../../../server/preview.ts'
import type { PlainTransfer } from '../../../server/spending.ts'
import { parseMessageParams } from '../../../signing/solana.ts'
import { toEditablePriority } from '../fees.ts'
import { type ReadKind, toReview } from '../review.ts'
import { balanceChangesOf, disputeWarnings, pricesOf, triedWarnings } from '../server-preview.ts'

const clusters = { devnet: 'Devnet', testnet: 'Testnet' } as const

/** Warnings for what the page learned from its node. Only the kind of error is taken over, never the page's words. */
const nodeWarnings: Readonly<Record<string, readonly Warning[]>> = {
  reverts: [{ code: 'may-fail', severity: 'danger' }],
  'may-fail': [{ code: 'may-fail', severity: 'danger' }],
  underfunded: [{ code: 'solana-insufficientFunds', severity: 'danger' }],
}

/**
 * A transaction is reviewed by its bytes alone. Accounts of lookup tables are unknown, and said to be, until the vault's own server has
 * resolved them.
 */
export const readSolanaTransaction: ReadKind<'solanaTransaction'> = (
  asked,
  { requester: { origin, address: wallet } },
) => {
  const { action, cluster, state, isEditable = false } = asked
  const bytes = parseMessageParams(toRpcRequest(asked, wallet))
  const message = readSignableMessage(bytes, wallet)
  if (!message) throw new InvalidRequest('The bytes are no transaction')
  // The bytes are valid on any network, so a test network that the page claims must not pass for a fact.
  const network = cluster
    ? { name: clusters[cluster], isClaimed: true }
    : { name: 'Solana', chain: 'solana:mainnet' }
  const review = reviewMessage(message, wallet)
  const pending = reviewMessage(message, wallet, { isWaiting: true })
  const toOwn = (of: SolanaReview) => toSolanaPreview(of, { origin, network })
  const preparing = state === 'preparing'
  const chain = `solana:${cluster ?? 'mainnet'}`
  const withState = (of: TransactionPreview): TransactionPreview => ({
    ...of,
    isUnderfunded: state === 'underfunded',
    warnings: [...of.warnings, ...((state && nodeWarnings[state]) ?? [])],
  })
  const propsOf = (current: TransactionPreview) => {
    const { isUnderfunded, tokenShortage } = current
    const isFundable = isUnderfunded
      ? asked.isFundable === true
      : tokenShortage !== undefined && tokenShortage.token === asked.fundableToken
    return {
      preview: current,
      action,
      ...(preparing && { preparing }),
      ...(isFundable && { isFundable }),
    }
  }
  const props = propsOf(withTrial({ ...withState(toOwn(pending)), balanceChanges: 'waiting' }))
  return toReview(approveTransaction, props, 'high', {
    confirm: (cx, token) => {
      return fetchPreview(cx, token, { address: wallet, chain, request: { message: toBase64(bytes) } })
    },
    confirmed(server) {
      if (!server) return propsOf(withTrial({ ...withState(toOwn(review)), balanceChanges: 'unanswered' }))
      const resolved = withLookups(message, server)
      const known = reviewMessage(resolved, wallet, trialOf(server, cluster !== undefined))
      const named = toOwn({ ...known, actions: withTokenFigures(known.actions, server.tokens) })
      const fees =
        isEditable && review.cost.isPayer && canChange(message, server)
          ? toEditablePriority(review.cost.fee, server)
          : undefined
      const tokenShortage = tokenShortageOf(known, server)
      // An amount that is missing is said in place of the page's word that the transaction may fail.
      const stated = tokenShortage ? named : withState(named)
      const reviewed = { ...stated, ...(fees && { fees }), ...(tokenShortage && { tokenShortage }) }
      return propsOf(withTrial(confirmed(reviewed, server, known.cost)))
    },
    withFees(fees, server) {
      const changed = 'priority' in fees ? withFee(message, fees.priority, server) : undefined
      if (!changed) throw new InvalidRequest('The priority fee of this transaction is not open')
      return { ...asked, message: toBase64(changed) }
    },
    transfer: preparing || props.preview.feeConcern ? undefined : transferOf(review, bytes),
  })
}

const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** The message with the accounts of its lookup tables, as far as the server knows them; a table's accounts never change. */
const withLookups = (message: DecodedMessage, { lookups }: ServerPreview): DecodedMessage =>
  message.lookups.length === 0 ? message : resolveLookups(message, new Map(Object.entries(lookups)))

/**
 * What two nodes of the vault's own server have seen in a trial run; nothing where it failed or may be incomplete. The bytes are valid on any
 * network, so a run on one that the page claims says nothing of the main one.
 */
function trialOf({ simulation, disputed, at, block, nodes = 0 }: ServerPreview, isClaimed: boolean): Trial {
  const isSure = !isClaimed && nodes >= 2 && disputed.length === 0
  const time = {
    ...(at !== undefined && { now: BigInt(at) }),
    ...(isSure && block !== undefined && { epoch: leastEpoch(block) }),
  }
  if (simulation?.outcome !== 'simulated') return time
  const { status, isComplete, allowances } = simulation
  return {
    ...time,
    isTried: isSure && status === 'success' && isComplete,
    gained: allowances.map(({ spender: to, account }) => ({ to, account })),
  }
}

/** The message with another priority fee; `undefined` where it can't have one. */
function withFee(
  message: DecodedMessage,
  priority: bigint,
  server: ServerPreview | undefined,
): Uint8Array | undefined {
  // Nobody means more, and the network has no larger number.
  if (!server || priority < 0n || priority > solanaFeeLimits.absurd) return undefined
  const limit = server.prepared?.unitLimit
  const bytes = withPriority(withLookups(message, server), { limit, priority })
  return bytes && decodeTransaction(bytes).message.bytes
}
const canChange = (message: DecodedMessage, server: ServerPreview) =>
  withFee(message, 0n, server) !== undefined

/**
 * A transaction that sends the wallet's own SOL to one account, and does nothing else. On a test network nothing is worth anything,
 * and the bytes are good on the main one as well.
 */
function transferOf({ actions, cost, warnings }: SolanaReview, bytes: Uint8Array): PlainTransfer | undefined {
  const [transfer, ...more] = actions.filter(({ kind }) => kind !== 'computeBudget')
  const isPlain = more.length === 0 && cost.isPayer && warnings.length === 0
  if (!isPlain || transfer?.kind !== 'transferSol' || cost.sent !== transfer.lamports) return undefined
  return {
    chain: 'solana:mainnet',
    amount: cost.sent,
    fee: cost.fee.total,
    signed: Uint8Array.from(bytes),
  }
}

/** The amount that the wallet lacks of a token that these bytes transfer, by the figures of the vault's own server. */
function tokenShortageOf(
  { wallet, actions }: SolanaReview,
  { prepared, tokens }: ServerPreview,
): TokenShortage | undefined {
  const { token, missing } = prepared?.tokenShortage ?? {}
  if (token === undefined || !missing) return undefined
  const isTransferred = actions.some(
    (action) =>
      action.kind === 'transferToken' &&
      action.authority === wallet &&
      (action.mint === undefined || action.mint === token),
  )
  const { rules, ...figures } = (Object.hasOwn(tokens, token) && tokens[token]) || {}
  return isTransferred ? solanaShortage(token, { ...figures, scale: rules?.scale, missing }) : undefined
}

/** The preview with what the server's nodes say: none of it can make the fee smaller than the bytes say. */
function confirmed(
  preview: TransactionPreview,
  server: ServerPreview,
  cost: SolanaReview['cost'],
): TransactionPreview {
  const { balance, prepared } = server
  const { fee, value, coin } = preview
  const most = fee !== undefined && prepared && prepared.fee > fee ? prepared.fee : fee
  const missing = prepared?.missing || undefined
  const isUnderfunded = preview.isUnderfunded || prepared?.isUnderfunded === true
  const isShort = isUnderfunded || preview.tokenShortage !== undefined
  const balanceChanges = balanceChangesOf(server, coin)
  const prices = pricesOf(server)
  const { rent: said = 0n, deposits = 0n } = prepared ?? {}
  const all = maxOf(said, cost.rent ?? 0n)
  const rent = all > deposits ? all - deposits : 0n
  return {
    ...preview,
    ...(most !== undefined && { fee: most, total: value + most + all }),
    ...(rent > 0n && { rent }),
    ...(deposits > 0n && { deposits }),
    ...(balance !== undefined && { balance }),
    isUnderfunded,
    ...(missing !== undefined && { missing }),
    balanceChanges,
    ...(prices && { prices }),
    warnings: [
      ...preview.warnings,
      ...(isShort ? [] : (triedWarnings(server) ?? [])),
      ...disputeWarnings(server),
      ...(isShort && !preview.isUnderfunded
        ? [{ code: 'solana-insufficientFunds', severity: 'danger' } as const]
        : []),
    ],
  }
}
