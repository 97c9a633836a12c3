import type { Hono } from 'hono'
import * as v from 'valibot'
import { readQuery } from '../http/body.ts'
import type { Feature } from '../http/definition.ts'
import type { ServerEnv } from '../http/services.ts'
import { Refusal } from '../lib/refusal.ts'
import { badCode, withParameters } from '../login/return-address.ts'
import type { LoginServices } from '../login/services.ts'
import { limitStarts } from '../login/start.ts'
import { type KeyCall, postAsUser } from '../sessions/post-as-user.ts'
import type { App } from '../settings/app.ts'
import { badVisit, createVisits, type Visits } from '../visits/visits.ts'
import { CALLBACK_PATH, driveCallbackUrl } from './callback.ts'
import { createGoogleDriveAccess, type DriveReturn, type GoogleDriveAccess } from './google-drive.ts'
import { createIcloudAccess, type IcloudAccess } from './icloud.ts'

const maybeText = v.nullish(v.string())
const clientType = v.object({ client_type: v.picklist(['web', 'expo-ios']) })

/** Access to the drive of a person in which the secret of a wallet's recovery is. */
export const driveFeature: Feature<LoginServices> = {
  start(services) {
    const { apiOrigin, vaultOrigins } = services
    const visits = createVisits(services)
    const callbackUrl = driveCallbackUrl(apiOrigin)
    const googleDrive = createGoogleDriveAccess({ ...services, visits, callbackUrl })
    // The vault is on its own listener where there is one.
    const icloud = createIcloudAccess({ ...services, vaultOrigin: vaultOrigins.at(-1) ?? apiOrigin })
    return {
      publicRoutes: (api) => returnRoutes(api, services, googleDrive),
      routes(api) {
        driveRoutes(api, services, { googleDrive, icloud })
        visitRoutes(api, services, { googleDrive, icloud, visits })
      },
    }
  },
}

/** Where the owners of drives send people back to. No client is involved that could name its app. */
function returnRoutes(api: Hono<ServerEnv>, { apps }: LoginServices, googleDrive: GoogleDriveAccess): void {
  api.get(CALLBACK_PATH, async (c) => {
    const found = await googleDrive.handleCallback(readQuery(c))
    if (!found) return c.html(expiredPage, 400, expiredHeaders)
    // A window that passes through here must stay its opener's: the page it comes to reports to that.
    c.header('cross-origin-opener-policy', 'unsafe-none')
    return c.redirect('vaultPage' in found ? found.vaultPage : addressOf(found), 303)
  })

  // A native app reads the token out of the address that its window came to; nothing is done with it here.
  api.get('/api/v1/recovery/oauth/callback_icloud/:appId/expo_ios', (c) => {
    if (!apps.find(c.req.param('appId'))) return c.json({ error: 'There is no such app.' }, 404)
    if (!readQuery(c).get('ckWebAuthToken')) return c.json({ error: 'The token of iCloud is missing.' }, 400)
    return c.json({})
  })
}

/** All three parameters in every case; a denial is the text `undefined`. */
function addressOf({ to, state, answer }: DriveReturn): string {
  const code = typeof answer === 'object' ? answer.code : answer === 'denied' ? 'undefined' : 'error'
  return withParameters(to, {
    privy_oauth_code: code,
    privy_oauth_state: state,
    privy_oauth_provider: 'google-drive',
  })
}

/** In a strict app no page gets at a drive: the vault's window has the user sign in there. @throws Refusal `approval_required` */
function requirePagesWay({ vault }: App): void {
  if (vault === 'strict')
    throw new Refusal('approval_required', 'The window of the wallet asks for this drive.')
}

