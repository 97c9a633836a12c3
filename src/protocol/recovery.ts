/** Access to a person's own drive, in which a wallet's recovery secret may be. */
import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { webAddress } from './oauth.ts'
import { parseOptional, requiredText } from './schema.ts'

const driveToken = v.pipe(
  v.object({ access_token: requiredText }),
  v.transform((answer) => answer.access_token),
)
interface StartBody {
  redirect_to: string
  state_code: string
  code_challenge: string
}
interface FinishBody {
  authorization_code: string
  state_code: string
  code_verifier: string
  provider: 'google-drive'
}
const googleStart: Endpoint<StartBody, string> = {
  method: 'POST',
  path: '/api/v1/recovery/oauth/init',
  answer: webAddress,
}
const icloudStart: Endpoint<{ client_type: 'web' }, string> = {
  method: 'POST',
  path: '/api/v1/recovery/oauth/init_icloud',
  answer: webAddress,
}
const googleFinish: Endpoint<FinishBody, string> = {
  method: 'POST',
  path: '/api/v1/recovery/oauth/authenticate',
  answer: driveToken,
}

/**
 * `POST /recovery/oauth/init`: resolves with the address where a person grants access to their Google Drive. Throws what
 * {@link Http.call} throws.
 */
export const startGoogleDrive = (
  http: Http,
  { redirectTo, state, challenge }: { redirectTo: string; state: string; challenge: string },
  options?: CallOptions,
): Promise<string> =>
  http.call(googleStart, { redirect_to: redirectTo, state_code: state, code_challenge: challenge }, options)

/**
 * `POST /recovery/oauth/init_icloud`: resolves with the address where a person grants access to their iCloud. Throws what
 * {@link Http.call} throws.
 */
export const startIcloud = (http: Http, options?: CallOptions): Promise<string> =>
  http.call(icloudStart, { client_type: 'web' }, options)

/**
 * `POST /recovery/oauth/authenticate`: resolves with a token for the person's Google Drive. Throws what
 * {@link Http.call} throws.
 */
export const finishGoogleDrive = (
  http: Http,
  { code, state, verifier }: { code: string; state: string; verifier: string },
  options?: CallOptions,
): Promise<string> =>
  http.call(
    googleFinish,
    {
      authorization_code: code,
      state_code: state,
      code_verifier: verifier,
      provider: 'google-drive',
    },
    options,
  )

const icloudMessage = v.union([
  v.pipe(
    v.object({ ckSession: requiredText }),
    v.transform(({ ckSession }) => ({ token: ckSession })),
  ),
  v.pipe(
    v.object({ errorMessage: v.string() }),
    v.transform(() => 'failed' as const),
  ),
])

/** What iCloud's window says: its token, 'failed', or `undefined` for another message. Never throws. */
export const readIcloudMessage = (data: unknown): { token: string } | 'failed' | undefined =>
  parseOptional(icloudMessage, data)
