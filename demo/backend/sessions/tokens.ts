import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { decodeProtectedHeader, type JWK, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Secrets } from '../secrets/secrets.ts'
import type { App } from '../settings/app.ts'

const ISSUER = 'privy.io'

/** Whom a token speaks for. */
export interface Bearer {
  sessionId: string
  userId: string
}
export interface Tokens {
  /** The three tokens of a session (docs/protocol.md), all with the app's life. @param slimAccounts goes into the identity token */
  issue(
    app: App,
    bearer: Bearer,
    slimAccounts: readonly object[],
    customMetadata?: object | null,
  ): Promise<{ accessToken: string; secondToken: string; identityToken: string }>
  identityToken(
    app: App,
    bearer: Bearer,
    slimAccounts: readonly object[],
    customMetadata?: object | null,
  ): Promise<string>
  /**
   * What another app may show in the name of a user of this one: no access token, to nobody.
   * @param seconds how long it is good
   */
  issueForRequester(app: App, userId: string, requester: string, seconds: number): Promise<string>
  /**
   * Reads an access token, or the second one, of the app.
   * @param options.expired `true` lets one pass whose time is over
   * @returns `undefined` for anything else, the identity token included
   */
  read(app: App, token: string, options?: { expired?: boolean }): Promise<Bearer | undefined>
  /** The public key that signs now, as SPKI PEM (`verification_key`). */
  readonly verificationKey: string
  /** All public keys. */
  readonly keySet: { keys: JWK[] }
}

/**
 * Signs and reads the tokens. One key set serves all apps: the audience tells them apart.
 * @param issuedBy the public address of this API, the audience of the second token
 */
export function createTokens(secrets: Secrets, issuedBy: string, clock: () => number): Tokens {
  const keys = secrets.signingKeys.map((pem) => {
    const privateKey = createPrivateKey(pem)
    const publicKey = createPublicKey(privateKey)
    const kid = thumbprint(publicKey)
    return { kid, privateKey, publicKey }
  })
  const [current] = keys
  if (!current) throw new Error('There is no signing key')
  const signer = current
  const sign = (payload: JWTPayload) =>
    new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid: signer.kid })
      .sign(signer.privateKey)

  function claims(app: App, { sessionId, userId }: Bearer) {
    const iat = Math.floor(clock() / 1_000)
    return { sid: sessionId, sub: userId, iss: ISSUER, aud: app.id, iat, exp: iat + app.accessTokenLife }
  }
  const identityToken: Tokens['identityToken'] = (app, bearer, slimAccounts, customMetadata) =>
    sign({
      ...claims(app, bearer),
      linked_accounts: JSON.stringify(slimAccounts),
      ...(customMetadata && { custom_metadata: JSON.stringify(customMetadata) }),
    })

  return {
    identityToken,
    async issue(app, bearer, slimAccounts, customMetadata) {
      const base = claims(app, bearer)
      const [accessToken, secondToken, identity] = await Promise.all([
        sign(base),
        // Another audience, so that nobody who checks the app's access tokens takes this one for one of them.
        sign({ ...base, aud: issuedBy, aid: app.id }),
        identityToken(app, bearer, slimAccounts, customMetadata),
      ])
      return { accessToken, secondToken, identityToken: identity }
    },
    issueForRequester(app, userId, requester, seconds) {
      const iat = Math.floor(clock() / 1_000)
      return new SignJWT({ sub: userId, iss: ISSUER, aud: app.id, azp: requester, iat, exp: iat + seconds })
        .setProtectedHeader({ alg: 'ES256', typ: 'cross-app+jwt', kid: signer.kid })
        .sign(signer.privateKey)
    },
    async read(app, token, { expired = false } = {}) {
      try {
        const { kid } = decodeProtectedHeader(token)
        const key = keys.find((known) => known.kid === kid)
        if (!key) return undefined
        const { payload } = await jwtVerify(token, key.publicKey, {
          algorithms: ['ES256'],
          typ: 'JWT',
          issuer: ISSUER,
          requiredClaims: ['exp', 'sub'],
          currentDate: new Date(clock()),
          clockTolerance: expired ? Number.MAX_SAFE_INTEGER : 0,
        })
        const { sid, sub, aid, aud } = payload
        if ('linked_accounts' in payload || (aid ?? aud) !== app.id) return undefined
        return typeof sid === 'string' && sub ? { sessionId: sid, userId: sub } : undefined
      } catch {
        return undefined
      }
    },
    verificationKey: signer.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    keySet: {
      keys: keys.map(({ kid, publicKey }) => ({
        ...publicKey.export({ format: 'jwk' }),
        ...{ kid, alg: 'ES256', use: 'sig' },
      })),
    },
  }
}

/** RFC 7638. */
function thumbprint(key: KeyObject): string {
  const { crv, kty, x, y } = key.export({ format: 'jwk' })
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}
