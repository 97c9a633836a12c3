/** Transactions of a key's own account on Solana that are approved together. */
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { createSolanaAdapter, type SolanaAdapterOptions, type SolanaTypes } from '../solana/adapter.ts'
import { createSequence, type PreparedSequence } from './sequence.ts'

type Attempt = SolanaTypes['attempt']
type Prepared = PreparedSequence<SolanaTypes>

export interface SolanaCallsOptions extends SolanaAdapterOptions {
  readonly requests: readonly SolanaTypes['request'][]
}

export function createSolanaCalls({ requests, ...options }: SolanaCallsOptions) {
  const adapter = createSolanaAdapter(options)
  if (requests.length === 0) throw new InvalidRequest('There are no transactions')

  const prepare = async (attempts: readonly Attempt[], signal: AbortSignal): Promise<Prepared> => ({
    calls: await Promise.all(
      attempts.map(async (attempt) => {
        const prepared = await adapter.prepare(attempt, signal)
        return { attempt, prepared: (await adapter.simulate?.(prepared, signal)) ?? prepared }
      }),
    ),
  })

  return createSequence<SolanaTypes>({
    adapter,
    chain: options.cluster.chain,
    requests,
    prepare,
    async renew(_, displayed, signal) {
      const renewed = await Promise.all(
        displayed.calls.map(async ({ attempt, prepared }) => ({
          attempt,
          prepared: await adapter.renew(attempt, prepared, signal),
          displayed: prepared,
        })),
      )
      if (renewed.every(({ prepared }) => prepared === undefined)) return undefined
      return {
        calls: renewed.map(({ attempt, prepared, displayed: before }) => ({
          attempt,
          prepared: prepared ?? before,
        })),
      }
    },
    combine(contents, state) {
      const each = contents.flatMap((content) => (content.kind === 'solanaTransaction' ? [content] : []))
      const { cluster } = each[0] ?? {}
      return {
        kind: 'solanaTransactions',
        ...state,
        ...(cluster && { cluster }),
        transactions: each.map(({ message, state: own }) => ({
          message,
          ...(own === 'may-fail' && { state: own }),
        })),
      }
    },
  })
}
