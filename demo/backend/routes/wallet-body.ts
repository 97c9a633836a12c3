import * as v from 'valibot'
import { Refusal } from '../domain/refusal.ts'
import type { Asker } from '../domain/sign-in-nonces.ts'
import { loadUser } from '../domain/users.ts'
import type { Services } from './context.ts'
import type { AuthorisedCall, Call } from './post.ts'
import { livingBearer } from './proofs.ts'

/** A name that a page gives: no longer than the wire says, and nothing in it that a database or a screen chokes on. */
const name = v.nullish(
  v.pipe(
    v.string(),
    v.maxLength(64),
    v.check((text) => !/[\p{Cc}\p{Cs}]/u.test(text)),
  ),
)
/** How the page is connected to the wallet (wire 2.5). */
export const connection = { walletClientType: name, connectorType: name }
export const connectionOf = (body: v.InferOutput<v.ObjectSchema<typeof connection, undefined>>) => ({
  clientType: body.walletClientType ?? null,
  connectorType: body.connectorType ?? null,
})
/** What a wallet signed. */
export const signed = { message: v.string(), signature: v.string() }
export const initBody = v.object({ address: v.string(), token: v.nullish(v.string()) })

const originOf = ({ c }: Call<unknown>) => c.req.header('origin')

/** Who asks, logged in or not. */
export async function askerOf(services: Services, call: Call<unknown>): Promise<Asker> {
  const bearer = await livingBearer(services, call.c)
  return { origin: originOf(call), sessionId: bearer?.sessionId }
}
/** Who asks with their own token. */
export const askerOfUser = (call: AuthorisedCall<unknown>): Asker => ({
  origin: originOf(call),
  sessionId: call.bearer.sessionId,
})

/** The user's own embedded wallet is no account to take away. @throws Refusal `cannot_unlink_embedded_wallet` */
export async function refuseEmbedded(services: Services, call: AuthorisedCall<unknown>, address: string) {
  const user = await loadUser(services.database, call.app.id, call.bearer.userId)
  if (user?.accounts.some((account) => account.type === 'embedded-wallet' && account.address === address))
    throw new Refusal('cannot_unlink_embedded_wallet', 'Cannot unlink an embedded wallet')
}

/** @throws Refusal `invalid_data` unless an address was read */
export function known<T>(address: T | undefined): T {
  if (address === undefined) throw new Refusal('invalid_data', 'This is not the address of a wallet.')
  return address
}
