/** Funding: the user chooses how money comes into their wallet, and stays until it is there or under way. */
import type { FlowContext } from '../app/flow-context.ts'
import { addWords } from '../copy/copy.ts'
import { funding as words } from '../copy/en/funding.ts'
import {
  type FundingMethodName,
  type FundingMethods,
  type FundingOutcome,
  type LeftMethod,
  leftMethod,
} from './method.ts'
import {
  type SelectMethodAnswer,
  type SelectMethodProps,
  selectMethod,
  type UnfinishedPurchase,
} from './select-method.tsx'
import type { FundingTarget } from './target.ts'
import { type ReadBalance, watchBalance } from './watch-balance.ts'

addWords(words)

export interface FundingOptions {
  readonly target: FundingTarget
  readonly methods: FundingMethods
  /** The method that begins without being chosen. Going back from it leads to all of them. */
  readonly first?: FundingMethodName | undefined
  readonly readBalance: ReadBalance
  /** The way out: `back` to what the wallet is funded for, or `skip` where funding was only offered. */
  readonly exit?: SelectMethodProps['exit']
  /** The providers of `card`, of which one is proposed. */
  readonly cardProviders?:
    | { readonly current: () => string; readonly hasOther: boolean; readonly tryNext: () => void }
    | undefined
  /** The provider of `exchange`. */
  readonly exchangeProvider?: string | undefined
  /** Purchases and bridges for this wallet that are not over, from any device. */
  readonly unfinished?: UnfinishedPurchases | undefined
}

export interface UnfinishedPurchases {
  /** Never rejects. */
  list(cx: FlowContext, signal: AbortSignal): Promise<readonly UnfinishedPurchase[]>
  /** Shows one, and continues it. */
  resume(cx: FlowContext, id: string): Promise<FundingOutcome | LeftMethod>
}

/** One list of several. */
export function joinUnfinished(
  ...given: readonly (UnfinishedPurchases | undefined)[]
): UnfinishedPurchases | undefined {
  const parts = given.flatMap((each) => each ?? [])
  if (parts.length === 0) return undefined
  const owners = new Map<string, UnfinishedPurchases>()
  return {
    async list(cx, signal) {
      const lists = await Promise.all(
        parts.map(async (part) => {
          const rows = await part.list(cx, signal)
          for (const { id } of rows) owners.set(id, part)
          return rows
        }),
      )
      return lists.flat()
    },
    resume: async (cx, id) => owners.get(id)?.resume(cx, id) ?? leftMethod(),
  }
}

/**
 * Funds a wallet. Resolves with `back` where there is a way out, and the user takes it.
 * @throws Closed when the user closes the dialog before anything is under way
 */
export async function fund(cx: FlowContext, options: FundingOptions): Promise<FundingOutcome | 'back'> {
  let { first } = options
  let failure: LeftMethod['failure']
  for (;;) {
    const chosen = first ?? (await choose(cx, options, failure?.words))
    first = undefined
    if (chosen === 'back' || chosen === 'skip') return 'back'
    const ended =
      typeof chosen === 'object'
        ? await options.unfinished?.resume(cx, chosen.purchase)
        : await options.methods[chosen]?.(cx, options.target)
    if (!ended) continue
    if (!('back' in ended)) return ended
    failure = ended.failure
    if (failure) cx.report(failure.error)
  }
}

/** Shows the methods until one is chosen, or a purchase that is not over. */
async function choose(
  cx: FlowContext,
  options: FundingOptions,
  error: string | undefined,
): Promise<Exclude<SelectMethodAnswer, 'other-provider'>> {
  const { target, methods, readBalance, cardProviders, exchangeProvider, unfinished, exit } = options
  const watch = watchBalance(cx, readBalance)
  let purchases: readonly UnfinishedPurchase[] | undefined
  const listed = unfinished?.list(cx, cx.stage.signal).then((found) => {
    purchases = found
  })
  const names = (Object.keys(methods) as FundingMethodName[]).filter((name) => methods[name])
  let balance: bigint | undefined
  for (;;) {
    const asked = await cx.stage.askDuring(
      selectMethod,
      {
        target,
        methods: names,
        balance,
        error,
        exit,
        provider: cardProviders?.current(),
        hasOtherProvider: cardProviders?.hasOther,
        exchange: exchangeProvider,
        purchases,
      },
      async (signal): Promise<bigint | undefined> => {
        const rising = async (): Promise<bigint> => {
          for (;;) {
            const found = await watch(signal)
            if (found !== undefined && found !== balance) return found
          }
        }
        return listed && !purchases ? Promise.race([rising(), listed.then(() => undefined)]) : rising()
      },
    )
    if ('done' in asked) balance = asked.done ?? balance
    else if (asked.answer === 'other-provider') cardProviders?.tryNext()
    else return asked.answer
  }
}
