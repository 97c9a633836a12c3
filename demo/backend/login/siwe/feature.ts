import type { Hono } from 'hono'
import * as v from 'valibot'
import { loadUser } from '../../accounts/user.ts'
import { readEthereumAddress } from '../../chains/address.ts'
import type { Feature } from '../../http/definition.ts'
import { type Call, post } from '../../http/post.ts'
import type { ServerEnv } from '../../http/services.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AuthorisedCall } from '../../sessions/post-as-user.ts'
import { type SmartWalletType, smartWalletTypes } from '../../settings/names.ts'
import { linkRoute, loginRoute, mode, transferRoute, unlinkRoute } from '../routes.ts'
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
import { createEthereumLogin, type EthereumLogin } from './login.ts'

/** As the protocol has it (CAIP-2), or the number alone. */
const chainId = v.nullish(v.pipe(v.string(), v.maxLength(41), v.regex(/^(?:eip155:)?[1-9]\d{0,15}$/)))
const presented = { ...signed, ...connection, chainId }
const path = '/api/v1/siwe'
const method = 'wallet'

/** Login with Ethereum, and smart wallets of a user. */
export const siweFeature: Feature<LoginServices> = {
  start(services) {
    const ethereumLogin = createEthereumLogin({ ...services, rpcUrls: services.outside.chainRpcUrls })
    return { routes: (api) => siweRoutes(api, services, ethereumLogin) }
  },
}

function siweRoutes(api: Hono<ServerEnv>, services: LoginServices, ethereumLogin: EthereumLogin): void {
  const signedIn = (body: v.InferOutput<v.ObjectSchema<typeof presented, undefined>>) => ({
    ...connectionOf(body),
    message: body.message,
    signature: body.signature,
    chainId: body.chainId ? Number(body.chainId.replace('eip155:', '')) : undefined,
  })
  const account = async ({ body }: Call<{ address: string }>) => ({
    type: 'ethereum-wallet' as const,
    subject: known(readEthereumAddress(body.address)),
  })

  api.post(
    `${path}/init`,
    post(services, {
      body: initBody,
      async handle(call) {
        const { app, body } = call
        const address = known(readEthereumAddress(body.address))
        const caller = await callerOf(services, call)
        // Somebody who is logged in may be about to link their contract.
        const login = caller.sessionId === undefined || app.smartWallets === undefined
        await beforeStart(services, call, login ? method : undefined, body.token)
        if (login) refuseUnlistedWallet(app, address)
        const { nonce, until } = await ethereumLogin.issue(app, address, caller)
        return { body: { nonce, address, expires_at: new Date(until).toISOString() } }
      },
    }),
  )
  api.post(
    `${path}/authenticate`,
    loginRoute(services, {
      body: v.object({ ...presented, mode }),
      method,
      prove: async (call) =>
        ethereumLogin.prove(call.app, await callerOf(services, call), signedIn(call.body)),
    }),
  )
  api.post(
    `${path}/link`,
    linkRoute(services, {
      body: v.object(presented),
      method,
      prove: (call) =>
        ethereumLogin.prove(call.app, callerOfUser(call), signedIn(call.body), { linking: true }),
    }),
  )
  api.post(
    `${path}/transfer`,
    // How the page is connected is said once more, and is known from the proof.
    transferRoute(services, {
      body: v.object({ nonce: v.string(), address: v.string(), chainId, ...connection }),
      account,
    }),
  )
  api.post(
    `${path}/unlink`,
    unlinkRoute(services, {
      body: v.object({ address: v.string() }),
      async account(call: AuthorisedCall<{ address: string }>) {
        const found = await account(call)
        await refuseEmbedded(services, call, found.subject)
        return found
      },
    }),
  )
  api.post(
    `${path}/link_smart_wallet`,
    linkRoute(services, {
      body: v.object({ ...signed, smart_wallet_type: v.picklist(smartWalletTypes) }),
      async prove(call) {
        const { app, body } = call
        if (!(await isTypeOfUser(services, call, body.smart_wallet_type)))
          throw new Refusal('feature_not_enabled', 'These smart wallets are not enabled for this app.')
        const { message, signature, smart_wallet_type: type } = body
        return ethereumLogin.proveContract(app, callerOfUser(call), { message, signature, type })
      },
    }),
  )
}

/** Whether the user may have a smart wallet of this type: the app's, or the one that the user has already. */
async function isTypeOfUser(
  { database }: LoginServices,
  { app, bearer }: AuthorisedCall<unknown>,
  type: SmartWalletType,
): Promise<boolean> {
  if (!app.smartWallets) return false
  if (app.smartWallets.type === type) return true
  const user = await loadUser(database, app.id, bearer.userId)
  return !!user?.accounts.some(
    (account) => account.type === 'smart-wallet' && account.details.smartWalletType === type,
  )
}
