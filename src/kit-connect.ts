import { KitError } from './errors/kit-error.ts'
import { connectOnly } from './flows/connect/connect-only.ts'
import { connectOrCreate } from './flows/connect/connect-or-create.ts'
import type { Login } from './flows/login/context.ts'
import type { ConnectOrCreateOptions, ConnectWalletOptions } from './kit-api.ts'
import type { FlowsContext } from './kit-flows.ts'
import type { ConnectedAccount } from './wallets/external/connector.ts'

/** Has a person connect a wallet, without logging in; loaded when the page first asks for that. */
export async function connect(cx: FlowsContext, options: ConnectWalletOptions): Promise<ConnectedAccount> {
  const { surface, signal, walletList, walletChainType } = options
  const services = await cx.services()
  return cx.runs.run('connect', { surface, signal }, (stage) =>
    connectOnly({ ...cx.context(stage), ...services }, { walletList, walletChainType }),
  )
}

/** Has a person connect a wallet, or log in some other way, which gives them one. Spec §2 "Connect or create". */
export async function connectOrLogin(
  cx: FlowsContext,
  options: ConnectOrCreateOptions,
): Promise<Login | ConnectedAccount> {
  const { surface, signal, ...wishes } = options
  if (cx.app.state.get().user)
    throw new KitError('invalid_state', 'Connecting or creating a wallet requires being unauthenticated')
  return cx.runs.run('login', { surface, signal }, (stage, { name }) =>
    connectOrCreate({ ...cx.entry(stage, wishes), surface: name }),
  )
}
