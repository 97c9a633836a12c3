import { KitError } from './errors/kit-error.ts'
import { signMessage } from './flows/sign/index.ts'
import type { SignOptions } from './kit-api.ts'
import type { FlowsContext } from './kit-flows.ts'

/** Has a person sign a message; loaded when the page first asks for that. The kit is ready. */
export async function sign(cx: FlowsContext, message: unknown, options: SignOptions): Promise<string> {
  const { uiOptions = {}, address, surface, signal } = options
  if (typeof message !== 'string' || message === '')
    throw new KitError('invalid_message', 'Message must be a non-empty string')
  if (!cx.app.state.get().user)
    throw new KitError('must_be_authenticated', 'User must be authenticated before signing')
  const { wallets } = await cx.services()
  const embedded = await wallets.embedded()
  const first = embedded.list().find(({ chainType }) => chainType === 'ethereum')
  const wallet = address === undefined ? first : embedded.find(address)
  if (wallet?.chainType !== 'ethereum')
    throw new KitError('embedded_wallet_not_found', 'Must have an embedded wallet before signing')

  cx.analytics.track('embedded_wallet_sign_message_started')
  const signature = await cx.runs.run('sign', { surface, signal }, (stage) => {
    const request = { message, wallet, origin: cx.page.origin, ui: uiOptions }
    return signMessage({ ...cx.context(stage), wallets }, request)
  })
  cx.analytics.track('embedded_wallet_sign_message_completed')
  cx.events.emit('signature', { signature, address: wallet.address })
  return signature
}
