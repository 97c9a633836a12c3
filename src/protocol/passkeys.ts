import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { optionalText, readableItems } from './schema.ts'
import { type SessionAnswer, sessionAnswer } from './sessions.ts'
import { unlinking } from './unlinking.ts'
import { type User, user } from './user.ts'

/** What the browser is asked for: an existing passkey, or a new one. */
export type VerifyOptions = PublicKeyCredentialRequestOptionsJSON
export type EnrollOptions = PublicKeyCredentialCreationOptionsJSON
/** What it answers. */
export type Assertion = AuthenticationResponseJSON
export type Attestation = RegistrationResponseJSON

const optionalNumber = v.fallback(v.optional(v.number()), undefined)
const descriptors = v.fallback(
  v.optional(
    readableItems(
      v.object({ id: v.string(), transports: v.fallback(v.optional(v.array(v.string())), undefined) }),
    ),
  ),
  undefined,
)
const extensions = v.fallback(
  v.optional(
    v.pipe(
      v.object({
        app_id: optionalText,
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

/** What a newer server adds is left to the browser's own defaults. */
export const verifyOptions = v.pipe(
  v.object({
    options: v.object({
      challenge: v.string(),
      timeout: optionalNumber,
      rp_id: optionalText,
      allow_credentials: descriptors,
      user_verification: optionalText,
      extensions,
    }),
  }),
  v.transform(({ options }) =>
    withoutUndefined<VerifyOptions>({
      challenge: options.challenge,
      timeout: options.timeout,
      rpId: options.rp_id,
      allowCredentials: credentialsOf(options.allow_credentials),
      userVerification: options.user_verification,
      extensions: options.extensions,
    }),
  ),
)

const enrollOptions = v.pipe(
  v.object({
    options: v.object({
      rp: v.object({ name: v.string(), id: optionalText }),
      user: v.object({ id: v.string(), name: v.string(), display_name: v.fallback(v.string(), '') }),
      challenge: v.string(),
      pub_key_cred_params: readableItems(v.object({ alg: v.number(), type: v.literal('public-key') })),
      timeout: optionalNumber,
      exclude_credentials: descriptors,
      authenticator_selection: v.optional(
        v.object({
          authenticator_attachment: optionalText,
          require_resident_key: v.optional(v.boolean()),
          resident_key: optionalText,
          user_verification: optionalText,
        }),
      ),
      attestation: optionalText,
      extensions,
    }),
  }),
  v.transform(({ options }) => {
    const { rp, user, authenticator_selection: selection } = options
    return withoutUndefined<EnrollOptions>({
      rp: withoutUndefined({ name: rp.name, id: rp.id }),
      user: { id: user.id, name: user.name, displayName: user.display_name },
      challenge: options.challenge,
      pubKeyCredParams: options.pub_key_cred_params,
      timeout: options.timeout,
      excludeCredentials: credentialsOf(options.exclude_credentials),
      authenticatorSelection:
        selection &&
        withoutUndefined({
          authenticatorAttachment: selection.authenticator_attachment,
          requireResidentKey: selection.require_resident_key,
          residentKey: selection.resident_key,
          userVerification: selection.user_verification,
        }),
      attestation: options.attestation,
      extensions: options.extensions,
    })
  }),
)

/** What the answers of both kinds have around what each of them responds. */
const credentialBody = (credential: Assertion | Attestation, response: object) => {
  const { appid, credProps, hmacCreateSecret } = credential.clientExtensionResults as Record<string, unknown>
  return {
    id: credential.id,
    raw_id: credential.rawId,
    response: withoutUndefined(response),
    ...withoutUndefined({ authenticator_attachment: credential.authenticatorAttachment }),
    client_extension_results: withoutUndefined({
      app_id: appid,
      cred_props: credProps,
      hmac_create_secret: hmacCreateSecret,
    }),
    type: credential.type,
  }
}
/** What a passkey has answered, as the server takes it. */
export const assertionBody = (assertion: Assertion) => {
  const { clientDataJSON, authenticatorData, signature, userHandle } = assertion.response
  return credentialBody(assertion, {
    client_data_json: clientDataJSON,
    authenticator_data: authenticatorData,
    signature,
    user_handle: userHandle,
  })
}
const attestationBody = (attestation: Attestation) => {
  const { clientDataJSON, attestationObject, authenticatorData, transports, ...key } = attestation.response
  return credentialBody(attestation, {
    client_data_json: clientDataJSON,
    attestation_object: attestationObject,
    authenticator_data: authenticatorData,
    transports,
    public_key_algorithm: key.publicKeyAlgorithm,
    public_key: key.publicKey,
  })
}

/** The fields that have a value. The values are left as they are: the browser, or the server, judges them by itself. */
const withoutUndefined = <T extends object>(fields: object): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

interface StartBody {
  relying_party: string
  token?: string | undefined
}
const startLogin: Endpoint<StartBody, VerifyOptions> = {
  method: 'POST',
  path: '/api/v1/passkeys/authenticate/init',
  answer: verifyOptions,
}
const finishLogin: Endpoint<
  {
    relying_party: string
    challenge: string
    authenticator_response: ReturnType<typeof assertionBody>
  },
  SessionAnswer
> = {
  method: 'POST',
  path: '/api/v1/passkeys/authenticate',
  answer: sessionAnswer,
}
const startSignup: Endpoint<StartBody, EnrollOptions> = {
  method: 'POST',
  path: '/api/v1/passkeys/register/init',
  answer: enrollOptions,
}
const finishSignup: Endpoint<
  { relying_party: string; authenticator_response: ReturnType<typeof attestationBody> },
  SessionAnswer
> = {
  method: 'POST',
  path: '/api/v1/passkeys/register',
  answer: sessionAnswer,
}

const startLink: Endpoint<object, EnrollOptions> = {
  method: 'POST',
  path: '/api/v1/passkeys/link/init',
  answer: enrollOptions,
}
const finishLink: Endpoint<
  { relying_party: string; authenticator_response: ReturnType<typeof attestationBody> },
  User
> = {
  method: 'POST',
  path: '/api/v1/passkeys/link',
  answer: user,
}
const rename: Endpoint<{ credential_id: string; name: string }, User> = {
  method: 'POST',
  path: '/api/v1/passkeys/rename',
  answer: user,
}

/** What a ceremony begins with. */
interface PasskeyStart {
  /** The page's origin. */
  origin: string
  captchaToken?: string | undefined
}
const startBody = ({ origin, captchaToken }: PasskeyStart): StartBody => ({
  relying_party: origin,
  token: captchaToken || undefined,
})

/**
 * `POST /passkeys/authenticate/init`: what to ask the browser for to log in. Throws what {@link Http.call} throws.
 */
export const startPasskeyLogin = (
  http: Http,
  input: PasskeyStart,
  options?: CallOptions,
): Promise<VerifyOptions> => http.call(startLogin, startBody(input), options)

/**
 * `POST /passkeys/authenticate`: logs in with what the browser answered. Throws what {@link Http.call} throws;
 * `passkey_not_registered` for a passkey of nobody.
 */
export const finishPasskeyLogin = (
  http: Http,
  { origin, challenge, assertion }: { origin: string; challenge: string; assertion: Assertion },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    finishLogin,
    { relying_party: origin, challenge, authenticator_response: assertionBody(assertion) },
    options,
  )

/** `POST /passkeys/register/init`: what to ask the browser for to sign up. Throws what {@link Http.call} throws. */
export const startPasskeySignup = (
  http: Http,
  input: PasskeyStart,
  options?: CallOptions,
): Promise<EnrollOptions> => http.call(startSignup, startBody(input), options)

/** `POST /passkeys/register`: signs up with a new passkey. Throws what {@link Http.call} throws. */
export const finishPasskeySignup = (
  http: Http,
  { origin, attestation }: { origin: string; attestation: Attestation },
  options?: CallOptions,
): Promise<SessionAnswer> =>
  http.call(
    finishSignup,
    { relying_party: origin, authenticator_response: attestationBody(attestation) },
    options,
  )

/**
 * `POST /passkeys/link/init`: what to ask the browser for to add a passkey to who is logged in. Throws what
 * {@link Http.call} throws.
 */
export const startPasskeyLink = (http: Http, options?: CallOptions): Promise<EnrollOptions> =>
  http.call(startLink, {}, options)

/**
 * `POST /passkeys/link`: gives the new passkey to who is logged in. Throws what {@link Http.call} throws;
 * `cannot_link_more_of_type` where the person has five.
 */
export const finishPasskeyLink = (
  http: Http,
  { origin, attestation }: { origin: string; attestation: Attestation },
  options?: CallOptions,
): Promise<User> =>
  http.call(
    finishLink,
    { relying_party: origin, authenticator_response: attestationBody(attestation) },
    options,
  )

/** `POST /passkeys/unlink`: unlinks a passkey from the person who is logged in. Throws what {@link Http.call} throws. */
export const unlinkPasskey = unlinking({
  path: '/api/v1/passkeys/unlink',
  body: (credentialId: string) => ({
    credential_id: credentialId,
  }),
})

/** `POST /passkeys/rename`: what the person calls a passkey. Throws what {@link Http.call} throws. */
export const renamePasskey = (
  http: Http,
  { credentialId, name }: { credentialId: string; name: string },
  options?: CallOptions,
): Promise<User> => http.call(rename, { credential_id: credentialId, name }, options)
