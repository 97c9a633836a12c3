import * as v from 'valibot'
import { loadUser } from '../../accounts/user.ts'
import type { Call } from '../../http/post.ts'
import { Refusal } from '../../lib/refusal.ts'
import { activeBearer } from '../../sessions/bearer.ts'
import type { AuthorisedCall } from '../../sessions/post-as-user.ts'
import type { LoginServices } from '../services.ts'
import type { Caller } from './nonces.ts'

/** A name that a page gives: no longer than the protocol says, and nothing in it that a database or a screen chokes on. */
const name = v.nullish(
  v.pipe(
    v.string(),
    v.maxLength(64),
    v.check((text) => !/[\p{Cc}\p{Cs}]/u.test(text)),
  ),
)
/** How the page is connected to the wallet. */
export const connection = { walletClientType: name, connectorType: name }
/** The same as it is stored. */
export const connectionOf = (body: v.InferOutput<v.ObjectSchema<typeof connection, undefined>>) => ({
  clientType: body.walletClientType ?? null,
  connectorType: body.connectorType ?? null,
})
/** What a wallet signed. */
export const signed = { message: v.string(), signature: v.string() }
/** What asks for a nonce; `token` is that of the captcha. */
export const initBody = v.object({ address: v.string(), token: v.nullish(v.string()) })

const originOf = ({ c }: Call<unknown>) => c.req.header('origin')

/** Who asks, logged in or not. */
export async function callerOf(services: LoginServices, call: Call<unknown>): Promise<Caller> {
  const bearer = await activeBearer(call.c, services)
  return { origin: originOf(call), sessionId: bearer?.sessionId }
}
/** Who asks with their own token. */
export const callerOfUser = (call: AuthorisedCall<unknown>): Caller => ({
  origin: originOf(call),
  sessionId: call.bearer.sessionId,
})

/** The user's own embedded wallet is no account to take away. @throws Refusal `cannot_unlink_embedded_wallet` */
export async function refuseEmbedded(
  services: LoginServices,
  call: AuthorisedCall<unknown>,
  address: string,
) {
  const user = await loadUser(services.database, call.app.id, call.bearer.userId)
  if (user?.accounts.some((account) => account.type === 'embedded-wallet' && account.address === address))
    throw new Refusal('cannot_unlink_embedded_wallet', 'Cannot unlink an embedded wallet')
}

/** @throws Refusal `invalid_data` unless an address was read */
export function known<T>(address: T | undefined): T {
  if (address === undefined) throw new Refusal('invalid_data', 'This is not the address of a wallet.')
  return address
}
