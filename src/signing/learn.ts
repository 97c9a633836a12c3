/** Asks for descriptors and tokens that a request needs, until nothing is missing or nobody says more. The page and the vault ask different servers. */
import { createDataProvider, type DescriptorSource } from '../clear-signing/index.ts'
import { factsKey, type TokenFacts } from './allowances.ts'
import type { Knowledge } from './description.ts'

/** What a description lacks; contracts and tokens by address, messages by the hash of their type. */
export interface MissingWords {
  readonly contracts: readonly string[]
  readonly messages: readonly string[]
  readonly tokens: readonly string[]
}
export interface FoundDescriptors {
  readonly source: DescriptorSource
  /** The code behind each proxy among the contracts, by address in lower case. */
  readonly implementations: Readonly<Record<string, string>>
}
export interface WordSources {
  /** Resolves with `undefined` where nobody can say. */
  descriptors(needed: Pick<MissingWords, 'contracts' | 'messages'>): Promise<FoundDescriptors | undefined>
  token(address: string): Promise<TokenFacts | undefined>
}

/** Calls within calls: as often, descriptors lead to contracts of which more has to be known. */
const ROUNDS = 3
/** Tokens whose figures one request asks for. */
const MAX_TOKENS = 8

/** Collects what is learned of one request: whatever has come by a time limit counts. */
export interface Learned {
  /** Figures of tokens by {@link factsKey}. */
  readonly facts: Map<string, TokenFacts>
  knowledge(): Knowledge
  /** @param missing what is missing with the knowledge of now */
  learn(
    sources: WordSources,
    missing: (knowledge: Knowledge) => MissingWords | Promise<MissingWords>,
  ): Promise<void>
}

/** @param own descriptors that are known already, such as the app's */
export function createLearned(own: readonly DescriptorSource[] = []): Learned {
  const facts = new Map<string, TokenFacts>()
  const sources = [...own]
  const implementations: Record<string, string> = {}
  const knowledge = (): Knowledge => ({
    descriptors: [...sources],
    data: createDataProvider({ implementations, tokens: metadataOf(facts) }),
  })
  return {
    facts,
    knowledge,
    async learn(from, missing) {
      const seen = new Set<string>()
      const fresh = (kind: string, list: readonly string[]) =>
        list.filter((each) => !seen.has(`${kind} ${each}`) && seen.add(`${kind} ${each}`))
      for (let round = 0; round < ROUNDS; round++) {
        // Descriptors that are known already don't keep those of more trust away.
        const needed = await missing(round === 0 ? {} : knowledge())
        const contracts = fresh('contract', needed.contracts)
        const messages = fresh('message', needed.messages)
        const tokens = fresh('token', needed.tokens).filter((each) => !facts.has(factsKey(each)))
        if (contracts.length + messages.length + tokens.length === 0) return
        const asking = contracts.length + messages.length > 0 && from.descriptors({ contracts, messages })
        const [found] = await Promise.all([
          asking,
          ...tokens.slice(0, MAX_TOKENS).map(async (token) => {
            const figures = await from.token(token)
            if (figures) facts.set(factsKey(token), figures)
          }),
        ])
        if (!found) continue
        sources.push(found.source)
        Object.assign(implementations, found.implementations)
      }
    },
  }
}

/** Symbols and decimals by token. */
const metadataOf = (facts: ReadonlyMap<string, TokenFacts>) =>
  Object.fromEntries(
    [...facts].flatMap(([key, { symbol, decimals }]) =>
      symbol === undefined || decimals === undefined ? [] : [[key.split(' ')[0] ?? '', { symbol, decimals }]],
    ),
  )
