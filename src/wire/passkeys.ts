import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import * as v from 'valibot'
import { maybeText, reader } from './decode.ts'
import type { CallOptions, Http } from './http.ts'
import { type SessionAnswer, sessionAnswer } from './sessions.ts'

/** What a browser is asked for: by these an existing passkey, by those a new one. */
export type VerifyOptions = PublicKeyCredentialRequestOptionsJSON
export type EnrollOptions = PublicKeyCredentialCreationOptionsJSON
/** What it answers. */
export type Assertion = AuthenticationResponseJSON
export type Attestation = RegistrationResponseJSON

const number = v.fallback(v.optional(v.number()), undefined)
const descriptors = v.fallback(
  v.optional(
    v.array(v.object({ id: v.string(), transports: v.fallback(v.optional(v.array(v.string())), undefined) })),
  ),
  undefined,
)
const extensions = v.fallback(
  v.optional(
    v.pipe(
      v.object({
        app_id: maybeText,
        cred_props: v.optional(v.unknown()),
        hmac_create_secret: v.optional(v.boolean()),
      }),
      v.transform(({ app_id, cred_props, hmac_create_secret }) => ({
        ...(app_id && { appid: app_id }),
        ...(cred_props !== undefined && { credProps: Boolean(cred_props) }),
        ...(hmac_create_secret !== undefined && { hmacCreateSecret: hmac_create_secret }),
      })),
    ),
  ),
  undefined,
)
const credentialsOf = (known: v.InferOutput<typeof descriptors>) =>
  known?.map(({ id, transports }) => ({ id, type: 'public-key', ...(transports && { transports }) }))

/** Wire 4.6 "VerifyOptions". What a newer server adds is left to the browser's own defaults. */
const verifyOptions = reader(
  v.pipe(
    v.object({
      options: v.object({
        challenge: v.string(),
        timeout: number,
        rp_id: maybeText,
        allow_credentials: descriptors,
        user_verification: maybeText,
        extensions,
      }),
    }),
    v.transform(({ options }) =>
      present<VerifyOptions>({
        challenge: options.challenge,
        timeout: options.timeout,
        rpId: options.rp_id,
        allowCredentials: credentialsOf(options.allow_credentials),
        userVerification: options.user_verification,
        extensions: options.extensions,
      }),
    ),
  ),
)

/** Wire 4.6 "EnrollOptions". */
const enrollOptions = reader(
  v.pipe(
    v.object({
      options: v.object({
        rp: v.object({ name: v.string(), id: maybeText }),
        user: v.object({ id: v.string(), name: v.string(), display_name: v.fallback(v.string(), '') }),
        challenge: v.string(),
        pub_key_cred_params: v.array(v.object({ alg: v.number(), type: v.literal('public-key') })),
        timeout: number,
        exclude_credentials: descriptors,
        authenticator_selection: v.optional(
          v.object({
            authenticator_attachment: maybeText,
            require_resident_key: v.optional(v.boolean()),
            resident_key: maybeText,
            user_verification: maybeText,
          }),
        ),
        attestation: maybeText,
        extensions,
      }),
    }),
    v.transform(({ options }) => {
      const { rp, user, authenticator_selection: wanted } = options
      return present<EnrollOptions>({
        rp: present({ name: rp.name, id: rp.id }),
        user: { id: user.id, name: user.name, displayName: user.display_name },
        challenge: options.challenge,
        pubKeyCredParams: options.pub_key_cred_params,
        timeout: options.timeout,
        excludeCredentials: credentialsOf(options.exclude_credentials),
        authenticatorSelection:
          wanted &&
          present({
            authenticatorAttachment: wanted.authenticator_attachment,
            requireResidentKey: wanted.require_resident_key,
            residentKey: wanted.resident_key,
            userVerification: wanted.user_verification,
          }),
        attestation: options.attestation,
        extensions: options.extensions,
      })
    }),
  ),
)

/** Wire 4.6 "VerifyResponse" and "EnrollResponse", but for what each of them responds. */
const outer = (credential: Assertion | Attestation, response: object) => {
  const { appid, credProps, hmacCreateSecret } = credential.clientExtensionResults as Record<string, unknown>
  return {
    id: credential.id,
    raw_id: credential.rawId,
    response: present(response),
    ...present({ authenticator_attachment: credential.authenticatorAttachment }),
    client_extension_results: present({
      app_id: appid,
      cred_props: credProps,
      hmac_create_secret: hmacCreateSecret,
    }),
    type: credential.type,
  }
}
const verifyResponse = (assertion: Assertion) => {
  const { clientDataJSON, authenticatorData, signature, userHandle } = assertion.response
  return outer(assertion, {
    client_data_json: clientDataJSON,
    authenticator_data: authenticatorData,
    signature,
    user_handle: userHandle,
  })
}
const enrollResponse = (attestation: Attestation) => {
  const { clientDataJSON, attestationObject, authenticatorData, transports, ...key } = attestation.response
  return outer(attestation, {
    client_data_json: clientDataJSON,
    attestation_object: attestationObject,
    authenticator_data: authenticatorData,
    transports,
    public_key_algorithm: key.publicKeyAlgorithm,
    public_key: key.publicKey,
  })
}

/** What there is; the values are the other side's words, which the browser judges by itself. */
const present = <T extends object>(fields: object): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

interface Begin {
  /** The page's origin. */
  origin: string
  captchaToken?: string | undefined
}
const begin = ({ origin, captchaToken }: Begin) => ({
  relying_party: origin,
  ...(captchaToken && { token: captchaToken }),
})

/** Wire 2.7: what to ask the browser for. */
export const startPasskeyLogin = (http: Http, input: Begin, options?: CallOptions): Promise<VerifyOptions> =>
  http.call(
    { method: 'POST', path: '/api/v1/passkeys/authenticate/init', answer: verifyOptions },
    begin(input),
    options,
  )

/** Wire 2.7: logs in with a passkey. */
export const finishPasskeyLogin = (
  http: Http,
  { origin, challenge, assertion }: { origin: string; challenge: string; assertion: Assertion },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    { method: 'POST', path: '/api/v1/passkeys/authenticate', answer: sessionAnswer },
    { relying_party: origin, challenge, authenticator_response: verifyResponse(assertion) },
    options,
  )

/** Wire 2.7: what to ask the browser for to sign up. */
export const startPasskeySignup = (http: Http, input: Begin, options?: CallOptions): Promise<EnrollOptions> =>
  http.call(
    { method: 'POST', path: '/api/v1/passkeys/register/init', answer: enrollOptions },
    begin(input),
    options,
  )

/** Wire 2.7: signs up with a new passkey. */
export const finishPasskeySignup = (
  http: Http,
  { origin, attestation }: { origin: string; attestation: Attestation },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    { method: 'POST', path: '/api/v1/passkeys/register', answer: sessionAnswer },
    { relying_party: origin, authenticator_response: enrollResponse(attestation) },
    options,
  )
