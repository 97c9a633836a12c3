import { limits } from '../../core/limits.ts'
import { toKitError } from '../../errors/kit-error.ts'
import type { ConnectedAccount, WalletOffer } from '../../wallets/external/connector.ts'
import { chooseWallet } from '../connect/choose.ts'
import type { Connection } from '../connect/context.ts'
import { failedConnection, onKnownChain, openWallet, verdictOf } from '../connect/open.ts'
import { showDone, signIn } from '../connect/sign-in.ts'
import { wishOf } from '../connect/wish.ts'
import { passCaptcha } from './captcha.ts'
import type { BackToStart, Choice, Login, LoginContext, Way, WayModule } from './context.ts'
import { prove } from './prove.ts'

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
    const outcome = await loginWithWallet(cx, offer)
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
  const outcome = await loginWithWallet(cx, offer)
  return outcome === 'back' ? { back: true } : outcome
}

/** Connects a wallet, has it sign, and logs in with that, as often as it may be tried. */
export async function loginWithWallet(
  cx: LoginContext,
  offer: WalletOffer,
): Promise<Login | BackToStart | 'back'> {
  const connection: Connection = { cx, offer, purpose: 'log-in', retries: 0 }
  let account: ConnectedAccount | undefined
  for (;;) {
    const tried = await tryOnce(connection, cx, (opened) => {
      account = opened
    })
    if (tried === 'back') return 'back'
    const proved = await prove(cx, {
      async work() {
        if ('failure' in tried) throw tried.failure
        await showDone(connection, limits.successBeforeNext)
        return tried.login
      },
      verdict: verdictOf(connection),
      conflict: account && {
        title: cx.t('account.conflict.wallet'),
        account: account.address,
        transfer: async ({ nonce }) => transfer(cx, account as ConnectedAccount, nonce),
      },
      show: failedConnection(connection),
    })
    if ('login' in proved) return proved.login
    if (!('next' in proved)) return proved.error === undefined ? 'back' : proved
  }
}

type Tried = { login: Login } | { failure: unknown } | 'back'

async function tryOnce(
  connection: Connection,
  cx: LoginContext,
  opened: (account: ConnectedAccount) => void,
): Promise<Tried> {
  const { signal } = cx.stage
  try {
    const reached = await openWallet(connection)
    if (reached === 'back') return 'back'
    const account = await onKnownChain(connection, reached)
    if (account === 'back') return 'back'
    opened(account)
    const captcha = await passCaptcha(cx)
    if (captcha === 'back') return 'back'
    const disableSignup = cx.options.disableSignup ?? false
    const login = await signIn(connection, account, captcha.token, (auth, signed, own) =>
      auth.login({ ...signed, disableSignup }, { signal: own }),
    )
    return login === 'back' ? 'back' : { login }
  } catch (cause) {
    signal.throwIfAborted()
    return { failure: toKitError(cause, 'generic_connect_wallet_error') }
  }
}

async function transfer(cx: LoginContext, account: ConnectedAccount, nonce: string): Promise<Login> {
  const { address, chainId, walletClientType, connectorType } = account
  const { signal } = cx.stage
  return (await cx.auth.siwe()).transfer(
    { nonce, address, chainId, walletClientType, connectorType },
    { signal },
  )
}
