import { isMobile } from '../../lib/device.ts'
import { awaitingConnection } from '../../wallets/connect/awaiting-connection.tsx'
import type { ConnectContext, Connection } from '../../wallets/connect/context.ts'
import { shown } from '../../wallets/connect/open.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { appLinks } from '../../wallets/registry/links.ts'
import { loginLimits } from '../limits.ts'
import type { Login } from '../login-result.ts'
import type { Auth } from '../services.ts'
import { proofFor } from './proof-for.ts'
import type { ProofInput, SiweAuth, SiwsAuth } from './service.ts'

type ProofAuth = SiweAuth | SiwsAuth

/** What signing in with a connected wallet needs. */
export interface SignInContext extends ConnectContext {
  readonly auth: Auth
}

/**
 * Has the wallet prove that it is the person's, and uses the signature. Resolves with `'back'` when they go
 * back meanwhile.
 */
export async function signIn<T>(
  connection: Connection<SignInContext>,
  account: ConnectedAccount,
  captchaToken: string | undefined,
  use: (auth: ProofAuth, signed: ProofInput, signal: AbortSignal) => Promise<T>,
): Promise<T | 'back'> {
  const { cx } = connection
  const { address, chainId, chainType, connector, walletClientType, connectorType } = account
  const auth = await proofFor(cx.auth, chainType)
  // On a phone the wallet is another app, which the person has to open again.
  const elsewhere = connectorType === 'wallet_connect_v2' && isMobile(cx.page.userAgent)
  const link = elsewhere ? appLinks(walletClientType) : undefined
  const props = { ...shown(connection), state: 'signing' as const, link }
  const generate = (signal: AbortSignal) =>
    auth.generateMessage({ address, chainId, captchaToken }, { signal })
  let generated: string | undefined
  // Its window opens only within a press, and the press that chose the wallet is over. The message is loaded
  // before the next.
  if (connectorType === 'coinbase_wallet') {
    const prepared = await cx.stage.askDuring(awaitingConnection, props, generate)
    if (!('done' in prepared)) return 'back'
    generated = prepared.done
    if ((await cx.stage.ask(awaitingConnection, { ...props, asks: true })) !== 'sign') return 'back'
  }
  const outcome = await cx.stage.askDuring(awaitingConnection, props, async (signal) => {
    const message = generated ?? (await generate(signal))
    // The wallet's app has only just returned from the pairing, and would miss a request that comes at once.
    if (connectorType === 'wallet_connect_v2' && walletClientType === 'metamask')
      await cx.clock.sleep(loginLimits.walletSignDelay, signal)
    const signature = await connector.sign({ address, message }, signal)
    signal.throwIfAborted()
    return use(auth, { message, signature, walletClientType, connectorType }, signal)
  })
  return 'done' in outcome ? outcome.done : 'back'
}

/** Takes over a wallet that belongs to another user, who is deleted by that. */
export async function takeOver(
  { auth, stage }: SignInContext,
  { address, chainId, walletClientType, connectorType }: ConnectedAccount,
  nonce: string,
): Promise<Login> {
  const siwe = await auth.siwe()
  return siwe.transfer({ nonce, address, chainId, walletClientType, connectorType }, { signal: stage.signal })
}
