import type { Hono } from 'hono'
import * as v from 'valibot'
import { readSolanaAddress } from '../../chains/address.ts'
import type { Feature } from '../../http/definition.ts'
import { post } from '../../http/post.ts'
import type { ServerEnv } from '../../http/services.ts'
import { linkRoute, loginRoute, mode, unlinkRoute } from '../routes.ts'
import type { LoginServices } from '../services.ts'
import { beforeStart } from '../start.ts'
import {
  callerOf,
  callerOfUser,
  connection,
  connectionOf,
  initBody,
  known,
  refuseEmbedded,
  signed,
} from '../wallet/requests.ts'
import { refuseUnlistedWallet } from '../wallet/rules.ts'
import { createSolanaLogin, type SolanaLogin } from './login.ts'

const presented = { ...signed, ...connection }
const path = '/api/v1/siws'
const method = 'solana-wallet'

/** Login with Solana. The protocol has no transfer for it. */
export const siwsFeature: Feature<LoginServices> = {
  start(services) {
    const solanaLogin = createSolanaLogin(services)
    return { routes: (api) => siwsRoutes(api, services, solanaLogin) }
  },
}

function siwsRoutes(api: Hono<ServerEnv>, services: LoginServices, solanaLogin: SolanaLogin): void {
  const signedIn = (body: v.InferOutput<v.ObjectSchema<typeof presented, undefined>>) => ({
    ...connectionOf(body),
    message: body.message,
    signature: body.signature,
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
        const { nonce, until } = await solanaLogin.issue(app, address, await callerOf(services, call))
        return { body: { nonce, address, expires_at: new Date(until).toISOString() } }
      },
    }),
  )
  api.post(
    `${path}/authenticate`,
    loginRoute(services, {
      body: v.object({ ...presented, mode }),
      method,
      prove: async (call) => solanaLogin.prove(call.app, await callerOf(services, call), signedIn(call.body)),
    }),
  )
  api.post(
    `${path}/link`,
    linkRoute(services, {
      body: v.object(presented),
      method,
      prove: (call) =>
        solanaLogin.prove(call.app, callerOfUser(call), signedIn(call.body), { linking: true }),
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
