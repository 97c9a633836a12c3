import type { Login } from '../../auth/login.ts'
import { proofFor } from '../../auth/proof-for.ts'
import type { ProofInput, SiweAuth, SiwsAuth } from '../../auth/wallet-proof.ts'
import { isMobile } from '../../core/device.ts'
import { limits } from '../../core/limits.ts'
import { awaitingConnection } from '../../screens/connect/awaiting-connection.tsx'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { appLinks } from '../../wallets/registry/links.ts'
import { unlessAnswered } from '../leavable.ts'
import type { ConnectContext, Connection } from './context.ts'
import { shown } from './open.ts'

type ProofAuth = SiweAuth | SiwsAuth

/**
 * Has the wallet sign that it is the person's, and does what is to be done with the signature. Resolves with `'back'`
 * when they turn back meanwhile.
 */
export async function signIn<T>(
  connection: Connection,
  account: ConnectedAccount,
  captchaToken: string | undefined,
  use: (auth: ProofAuth, signed: ProofInput, signal: AbortSignal) => Promise<T>,
): Promise<T | 'back'> {
  const { cx } = connection
  const { address, chainId, chainType, connector, walletClientType, connectorType } = account
  const auth = await proofFor(cx.auth, chainType)
  // On a phone the wallet is another app, to which somebody who has come back from it must go once more.
  const elsewhere = connectorType === 'wallet_connect_v2' && isMobile(cx.page.userAgent)
  const link = elsewhere ? appLinks(walletClientType) : undefined
  const props = { ...shown(connection), state: 'signing' as const, link }
  const generate = (signal: AbortSignal) =>
    auth.generateMessage({ address, chainId, captchaToken }, { signal })
  let generated: string | undefined
  // Its window opens only within a press, and the one that chose the wallet is over. The message is there before the next.
  if (connectorType === 'coinbase_wallet') {
    const prepared = await unlessAnswered(cx.stage, awaitingConnection, props, generate)
    if (!('done' in prepared)) return 'back'
    generated = prepared.done
    if ((await cx.stage.ask(awaitingConnection, { ...props, asks: true })) !== 'sign') return 'back'
  }
  const outcome = await unlessAnswered(cx.stage, awaitingConnection, props, async (signal) => {
    const message = generated ?? (await generate(signal))
    // The wallet's app has only just come back from the pairing, and would miss what comes at once (spec §9).
    if (connectorType === 'wallet_connect_v2' && walletClientType === 'metamask')
      await cx.clock.sleep(limits.walletSignDelay, signal)
    const signature = await connector.sign({ address, message }, signal)
    signal.throwIfAborted()
    return use(auth, { message, signature, walletClientType, connectorType }, signal)
  })
  return 'done' in outcome ? outcome.done : 'back'
}

/** Takes a wallet over that belongs to another login, which is then gone. */
export async function takeOver(
  { auth, stage }: ConnectContext,
  { address, chainId, walletClientType, connectorType }: ConnectedAccount,
  nonce: string,
): Promise<Login> {
  const siwe = await auth.siwe()
  return siwe.transfer({ nonce, address, chainId, walletClientType, connectorType }, { signal: stage.signal })
}

/** A success stays on the screen for its while. */
export async function showDone(connection: Connection, span: number): Promise<void> {
  const { stage, clock } = connection.cx
  const wait = (signal: AbortSignal) => clock.sleep(span, signal)
  await stage.during(awaitingConnection, { ...shown(connection), state: 'done' }, wait).catch(() => {})
}
