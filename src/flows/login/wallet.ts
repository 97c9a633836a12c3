import { lazily } from '../../errors/lazily.ts'
import { chooseWallet } from '../connect/choose.ts'
import { wishOf } from '../connect/wish.ts'
import type { BackToStart, Choice, Login, LoginContext, Way, WayModule } from './context.ts'

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
export const way: Way = (cx, { method, chain }) =>
  lists.has(method) ? byList(cx) : byName(cx, method, chain)

async function byList(cx: LoginContext): Promise<Login | BackToStart> {
  const wish = wishOf(cx.config, cx.options, true)
  for (;;) {
    const offer = await chooseWallet(cx, { purpose: 'log-in', wish })
    if (offer === 'back') return { back: true }
    const outcome = await (await loadLogin()).loginWithWallet(cx, offer)
    if (outcome !== 'back') return outcome
  }
}

/** @param name the name of a wallet, with its chain behind where it stands for Solana */
async function byName(cx: LoginContext, name: string, chain: Choice['chain']): Promise<Login | BackToStart> {
  const external = await cx.wallets.external()
  const [client = name] = name.split(':')
  const { chains } = wishOf(cx.config, cx.options, true)
  const offers = await external.offers({ walletList: [client], chains: chain ? [chain] : chains })
  const offer = offers.find(({ id }) => id === name) ?? offers[0]
  if (!offer) return byList(cx)
  const outcome = await (await loadLogin()).loginWithWallet(cx, offer)
  return outcome === 'back' ? { back: true } : outcome
}
