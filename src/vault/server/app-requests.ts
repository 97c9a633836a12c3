/** Reads another app's request from the vault's own server. docs/protocol.md, "Cross-app requests" */
import * as v from 'valibot'
import type { Plain } from '../../lib/plain.ts'
import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const answer = v.object({
  requester: v.object({ name: text, origin: v.pipe(text, v.regex(/^https?:\/\/[^/\s]+$/)) }),
  method: v.picklist(['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']),
  params: v.array(v.custom<Plain>((value) => value !== undefined)),
})

/** A request of another app that is open for this user. */
export interface AppRequest extends Readonly<v.InferOutput<typeof answer>> {}

/** Reads a request from the server itself. Throws a `VaultError`; one that is over, or another user's, has the server's code. */
export async function reviewAppRequest(cx: VaultContext, token: Token, id: string): Promise<AppRequest> {
  const found = v.safeParse(
    answer,
    await cx.api(token, '/embedded_wallets/cross_app_requests/review', { request_id: id }),
  )
  if (!found.success) throw unexpectedAnswer()
  return found.output
}
