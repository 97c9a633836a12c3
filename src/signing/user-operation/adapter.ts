/** Calls of a smart account: one operation for all of them (ERC-4337), which its owner's key signs. */
import type { UserOperation } from 'viem/account-abstraction'
import { quantity } from '../../ethereum/answers.ts'
import { decodeCall } from '../../ethereum/call-decoder.ts'
import { type ChainOptions, chainOf } from '../../ethereum/chains.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { type CallsSimulation, simulateCalls } from '../../ethereum/simulate-calls.ts'
import type { WalletTransaction } from '../../ethereum/transaction.ts'
import { formatUserOperation, mostCostOf, paymasterOf } from '../../ethereum/user-operation.ts'
import { type Clock, within } from '../../lib/clock.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { NodeError, Unreachable } from '../../lib/node-errors.ts'
import { toDollars } from '../../lib/price.ts'
import type { FrameSmartAccount } from '../../protocol/frame/sign-request.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { SmartAccountCodec, SmartCall } from '../../wallets/smart/account-codec.ts'
import { hashOperation } from '../../wallets/smart/accounts/signatures.ts'
import { toOwnerRpc } from '../../wallets/smart/owner-rpc.ts'
import type { CallsAdapter } from '../calls/adapter.ts'
import type { CallsPreview } from '../calls/preview.ts'
import { signingLimits } from '../limits.ts'
import { learnOnPage } from '../page-knowledge.ts'
import { type PreviewPrices, titleOf } from '../preview.ts'
import { readHex } from '../signature.ts'
import { type Knowledge, missingKnowledge, toPreview } from '../transaction/preview.ts'
import { inTime, type ReviewSources } from '../transaction/review.ts'
import {
  assetOf,
  failureWarnings,
  isSameOutcome,
  type Simulated,
  toBalanceChanges,
} from '../transaction/simulated.ts'
import { toOperationPreview } from './preview.ts'

/** A smart account, and the embedded wallet whose key owns it. */
export interface OwnedAccount {
  readonly address: `0x${string}`
  readonly codec: SmartAccountCodec
  readonly owner: EmbeddedAccount
}

/** An operation that lacks nothing but its signature. */
export interface PreparedOperation {
  readonly operation: UserOperation
  /** Set where somebody else pays; the name is its own. */
  readonly sponsor?: { readonly name?: string | undefined } | undefined
}

export interface PrepareOptions {
  /** `false`: the account pays, whatever sponsor the app has. */
  readonly isSponsored: boolean
  readonly signal: AbortSignal
}

/** Prepares operations of one account on one chain: nonce, deployment, fees, sponsor and gas. */
export type PrepareOperation = (
  calls: readonly SmartCall[],
  options: PrepareOptions,
) => Promise<PreparedOperation>

export interface OperationCallsOptions {
  readonly chains: ChainOptions
  /** The host page's. */
  readonly origin: string
  readonly chainId: number
  readonly account: OwnedAccount
  /** The calls, from the account. */
  readonly requests: readonly WalletTransaction[]
  /** The node of the chain. */
  readonly node: ChainNode
  readonly clock: Clock
  readonly prepare: PrepareOperation
  /** For a review in the page; the vault asks by itself. */
  readonly review?: ReviewSources | undefined
  /** `false`: the user has decided to pay. */
  readonly isSponsored?: boolean | undefined
}

interface Prepared extends PreparedOperation {
  readonly at: number
  readonly balance: bigint
  /** Wei that the account has at the EntryPoint, out of which operations are paid first. */
  readonly deposit: bigint
  readonly simulated: readonly Simulated[]
  readonly knowledge: Knowledge
  readonly prices?: PreviewPrices | undefined
}
interface Signed {
  readonly operation: UserOperation
  readonly hash: string
}

