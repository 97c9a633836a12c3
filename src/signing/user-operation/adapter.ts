/** Calls of a smart account: one operation for all of them (ERC-4337), which its owner's key signs. */
import type { UserOperation } from 'viem/account-abstraction'
import { KitError } from '../../errors/kit-error.ts'
import { decodeCall } from '../../ethereum/call-decoder.ts'
import { type ChainOptions, chainOf } from '../../ethereum/chains.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import type { SimulationUnavailable } from '../../ethereum/simulate.ts'
import { type CallsSimulation, simulateCalls } from '../../ethereum/simulate-calls.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import { formatUserOperation, paymasterOf } from '../../ethereum/user-operation.ts'
import { type Clock, within } from '../../lib/clock.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { NodeError, Unreachable } from '../../lib/node-errors.ts'
import { toDollars } from '../../lib/price.ts'
import type { FrameSmartAccount } from '../../protocol/frame/sign-request.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { SmartAccountCodec, SmartCall } from '../../wallets/smart/account-codec.ts'
import type { PreparedOperation, SponsorDeclined } from '../../wallets/smart/operation.ts'
import { toOwnerRpc } from '../../wallets/smart/owner-rpc.ts'
import type { CallsAdapter } from '../calls/adapter.ts'
import type { CallsPreview } from '../calls/preview.ts'
import { signingLimits } from '../limits.ts'
import { learnOnPage } from '../page-knowledge.ts'
import { type PreviewPrices, titleOf } from '../preview.ts'
import { readHex } from '../signature.ts'
import { withTrial } from '../transaction/explain.ts'
import { type Knowledge, missingKnowledge, toPreview } from '../transaction/preview.ts'
import { inTime, type ReviewSources } from '../transaction/review.ts'
import {
  assetOf,
  failureWarnings,
  isSameOutcome,
  type Simulated,
  toBalanceChanges,
} from '../transaction/simulated.ts'
import { toOperationEntry } from './entry.ts'
import { toOperationPreview } from './preview.ts'

/** A smart account, and the embedded wallet whose key owns it. */
export interface OwnedAccount {
  readonly address: `0x${string}`
  readonly codec: SmartAccountCodec
  readonly owner: EmbeddedAccount
}

export interface PrepareOptions {
  /** `false`: the account pays, whatever sponsor the app has. */
  readonly isSponsored: boolean
  readonly signal: AbortSignal
}

/** Prepares operations of one account on one chain, as `prepareOperation` of smart accounts does. */
export type PrepareCalls = (
  calls: readonly SmartCall[],
  options: PrepareOptions,
) => Promise<PreparedCalls | SponsorDeclined>

export interface PreparedCalls extends PreparedOperation {
  /** The sponsor is the requester's own, and not the app's. */
  readonly isForeignSponsor: boolean
}

export interface OperationCallsOptions {
  readonly chains: ChainOptions
  /** The host page's, or that of the other app that asks. */
  readonly origin: string
  /** The name of that app. */
  readonly app?: string | undefined
  readonly chainId: number
  readonly account: OwnedAccount
  /** The calls, from the account. */
  readonly requests: readonly WalletTransaction[]
  /** The node of the chain. */
  readonly node: ChainNode
  readonly clock: Clock
  readonly prepare: PrepareCalls
  /** For a review in the page; the vault asks by itself. */
  readonly review?: ReviewSources | undefined
  /** Whether a sponsor is asked to pay. */
  readonly isSponsored: boolean
}

interface Prepared extends PreparedCalls {
  /** When it was prepared, in milliseconds since 1970. */
  readonly at: number
  readonly simulated: readonly Simulated[]
  readonly knowledge: Knowledge
  readonly prices?: PreviewPrices | undefined
}
interface Signed {
  readonly operation: UserOperation
}

const unanswered: SimulationUnavailable = { outcome: 'unavailable', isUnanswered: true }

