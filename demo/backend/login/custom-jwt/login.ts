import {
  type CryptoKey,
  errors,
  importSPKI,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import type { Prove } from '../../accounts/accounts.ts'
import { emailListed, normaliseEmail } from '../../lib/email-address.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createKeySets, type KeySets } from '../../outside/key-sets.ts'
import type { App } from '../../settings/app.ts'
import type { Limits } from '../../settings/limits.ts'
import { LONGEST_CUSTOM_ID } from '../../users/account.ts'

/** Characters in a token: more than any login needs. */
const LONGEST_TOKEN = 16_384

export interface CustomLogin {
  /**
   * What lets in whom the token names.
   * @throws Refusal for a token that is not good; Unavailable while the app's keys can't be had
   */
  prove(app: App, token: string): Promise<Prove>
}
type Settings = NonNullable<App['customJwt']>

/** Login with a token of the app's own: the settings say how it is checked, never the token. */
export function createCustomLogin(deps: { limits: Limits; clock: () => number }): CustomLogin {
  const { limits, clock } = deps
  const keySets = createKeySets({ limits, clock })

  return {
    async prove(app, token) {
      if (!app.customJwt)
        throw new Refusal('disallowed_login_method', 'This app has no login method of its own here.')
      if (token.length > LONGEST_TOKEN) throw refused()
      const payload = await check(app.customJwt, token)
      const subject = readSubject(app.customJwt, payload)
      if (app.allowlist && !emailListed(emailOf(payload), app.allowlist.emails))
        throw new Refusal('allowlist_rejected', 'This user may not log in to this app.')
      return async () => ({ type: 'custom', subject, details: {} })
    },
  }

  async function check(settings: Settings, token: string): Promise<JWTPayload> {
    const { algorithms, issuer, audience, subjectClaim } = settings
    const now = clock()
    const options: JWTVerifyOptions = {
      algorithms,
      issuer,
      audience,
      requiredClaims: ['exp', subjectClaim],
      currentDate: new Date(now),
      clockTolerance: limits.clockSkew / 1_000,
    }
    const payload = await verify(settings, keySets, token, options)
    if (payload.iat !== undefined && payload.iat * 1_000 > now + limits.clockSkew) throw refused()
    return payload
  }
}

async function verify(
  { jwksUrl, publicKey }: Settings,
  keySets: KeySets,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  const keyOf: JWTVerifyGetKey = publicKey
    ? ({ alg }) => pemKey(publicKey, alg)
    : keySets.keyOf(jwksUrl ?? '')
  try {
    return (await jwtVerify(token, keyOf, options)).payload
  } catch (cause) {
    if (cause instanceof errors.JOSEError || cause instanceof TypeError) throw refused(cause)
    throw cause
  }
}

/** A PEM key does not say what it is for: it is read for the algorithm, which is one of the settings' by then. */
async function pemKey(pem: string, algorithm = ''): Promise<CryptoKey> {
  try {
    return await importSPKI(pem, algorithm)
  } catch (cause) {
    throw refused(cause)
  }
}

/** The address that the app's own login vouches for, if it names one. */
const emailOf = ({ email, email_verified: verified }: JWTPayload): string =>
  (typeof email === 'string' && verified !== false && normaliseEmail(email)) || ''

function readSubject({ subjectClaim }: Settings, payload: JWTPayload): string {
  const subject = Object.hasOwn(payload, subjectClaim) ? payload[subjectClaim] : undefined
  if (typeof subject !== 'string' || subject === '' || subject.length > LONGEST_CUSTOM_ID) throw refused()
  return subject
}

/** One answer for every reason, so that nobody learns which part of a forgery was wrong. */
const refused = (cause?: unknown) =>
  Object.assign(new Refusal('invalid_credentials', 'This login is not valid.', { status: 401 }), { cause })
