import { type ProofInput, proofFor, type SiweAuth, type SiwsAuth } from '../../auth/wallet-proof.ts'
import { limits } from '../../core/limits.ts'
import { awaitingConnection } from '../../screens/connect/awaiting-connection.tsx'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import { unlessAnswered } from '../leavable.ts'
import type { Connection } from './context.ts'
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
  const props = { ...shown(connection), state: 'signing' as const }
  const outcome = await unlessAnswered(cx.stage, awaitingConnection, props, async (signal) => {
    const message = await auth.generateMessage({ address, chainId, captchaToken }, { signal })
    // The wallet's app has only just come back from the pairing, and would miss what comes at once (spec §9).
    if (connectorType === 'wallet_connect_v2' && walletClientType === 'metamask')
      await cx.clock.sleep(limits.walletSignDelay, signal)
    const signature = await connector.sign({ address, message }, signal)
    signal.throwIfAborted()
    return use(auth, { message, signature, walletClientType, connectorType }, signal)
  })
  return 'done' in outcome ? outcome.done : 'back'
}

/** A success stays on the screen for its while. */
export async function showDone(connection: Connection, span: number): Promise<void> {
  const { stage, clock } = connection.cx
  const wait = (signal: AbortSignal) => clock.sleep(span, signal)
  await stage.during(awaitingConnection, { ...shown(connection), state: 'done' }, wait).catch(() => {})
}
