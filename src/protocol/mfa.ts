import * as v from 'valibot'
import type { CallOptions, Endpoint, Http } from './http.ts'
import { type VerifyOptions, verifyOptions } from './passkeys.ts'
import { readableItems } from './schema.ts'

const nothing = v.object({})
const startSms: Endpoint<{ action: 'verify' }, object> = {
  method: 'POST',
  path: '/api/v1/mfa/passwordless_sms/init',
  answer: nothing,
}
const startPasskey: Endpoint<{ relying_party: string }, VerifyOptions> = {
  method: 'POST',
  path: '/api/v1/mfa/passkeys/init',
  answer: verifyOptions,
}
const read = v.pipe(
  v.object({
    methods: readableItems(v.object({ type: v.string() })),
    recovery_codes_left: v.fallback(v.number(), 0),
  }),
  v.transform(({ methods, recovery_codes_left }) => ({
    methods: methods.map(({ type }) => type),
    recoveryCodesLeft: recovery_codes_left,
  })),
)
const own: Endpoint<undefined, v.InferOutput<typeof read>> = {
  method: 'GET',
  path: '/api/v1/mfa',
  answer: read,
}

/** `POST /mfa/passwordless_sms/init`: sends a code to the person's own number. Throws what {@link Http.call} throws. */
export const startMfaSms = async (http: Http, options?: CallOptions): Promise<void> => {
  await http.call(startSms, { action: 'verify' }, options)
}

/** `POST /mfa/passkeys/init`: what to ask the browser for. Throws what {@link Http.call} throws. */
export const startMfaPasskey = (
  http: Http,
  { origin }: { origin: string },
  options?: CallOptions,
): Promise<VerifyOptions> => http.call(startPasskey, { relying_party: origin }, options)

/** `GET /mfa`: the factors of the person, the oldest first, and what stands in for them. Throws what {@link Http.call} throws. */
export const getMfa = (http: Http, options?: CallOptions): Promise<v.InferOutput<typeof read>> =>
  http.call(own, undefined, options)
