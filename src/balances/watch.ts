/** Tokens that a page suggests for the balances of a wallet (EIP-747). */
import type { FlowContext } from '../app/flow-context.ts'
import { addWords } from '../copy/copy.ts'
import { balances as words } from '../copy/en/balances.ts'
import { Closed } from '../dialog/stage.ts'
import type { Token } from '../ethereum/tokens.ts'
import { type WatchTokenProps, watchToken } from './watch-token.tsx'

addWords(words)

export interface WatchRequest {
  readonly token: Token
  readonly balance: bigint | undefined
  readonly network: WatchTokenProps['network']
  /** Symbols of other coins and tokens on the network. */
  readonly symbols: readonly string[]
}

/**
 * Has the user decide about a token, as its contract describes itself.
 * @throws Closed unless they add it
 */
export async function reviewToken(
  { stage, page }: FlowContext,
  { token, balance, network, symbols }: WatchRequest,
): Promise<void> {
  const isNamesake = symbols.some((each) => each.toLowerCase() === token.symbol.toLowerCase())
  const props = { token, balance, network, isNamesake, origin: page.origin }
  if ((await stage.ask(watchToken, props)) === 'cancel') throw new Closed('The user cancelled')
}
