import type { Hono } from 'hono'
import * as v from 'valibot'
import { appearanceOf } from '../devices/describe.ts'
import type { Feature } from '../http/definition.ts'
import { refusalReply } from '../http/errors.ts'
import { type Call, post, type Reply } from '../http/post.ts'
import type { ServerEnv } from '../http/services.ts'
import { usesCookie } from '../http/session-mode.ts'
import { Refusal } from '../lib/refusal.ts'
import { toSeconds } from '../lib/time.ts'
import { deleteInBatches } from '../store/delete-in-batches.ts'
import { appKeyName } from './app-keys.ts'
import { readBearer, requireBearer } from './bearer.ts'
import { postAsUser } from './post-as-user.ts'
import { clearCookie, presentedToken } from './refresh-cookie.ts'
import { loggedOutReply, sessionReply } from './reply.ts'
import type { SessionServices } from './services.ts'
import { appKeys, connectedApps, forkTokens, refreshTokens, sessions } from './tables.ts'

const maybeToken = v.object({ refresh_token: v.nullish(v.string()) })
type TokenCall = Call<v.InferOutput<typeof maybeToken>>

/** Sessions: refresh, logout, and one more session for the same person elsewhere. */
export const sessionFeature: Feature<SessionServices> = {
  tables: [sessions, refreshTokens, forkTokens, appKeys, connectedApps],
  sealedColumns: [
    {
      table: appKeys,
      field: 'sealedKey',
      column: appKeys.sealedKey,
      key: [appKeys.kid],
      sealedName: ({ kid = '' }) => appKeyName(kid),
    },
  ],
  async sweep(database, limits, now) {
    await deleteInBatches(database, forkTokens.expiresAt, now - limits.refreshGrace)
    // A token that is over may still be presented; without its row that is "unknown", which ends the same way.
    await deleteInBatches(database, refreshTokens.expiresAt, now)
    await deleteInBatches(database, sessions.endsAt, now)
    await deleteInBatches(database, connectedApps.lastUsedAt, now - limits.connectedAppLife)
  },
  start: (services) => ({
    routes(api) {
      sessionRoutes(api, services)
      ownSessionRoutes(api, services)
    },
  }),
}

function sessionRoutes(api: Hono<ServerEnv>, services: SessionServices): void {
  const { sessions, tokens } = services
  const presented = ({ c, app, body }: TokenCall) => presentedToken(c, app, body.refresh_token)

  /** The session that the token belongs to, before or after it rotated: a repetition may come with either. */
  async function actor(call: TokenCall): Promise<string | undefined> {
    const token = presented(call)
    return token && sessions.sessionOf(call.app.id, token.token)
  }

  /** A refusal that ends a session ends its cookie too. */
  async function endingCookie(
    { c, app }: TokenCall,
    inCookie: boolean,
    work: () => Promise<Reply>,
  ): Promise<Reply> {
    try {
      return await work()
    } catch (cause) {
      const over =
        cause instanceof Refusal && ['missing_or_invalid_token', 'already_logged_out'].includes(cause.code)
      if (!inCookie || !over) throw cause
      return { ...refusalReply(cause), setCookie: clearCookie(c, app) }
    }
  }
  const noToken = () => new Refusal('missing_or_invalid_token', 'The refresh token is missing.')

  api.post(
    '/api/v1/sessions',
    post(services, {
      body: maybeToken,
      actor,
      async handle(call) {
        const { c, app } = call
        const token = presented(call)
        // In cookie mode only the server knows whether there is a session: to ask is no mistake.
        if (!token && usesCookie(c)) return loggedOutReply
        if (!token) throw noToken()
        const inCookie = token.fromCookie || usesCookie(c)
        return endingCookie(call, inCookie, async () =>
          sessionReply(
            services,
            c,
            app,
            await sessions.refresh(app.id, token.token, appearanceOf(c, services)),
            { inCookie },
          ),
        )
      },
    }),
  )

  api.post(
    '/api/v1/sessions/logout',
    post(services, {
      body: maybeToken,
      async handle(call) {
        const { c, app } = call
        const token = presented(call)
        const inCookie = token?.fromCookie || usesCookie(c)
        return endingCookie(call, inCookie, async () => {
          const place = services.placeOf(c)
          if (token) await sessions.logout(app.id, { refreshToken: token.token }, place)
          else {
            // An access token alone is enough to end its session; doing so twice is not an error.
            const bearer = await readBearer(c, services, { expired: true })
            if (bearer && (await sessions.isActive(app.id, bearer)))
              await sessions.logout(app.id, { sessionId: bearer.sessionId }, place)
          }
          return { body: {}, setCookie: inCookie ? clearCookie(c, app) : undefined }
        })
      },
    }),
  )

  api.post(
    '/api/v1/sessions/fork',
    post(services, {
      body: maybeToken,
      actor,
      async handle(call) {
        const { c, app } = call
        const token = presented(call)
        if (!token) throw noToken()
        // A script of the page must not get a lasting login out of a cookie that it can't read.
        if (token.fromCookie || usesCookie(c))
          throw new Refusal(
            'approval_required',
            'A session in a cookie is continued elsewhere with an approval.',
          )
        const {
          forkToken,
          refreshToken,
          refreshUntil: _,
          ...bearer
        } = await sessions.fork(app.id, token.token)
        const user = await services.describeUser(app.id, bearer.userId)
        if (!user) throw new Refusal('missing_or_invalid_token', 'This user no longer exists.')
        const { accessToken } = await tokens.issue(app, bearer, user.identity)
        return {
          body: {
            token: accessToken,
            refresh_token: refreshToken,
            new_session_refresh_token: forkToken,
          },
        }
      },
    }),
  )

  api.post(
    '/api/v1/sessions/fork/recover',
    post(services, {
      body: v.object({ refresh_token: v.string() }),
      async handle({ c, app, body }) {
        const opened = await sessions.recover(app.id, body.refresh_token, appearanceOf(c, services))
        return sessionReply(services, c, app, opened, { inCookie: usesCookie(c) })
      },
    }),
  )
}

/** Where a person is logged in, and how they end that elsewhere. */
function ownSessionRoutes(api: Hono<ServerEnv>, services: SessionServices): void {
  const { sessions, sessionEnding } = services
  const nothing = v.strictObject({})

  api.get('/api/v1/users/me/sessions', async (c) => {
    const { userId, sessionId } = await requireBearer(c, services)
    const found = await sessions.of({ appId: c.get('app').id, userId })
    return c.json({
      sessions: found.map(({ id, name, place, createdAt, lastUsedAt }) => ({
        id,
        name,
        place,
        created_at: toSeconds(createdAt),
        last_used_at: toSeconds(lastUsedAt ?? createdAt),
        current: id === sessionId,
      })),
    })
  })
  api.post(
    '/api/v1/users/me/sessions/end_others',
    postAsUser(services, {
      body: nothing,
      async handle(call) {
        await sessionEnding.endOtherSessions(call)
        return { body: {} }
      },
    }),
  )
  api.post(
    '/api/v1/users/me/sessions/:id/end',
    postAsUser(services, {
      body: nothing,
      async handle(call) {
        await sessionEnding.endSession(call, call.c.req.param('id') ?? '')
        return { body: {} }
      },
    }),
  )
}
