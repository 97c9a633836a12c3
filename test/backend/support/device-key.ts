import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** What a proof says of one call. */
export interface ProofOf {
  htm: string
  htu: string
  /** Unix milliseconds. */
  at: number
  token?: string | undefined
  nonce?: string | undefined
}

/** The key that the vault keeps in a browser. */
export class DeviceKey {
  readonly jwk: Record<string, string>
  readonly thumbprint: string
  private readonly privateKey

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.privateKey = privateKey
    this.jwk = { kty, crv, x, y }
    this.thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
  }

  /** A signature of a statement, as it stands in `device_proof`. */
  sign(text: string): string {
    return sign('sha256', Buffer.from(text), { key: this.privateKey, dsaEncoding: 'ieee-p1363' }).toString(
      'base64url',
    )
  }

  /** A proof (RFC 9449). @param changed claims and fields of the header that are other than they should be */
  proof(of: ProofOf, changed: { claims?: object; header?: object } = {}): string {
    const { htm, htu, at, token, nonce } = of
    const claims = {
      htm,
      htu,
      iat: Math.floor(at / 1_000),
      jti: randomUUID(),
      ...(token && { ath: createHash('sha256').update(token).digest('base64url') }),
      ...(nonce && { nonce }),
      ...changed.claims,
    }
    const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: this.jwk, ...changed.header }
    const text = `${encode(header)}.${encode(claims)}`
    return `${text}.${this.sign(text)}`
  }
}
