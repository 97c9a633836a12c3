import type { Hono } from 'hono'
import * as v from 'valibot'
import { badCode } from '../domain/oauth/oauth.ts'
import { withParameters } from '../domain/oauth/return-address.ts'
import type { DriveReturn } from '../domain/recovery-oauth/google-drive.ts'
import { Refusal } from '../domain/refusal.ts'
import type { ServerEnv, Services } from './context.ts'
import { postAsUser } from './post.ts'
import { limitStarts } from './start.ts'

const CALLBACK = '/api/v1/recovery/oauth/callback'

/** The address that Google must know as this backend's. @param apiOrigin such as `https://api.example.com` */
export const driveCallbackUrl = (apiOrigin: string) => apiOrigin + CALLBACK

const maybeText = v.nullish(v.string())
const clientType = v.object({ client_type: v.picklist(['web', 'expo-ios']) })

/** Where the owners of drives send people back to. No client stands behind it that could name its app. */
export function recoveryOAuthReturn(api: Hono<ServerEnv>, { apps, googleDrive }: Services): void {
  api.get(CALLBACK, async (c) => {
    const found = await googleDrive.comeBack(new URL(c.req.url).searchParams)
    if (!found) return c.html(lostPage, 400, lostHeaders)
    // A window that passes through here must stay its opener's: the page it comes to reports to that (wire 6.2).
    c.header('cross-origin-opener-policy', 'unsafe-none')
    return c.redirect(addressOf(found), 303)
  })

  // A native app reads the token out of the address that its window came to; nothing is done with it here.
  api.get('/api/v1/recovery/oauth/callback_icloud/:appId/expo_ios', (c) => {
    if (!apps.find(c.req.param('appId'))) return c.json({ error: 'There is no such app.' }, 404)
    if (!c.req.query('ckWebAuthToken')) return c.json({ error: 'The token of iCloud is missing.' }, 400)
    return c.json({})
  })
}

/** Wire 6.1: all three parameters, whatever happened; a denial is the text `undefined`. */
function addressOf({ to, state, answer }: DriveReturn): string {
  const code = typeof answer === 'object' ? answer.code : answer === 'denied' ? 'undefined' : 'error'
  return withParameters(to, {
    ...{ privy_oauth_code: code, privy_oauth_state: state, privy_oauth_provider: 'google-drive' },
  })
}

/** Access to the drive in which the secret of a recovery is, for people who are logged in. Wire 2.13. */
export function recoveryOAuthRoutes(api: Hono<ServerEnv>, services: Services): void {
  const { googleDrive, icloud } = services
  /** Tokens are for whoever asks now: no answer with one is kept. */
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
        await limitStarts(services, call, undefined)
        const url = await googleDrive.begin(app, bearer, {
          ...{ redirectTo: body.redirect_to, state: body.state_code, challenge: body.code_challenge },
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

const lostHeaders = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}
const lostPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Google Drive</title></head>
<body><h1>This question is over</h1>
<p>It took too long, or it was answered before. Close this window, go back to the app and try again.</p></body></html>`
