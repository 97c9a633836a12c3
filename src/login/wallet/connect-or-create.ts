import { connectOrBack } from '../../wallets/connect/flow.ts'
import { offerOf } from '../../wallets/connect/row.ts'
import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import type { BackToStart, Choice, EntryContext, Login, LoginContext } from '../context.ts'
import { afterLanding, type LoginFeatures, landingActions } from '../flow.ts'
import { identify } from '../landing/flow.ts'
import { kindOf } from '../methods.ts'

/**
 * The login methods, with wallets only being connected: people with a wallet need no account, and the others
 * get one.
 */
export async function connectOrCreate(
  entry: EntryContext,
  features: LoginFeatures,
): Promise<Login | ConnectedAccount> {
  const actions = landingActions<Login | ConnectedAccount>(entry, features, ({ cx, logInWith }, choice) =>
    kindOf(choice.method) === 'wallet' ? connectChosen(cx, choice) : logInWith(cx, choice),
  )
  const outcome = await identify(entry, actions)
  if (!('user' in outcome)) return outcome
  const { cx, finish } = await afterLanding(entry, features)
  return finish(cx, outcome)
}

async function connectChosen(cx: LoginContext, { method }: Choice): Promise<ConnectedAccount | BackToStart> {
  const offer = method === 'wallet' ? undefined : await offerOf(cx, method)
  const connected = await connectOrBack(cx, cx.options, offer)
  return connected === 'back' ? { back: true } : connected
}
