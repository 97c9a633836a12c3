import { toKitError } from '../../errors/kit-error.ts'
import type { Connection } from '../../wallets/connect/context.ts'
import {
  failedConnection,
  onKnownChain,
  openWallet,
  showDone,
  verdictOf,
} from '../../wallets/connect/open.ts'
import type { ConnectedAccount, WalletOffer } from '../../wallets/external/connector.ts'
import { passCaptcha } from '../captcha/pass.ts'
import type { BackToStart, Login, LoginContext } from '../context.ts'
import { loginLimits } from '../limits.ts'
import { prove } from '../prove.ts'
import { type SignInContext, signIn, takeOver } from './sign-in.ts'

/** Connects a wallet, has it sign, and logs in with that, as often as it may be tried. */
export async function loginWithWallet(cx: LoginContext, offer: WalletOffer): Promise<Login | BackToStart> {
  const connection: Connection<SignInContext> = { cx, offer, purpose: 'log-in', retries: 0 }
  let account: ConnectedAccount | undefined
  for (;;) {
    const tried = await tryOnce(connection, cx, (opened) => {
      account = opened
    })
    if (tried === 'back') return { back: true }
    const proved = await prove(cx, {
      async work() {
        if ('failure' in tried) throw tried.failure
        await showDone(connection, loginLimits.successBeforeNext)
        return tried.login
      },
      verdict: verdictOf(connection),
      // Solana wallets can't be transferred.
      conflict:
        account?.chainType === 'ethereum'
          ? {
              title: cx.t('account.conflict.wallet'),
              account: account.address,
              transfer: async ({ nonce }) => takeOver(cx, account as ConnectedAccount, nonce),
            }
          : undefined,
      show: failedConnection(connection),
    })
    if ('login' in proved) return proved.login
    if (!('next' in proved)) return proved
    // Failures without a screen of their own end here: another try would ask the wallet forever.
    if (proved.next === 'stay') return { back: true, error: proved.error }
  }
}

type Tried = { login: Login } | { failure: unknown } | 'back'

async function tryOnce(
  connection: Connection<SignInContext>,
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