export function createOperationCalls(options: OperationCallsOptions): CallsAdapter<Prepared> {
  const { chains, origin, chainId, account, requests, node, clock, review, isSponsored = true } = options
  const { address, codec, owner } = account
  const { entryPoint } = codec
  const calls = requests.map(toCall)
  const callData = codec.encodeCalls(calls)
  const place: FrameSmartAccount = { kind: codec.kind, version: codec.version, address, chainId }

  async function prepare(signal: AbortSignal): Promise<Prepared> {
    const simulating: Promise<CallsSimulation | undefined> = within(
      clock,
      signingLimits.simulationTime,
      (own) => simulateCalls(node, requests, { now: clock.now, signal: own }),
      signal,
    ).then(
      (found) => (found.outcome === 'simulated' ? found : undefined),
      () => undefined,
    )
    const knowing = review && learn(review, signal)
    knowing?.catch(() => {})
    const [prepared, balance, deposit, simulated] = await Promise.all([
      options.prepare(calls, { isSponsored, signal }),
      node.ask('eth_getBalance', [address, 'latest'], { signal }).then(quantity('a balance')),
      readDeposit(node, entryPoint.address, address, signal),
      simulating,
    ])
    signal.throwIfAborted()
    const [knowledge = {}, prices] = await Promise.all([knowing, review && coinPrice(review, signal)])
    return {
      ...prepared,
      at: clock.now(),
      balance,
      deposit,
      simulated: requests.map((_, at) => simulated?.calls[at] ?? { outcome: 'unavailable' }),
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
      return toPreview(chains, request, {
        origin,
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
    })
    if (!prepared) return toOperationPreview(each, { deploysAccount: false })
    const { operation, sponsor, deposit } = prepared
    return toOperationPreview(each, {
      ...(sponsor ? { sponsor: sponsorOf(prepared) } : { fee: mostCostOf(operation), deposit }),
      deploysAccount: isDeploying(operation),
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
      const payload = prepared && codec.toOperationPayload(operation, chainId)
      const state = prepared ? preview(prepared).isUnderfunded && 'underfunded' : 'preparing'
      return {
        content: {
          kind: 'userOperation',
          ...(state && ({ state } as const)),
          account: place,
          operation: formatUserOperation(operation),
        },
        ...(payload && { rpc: toOwnerRpc(payload, owner.address) }),
        read(result): Signed {
          const signed = {
            ...operation,
            signature: codec.toOperationSignature(readHex(result) as `0x${string}`),
          }
          return {
            operation: signed,
            hash: hashOperation(codec, signed, chainId),
          }
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
        if (cause instanceof NodeError || cause instanceof Unreachable) return undefined
        throw cause
      }
    },
    toEntries(prepared, made) {
      const { operation, hash } = made as Signed
      const shown = preview(prepared)
      const [only] = shown.calls.length === 1 ? shown.calls : []
      const to = only && requests[0]?.to
      return [
        {
          chain: `eip155:${chainId}`,
          wallet: address,
          hash,
          title: titleOf(only ?? shown),
          ...(to && { to }),
          ...(shown.value > 0n && { amount: String(shown.value), asset: shown.coin }),
          raw: JSON.stringify(formatUserOperation(operation)),
          operation: { entryPoint: entryPoint.address },
        },
      ]
    },
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

const isDeploying = ({ factory, initCode = '0x' }: UserOperation): boolean =>
  factory !== undefined || initCode !== '0x'

/** By its own name, or else by the address of its contract. */
function sponsorOf({ operation, sponsor }: Prepared): { name?: string; address?: string } {
  if (sponsor?.name) return { name: sponsor.name }
  const address = paymasterOf(operation)
  return address ? { address } : {}
}

/** Gas may grow by this part before the limits that were displayed no longer suffice. */
const MARGIN = 10n

/** Whether an operation that was reviewed can still be sent as it was displayed. */
function isCurrent(shown: Prepared, fresh: Prepared): boolean {
  const [one, other] = [shown.operation, fresh.operation]
  // A sponsor vouches for a few minutes.
  if (shown.sponsor && fresh.at - shown.at > signingLimits.sponsorshipAge) return false
  return (
    one.nonce === other.nonce &&
    other.maxFeePerGas <= one.maxFeePerGas + one.maxFeePerGas / MARGIN &&
    other.callGasLimit <= one.callGasLimit + one.callGasLimit / MARGIN &&
    isDeploying(one) === isDeploying(other) &&
    (shown.sponsor === undefined) === (fresh.sponsor === undefined) &&
    isUnderfunded(shown) === isUnderfunded(fresh) &&
    shown.simulated.every((each, at) => isSameOutcome(each, fresh.simulated[at]))
  )
}

const isUnderfunded = ({ operation, sponsor, balance, deposit }: Prepared): boolean =>
  sponsor === undefined && balance + deposit < mostCostOf(operation)

/** `balanceOf(address)` of an EntryPoint. */
const BALANCE_OF = '0x70a08231'

async function readDeposit(
  node: ChainNode,
  entryPoint: string,
  account: string,
  signal: AbortSignal,
): Promise<bigint> {
  const data = `${BALANCE_OF}${account.slice(2).toLowerCase().padStart(64, '0')}`
  const answer = await node.ask('eth_call', [{ to: entryPoint, data }, 'latest'], { signal })
  const word = typeof answer === 'string' && /^0x[\da-f]{64}$/i.test(answer) ? BigInt(answer) : undefined
  if (word === undefined)
    throw new NodeError(NO_ENTRY_POINT, 'This network has no EntryPoint for smart accounts')
  return word
}

/** JSON-RPC's code for an answer that can't be used. */
const NO_ENTRY_POINT = -32_603
