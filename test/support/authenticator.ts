/** An authenticator in software: it makes passkeys and signs with them as a real one does, or wrongly where a test says so. */

/** What the server asks for, in the wire's shapes. */
interface EnrollOptions {
  readonly challenge: string
  readonly rp: { readonly id: string }
  readonly user: { readonly id: string }
  readonly exclude_credentials?: readonly { readonly id: string }[]
}
interface VerifyOptions {
  readonly challenge: string
  readonly rp_id: string
}

/** What shall be other than it ought to be. */
export interface Change {
  /** Over the fields of the client data. */
  clientData?: Record<string, unknown>
  /** The client data as a whole. */
  clientText?: string
  rpId?: string
  /** The flags after this. */
  flags?: (right: number) => number
  /** The counter that is signed. */
  counter?: number
  userHandle?: string | undefined
  /** The authenticator data after this, before it is signed. */
  data?: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  /** The signature after this. */
  signature?: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
  /** Over the fields of the whole response. */
  response?: Record<string, unknown>
  /** Registers under this id. */
  id?: string
  /** How the attestation calls itself, and what it states. */
  attestation?: { fmt: string; attStmt: ReadonlyMap<string, Cbor> }
}
export type Algorithm = 'ES256' | 'ES384' | 'RS256' | 'EdDSA'
type Cbor = number | string | Uint8Array | ReadonlyMap<string | number, Cbor>

export const flagUP = 0x01
export const flagUV = 0x04
export const flagBE = 0x08
export const flagBS = 0x10
export const flagAT = 0x40
export const flagED = 0x80

interface Passkey {
  readonly id: string
  readonly rpId: string
  readonly userHandle: string
  readonly keys: CryptoKeyPair
}

export function createAuthenticator({
  algorithm = 'ES256',
  aaguid = '00000000-0000-0000-0000-000000000000',
  counts = true,
}: {
  algorithm?: Algorithm
  aaguid?: string
  counts?: boolean
} = {}) {
  const passkeys: Passkey[] = []
  const { make, sign, cose } = algorithms[algorithm]
  let counter = counts ? 1 : 0

  function clientData(
    type: string,
    challenge: string,
    origin: string,
    { clientData: other, clientText }: Change,
  ) {
    const fields = { type, challenge, origin, crossOrigin: false, ...other }
    return bytesOf(clientText ?? JSON.stringify(fields))
  }
  async function authenticatorData(rpId: string, flags: number, change: Change, rest = new Uint8Array()) {
    const counted = new Uint8Array(4)
    new DataView(counted.buffer).setUint32(0, change.counter ?? counter)
    const flagged = Uint8Array.of(change.flags?.(flags) ?? flags)
    const data = join(await sha256(bytesOf(change.rpId ?? rpId)), flagged, counted, rest)
    return change.data?.(data) ?? data
  }

  return {
    passkeys,
    /** Makes a passkey. The answer is the wire's EnrollResponse. */
    async register(options: EnrollOptions, origin: string, change: Change = {}) {
      const keys = (await make()) as CryptoKeyPair
      const id = change.id ?? newCredentialId()
      passkeys.push({ id, rpId: options.rp.id, userHandle: options.user.id, keys })
      const client = clientData('webauthn.create', options.challenge, origin, change)
      const rawId = fromText(id)
      const attested = join(
        fromHex(aaguid.replaceAll('-', '')),
        Uint8Array.of(rawId.length >> 8, rawId.length & 255),
        rawId,
        cbor(await cose(keys.publicKey)),
      )
      const flags = flagUP | flagUV | flagBE | flagBS | flagAT
      const authData = await authenticatorData(options.rp.id, flags, change, attested)
      const { fmt, attStmt } = change.attestation ?? { fmt: 'none', attStmt: new Map() }
      const attestation = new Map<string, Cbor>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ])
      return {
        id,
        raw_id: id,
        type: 'public-key',
        response: {
          client_data_json: text(client),
          attestation_object: text(cbor(attestation)),
          transports: ['internal', 'hybrid'],
        },
        authenticator_attachment: 'platform',
        client_extension_results: {},
        ...change.response,
      }
    },
    /** Signs with a passkey, the last one made without another choice. The answer is the wire's VerifyResponse. */
    async login(options: VerifyOptions, origin: string, change: Change = {}, passkey = passkeys.at(-1)) {
      if (!passkey) throw new Error('There is no passkey')
      if (counts) counter++
      const client = clientData('webauthn.get', options.challenge, origin, change)
      const flags = flagUP | flagUV | flagBE | flagBS
      const data = await authenticatorData(options.rp_id, flags, change)
      const signature = await sign(passkey.keys.privateKey, join(data, await sha256(client)))
      const userHandle = 'userHandle' in change ? change.userHandle : passkey.userHandle
      return {
        id: passkey.id,
        raw_id: passkey.id,
        type: 'public-key',
        response: {
          client_data_json: text(client),
          authenticator_data: text(data),
          signature: text(change.signature?.(signature) ?? signature),
          ...(userHandle !== undefined && { user_handle: userHandle }),
        },
        authenticator_attachment: 'platform',
        client_extension_results: {},
        ...change.response,
      }
    },
  }
}

