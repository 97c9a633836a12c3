import { KitError } from '../../errors/kit-error.ts'
import type { Login } from '../../login/context.ts'
import type { LoginFeatures } from '../../login/flow.ts'
import { connectOrCreate } from '../../login/wallet/connect-or-create.ts'
import { connectOnly } from '../../wallets/connect/flow.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import type { ConnectOrCreateOptions, ConnectWalletOptions } from '../api.ts'
import type { KitContext } from '../context.ts'

/** Lets a person connect a wallet without logging in; loaded when the page first asks for it. */
export async function connect(cx: KitContext, options: ConnectWalletOptions): Promise<ConnectedAccount> {
  const { surface, signal, walletList, walletChainType } = options
  const services = await cx.services()
  return cx.runs.run('connect', { surface, signal }, (stage) =>
    connectOnly({ ...cx.flow(stage), ...services }, { walletList, walletChainType }),
  )
}

/** Lets a person connect a wallet, or log in another way, which creates one. */
export async function connectOrLogin(
  cx: KitContext,
  options: ConnectOrCreateOptions,
  features: LoginFeatures,
): Promise<Login | ConnectedAccount> {
  const { surface, signal, ...listOptions } = options
  if (cx.app.state.get().user)
    throw new KitError('invalid_state', 'Connecting or creating a wallet requires being unauthenticated')
  return cx.runs.run('login', { surface, signal }, (stage, { name }) =>
    connectOrCreate({ ...cx.entry(stage, listOptions), surface: name }, features),
  )
}
