/** What the page learns of a request's contracts and tokens: from the app's own descriptors, the server's registry, and a node. */
import { createSource, loadRegistry, readDescriptors } from '../clear-signing/index.ts'
import type { ChainNode } from '../ethereum/rpc.ts'
import { readToken } from '../ethereum/tokens.ts'
import { type Clock, within } from '../lib/clock.ts'
import type { DescriptorSelection, SelectedDescriptors } from '../protocol/descriptors.ts'
import type { TokenFacts } from './allowances.ts'
import type { Knowledge } from './description.ts'
import { createLearned, type MissingWords } from './learn.ts'
import { signingLimits } from './limits.ts'

/** Where descriptors come from, beside those that every wallet knows. */
export interface WordOptions {
  /** Asks the server for its part of the registry. */
  select?(selection: DescriptorSelection, options: { signal: AbortSignal }): Promise<SelectedDescriptors>
  /** The app's own. */
  readonly own?: readonly object[] | undefined
}

/**
 * Learns what descriptors and tokens say of a request, as far as it comes in time. A server that has no descriptors, or no longer answers,
 * keeps nobody from a review.
 * @param missing what the request lacks with the knowledge of now
 */
export async function learnOnPage(
  { clock, words = {} }: { readonly clock: Clock; readonly words?: WordOptions | undefined },
  {
    chainId,
    wallet,
    node,
    signal,
  }: { chainId: number; wallet: string; node?: ChainNode | undefined; signal: AbortSignal },
  missing: (knowledge: Knowledge) => MissingWords,
): Promise<Knowledge & { readonly facts: ReadonlyMap<string, TokenFacts> }> {
  const learned = createLearned(appSources(words))
  await within(clock, signingLimits.figuresWait, () =>
    learned.learn(
      {
        async descriptors(needed) {
          try {
            const found = await words.select?.({ chainId, ...needed }, { signal })
            if (!found) return undefined
            const now = Math.floor(clock.now() / 1_000)
            return { source: loadRegistry(found.registry, { now }), implementations: found.implementations }
          } catch {
            return undefined
          }
        },
        async token(address) {
          try {
            const found = node && (await readToken(node, address, { owner: wallet, signal }))
            return found?.kind === 'token' ? found : undefined
          } catch {
            return undefined
          }
        },
      },
      missing,
    ),
  ).catch(() => {})
  signal.throwIfAborted()
  return { ...learned.knowledge(), facts: learned.facts }
}

/** The app's own descriptors. */
const appSources = ({ own = [] }: WordOptions) =>
  own.length === 0 ? [] : [createSource(readDescriptors(own.slice(0, MAX_DESCRIPTORS), 'app'))]
/** As many of an app's descriptors are read. */
const MAX_DESCRIPTORS = 256
