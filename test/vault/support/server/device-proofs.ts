/** Proofs for a new device that come from elsewhere: another device, a passkey of the vault, an external wallet. */
import { createHash, randomUUID } from 'node:crypto'
import type { Proof } from './devices.ts'
import { type Body, ok, type Reply, refuse, type State, textOf } from './state.ts'

const stated = (...lines: readonly string[]) =>
  createHash('sha256').update(lines.join('\n')).digest('base64url')
/** The answer of a passkey in these tests. */
export const assertionOf = (credential: string) => ({
  id: credential,
  rawId: credential,
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'c2F5' },
})

export const factorsElsewhere = (state: State, user: string): object[] => [
  ...(state.options.approves ? [{ type: 'device' }] : []),
  ...(state.passkeys.some((one) => one.user === user) ? [{ type: 'passkey' }] : []),
  ...(state.options.wallet
    ? [
        {
          type: 'wallet',
          id: 'wallet-1',
          chain_type: state.options.wallet.chainType,
          address: state.options.wallet.address,
        },
      ]
    : []),
  ...(state.options.provider
    ? [{ type: 'provider', id: '7', provider: state.options.provider, hint: 'a•••@example.com' }]
    : []),
]

/** What is asked of these below `/devices`; `undefined` for anything else. */
export function answerDeviceProofs(
  state: State,
  app: string,
  user: string,
  proof: Proof,
  path: string,
  body: Body,
): Reply | undefined {
  const { thumbprint } = proof
  const now = Math.floor(state.now() / 1000)
  const isEnrolled = state.devices.some(
    (one) => one.user === user && one.thumbprint === thumbprint && !one.removed,
  )
  const signed = (...lines: readonly string[]) => proof.statementHash === stated(...lines)
  if (path === '/devices/enroll/request') {
    for (const one of state.requests) if (one.thumbprint === thumbprint) one.status = 'expired'
    const request = { id: randomUUID(), user, thumbprint, number: '42', status: 'pending' as const }
    state.requests.push(request)
    return ok({ id: request.id, number: request.number, expires_at: now + 300 })
  }
  const [, polled] = /^\/devices\/enroll\/request\/([^/]+)$/.exec(path) ?? []
  if (polled) {
    const request = state.requests.find(({ id }) => id === polled)
    return request ? ok({ status: request.status }) : refuse(404, 'linked_account_not_found')
  }
  if (path === '/devices/enroll/passkey') return ok({ challenge: thumbprint, user_verification: 'required' })
  if (path === '/devices/enroll/wallet') {
    const message = `Use your wallet in this browser: ${thumbprint}`
    state.messages.set(thumbprint, message)
    return ok({ message })
  }
  if (path === '/devices/enroll/provider')
    return ok({ url: 'https://provider.example/sign-in', state: `visit-${randomUUID()}` })
  if (path === '/devices/proofs')
    return ok({ kinds: state.passkeys.some((one) => one.user === user) ? ['passkey'] : [] })
  if (!/^\/devices\/(requests|passkeys)/.test(path)) return undefined
  if (!isEnrolled) return refuse(403, 'device_not_enrolled')
  if (path === '/devices/requests')
    return ok({
      requests: state.requests
        .filter((one) => one.user === user && one.status === 'pending')
        .map(({ id, thumbprint: waiting }) => ({
          id,
          thumbprint: waiting,
          name: 'Safari on iPhone',
          place: '198.51.100.0/24',
          numbers: ['17', '42', '80'],
          created_at: now,
          expires_at: now + 300,
        })),
    })
  const [, id = '', verdict] = /^\/devices\/requests\/([^/]+)\/(approve|deny)$/.exec(path) ?? []
  if (verdict) {
    const request = state.requests.find((one) => one.id === id && one.status === 'pending')
    if (!request) return refuse(404, 'linked_account_not_found')
    const number = textOf(body, 'number')
    request.status = 'denied'
    if (verdict === 'deny') return ok({})
    const statement = [
      'Latchkey device approval',
      `app: ${app}`,
      `user: ${user}`,
      `request: ${id}`,
      `thumbprint: ${request.thumbprint}`,
      `number: ${number}`,
    ]
    if (!signed(...statement)) return refuse(403, 'approval_required')
    if (number !== request.number) return refuse(401, 'invalid_credentials')
    request.status = 'approved'
    return ok({})
  }
  if (path === '/devices/passkeys/options')
    return ok({ challenge: 'c', rp: { id: 'vault.example' }, pub_key_cred_params: [{ alg: -7 }] })
  if (path === '/devices/passkeys/list')
    return ok({
      passkeys: state.passkeys
        .filter((one) => one.user === user)
        .map((one) => ({ id: one.id, name: 'Chrome on Windows', created_at: now })),
    })
  const about = (title: string, credential: string) => [
    title,
    `app: ${app}`,
    `user: ${user}`,
    `credential: ${credential}`,
  ]
  if (path === '/devices/passkeys') {
    const credential = textOf((body.attestation ?? {}) as Body, 'raw_id')
    if (!signed(...about('Latchkey recovery passkey', credential))) return refuse(403, 'approval_required')
    state.passkeys.push({ id: credential, user })
    return ok({})
  }
  const [, removed] = /^\/devices\/passkeys\/([^/]+)\/remove$/.exec(path) ?? []
  if (!removed) return undefined
  if (!signed(...about('Latchkey recovery passkey removed', removed))) return refuse(403, 'approval_required')
  const at = state.passkeys.findIndex((one) => one.id === removed && one.user === user)
  if (at < 0) return refuse(404, 'linked_account_not_found')
  state.passkeys.splice(at, 1)
  return ok({})
}

/** Why such a proof is refused; `undefined` when it is not. */
export function judgeElsewhere(
  state: State,
  user: string,
  { thumbprint }: Proof,
  body: Body,
): Reply | undefined {
  const wrong = refuse(401, 'invalid_credentials')
  if (body.factor === 'device') {
    const request = state.requests.find(({ id }) => id === textOf(body, 'id'))
    const approved = request?.status === 'approved' && request.thumbprint === thumbprint
    if (approved) request.status = 'expired'
    return approved ? undefined : wrong
  }
  if (body.factor === 'passkey') {
    const { id: credential, raw_id: raw, response } = (body.assertion ?? {}) as Body
    if (raw !== credential || !textOf((response ?? {}) as Body, 'client_data_json')) return wrong
    return state.passkeys.some((one) => one.id === credential && one.user === user) ? undefined : wrong
  }
  // Here a code names the account that has logged in, and the key for which it did.
  if (body.factor === 'provider') {
    if (body.code === 'code-of-another-account') return refuse(403, 'wrong_account')
    return body.code === `code-${thumbprint}` ? undefined : wrong
  }
  const message = state.messages.get(thumbprint)
  return message && textOf(body, 'signature') === `signed: ${message}` ? undefined : wrong
}
