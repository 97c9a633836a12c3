/** What the vault's own server says of the contracts and tokens of a request, asked while the user waits for the review. */
import { within } from '../../../lib/clock.ts'
import { factsIn, factsKey } from '../../../signing/allowances.ts'
import { createLearned } from '../../../signing/learn.ts'
import type { VaultContext } from '../../context.ts'
import { vaultLimits } from '../../limits.ts'
import { fetchDescriptors } from '../../server/descriptors.ts'
import { fetchTokenFigures } from '../../server/spending.ts'
import type { Token } from '../../token.ts'
import type { ReviewKnowledge, SignReview } from './review.ts'

interface Asking {
  readonly vault: VaultContext
  token(): Promise<Token>
  /** The wallet. */
  readonly address: string
}

/**
 * Asks the server for descriptors and for figures of tokens. What doesn't come in time, or can't be read, is left out.
 * @param read the request with what is known by now
 */
export async function learnFromServer(
  { vault, token, address }: Asking,
  first: SignReview,
  read: (knowledge: ReviewKnowledge) => Promise<SignReview>,
): Promise<ReviewKnowledge> {
  const { needed, tokens } = first
  const learned = createLearned()
  const chainId = needed?.chainId ?? tokens?.chainId ?? 0
  const figuresOf = async (contract: string, owner?: string) => {
    try {
      return await fetchTokenFigures(vault, await token(), address, { chainId, contract, owner })
    } catch {
      // The request is read without them.
      return undefined
    }
  }
  const allowances = (tokens?.list ?? []).map(async ({ token: contract, owner }) => {
    const figures = await figuresOf(contract, owner)
    if (figures) learned.facts.set(factsKey(contract, owner), figures)
  })
  const words =
    needed &&
    learned.learn(
      {
        descriptors: async ({ contracts, messages }) =>
          fetchDescriptors(vault, await token(), { chainId, contracts, messages }).catch(() => undefined),
        token: figuresOf,
      },
      async (knowledge) => (await read(knowledge)).needed ?? { contracts: [], messages: [], tokens: [] },
    )
  // What has come by then counts.
  await within(vault.clock, vaultLimits.figuresWait, () => Promise.all([words, ...allowances])).catch(
    () => {},
  )
  return {
    ...learned.knowledge(),
    findFacts: factsIn(learned.facts),
    since: BigInt(Math.floor(vault.clock.now() / 1_000)),
  }
}
