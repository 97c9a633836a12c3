/** The second factors of the fake backend: one code that is good, a proof per verification, and what wants which. */
import { type Body, ok, type Reply, refuse, type State, textOf } from './state.ts'

const minute = 60_000

export interface StoredFactors {
  /** The oldest first. */
  methods: string[]
  /** The code that is good now, for whatever factor. */
  code: string
  /** Wrong tries in a row. */
  tries: number
  recoveryCodes: string[]
  passkeys: string[]
  readonly proofs: Map<
    string,
    { purpose: string; at: number; thumbprint: string; session: string; ofEnrolment?: true }
  >
}
const none = (): StoredFactors => ({
  methods: [],
  code: '123456',
  tries: 0,
  recoveryCodes: [],
  passkeys: [],
  proofs: new Map(),
})

export function factorsOf(state: State, user: string): StoredFactors {
  const known = state.factors.get(user) ?? none()
  state.factors.set(user, known)
  return known
}

/** What a call of an enrolled device wants a proof for. */
function purposeOf(path: string): string | undefined {
  if (/\/(auth_share|recovery\/(package|evaluate|key_material|present))$/.test(path)) return 'use'
  if (/\/(export_ticket|export\/redeem)$/.test(path)) return 'export'
  if (/\/recovery\/changes(\/|$)/.test(path)) return 'recovery'
  if (/^\/devices\/[^/]+\/remove$/.test(path)) return 'device'
  if (/^\/users\/me\/changes\/[^/]+\/approve$/.test(path)) return 'account'
  if (/^\/mfa\/.*(init|enroll|unenroll|enrollment|generate)$/.test(path)) return 'factors'
  return undefined
}

export interface Asking {
  readonly user: string
  readonly session: string
  readonly thumbprint: string
  readonly path: string
  readonly body: Body
  /** The header `latchkey-mfa`. */
  readonly shown: string | null
}

/** What is missing, for somebody who has a factor. */
export function guard(
  state: State,
  { user, session, thumbprint, path, body, shown }: Asking,
): Reply | undefined {
  const { methods, proofs } = factorsOf(state, user)
  const purpose = body.action === 'verify' ? undefined : purposeOf(path)
  if (methods.length === 0 || purpose === undefined) return undefined
  const data = { purpose, methods }
  const no = (code: string): Reply => ({ status: 401, body: { error: 'No', code, data } })
  const proof = proofs.get(shown ?? '')
  const own = proof?.thumbprint === thumbprint && proof.session === session
  if (!proof || !own || (purpose !== 'use' && proof.purpose !== purpose)) return no('missing_or_invalid_mfa')
  const adds = /\/(init|enroll|generate)$/.test(path)
  if (proof.ofEnrolment && !adds) return no('missing_or_invalid_mfa')
  const life = purpose === 'use' ? 15 * minute : minute
  return proof.at <= state.now() - life ? no('expired_or_invalid_mfa_token') : undefined
}

export function answerMfa(state: State, { user, session, thumbprint, path, body }: Asking): Reply {
  const own = factorsOf(state, user)
  if (path === '/mfa')
    return ok({
      methods: own.methods.map((type) => ({ type })),
      recovery_codes_left: own.recoveryCodes.length,
    })
  const [, factor = '', action = ''] = /^\/mfa\/([^/]+)\/([^/]+)$/.exec(path) ?? []
  const right = () => {
    const code = textOf(body, 'code')
    const good =
      factor === 'passkeys'
        ? JSON.stringify(body.authenticator_response).includes('the right finger')
        : code === own.code || own.recoveryCodes.includes(code)
    if (own.tries >= 4) return refuse(429, 'too_many_requests')
    own.tries = good ? 0 : own.tries + 1
    own.recoveryCodes = own.recoveryCodes.filter((each) => each !== code)
    return good ? undefined : refuse(422, 'invalid_credentials')
  }
  const type = factor === 'passwordless_sms' ? 'sms' : factor
  switch (action) {
    case 'init':
      return factor === 'totp'
        ? ok({ totpSecret: 'SECRET', totpAuthUrl: 'otpauth://totp/x' })
        : ok({ success: true })
    case 'verify': {
      const wrong = right()
      if (wrong) return wrong
      const token = crypto.randomUUID()
      const purpose = textOf(body, 'purpose') || 'use'
      own.proofs.set(token, { purpose, at: state.now(), thumbprint, session })
      return ok({ token })
    }
    case 'enroll': {
      const wrong = right()
      if (wrong) return wrong
      own.methods.push(type)
      const token = crypto.randomUUID()
      const proof = { purpose: 'factors', at: state.now(), thumbprint, session, ofEnrolment: true } as const
      own.proofs.set(token, proof)
      return ok({ token })
    }
    case 'unenroll':
      own.methods = own.methods.filter((each) => each !== type)
      return ok({ success: true })
    case 'enrollment':
      own.passkeys = (body.credential_ids as string[]) ?? []
      own.methods = own.methods.filter((each) => each !== 'passkey')
      if (own.passkeys.length > 0) own.methods.push('passkey')
      return ok({})
    case 'generate':
      own.recoveryCodes = Array.from({ length: 10 }, (_, i) => `code${i}-12345`)
      return ok({ codes: own.recoveryCodes })
    default:
      return refuse(404, 'no_such_path')
  }
}
