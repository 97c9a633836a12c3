import { createSign } from 'node:crypto'
import { decodeProtectedHeader, type JWK, type JWTPayload, jwtVerify } from 'jose'
import { toSeconds } from '../lib/time.ts'
import type { App } from '../settings/app.ts'
import type { AppKeys } from './app-keys.ts'

/** What every token said before a deployment signed in its own name; clients of the protocol may still hold some. */
const FIRST_ISSUER = 'privy.io'

/** What a token is, in its header: whoever checks it sees that one kind is not another. */
const types = {
  /** The protocol's own check of access tokens wants this one; nothing else has it under an issuer of one's own. */
  access: 'JWT',
  second: 'api+jwt',
  identity: 'identity+jwt',
  crossApp: 'cross-app+jwt',
} as const

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Whom a token speaks for. */
export interface Bearer {
  sessionId: string
  userId: string
}
/** The app that a token of another app was issued to, and the user whom it names. */
export interface RequesterBearer {
  userId: string
  requester: string
  /** The id of its connection (connected-apps.ts), without which the token is over. */
  connection: string
  isExpired: boolean
}
/** What an identity token says of its user. */
export interface Identity {
  /** The accounts in their short form. */
  slimAccounts: readonly object[]
  customMetadata: object | null
  /** In Unix milliseconds. */
  createdAt: number
  isGuest: boolean
}
export interface Tokens {
  /** The three tokens of a session (docs/protocol.md), all with the app's life. */
  issue(
    app: App,
    bearer: Bearer,
    identity: Identity,
  ): Promise<{ accessToken: string; secondToken: string; identityToken: string }>
  identityToken(app: App, bearer: Bearer, identity: Identity): Promise<string>
  /**
   * What another app may show in the name of a user of this one: no access token, to nobody.
   * @param given.seconds how long it is good
   */
  issueForRequester(
    app: App,
    given: Omit<RequesterBearer, 'isExpired'> & { seconds: number },
  ): Promise<string>
  /**
   * Reads what {@link issueForRequester} has issued for a user of the app, also once it has expired: its requester is named all the same.
   * @returns `undefined` for anything else
   */
  readForRequester(app: App, token: string): Promise<RequesterBearer | undefined>
  /**
   * Reads an access token, or the second one, of the app.
   * @param options.expired `true` lets one pass whose time is over
   * @returns `undefined` for anything else, the identity token included
   */
  read(app: App, token: string, options?: { expired?: boolean }): Promise<Bearer | undefined>
  /** The public key that signs for the app now, as SPKI PEM (`verification_key`). */
  verificationKey(app: App): Promise<string>
  /** All public keys of the app whose tokens may still live, the one that signs now first. */
  keySet(app: App): Promise<{ keys: JWK[] }>
}

/**
 * Signs and reads the tokens, each app's with the app's own key.
 * @param issuedBy the public address of this API: who issues them, unless the app says otherwise, and the audience of
 *   the second one
 */