/** Access for pages of compatible apps, whose users are logged in. */
function driveRoutes(
  api: Hono<ServerEnv>,
  services: LoginServices,
  { googleDrive, icloud }: { googleDrive: GoogleDriveAccess; icloud: IcloudAccess },
): void {
  /** Tokens are only for the current caller: an answer with one is not stored. */
  const unkept = async () => undefined

  api.post(
    '/api/v1/recovery/oauth/init',
    postAsUser(services, {
      body: v.object({
        redirect_to: v.string(),
        token: maybeText,
        state_code: maybeText,
        code_challenge: maybeText,
      }),
      async handle(call) {
        const { app, bearer, body } = call
        requirePagesWay(app)
        await limitStarts(services, call, undefined)
        const url = await googleDrive.begin(app, bearer, {
          redirectTo: body.redirect_to,
          state: body.state_code,
          challenge: body.code_challenge,
        })
        return { body: { url } }
      },
    }),
  )

  api.post(
    '/api/v1/recovery/oauth/authenticate',
    postAsUser(services, {
      body: v.object({
        authorization_code: maybeText,
        state_code: maybeText,
        code_verifier: maybeText,
        provider: v.nullish(v.literal('google-drive')),
      }),
      actor: unkept,
      async handle({ app, bearer, body }) {
        requirePagesWay(app)
        const { authorization_code: code, state_code: state, code_verifier: verifier } = body
        if (!code || !state) throw badCode()
        if (!verifier || !/^[\w.~-]{43,128}$/.test(verifier))
          throw new Refusal('invalid_pkce_parameters', 'The code verifier is missing or not valid.')
        return { body: { access_token: await googleDrive.collect(app, bearer, { code, state, verifier }) } }
      },
    }),
  )

  api.post(
    '/api/v1/recovery/oauth/init_icloud',
    postAsUser(services, {
      body: clientType,
      // Each window has an address of its own.
      actor: unkept,
      async handle(call) {
        requirePagesWay(call.app)
        await limitStarts(services, call, undefined)
        return { body: { url: await icloud.begin(call.app, call.body.client_type) } }
      },
    }),
  )

  api.post(
    '/api/v1/recovery/configuration_icloud',
    postAsUser(services, {
      body: clientType,
      async handle({ app, body }) {
        const { apiToken, container, environment } = icloud.settings(app, body.client_type)
        return { body: { api_token: apiToken, container_identifier: container, environment } }
      },
    }),
  )
}

const visitorOf = ({ app, bearer, device }: KeyCall<unknown>) => ({
  appId: app.id,
  ...bearer,
  thumbprint: device.thumbprint,
})

/** Access for the vault's own window. The tokens stay with the vault. */
function visitRoutes(
  api: Hono<ServerEnv>,
  services: LoginServices,
  { googleDrive, icloud, visits }: { googleDrive: GoogleDriveAccess; icloud: IcloudAccess; visits: Visits },
): void {
  const { database } = services
  const unkept = async () => undefined

  api.post(
    '/api/v1/recovery/drives/visit',
    postAsUser(services, {
      whileFrozen: true,
      fromVault: true,
      device: 'any',
      actor: unkept,
      body: v.strictObject({ drive: v.picklist(['google-drive', 'icloud']) }),
      async handle(call) {
        const { app, body, c } = call
        await limitStarts(services, call, undefined)
        const vaultOrigin = c.req.header('origin') ?? ''
        const about = { purpose: 'drive', provider: body.drive, vaultOrigin } as const
        const state = await visits.begin(visitorOf(call), about)
        // Apple's page goes back to the address of the app's API token, with the token for the drive itself.
        const url = await (body.drive === 'icloud'
          ? icloud.begin(app, 'web')
          : googleDrive.beginVisit(app, state))
        return { body: { url, state } }
      },
    }),
  )

  api.post(
    '/api/v1/recovery/drives/token',
    postAsUser(services, {
      whileFrozen: true,
      fromVault: true,
      device: 'any',
      actor: unkept,
      body: v.strictObject({ state: v.string(), code: v.string() }),
      async handle(call) {
        const outcome = await database.transaction((tx) =>
          visits.finish(tx, visitorOf(call), 'drive', call.body),
        )
        if ('refused' in outcome) throw outcome.refused
        if (!('driveToken' in outcome)) throw badVisit()
        return { body: { access_token: outcome.driveToken } }
      },
    }),
  )
}

const expiredHeaders = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}
const expiredPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Google Drive</title></head>
<body><h1>This question is over</h1>
<p>It took too long, or it was answered before. Close this window, go back to the app and try again.</p></body></html>`