export function createOperationCalls(options: OperationCallsOptions): CallsAdapter<Prepared> {
  const { chains, origin, app, chainId, account, requests, node, clock, review, isSponsored } = options
  const { address, codec, owner } = account
  const { entryPoint } = codec
  const calls = requests.map(toCall)
  const callData = codec.encodeCalls(calls)
  const place: FrameSmartAccount = { kind: codec.kind, version: codec.version, address, chainId }

  async function prepare(signal: AbortSignal): Promise<Prepared> {
    const simulating: Promise<CallsSimulation | SimulationUnavailable> = within(
      clock,
      signingLimits.simulationTime,
      (own) => simulateCalls(node, requests, { now: clock.now, signal: own }),
      signal,
    ).catch(() => unanswered)
    const knowing = review && learn(review, signal)
    knowing?.catch(() => {})
    const [prepared, simulated] = await Promise.all([
      options.prepare(calls, { isSponsored, signal }),
      simulating,
    ])
    signal.throwIfAborted()
    if (prepared.outcome === 'sponsorDeclined') throw toDeclinedError(prepared)
    const [knowledge = {}, prices] = await Promise.all([knowing, review && coinPrice(review, signal)])
    return {
      ...prepared,
      at: clock.now(),
      simulated: requests.map((_, at) =>
        simulated.outcome === 'simulated' ? (simulated.calls[at] ?? unanswered) : simulated,
      ),
      knowledge,
      prices,
    }
  }

  async function learn(sources: ReviewSources, signal: AbortSignal): Promise<Knowledge> {
    const { descriptors, data } = await learnOnPage(
      sources,
      { chainId, wallet: address, node, signal },
      (known) => {
        const missing = requests.map((request) => missingKnowledge(request, known))
        return {
          contracts: missing.flatMap(({ contracts }) => contracts),
          tokens: missing.flatMap(({ tokens }) => tokens),
          messages: [],
        }
      },
    )
    return { descriptors, data }
  }

  async function coinPrice(
    { prices }: ReviewSources,
    signal: AbortSignal,
  ): Promise<PreviewPrices | undefined> {
    const symbol = chainOf(chains, chainId)?.nativeCurrency.symbol
    if (!prices || !symbol) return undefined
    const price = await inTime(clock, signal, () => prices.of({ chain: `eip155:${chainId}`, symbol }))
    return price && { coin: toDollars(price), tokens: {} }
  }

  function preview(prepared?: Prepared): CallsPreview {
    const coin = chainOf(chains, chainId)?.nativeCurrency ?? { symbol: '', decimals: 18 }
    const each = requests.map((request, at) => {
      const simulated = prepared?.simulated[at]
      const contract = request.to && (decodeCall(request.data, request.to)?.contract ?? request.to)
      const asset = simulated?.outcome === 'simulated' ? assetOf(simulated, contract) : undefined
      const read = toPreview(chains, request, {
        origin,
        app,
        wallet: address,
        ...prepared?.knowledge,
        balance: prepared?.balance,
        ...(asset && { asset }),
        ...(prepared?.prices && { prices: prepared.prices }),
        ...(simulated && {
          balanceChanges: toBalanceChanges(simulated, coin),
          warnings: failureWarnings(simulated),
        }),
      })
      return simulated ? withTrial(read) : read
    })
    if (!prepared) return toOperationPreview(each, { deploysAccount: false })
    const { sponsor, isForeignSponsor, fee, deposit, deploysAccount } = prepared
    return toOperationPreview(each, {
      fee,
      deposit,
      ...(sponsor && {
        sponsor: { ...sponsorOf(prepared), isNamedByApp: !isForeignSponsor },
      }),
      deploysAccount,
    })
  }

  return {
    chainType: 'ethereum',
    chain: `eip155:${chainId}`,
    wallet: address,
    isAtomic: true,
    prepare,
    preview,
    encode(prepared) {
      const operation = prepared?.operation ?? draftOf(address, codec, callData)
      const state = prepared ? preview(prepared).isUnderfunded && 'underfunded' : 'preparing'
      return {
        content: {
          kind: 'userOperation',
          ...(state && ({ state } as const)),
          account: place,
          operation: formatUserOperation(operation),
        },
        ...(prepared && { rpc: toOwnerRpc(prepared.payload, owner.address) }),
        read(result): Signed {
          const signature = codec.toOperationSignature(readHex(result) as `0x${string}`)
          return { operation: { ...operation, signature } }
        },
      }
    },
    async renew(displayed, signal) {
      try {
        const renewed = await prepare(signal)
        return isCurrent(displayed, renewed) ? undefined : renewed
      } catch (cause) {
        signal.throwIfAborted()
        // Neither a node nor a sponsor that can't answer now undoes what was displayed.
        if (cause instanceof NodeError || cause instanceof Unreachable || cause instanceof KitError)
          return undefined
        throw cause
      }
    },
    toEntries(prepared, made) {
      const { operation } = made as Signed
      const shown = preview(prepared)
      const [only] = shown.calls.length === 1 ? shown.calls : []
      const to = only && requests[0]?.to
      return [
        {
          ...toOperationEntry(prepared, operation, entryPoint),
          title: titleOf(only ?? shown),
          ...(to && { to }),
          ...(shown.value > 0n && { amount: String(shown.value), asset: shown.coin }),
        },
      ]
    },
    summarize: (prepared) =>
      preview(prepared).calls.map((each) => ({
        title: titleOf(each),
        ...(each.value > 0n && { amount: String(each.value), asset: each.coin }),
      })),
    ...(isSponsored && { selfPaid: () => createOperationCalls({ ...options, isSponsored: false }) }),
  }
}

