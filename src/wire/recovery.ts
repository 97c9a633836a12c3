import * as v from 'valibot'
import { reader } from './decode.ts'
import { fieldsOf } from './failure.ts'
import type { CallOptions, Http } from './http.ts'
import { webAddress } from './oauth.ts'

const driveToken = reader(
  v.pipe(
    v.object({ access_token: v.pipe(v.string(), v.minLength(1)) }),
    v.transform((answer) => answer.access_token),
  ),
)

/** Where a person grants access to their Google Drive. Wire 2.13. */
export const startGoogleDrive = (
  http: Http,
  start: { redirectTo: string; state: string; challenge: string },
  options?: CallOptions,
): Promise<string> =>
  http.call(
    { method: 'POST', path: '/api/v1/recovery/oauth/init', answer: webAddress },
    { redirect_to: start.redirectTo, state_code: start.state, code_challenge: start.challenge },
    options,
  )

/** Where a person grants access to their iCloud. Wire 2.13. */
export const startIcloud = (http: Http, options?: CallOptions): Promise<string> =>
  http.call(
    { method: 'POST', path: '/api/v1/recovery/oauth/init_icloud', answer: webAddress },
    { client_type: 'web' },
    options,
  )

/** Resolves with a token for the person's Google Drive. Wire 2.13. */
export const finishGoogleDrive = (
  http: Http,
  finish: { code: string; state: string; verifier: string },
  options?: CallOptions,
): Promise<string> =>
  http.call(
    { method: 'POST', path: '/api/v1/recovery/oauth/authenticate', answer: driveToken },
    {
      authorization_code: finish.code,
      state_code: finish.state,
      code_verifier: finish.verifier,
      provider: 'google-drive',
    },
    options,
  )

/** Wire 6.2: the window of iCloud says it all by itself. Gives its token, 'failed', or `undefined` for another message. */
export function readIcloudMessage(data: unknown): { token: string } | 'failed' | undefined {
  const { ckSession, errorMessage } = fieldsOf(data)
  if (typeof ckSession === 'string' && ckSession !== '') return { token: ckSession }
  return typeof errorMessage === 'string' ? 'failed' : undefined
}
