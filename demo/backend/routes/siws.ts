import type { Hono } from 'hono'
import * as v from 'valibot'
import { refuseUnlistedWallet } from '../domain/external-wallets.ts'
import { readSolanaAddress } from '../domain/wallet-address.ts'
import type { ServerEnv, Services } from './context.ts'
import { post } from './post.ts'
import { linkRoute, loginRoute, mode, unlinkRoute } from './proofs.ts'
import { beforeStart } from './start.ts'
import {
  askerOf,
  askerOfUser,
  connection,
  connectionOf,
  initBody,
  known,
  refuseEmbedded,
  signed,
} from './wallet-body.ts'

const presented = { ...signed, ...connection }
const path = '/api/v1/siws'
const method = 'solana-wallet'

/** Login with Solana, wire 2.5. The wire has no transfer for it. */
export function siwsRoutes(api: Hono<ServerEnv>, services: Services): void {
  const { solanaLogin } = services

  const signedIn = (body: v.InferOutput<v.ObjectSchema<typeof presented, undefined>>) => ({
    ...connectionOf(body),
    ...{ message: body.message, signature: body.signature },
  })

  api.post(
    `${path}/init`,
    post(services, {
      body: initBody,
      async handle(call) {
        const { app, body } = call
        const address = known(readSolanaAddress(body.address))
        await beforeStart(services, call, method, body.token)
        refuseUnlistedWallet(app, address)
        const { nonce, until } = await solanaLogin.issue(app, address, await askerOf(services, call))
        return { body: { nonce, address, expires_at: new Date(until).toISOString() } }
      },
    }),
  )
  api.post(
    `${path}/authenticate`,
    loginRoute(services, {
      ...{ body: v.object({ ...presented, mode }), method },
      prove: async (call) => solanaLogin.prove(call.app, await askerOf(services, call), signedIn(call.body)),
    }),
  )
  api.post(
    `${path}/link`,
    linkRoute(services, {
      ...{ body: v.object(presented), method },
      prove: (call) => solanaLogin.prove(call.app, askerOfUser(call), signedIn(call.body), { linking: true }),
    }),
  )
  api.post(
    `${path}/unlink`,
    unlinkRoute(services, {
      body: v.object({ address: v.string() }),
      async account(call) {
        const subject = known(readSolanaAddress(call.body.address))
        await refuseEmbedded(services, call, subject)
        return { type: 'solana-wallet', subject }
      },
    }),
  )
}
