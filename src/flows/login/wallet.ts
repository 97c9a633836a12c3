import { lazily } from '../../errors/lazily.ts'
import { chooseWallet } from '../connect/choose.ts'
import { offerOf } from '../connect/row.ts'
import { wishOf } from '../connect/wish.ts'
import type { BackToStart, Login, LoginContext, Way, WayModule } from './context.ts'

/** The list does without what speaks with a wallet. */
const loadLogin = lazily(() => import('./wallet-login.ts'))

/** The rows that lead to the list, rather than to one wallet. */
const lists = new Set(['wallet', 'solana-wallet'])

/** Wallets have announced themselves before anybody asks for their list. */
export const prepare: WayModule['prepare'] = async (cx) => {
  const external = await cx.wallets.external()
  await external.offers(wishOf(cx.config, cx.options, true))
  return undefined
}

/** Logs in with a wallet outside: by a list of them, or by the one that was chosen. Spec §4 "Wallet connection". */
export const way: Way = (cx, { method }) => (lists.has(method) ? byList(cx) : byRow(cx, method))

async function byList(cx: LoginContext): Promise<Login | BackToStart> {
  const wish = wishOf(cx.config, cx.options, true)
  let error: string | undefined
  for (;;) {
    const offer = await chooseWallet(cx, { purpose: 'log-in', wish, error })
    if (offer === 'back') return { back: true }
    const outcome = await (await loadLogin()).loginWithWallet(cx, offer)
    if (!('back' in outcome)) return outcome
    error = outcome.error
  }
}

async function byRow(cx: LoginContext, row: string): Promise<Login | BackToStart> {
  const offer = await offerOf(cx, row)
  return offer ? (await loadLogin()).loginWithWallet(cx, offer) : byList(cx)
}
