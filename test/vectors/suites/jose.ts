import {
  calculateJwkThumbprint,
  compactVerify,
  type FlattenedJWSInput,
  flattenedVerify,
  type GeneralJWSInput,
  generalVerify,
  generateKeyPair,
  importJWK,
  type JWK,
  SignJWT,
} from 'jose'
import { type Load, read, refused, type Suite, same } from './suite.ts'

/** The only algorithm that our tokens use. */
const ours = ['ES256']

const jwks: readonly [file: string, algorithm: string][] = [
  ['3_1.ec_public_key', 'ES512'],
  ['3_2.ec_private_key', 'ES512'],
  ['3_3.rsa_public_key', 'RS256'],
  ['3_4.rsa_private_key', 'RS256'],
  ['3_5.symmetric_key_mac_computation', 'HS256'],
  ['3_6.symmetric_key_encryption', 'A256GCM'],
]
const jws = [
  'jws/4_1.rsa_v15_signature',
  'jws/4_2.rsa-pss_signature',
  'jws/4_3.ecdsa_signature',
  'jws/4_4.hmac-sha2_integrity_protection',
  'jws/4_5.signature_with_detached_content',
  'jws/4_6.protecting_specific_header_fields',
  'jws/4_7.protecting_content_only',
  'jws/4_8.multiple_signatures',
  'curve25519/jws',
  'rfc7797/hmac-sha2_b64_false',
]
const encrypted = [
  'jwe/5_1.key_encryption_using_rsa_v15_and_aes-hmac-sha2',
  'jwe/5_2.key_encryption_using_rsa-oaep_with_aes-gcm',
  'jwe/5_3.key_wrap_using_pbes2-aes-keywrap_with-aes-cbc-hmac-sha2',
  'jwe/5_4.key_agreement_with_key_wrapping_using_ecdh-es_and_aes-keywrap_with_aes-gcm',
  'jwe/5_5.key_agreement_using_ecdh-es_with_aes-cbc-hmac-sha2',
  'jwe/5_6.direct_encryption_using_aes-gcm',
  'jwe/5_7.key_wrap_using_aes-gcm_keywrap_with_aes-cbc-hmac-sha2',
  'jwe/5_8.key_wrap_using_aes-keywrap_with_aes-gcm',
  'jwe/5_9.compressed_content',
  'jwe/5_10.including_additional_authentication_data',
  'jwe/5_11.protecting_specific_header_fields',
  'jwe/5_12.protecting_content_only',
  'jwe/5_13.encrypting_to_multiple_recipients',
  'curve25519/ecdh-es',
]

interface Example {
  readonly input: {
    readonly payload: string
    readonly key: JWK | readonly JWK[]
    readonly alg: string | readonly string[]
  }
  readonly output: {
    readonly compact?: string
    readonly json?: GeneralJWSInput
    readonly json_flat?: FlattenedJWSInput
  }
}
type Verify = (algorithms: readonly string[]) => Promise<{ readonly payload: Uint8Array }>

/** Each way in which an example writes its signature, with the key at hand. */
async function waysOf({ input, output }: Example, jwk: JWK, algorithm: string): Promise<Verify[]> {
  // A private key verifies nothing: only its public half is imported.
  const { d, p, q, dp, dq, qi, ...open } = jwk
  const key = await importJWK(open.kty === 'oct' ? jwk : open, algorithm)
  const { compact, json, json_flat: flat } = output
  const bytes = new TextEncoder().encode(input.payload)
  const ways: Verify[] = []
  // Detached content is put back, which only the JSON forms can do.
  const detached = flat !== undefined && flat.payload === undefined
  const payload = detached ? btoaUrl(bytes) : undefined
  if (compact && !detached)
    ways.push((algorithms) => compactVerify(compact, key, { algorithms: [...algorithms] }))
  if (flat) {
    const whole = payload ? { ...flat, payload } : flat
    ways.push((algorithms) => flattenedVerify(whole, key, { algorithms: [...algorithms] }))
  }
  if (json) {
    const whole = payload ? { ...json, payload } : json
    ways.push((algorithms) => generalVerify(whole, key, { algorithms: [...algorithms] }))
  }
  return ways
}

const btoaUrl = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

async function verifyExamples(load: Load) {
  const count = { signatures: 0, refused: 0 }
  for (const name of jws) {
    const example = await read<Example>(load, `jose/${name}.json`)
    const keys = [example.input.key].flat() as JWK[]
    const algorithms = [example.input.alg].flat() as string[]
    for (const [i, jwk] of keys.entries()) {
      const algorithm = algorithms[i] ?? ''
      for (const verify of await waysOf(example, jwk, algorithm)) {
        const { payload } = await verify([algorithm])
        same(new TextDecoder().decode(payload), example.input.payload, name)
        count.signatures++
        await refused(() => verify(ours), `${name}: ${algorithm} although only ${ours} is ours`)
        count.refused++
      }
    }
  }
  return count
}

export const jose: Suite = {
  name: 'JOSE by jose',
  async run(load) {
    for (const [file, algorithm] of jwks) {
      const jwk = await read<JWK>(load, `jose/jwk/${file}.json`)
      same(Boolean(await importJWK(jwk, algorithm)), true, file)
      same((await calculateJwkThumbprint(jwk)).length, 43, file)
    }
    const { signatures, refused: outside } = await verifyExamples(load)

    // Without `crit` the payload is no base64url: nobody may take it for a signed one.
    const uncritical = await read<Example>(load, 'jose/rfc7797/4.2.hmac-sha2_b64_false.json')
    for (const verify of await waysOf(uncritical, uncritical.input.key as JWK, 'HS256'))
      await refused(() => verify(['HS256']), 'b64=false that is not critical')

    for (const name of encrypted) {
      const { output } = await read<Example>(load, `jose/${name}.json`)
      const secret = new Uint8Array(32)
      await refused(() => compactVerify(output.compact ?? '', secret), `${name} as a signature`)
      if (output.json) await refused(() => generalVerify(output.json as GeneralJWSInput, secret), name)
    }
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
    await compactVerify(token, publicKey, { algorithms: ours })
    const none = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${btoa('{}').replaceAll('=', '')}.`
    await refused(() => compactVerify(none, new Uint8Array(32)), 'alg none')
    return `JOSE: ${jwks.length} keys, ${signatures} signatures verified, ${outside} of an algorithm outside ours refused, ${encrypted.length} encrypted ones, 1 uncritical b64 and 1 without algorithm refused`
  },
}
