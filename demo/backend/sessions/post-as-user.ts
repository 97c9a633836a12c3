import type { Handler } from 'hono'
import { parseBody, readBody } from '../http/body.ts'
import { requireVault } from '../http/origins.ts'
import { type Call, type PostOptions, performPost } from '../http/post.ts'
import type { ServerEnv } from '../http/services.ts'
import { requireBearer } from './bearer.ts'
import type { SessionServices } from './services.ts'
import type { Bearer } from './tokens.ts'

/** What a handler of a POST gets that needs an access token. */
export type AuthorisedCall<Body> = Call<Body> & { bearer: Bearer }

/** A POST that needs a valid access token of the app. */
export function postAsUser<Body>(
  services: SessionServices,
  options: PostOptions<Body, AuthorisedCall<Body>>,
): Handler<ServerEnv> {
  return async (c) => {
    if (options.fromVault) requireVault(c, services)
    // Before anything is kept: a token that ran out is renewed, and the very same request comes again.
    const bearer = await requireBearer(c, services)
    const bytes = await readBody(c)
    const call = { c, app: c.get('app'), body: parseBody(bytes, options.body), bearer }
    return performPost(services, options, call, bytes, bearer.userId)
  }
}
