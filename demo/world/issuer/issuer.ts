import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as v from 'valibot'

const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(64))

/** What the receiver of a token expects of it. */
export interface Issued {
  issuer: string
  audience: string
  jwksUrl: string
}

/**
 * A minimal version of an app's own login: a key set, and a token for any name.
 * @param options.base where it is mounted, such as `http://localhost:4805/issuer`
 */
export async function createIssuer({ base, now = Date.now }: { base: string; now?: () => number }) {
  const expected: Issued = { issuer: base, audience: 'latchkey-demo', jwksUrl: `${base}/jwks.json` }
  let key = await newKey()

  async function newKey() {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwk = await exportJWK(publicKey)
    const kid = createHash('sha256').update(JSON.stringify(jwk)).digest('base64url').slice(0, 12)
    return { privateKey, jwk: { ...jwk, alg: 'ES256', use: 'sig', kid } }
  }

  /** A token for a person, the same one for the same name. @param life seconds */
  function tokenFor(person: string, life = 3_600): Promise<string> {
    const at = Math.floor(now() / 1_000)
    return new SignJWT({ name: person })
      .setProtectedHeader({ alg: 'ES256', kid: key.jwk.kid, typ: 'JWT' })
      .setSubject(`person-${person.toLowerCase().replace(/\s+/g, '-')}`)
      .setIssuer(expected.issuer)
      .setAudience(expected.audience)
      .setIssuedAt(at)
      .setExpirationTime(at + life)
      .sign(key.privateKey)
  }

  const app = new Hono()
  app.use(cors({ origin: (origin) => (/^http:\/\/(.+\.)?localhost(:\d+)?$/.test(origin) ? origin : '') }))
  app.get('/jwks.json', (c) => c.json({ keys: [key.jwk] }))
  app.post('/token', async (c) => {
    const body = v.safeParse(v.object({ name }), await c.req.json().catch(() => undefined))
    return body.success
      ? c.json({ token: await tokenFor(body.output.name) })
      : c.json({ error: 'A name is needed' }, 400)
  })
  return {
    app,
    expected,
    tokenFor,
    /** Signs with another key from now on; the former one is gone from the set. */
    async rotate() {
      key = await newKey()
    },
  }
}
