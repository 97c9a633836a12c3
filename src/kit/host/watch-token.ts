/** Tokens that a page suggests for the user's balances (EIP-747); loaded with the first one. */
import { tokensOn } from '../../balances/balances.ts'
import { reviewToken } from '../../balances/watch.ts'
import { KitError } from '../../errors/kit-error.ts'
import { chainOf } from '../../ethereum/chains.ts'
import { assertChainId } from '../../ethereum/prepare-transaction.ts'
import type { ChainNode } from '../../ethereum/rpc.ts'
import { readToken } from '../../ethereum/tokens.ts'
import { InvalidRequest } from '../../lib/invalid-request.ts'
import { USDC, usdcOn } from '../../lib/usdc.ts'
import type { EmbeddedAccount } from '../../wallets/embedded/embedded-wallets.ts'
import type { SuggestedToken } from '../../wallets/embedded/provider/ethereum-requests.ts'
import type { KitContext } from '../context.ts'
import type { Sending } from '../wallets/sending.ts'
import { runSigning, type SigningRun } from './signing.ts'

interface Suggestion {
  readonly wallet: EmbeddedAccount
  readonly chainId: number
  readonly node: ChainNode
  readonly token: SuggestedToken
}

/**
 * Has the user decide about a token, unless it is listed already. Symbol and decimals are those of its contract.
 * @throws InvalidRequest for what is no token, or another one than the page says; Closed if the user declines
 */
export async function watchTokenForLibrary(
  cx: KitContext,
  sending: Sending,
  run: SigningRun,
  { wallet, chainId, node, token: { address, symbol, decimals } }: Suggestion,
): Promise<void> {
  const config = cx.app.known()
  const chain = `eip155:${chainId}`
  await assertChainId(node, chainId)
  const found = await readToken(node, address, { owner: wallet.address })
  if (found.kind === 'unknown') throw new InvalidRequest('The address has no token that can be displayed')
  if (symbol !== undefined && symbol !== found.symbol)
    throw new InvalidRequest(`The symbol "${symbol.slice(0, 32)}" must be the token's own, "${found.symbol}"`)
  if (decimals !== undefined && decimals !== found.decimals)
    throw new InvalidRequest(`The decimals ${decimals} must be the token's own, ${found.decimals}`)
  if (tokensOn(config, chain, sending.watched.tokens.get()).includes(address)) return
  if (run.isHidden) throw new KitError('approval_required', 'The user has to decide about the token')
  const network = chainOf(config, chainId)
  const others = cx.balances
    .get()
    .filter((each) => each.chain === chain && each.token !== address && each.symbol !== undefined)
  const usdc = usdcOn(chain)
  await runSigning(cx, run, (now) =>
    reviewToken(now, {
      token: found,
      balance: found.balance,
      network: { chain, name: network?.name ?? String(chainId) },
      symbols: [
        ...(network ? [network.nativeCurrency.symbol] : []),
        ...(usdc === undefined || usdc === address ? [] : [USDC]),
        ...others.flatMap((each) => each.symbol ?? []),
      ],
    }),
  )
  sending.watched.add({ chainId, address })
}