/** An id that no credential has yet. */
export const newCredentialId = () => text(crypto.getRandomValues(new Uint8Array(32)))

const subtle = crypto.subtle
const usage: KeyUsage[] = ['sign', 'verify']
const raw = async (key: CryptoKey) => new Uint8Array(await subtle.exportKey('raw', key))
const elliptic = (namedCurve: string, hash: string, alg: number, crv: number, size: number) => ({
  make: () => subtle.generateKey({ name: 'ECDSA', namedCurve }, true, usage),
  sign: async (key: CryptoKey, data: Uint8Array<ArrayBuffer>) =>
    der(new Uint8Array(await subtle.sign({ name: 'ECDSA', hash }, key, data))),
  async cose(key: CryptoKey): Promise<ReadonlyMap<number, Cbor>> {
    const point = await raw(key)
    return new Map<number, Cbor>([
      ...([
        [1, 2],
        [3, alg],
        [-1, crv],
      ] as const),
      [-2, point.slice(1, 1 + size)],
      [-3, point.slice(1 + size)],
    ])
  },
})
const algorithms = {
  ES256: elliptic('P-256', 'SHA-256', -7, 1, 32),
  ES384: elliptic('P-384', 'SHA-384', -35, 2, 48),
  RS256: {
    make: () =>
      subtle.generateKey(
        {
          name: 'RSASSA-PKCS1-v1_5',
          modulusLength: 2048,
          publicExponent: Uint8Array.of(1, 0, 1),
          hash: 'SHA-256',
        },
        true,
        usage,
      ),
    sign: async (key: CryptoKey, data: Uint8Array<ArrayBuffer>) =>
      new Uint8Array(await subtle.sign('RSASSA-PKCS1-v1_5', key, data)),
    async cose(key: CryptoKey): Promise<ReadonlyMap<number, Cbor>> {
      const { n = '', e = '' } = await subtle.exportKey('jwk', key)
      return new Map<number, Cbor>([
        ...([
          [1, 3],
          [3, -257],
        ] as const),
        [-1, fromText(n)],
        [-2, fromText(e)],
      ])
    },
  },
  EdDSA: {
    make: () => subtle.generateKey('Ed25519', true, usage),
    sign: async (key: CryptoKey, data: Uint8Array<ArrayBuffer>) =>
      new Uint8Array(await subtle.sign('Ed25519', key, data)),
    cose: async (key: CryptoKey): Promise<ReadonlyMap<number, Cbor>> =>
      new Map<number, Cbor>([
        ...([
          [1, 1],
          [3, -8],
          [-1, 6],
        ] as const),
        [-2, await raw(key)],
      ]),
  },
}

/** RFC 8949, as much of it as WebAuthn needs. */
function cbor(value: Cbor): Uint8Array<ArrayBuffer> {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return join(head(3, bytesOf(value).length), bytesOf(value))
  if (value instanceof Uint8Array) return join(head(2, value.length), value)
  const entries = [...value].flatMap(([key, entry]) => [cbor(key), cbor(entry)])
  return join(head(5, value.size), ...entries)
}
function head(major: number, count: number): Uint8Array<ArrayBuffer> {
  const kind = major << 5
  if (count < 24) return Uint8Array.of(kind | count)
  if (count < 256) return Uint8Array.of(kind | 24, count)
  return Uint8Array.of(kind | 25, count >> 8, count & 255)
}

/** The two halves of a signature as WebAuthn wants them (ASN.1). */
function der(signature: Uint8Array): Uint8Array<ArrayBuffer> {
  const half = signature.length / 2
  const integer = (bytes: Uint8Array) => {
    const first = bytes.findIndex((byte) => byte !== 0)
    const short = bytes.slice(first)
    const positive = (short[0] ?? 0) > 127 ? join(Uint8Array.of(0), short) : short
    return join(Uint8Array.of(2, positive.length), positive)
  }
  const both = join(integer(signature.slice(0, half)), integer(signature.slice(half)))
  return join(Uint8Array.of(0x30, both.length), both)
}

export const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
export const fromText = (value: string) => new Uint8Array(Buffer.from(value, 'base64url'))
const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const bytesOf = (value: string) => new TextEncoder().encode(value) as Uint8Array<ArrayBuffer>
const sha256 = async (data: Uint8Array<ArrayBuffer>) => new Uint8Array(await subtle.digest('SHA-256', data))
function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}
