import type { ConnectedAccount } from '../../wallets/external/connector.ts'
import type { BackToStart, Choice, EntryContext, Login, LoginContext } from '../login/context.ts'
import { identify } from '../login/identify.ts'
import { later, waysOf } from '../login/login.ts'
import { isWalletMethod } from '../login/ways.ts'
import { connectOrBack } from './connect-only.ts'
import { offerOf } from './row.ts'

/**
 * The ways to log in, where a wallet is only connected: whoever has one needs no account, and whoever hasn't gets one.
 * Spec §2 "Connect or create".
 */
export async function connectOrCreate(entry: EntryContext): Promise<Login | ConnectedAccount> {
  const ways = waysOf<Login | ConnectedAccount>(entry, (flows, cx, choice) =>
    isWalletMethod(choice.method) ? connectChosen(cx, choice) : flows.enter(cx, choice),
  )
  const came = await identify(entry, ways)
  if (!('user' in came)) return came
  const { flows, cx } = await later(entry)
  return flows.finish(cx, came)
}

async function connectChosen(cx: LoginContext, { method }: Choice): Promise<ConnectedAccount | BackToStart> {
  const offer = method === 'wallet' ? undefined : await offerOf(cx, method)
  const connected = await connectOrBack(cx, cx.options, offer)
  return connected === 'back' ? { back: true } : connected
}
