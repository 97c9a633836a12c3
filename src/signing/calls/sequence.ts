/** The calls of a wallet that is a key: a transaction for each, sent one after the other. */

import { KitError } from '../../errors/kit-error.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import type { SignContent } from '../../protocol/frame/sign-request.ts'
import type { ChainAdapter, ChainTypes } from '../chain-adapter.ts'
import { titleOf } from '../preview.ts'
import type { CallsAdapter, SignedEntry } from './adapter.ts'
import { toCallsPreview } from './preview.ts'

/** Calls that were prepared, each to follow those before it. */
export interface PreparedSequence<T extends ChainTypes> {
  readonly calls: readonly {
    readonly attempt: T['attempt']
    readonly prepared: T['prepared']
  }[]
}

export interface SequenceOptions<T extends ChainTypes> {
  readonly adapter: ChainAdapter<T>
  readonly chain: string
  readonly requests: readonly T['request'][]
  /** Prepares all of them for one review. */
  prepare(attempts: readonly T['attempt'][], signal: AbortSignal): Promise<PreparedSequence<T>>
  /** Asks the nodes again; `undefined` while what was displayed holds. */
  renew(
    attempts: readonly T['attempt'][],
    displayed: PreparedSequence<T>,
    signal: AbortSignal,
  ): Promise<PreparedSequence<T> | undefined>
  /** One signing request of all of them. `state`: that of all together. */
  combine(contents: readonly SignContent[], state: { state?: 'preparing' | 'underfunded' }): SignContent
}

export function createSequence<T extends ChainTypes>({
  adapter,
  chain,
  requests,
  prepare,
  renew,
  combine,
}: SequenceOptions<T>): CallsAdapter<PreparedSequence<T>> {
  const attempts = requests.map((request) => adapter.start(request, 'send'))
  const each = (sequence: PreparedSequence<T> | undefined) =>
    sequence?.calls ?? attempts.map((attempt) => ({ attempt, prepared: undefined }))
  const preview = (sequence?: PreparedSequence<T>) =>
    toCallsPreview(each(sequence).map(({ attempt, prepared }) => adapter.preview(attempt, prepared)))

  return {
    chainType: adapter.chainType,
    chain,
    isAtomic: false,
    prepare: (signal) => prepare(attempts, signal),
    preview,
    encode(sequence) {
      const signatures = each(sequence).map(({ attempt, prepared }) => adapter.encode(attempt, prepared))
      const state = sequence ? preview(sequence).isUnderfunded && 'underfunded' : 'preparing'
      return {
        content: combine(
          signatures.map(({ content }) => content),
          state ? { state } : {},
        ),
        read(result) {
          const { signatures: made } = result as { readonly signatures?: readonly (string | object)[] }
          if (!Array.isArray(made) || made.length !== signatures.length)
            throw new KitError('unable_to_sign', 'The wallet has not signed every call')
          return signatures.map(({ read }, at) => read(made[at] as string | object))
        },
      }
    },
    renew: (displayed, signal) => renew(attempts, displayed, signal),
    toEntries: ({ calls }, signed) =>
      calls.map(({ attempt, prepared }, at): SignedEntry => {
        const made = (signed as readonly T['signed'][])[at]
        const hash = made?.hash
        if (hash === undefined) throw new InvalidRequest('A transaction is not signed by its fee payer')
        const preview = adapter.preview(attempt, prepared)
        return {
          wallet: preview.wallet,
          hash,
          title: titleOf(preview),
          ...(preview.value > 0n && { amount: String(preview.value), asset: preview.coin }),
          ...adapter.toEntry(prepared, { ...made, hash }, preview),
        }
      }),
  }
}
