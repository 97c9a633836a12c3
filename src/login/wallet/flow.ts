import { chooseWallet } from '../../wallets/connect/choose.ts'
import { offerOptions } from '../../wallets/connect/list-options.ts'
import { offerOf } from '../../wallets/connect/row.ts'
import type { WalletOffer } from '../../wallets/external/connector.ts'
import type { BackToStart, Login, LoginContext, LoginMethod } from '../context.ts'
import { linkWalletOrBack } from './link-wallet.ts'
import { logInInWalletBrowser } from './wallet-browser.ts'
import { loginWithWallet } from './wallet-login.ts'

/** The rows that lead to the list, rather than to one wallet. */
const lists = new Set(['wallet', 'solana-wallet'])

/** Wallets have announced themselves before anybody asks for their list. */
export const prepare: LoginMethod['prepare'] = async (cx) => {
  const external = await cx.wallets.external()
  await external.offers(offerOptions(cx.config, cx.options, true))
  return undefined
}

/** Logs in with an external wallet, or links one: from a list, or with the one that was chosen. */
export const logIn: LoginMethod['logIn'] = (cx, { method }) =>
  lists.has(method) ? byList(cx) : byRow(cx, method)

/** Continues in the wallet's own browser, where a link has opened the page. */
export const resume: LoginMethod['resume'] = async (cx, { method, returned }) =>
  returned.kind === 'wallet-browser'
    ? logInInWalletBrowser(cx, returned, () => byRow(cx, method))
    : { back: true }

async function byList(cx: LoginContext): Promise<Login | BackToStart> {
  const isLink = cx.purpose.kind === 'link'
  const options = offerOptions(cx.config, cx.options, true)
  const next = isLink ? await onlyOffer(cx) : undefined
  let error: string | undefined
  for (;;) {
    const purpose = isLink ? 'link' : 'log-in'
    const offer = next ?? (await chooseWallet(cx, { purpose, options, error }))
    if (offer === 'back') return { back: true }
    const outcome = await (isLink ? linkChosen(cx, offer) : loginWithWallet(cx, offer))
    if (!('back' in outcome) || next) return outcome
    error = outcome.error
  }
}

async function byRow(cx: LoginContext, row: string): Promise<Login | BackToStart> {
  const offer = await offerOf(cx, row)
  return offer ? loginWithWallet(cx, offer) : byList(cx)
}

async function linkChosen(cx: LoginContext, offer: WalletOffer): Promise<Login | BackToStart> {
  const linked = await linkWalletOrBack(cx, offer)
  return linked === 'back' ? { back: true } : linked
}

/** The wallet that was asked for by its name, if there is one of that name: nothing is left to choose. */
async function onlyOffer(cx: LoginContext): Promise<WalletOffer | undefined> {
  if (cx.options.walletList?.length !== 1) return undefined
  const external = await cx.wallets.external()
  const offers = await external.offers(offerOptions(cx.config, cx.options, true))
  return offers.length === 1 ? offers[0] : undefined
}
