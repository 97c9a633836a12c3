/** Funding: the user chooses how money comes into their wallet, and stays until it is there or under way. */
import type { FlowContext } from '../app/flow-context.ts'
import { addWords } from '../copy/copy.ts'
import { funding as words } from '../copy/en/funding.ts'
import type { FundingMethodName, FundingMethods, FundingOutcome, LeftMethod } from './method.ts'
import { type SelectMethodAnswer, type SelectMethodProps, selectMethod } from './select-method.tsx'
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
}

/**
 * Funds a wallet. Resolves with `back` where there is a way out, and the user takes it.
 * @throws Closed when the user closes the dialog before anything is under way
 */
export async function fund(cx: FlowContext, options: FundingOptions): Promise<FundingOutcome | 'back'> {
  let { first } = options
  let failure: LeftMethod['failure']
  for (;;) {
    const name = first ?? (await choose(cx, options, failure?.words))
    first = undefined
    if (name === 'back' || name === 'skip') return 'back'
    const method = options.methods[name]
    if (!method) continue
    const ended = await method(cx, options.target)
    if (!('back' in ended)) return ended
    failure = ended.failure
    if (failure) cx.report(failure.error)
  }
}

/** Shows the methods until one is chosen. */
async function choose(
  cx: FlowContext,
  { target, methods, readBalance, exit }: FundingOptions,
  error: string | undefined,
): Promise<SelectMethodAnswer> {
  const watch = watchBalance(cx, readBalance)
  const names = (Object.keys(methods) as FundingMethodName[]).filter((name) => methods[name])
  let balance: bigint | undefined
  for (;;) {
    const asked = await cx.stage.askDuring(
      selectMethod,
      { target, methods: names, balance, error, exit },
      async (signal): Promise<bigint> => {
        for (;;) {
          const found = await watch(signal)
          if (found !== undefined && found !== balance) return found
        }
      },
    )
    if ('answer' in asked) return asked.answer
    balance = asked.done
  }
}
