/** What the vault's own server says of the contracts and tokens of a request, asked while the user waits for the review. */
import { createDataProvider, type DescriptorSource } from '../../../clear-signing/index.ts'
import { within } from '../../../lib/clock.ts'
import { factsIn, factsKey, type TokenFacts } from '../../../signing/allowances.ts'
import type { VaultContext } from '../../context.ts'
import { vaultLimits } from '../../limits.ts'
import { fetchDescriptors, type NeededDescriptors } from '../../server/descriptors.ts'
import { fetchTokenFigures } from '../../server/spending.ts'
import type { Token } from '../../token.ts'
import type { NeededTokens, Reading, ReadingKnowledge } from './reading-of.ts'

interface Asking {
  readonly vault: VaultContext
  token(): Promise<Token>
  /** The wallet. */
  readonly address: string
}

/** Calls within calls: as often, descriptors lead to contracts of which more has to be known. */
const ROUNDS = 3
/** Tokens whose figures one request asks for. */
const MAX_TOKENS = 8

/**
 * Asks the server for descriptors and for figures of tokens. What doesn't come in time, or can't be read, is left out.
 * @param read the request with what is known by now
 */
export async function learnFromServer(
  asking: Asking,
  first: Reading,
  read: (knowledge: ReadingKnowledge) => Promise<Reading>,
): Promise<ReadingKnowledge> {
  const { clock } = asking.vault
  const facts = new Map<string, TokenFacts>()
  const sources: DescriptorSource[] = []
  const implementations: Record<string, string> = {}
  const known = (): ReadingKnowledge => ({
    descriptors: sources,
    data: createDataProvider({ implementations, tokens: metadataOf(facts) }),
    findFacts: factsIn(facts),
    since: BigInt(Math.floor(clock.now() / 1_000)),
  })
  const allowances = first.tokens && askFigures(asking, first.tokens, facts)
  const words = first.needed && askDescriptors(first.needed)
  const all = Promise.all([allowances, words])
  // What has come by then counts.
  await within(clock, vaultLimits.figuresWait, () => all).catch(() => {})
  return known()

  async function askDescriptors(start: NeededDescriptors): Promise<void> {
    const seen = new Set<string>()
    let needed: NeededDescriptors | undefined = start
    for (let round = 0; needed && round < ROUNDS; round++) {
      const { chainId } = needed
      const fresh = (kind: string, list: readonly string[]) =>
        list.filter((each) => !seen.has(`${kind} ${each}`) && seen.add(`${kind} ${each}`))
      const contracts = fresh('contract', needed.contracts)
      const messages = fresh('message', needed.messages)
      const list = fresh('token', needed.tokens).map((token) => ({ token }))
      if (contracts.length + messages.length + list.length === 0) return
      const [found] = await Promise.all([
        contracts.length + messages.length > 0
          ? asking
              .token()
              .then((token) => fetchDescriptors(asking.vault, token, { chainId, contracts, messages }))
          : undefined,
        askFigures(asking, { chainId, list }, facts),
      ])
      if (found) {
        sources.push(found.source)
        Object.assign(implementations, found.implementations)
      }
      needed = (await read(known())).needed
    }
  }
}

/** Fetches the figures of tokens; one that has none stays unknown. */
async function askFigures(
  { vault, token, address }: Asking,
  { chainId, list }: NeededTokens,
  facts: Map<string, TokenFacts>,
): Promise<void> {
  const missing = list.slice(0, MAX_TOKENS).filter((each) => !facts.has(factsKey(each.token, each.owner)))
  await Promise.all(
    missing.map(async ({ token: contract, owner }) => {
      try {
        const found = await fetchTokenFigures(vault, await token(), address, { chainId, contract, owner })
        facts.set(factsKey(contract, owner), found)
      } catch {
        // The request is read without it.
      }
    }),
  )
}

/** Symbols and decimals by token. */
const metadataOf = (facts: ReadonlyMap<string, TokenFacts>) =>
  Object.fromEntries(
    [...facts].flatMap(([key, { symbol, decimals }]) =>
      symbol === undefined || decimals === undefined ? [] : [[key.split(' ')[0] ?? '', { symbol, decimals }]],
    ),
  )
