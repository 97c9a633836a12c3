/** Calls of a key's own account on an EVM chain: transactions with consecutive nonces. */
import type { SimulationUnavailable } from '../../ethereum/simulate.ts'
import { type CallsSimulation, gasLimitOfSimulated, simulateCalls } from '../../ethereum/simulate-calls.ts'
import type { Clock } from '../../lib/clock.ts'
import { within } from '../../lib/clock.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { NodeError, Unreachable } from '../../lib/node-errors.ts'
import {
  createEthereumAdapter,
  type EthereumAdapterOptions,
  type EthereumTypes,
} from '../ethereum/adapter.ts'
import { signingLimits } from '../limits.ts'
import { isReviewCurrent } from '../transaction/review.ts'
import { createSequence, type PreparedSequence } from './sequence.ts'

type Attempt = EthereumTypes['attempt']
type Prepared = PreparedSequence<EthereumTypes>

export interface EthereumCallsOptions extends Omit<EthereumAdapterOptions, 'replaces'> {
  readonly clock: Clock
  readonly requests: readonly EthereumTypes['request'][]
}

export function createEthereumCalls({ clock, requests, ...options }: EthereumCallsOptions) {
  const { node, review } = options
  const [first] = requests
  if (!first) throw new InvalidRequest('There are no calls')
  const chain = `eip155:${first.chainId}`

  async function prepare(attempts: readonly Attempt[], signal: AbortSignal): Promise<Prepared> {
    const simulating: Promise<CallsSimulation | SimulationUnavailable> = within(
      clock,
      signingLimits.simulationTime,
      (own) => simulateCalls(node, requests, { now: clock.now, signal: own }),
      signal,
    ).catch(() => ({ outcome: 'unavailable', isUnanswered: true }))
    const adapterOf = (at: number) =>
      createEthereumAdapter({
        ...options,
        ...(review && {
          review: {
            ...review,
            // The effect of a call depends on those before it.
            simulate: async () => {
              const simulated = await simulating
              return simulated.outcome === 'simulated' ? (simulated.calls[at] ?? unanswered) : simulated
            },
          },
        }),
      })
    const [start, ...following] = attempts
    if (!start) throw new InvalidRequest('There are no calls')
    const opening = await adapterOf(0).prepare(start, signal)
    const simulated = await simulating
    signal.throwIfAborted()
    const { nonce } = opening.transaction
    const calls = await Promise.all(
      following.map(async (each, index) => {
        const at = index + 1
        const trial = simulated.outcome === 'simulated' ? simulated.calls[at] : undefined
        const attempt: Attempt = {
          ...each,
          request: {
            ...each.request,
            nonce: nonce + BigInt(at),
            ...(trial?.status === 'success' && {
              gasLimit: gasLimitOfSimulated(trial.gasUsed, each.request.data),
            }),
          },
        }
        return { attempt, prepared: await adapterOf(at).prepare(attempt, signal) }
      }),
    )
    return { calls: [{ attempt: start, prepared: opening }, ...calls] }
  }

  return createSequence<EthereumTypes>({
    adapter: createEthereumAdapter(options),
    chain,
    requests,
    prepare,
    async renew(attempts, displayed, signal) {
      try {
        const renewed = await prepare(attempts, signal)
        const isCurrent = displayed.calls.every(({ prepared }, at) => {
          const fresh = renewed.calls[at]?.prepared
          return fresh !== undefined && isReviewCurrent(prepared, fresh)
        })
        return isCurrent ? undefined : renewed
      } catch (cause) {
        signal.throwIfAborted()
        // A node that can't answer now doesn't undo what was displayed.
        if (cause instanceof NodeError || cause instanceof Unreachable) return undefined
        throw cause
      }
    },
    combine: (contents, state) => ({
      kind: 'evmTransactions',
      ...state,
      transactions: contents.flatMap((content) => {
        if (content.kind !== 'evmTransaction') return []
        const { transaction, layerOneFee, state: own } = content
        return [{ transaction, ...(layerOneFee && { layerOneFee }), ...callState(own) }]
      }),
    }),
  })
}

/** Whether the wallet can pay is said of all calls together. */
const callState = (state: string | undefined) =>
  state === 'reverts' || state === 'may-fail' ? ({ state } as const) : {}

const unanswered: SimulationUnavailable = { outcome: 'unavailable', isUnanswered: true }
