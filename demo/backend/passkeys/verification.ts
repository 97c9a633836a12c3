import { createPublicKey } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

/** COSE numbers of what we take: ES256, EdDSA (Ed25519), RS256; the one we like best first. */
export const passkeyAlgorithms = [-7, -8, -257]

/** What a ceremony was begun with, and what its result must say. */
export interface Expected {
  challenge: string
  /** The page, exactly: scheme, host and port. */
  origin: string
  rpId: string
  /**
   * Whether the page may have been in a frame of that other page. Browsers that don't say whose frame it was give
   * `undefined`. Without this function no frame of another origin is accepted.
   */
  framedBy?: (topOrigin: string | undefined) => boolean
  /** `false`: being there is enough (second factors); else the authenticator must have verified who it is. */
  userVerification?: boolean
}
export interface Credential {
  /** Base64url without padding. */
  id: string
  /** COSE key, base64url. */
  publicKey: string
  counter: number
}
export interface NewCredential extends Credential {
  /** The make of the authenticator; zeros where it doesn't say. */
  aaguid: string
  transports: string[]
}

/** Why a result was not believed. For tests and logs; callers learn nothing of it. */
export class PasskeyError extends Error {
  override name = 'PasskeyError'
}

/**
 * Attestation is neither asked for nor trusted. A statement that can be checked by itself must be right; one that says
 * only who made the authenticator, by certificates that nobody trusts here, is passed over.
 */
const selfContained: ReadonlySet<string> = new Set(['none', 'packed'])

const library = () => (loaded ??= load())
let loaded: ReturnType<typeof load> | undefined
/** Takes about a second the first time: loaded when the first ceremony begins, not with the server. */
async function load() {
  const [server, { decodeAttestationObject, decodeCredentialPublicKey, isoBase64URL, isoCBOR }] =
    await Promise.all([import('@simplewebauthn/server'), import('@simplewebauthn/server/helpers')])

  function withoutAttestation(attestationObject: string): string {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
    if (selfContained.has(decoded.get('fmt'))) return attestationObject
    const bare = new Map<string, string | Uint8Array | Map<never, never>>([
      ['fmt', 'none'],
      ['attStmt', new Map<never, never>()],
      ['authData', decoded.get('authData')],
    ])
    return isoBase64URL.fromBuffer(isoCBOR.encode(bare))
  }

  /** Nothing is signed with a new key yet: it is looked at here, or fails each login to come. */
  function isUsable(publicKey: Uint8Array<ArrayBuffer>): boolean {
    const key = decodeCredentialPublicKey(publicKey) as unknown as ReadonlyMap<number, unknown>
    const part = (label: number) => {
      const value = key.get(label)
      return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : value
    }
    const named = `${part(1)} ${part(3)}`
    const jwk =
      named === '2 -7' && part(-1) === 1
        ? { kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) }
        : named === '1 -8' && part(-1) === 6
          ? { kty: 'OKP', crv: 'Ed25519', x: part(-2) }
          : named === '3 -257'
            ? { kty: 'RSA', n: part(-1), e: part(-2) }
            : undefined
    if (!jwk) return false
    const { asymmetricKeyDetails: details } = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    return jwk.kty !== 'RSA' || (details?.modulusLength ?? 0) >= 2048
  }
  return { ...server, withoutAttestation, isUsable }
}
/** Loads what verifies, so that nobody waits for it inside a transaction. */
export const loadVerifier = async (): Promise<void> => void (await library())

/** Reads the challenge that a result claims to answer; `undefined` when it can't be read. Proves nothing. */
export function challengeOf(clientDataJSON: string): string | undefined {
  const { challenge } = readClientData(clientDataJSON) ?? {}
  return typeof challenge === 'string' ? challenge : undefined
}

/** The new credential of a registration. @throws PasskeyError if anything is wrong with it */
export async function verifyAttestation(
  response: RegistrationResponseJSON,
  expected: Expected,
): Promise<NewCredential> {
  const { verifyRegistrationResponse, withoutAttestation, isUsable } = await library()
  checkFrame(response.response.clientDataJSON, expected)
  const { registrationInfo } = await orPasskeyError(async () =>
    verifyRegistrationResponse({
      response: {
        ...response,
        response: {
          ...response.response,
          attestationObject: withoutAttestation(response.response.attestationObject),
        },
      },
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: expected.userVerification ?? true,
      supportedAlgorithmIDs: passkeyAlgorithms,
    }),
  )
  if (!registrationInfo) throw new PasskeyError('the attestation is not right')
  const { aaguid, credential } = registrationInfo
  // The library takes the id out of the signed data and never looks whether the response names the same.
  if (credential.id !== response.id) throw new PasskeyError('another credential id')
  if (!(await orPasskeyError(async () => isUsable(credential.publicKey))))
    throw new PasskeyError('no usable key')
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    aaguid,
    transports: credential.transports ?? [],
  }
}

/** The counter after a login with a known credential. @throws PasskeyError if anything is wrong with it */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  expected: Expected,
  credential: Credential,
): Promise<{ counter: number }> {
  const { verifyAuthenticationResponse } = await library()
  if (response.id !== credential.id) throw new PasskeyError('another credential id')
  const topOrigin = checkFrame(response.response.clientDataJSON, expected)
  const { verified, authenticationInfo } = await orPasskeyError(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      ...(topOrigin !== undefined && { expectedTopOrigin: topOrigin }),
      requireUserVerification: expected.userVerification ?? true,
      credential: {
        id: credential.id,
        publicKey: new Uint8Array(Buffer.from(credential.publicKey, 'base64url')),
        // Each device of a synced passkey counts by itself, so that only a key of one device tells a copy by its counter.
        counter: isBackedUp(response.response.authenticatorData) ? BELOW_ALL : credential.counter,
      },
    }),
  )
  if (!verified) throw new PasskeyError('the signature is not right')
  return { counter: authenticationInfo.newCounter }
}

/** Whether the signed flags of an authenticator say that the key may be, or is, on more than one device. */
const isBackedUp = (authenticatorData: string): boolean => {
  const flags = Buffer.from(authenticatorData, 'base64url')[32] ?? 0
  return (flags & (BACKUP_ELIGIBLE | BACKED_UP)) !== 0
}
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10
/** Every counter that an authenticator can sign is higher. */
const BELOW_ALL = -1

/** The library looks at frames of other pages in logins only, and takes those that aren't named for granted. */
function checkFrame(clientDataJSON: string, { framedBy }: Expected): string | undefined {
  const { crossOrigin = false, topOrigin } = readClientData(clientDataJSON) ?? {}
  if (typeof crossOrigin !== 'boolean') throw new PasskeyError('crossOrigin is not a boolean')
  if (topOrigin !== undefined && (typeof topOrigin !== 'string' || !crossOrigin))
    throw new PasskeyError('topOrigin does not fit')
  if (crossOrigin && !framedBy?.(topOrigin)) throw new PasskeyError('in a frame of another page')
  return topOrigin
}

function readClientData(encoded: string): Record<string, unknown> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64url'))
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null ? { ...data } : undefined
  } catch {
    return undefined
  }
}

async function orPasskeyError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new PasskeyError(cause instanceof Error ? cause.message : 'not readable', { cause })
  }
}