/** An account with code creates contracts only through another contract. */
function toCall({ to, value, data }: WalletTransaction): SmartCall {
  if (!to) throw new InvalidRequest('A smart account sends no transaction that creates a contract')
  return { to, value, data }
}

/** An operation that is only displayed. */
const draftOf = (
  sender: `0x${string}`,
  { nonceKey, stubSignature: signature }: SmartAccountCodec,
  callData: `0x${string}`,
): UserOperation => ({
  sender,
  nonce: nonceKey << 64n,
  callData,
  callGasLimit: 0n,
  verificationGasLimit: 0n,
  preVerificationGas: 0n,
  maxFeePerGas: 0n,
  maxPriorityFeePerGas: 0n,
  signature,
})

/** The sponsor's refusal, with its name beside its words. */
function toDeclinedError({ error, reason, sponsor }: SponsorDeclined): KitError {
  const { code, shortMessage, details } = error
  return new KitError(code, shortMessage, {
    cause: error,
    ...(details !== undefined && { details }),
    data: { reason, ...(sponsor?.name !== undefined && { sponsor: sponsor.name }) },
  })
}

/** By its own name, or else by the address of its contract; one that the app doesn't name is known by its address alone. */
function sponsorOf({ operation, sponsor, isForeignSponsor }: Prepared): { name?: string; address?: string } {
  if (sponsor?.name && !isForeignSponsor) return { name: sponsor.name }
  const address = paymasterOf(operation)
  return address ? { address } : {}
}

/** Gas may grow by this part before the limits that were displayed no longer suffice. */
const MARGIN = 10n

/** Whether the operation can be included before the time that its sponsor names. @param now in milliseconds */
const isPaidLongEnough = ({ validity }: Prepared, now: number): boolean =>
  !validity || validity.until * 1_000 - now >= signingLimits.inclusionTime

/** Whether an operation that was reviewed can still be sent as it was displayed. */
function isCurrent(shown: Prepared, fresh: Prepared): boolean {
  const [one, other] = [shown.operation, fresh.operation]
  // A sponsor vouches for a few minutes.
  if (shown.sponsor && fresh.at - shown.at > signingLimits.sponsorshipAge) return false
  // A sponsor that never vouches for long enough would have it reviewed without an end.
  if (!isPaidLongEnough(shown, fresh.at) && isPaidLongEnough(fresh, fresh.at)) return false
  return (
    one.nonce === other.nonce &&
    other.maxFeePerGas <= one.maxFeePerGas + one.maxFeePerGas / MARGIN &&
    other.callGasLimit <= one.callGasLimit + one.callGasLimit / MARGIN &&
    shown.deploysAccount === fresh.deploysAccount &&
    (shown.sponsor === undefined) === (fresh.sponsor === undefined) &&
    shown.isUnderfunded === fresh.isUnderfunded &&
    shown.simulated.every((each, at) => isSameOutcome(each, fresh.simulated[at]))
  )
}
