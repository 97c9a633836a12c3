import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import * as v from 'valibot'

const maybeText = v.nullish(v.string())
/** The page of a ceremony, by its own account. */
export const relyingParty = v.nullish(v.pipe(v.string(), v.url()))
/** Base64url without padding. */
export const credentialId = v.pipe(v.string(), v.regex(/^[\w-]{1,1364}$/))

/** A credential as browsers give it. More than is said here may come, and is not looked at. */
const credential = {
  id: credentialId,
  raw_id: v.string(),
  type: v.literal('public-key'),
  authenticator_attachment: maybeText,
  client_extension_results: v.nullish(v.record(v.string(), v.unknown())),
}
const toCredential = ({ id, raw_id, type }: { id: string; raw_id: string; type: 'public-key' }) => ({
  id,
  rawId: raw_id,
  type,
  clientExtensionResults: {},
})
/** What makes a passkey known. */
export const enrollResponse = v.pipe(
  v.object({
    ...credential,
    response: v.object({
      client_data_json: v.string(),
      attestation_object: v.string(),
      transports: v.nullish(v.array(v.unknown())),
    }),
  }),
  v.transform(({ response, ...credential }) => ({
    ...toCredential(credential),
    response: {
      clientDataJSON: response.client_data_json,
      attestationObject: response.attestation_object,
      transports: (response.transports ?? []).filter(isTransport),
    },
  })),
)
/** What proves a passkey that is known. */
export const verifyResponse = v.pipe(
  v.object({
    ...credential,
    response: v.object({
      client_data_json: v.string(),
      authenticator_data: v.string(),
      signature: v.string(),
      user_handle: maybeText,
    }),
  }),
  v.transform(({ response, ...credential }) => ({
    ...toCredential(credential),
    response: {
      clientDataJSON: response.client_data_json,
      authenticatorData: response.authenticator_data,
      signature: response.signature,
      ...(response.user_handle && { userHandle: response.user_handle }),
    },
  })),
)

type Transport = NonNullable<RegistrationResponseJSON['response']['transports']>[number]
/** As they are given back to the browser; one that a newer browser made up is kept too. */
const isTransport = (value: unknown): value is Transport =>
  typeof value === 'string' && /^[a-z-]{1,32}$/.test(value)