export function createTokens(keys: AppKeys, issuedBy: string, clock: () => number): Tokens {
  async function sign(app: App, typ: string, payload: JWTPayload): Promise<string> {
    const [{ kid, privateKey }] = await keys.of(app)
    // Node signs at once what the Web Crypto of the library hands to other threads: three tokens for each answer.
    const signed = `${encode({ alg: 'ES256', typ, kid })}.${encode(payload)}`
    const signature = createSign('sha256').update(signed).sign({ key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }

  const issuerOf = (app: App) => app.identity.issuer ?? issuedBy

  function claims(app: App, { sessionId, userId }: Bearer) {
    const iat = Math.floor(clock() / 1_000)
    return {
      sid: sessionId,
      sub: userId,
      iss: issuerOf(app),
      aud: app.id,
      iat,
      exp: iat + app.accessTokenLife,
    }
  }
  const identityToken: Tokens['identityToken'] = (app, bearer, identity) => {
    const { slimAccounts, customMetadata, createdAt, isGuest } = identity
    // Who issues in the name of the protocol's origin has backends that check for its one kind.
    const typ = issuerOf(app) === FIRST_ISSUER ? types.access : types.identity
    return sign(app, typ, {
      ...claims(app, bearer),
      cr: String(toSeconds(createdAt)),
      guest: isGuest ? 't' : 'f',
      linked_accounts: JSON.stringify(slimAccounts),
      ...(customMetadata && { custom_metadata: JSON.stringify(customMetadata) }),
    })
  }

  return {
    identityToken,
    async issue(app, bearer, identity) {
      const base = claims(app, bearer)
      const [accessToken, secondToken, signed] = await Promise.all([
        sign(app, types.access, base),
        // Another audience, so that nobody who checks the app's access tokens takes this one for one of them.
        sign(app, types.second, { ...base, aud: issuedBy, aid: app.id }),
        identityToken(app, bearer, identity),
      ])
      return { accessToken, secondToken, identityToken: signed }
    },
    issueForRequester(app, { userId, requester, connection, seconds }) {
      const iat = Math.floor(clock() / 1_000)
      const payload = {
        sub: userId,
        iss: issuerOf(app),
        aud: app.id,
        azp: requester,
        connection,
        iat,
        exp: iat + seconds,
      }
      return sign(app, types.crossApp, payload)
    },
    async readForRequester(app, token) {
      try {
        const { kid = '', typ } = decodeProtectedHeader(token)
        const key = await keys.find(app, kid)
        if (!key || typ !== types.crossApp) return undefined
        const { payload } = await jwtVerify(token, key.publicKey, {
          algorithms: ['ES256'],
          typ,
          issuer: [issuerOf(app), issuedBy, FIRST_ISSUER],
          audience: app.id,
          requiredClaims: ['exp', 'iat', 'sub'],
          currentDate: new Date(clock()),
          clockTolerance: Number.MAX_SAFE_INTEGER,
        })
        const { sub, azp, connection = '', iat = 0, exp = 0 } = payload
        if (key.until !== undefined && iat * 1_000 > key.until) return undefined
        if (!sub || typeof azp !== 'string' || typeof connection !== 'string') return undefined
        return { userId: sub, requester: azp, connection, isExpired: exp * 1_000 <= clock() }
      } catch {
        return undefined
      }
    },
    async read(app, token, { expired = false } = {}) {
      try {
        const { kid = '', typ } = decodeProtectedHeader(token)
        const key = await keys.find(app, kid)
        if (!key || (typ !== types.access && typ !== types.second)) return undefined
        const { payload } = await jwtVerify(token, key.publicKey, {
          algorithms: ['ES256'],
          typ,
          // The key is the app's own: a token that it has signed in another of these names was issued before the app changed it.
          issuer: [issuerOf(app), issuedBy, FIRST_ISSUER],
          requiredClaims: ['exp', 'iat', 'sub'],
          currentDate: new Date(clock()),
          clockTolerance: expired ? Number.MAX_SAFE_INTEGER : 0,
        })
        const { sid, sub, aid, aud, iat = 0 } = payload
        if (key.until !== undefined && iat * 1_000 > key.until) return undefined
        // Before kinds were told apart by their header, an identity token was known by what it says.
        if ('linked_accounts' in payload || (aid ?? aud) !== app.id) return undefined
        return typeof sid === 'string' && sub ? { sessionId: sid, userId: sub } : undefined
      } catch {
        return undefined
      }
    },
    async verificationKey(app) {
      const [{ publicKey }] = await keys.of(app)
      return publicKey.export({ type: 'spki', format: 'pem' }).toString()
    },
    async keySet(app) {
      const published = (await keys.of(app)).map(({ kid, publicKey }) => ({
        ...publicKey.export({ format: 'jwk' }),
        kid,
        alg: 'ES256',
        use: 'sig',
      }))
      return { keys: published }
    },
  }
}
