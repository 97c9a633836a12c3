import {
  type Expected,
  passkeyAlgorithms,
  verifyAssertion,
  verifyAttestation,
} from '../../../demo/backend/passkeys/verification.ts'
import { fromHex, read, refused, type Suite, same } from './suite.ts'

interface Vector {
  readonly id: string
  readonly rpId: string
  readonly origin: string
  readonly topOrigin: string
  readonly registration?: {
    readonly challenge: string
    readonly credential_id: string
    readonly clientDataJSON: string
    readonly attestationObject: string
  }
  readonly authentication?: {
    readonly challenge: string
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

const text = (hex: string) => Buffer.from(fromHex(hex)).toString('base64url')
const USER_VERIFIED = 0x04

/** What the registration of each vector made. */
async function registered(
  vector: Vector,
  registration: NonNullable<Vector['registration']>,
  how: Partial<Expected>,
) {
  const id = text(registration.credential_id)
  return verifyAttestation(
    {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(registration.clientDataJSON),
        attestationObject: text(registration.attestationObject),
      },
    },
    { challenge: text(registration.challenge), origin: vector.origin, rpId: vector.rpId, ...how },
  )
}

/** The numbers of COSE for keys that we don't take. */
const outside = /es384|es512|ed448/

export const webauthn: Suite = {
  name: 'WebAuthn by the functions that the passkey routes use',
  async run(load) {
    const { vectors } = await read<{ vectors: Vector[] }>(load, 'webauthn/w3c-webauthn-l3-vectors.json')
    const count = { registrations: 0, authentications: 0, strict: 0, forged: 0 }
    const others: string[] = []
    for (const vector of vectors) {
      const { id, registration, authentication, rpId, origin, topOrigin } = vector
      if (!registration || !authentication) continue
      const framedBy = (top: string | undefined) => top === undefined || top === topOrigin
      const lenient = { framedBy, userVerification: false }
      if (outside.test(id)) {
        await refused(() => registered(vector, registration, lenient), `${id}: an algorithm that is not ours`)
        others.push(id.replace('sctn-test-vectors-packed-', ''))
        continue
      }
      const credential = await registered(vector, registration, lenient)
      same(credential.id, text(registration.credential_id), id)
      count.registrations++

      const response = (
        change: Partial<Record<'clientDataJSON' | 'authenticatorData' | 'signature', string>>,
      ) => ({
        id: credential.id,
        rawId: credential.id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(authentication.clientDataJSON),
          authenticatorData: text(authentication.authenticatorData),
          signature: text(authentication.signature),
          ...change,
        },
      })
      const expected = { challenge: text(authentication.challenge), origin, rpId, ...lenient }
      await verifyAssertion(response({}), expected, credential)
      count.authentications++

      const other = fromHex(authentication.authenticatorData)
      other[36] = (other[36] ?? 0) + 1
      const counted = Buffer.from(other).toString('base64url')
      await refused(
        () => verifyAssertion(response({ authenticatorData: counted }), expected, credential),
        `${id}: a counter that nobody signed`,
      )
      await refused(
        () =>
          verifyAssertion(response({}), { ...expected, challenge: text(registration.challenge) }, credential),
        `${id}: the challenge of the registration`,
      )
      count.forged += 2

      // As the routes go about it: who it is must have been verified, and nobody unknown may frame the page.
      const verified = ((fromHex(authentication.authenticatorData)[32] ?? 0) & USER_VERIFIED) !== 0
      const framed = /crossOrigin|topOrigin/.test(id)
      const strict = () =>
        verifyAssertion(
          response({}),
          { ...expected, framedBy: () => false, userVerification: true },
          credential,
        )
      if (verified && !framed) await strict()
      else await refused(strict, `${id}: ${framed ? 'in a frame of another page' : 'without verification'}`)
      count.strict++
    }
    same(count.registrations + others.length, 15, 'registrations')
    return `WebAuthn: ${count.registrations} registrations and ${count.authentications} authentications verified (algorithms ${passkeyAlgorithms.join(', ')}), ${others.join(', ')} refused as they are not ours, ${count.forged} forged ones refused, ${count.strict} judged right by the policy of the routes`
  },
}
