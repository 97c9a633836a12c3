import { vi } from 'vitest'
import { createAuthenticator, fromText, text } from './authenticator.ts'

type Dialogue = 'answered' | 'declined' | 'silent' | { fails: string }

/**
 * The browser's side of passkeys, with an authenticator in software behind it. It lives until the end of the test.
 * @param origin the page that asks
 */
export function stubCredentials(origin: string, { conditional = true } = {}) {
  const authenticator = createAuthenticator()
  const asked: { kind: 'get' | 'create'; conditional: boolean; signal: AbortSignal; publicKey: PublicKey }[] =
    []
  let pick: (() => void) | undefined
  /** What the person does with the browser's dialogue. */
  let dialogue: Dialogue = 'answered'

  /** An ask for one while another is open fails, as in a browser. */
  let open = 0
  async function during<T>(signal: AbortSignal, waits: boolean, answer: () => Promise<T>): Promise<T> {
    if (open > 0) throw new DOMException('A request is already pending.', 'OperationError')
    open++
    try {
      const aborted = new Promise<never>((_, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      aborted.catch(() => {})
      if (waits) await Promise.race([aborted, picked()])
      if (waits || dialogue === 'answered') return await answer()
      if (dialogue === 'silent') return await aborted
      throw new DOMException('no', dialogue === 'declined' ? 'NotAllowedError' : dialogue.fails)
    } finally {
      open--
    }
  }

  const picked = () =>
    new Promise<void>((resolve) => {
      // Of several offers in a row only the last one can be picked from.
      pick = resolve
    })
  const container = {
    get: ({ publicKey, mediation, signal }: Asked) => {
      const waits = mediation === 'conditional'
      asked.push({ kind: 'get', conditional: waits, signal, publicKey })
      return during(signal, waits, async () => {
        const options = { challenge: bytes(publicKey.challenge), rp_id: publicKey.rpId ?? '' }
        const { id, response } = await authenticator.login(options, origin)
        return credential(id, {
          clientDataJSON: buffer(response.client_data_json),
          authenticatorData: buffer(response.authenticator_data),
          signature: buffer(response.signature),
          userHandle: response.user_handle && buffer(response.user_handle),
        })
      })
    },
    create: ({ publicKey, signal }: Asked) => {
      asked.push({ kind: 'create', conditional: false, signal, publicKey })
      return during(signal, false, async () => {
        const { challenge, rp, user } = publicKey
        const { id, response } = await authenticator.register(
          { challenge: bytes(challenge), rp: { id: rp?.id ?? '' }, user: { id: user ? bytes(user.id) : '' } },
          origin,
        )
        return credential(id, {
          clientDataJSON: buffer(response.client_data_json),
          attestationObject: buffer(response.attestation_object),
          getTransports: () => response.transports,
        })
      })
    },
  }
  const isConditionalMediationAvailable = async () => conditional
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, { isConditionalMediationAvailable }),
  )
  vi.stubGlobal('location', new URL(origin))
  vi.stubGlobal('document', { querySelectorAll: () => [] })
  vi.stubGlobal('navigator', { credentials: container, userAgent: '' })

  return {
    authenticator,
    asked,
    set dialogue(next: Dialogue) {
      dialogue = next
    },
    /** The person picks a passkey in the field's list. */
    pick() {
      if (!pick) throw new Error('Nothing offers passkeys')
      pick()
    },
  }
}

interface PublicKey {
  challenge: BufferSource
  rpId?: string
  rp?: { id?: string }
  user?: { id: BufferSource }
  allowCredentials?: readonly { id: BufferSource }[]
  timeout?: number
}
interface Asked {
  publicKey: PublicKey
  mediation?: string
  signal: AbortSignal
}

const bytes = (source: BufferSource) =>
  text(ArrayBuffer.isView(source) ? new Uint8Array(source.buffer) : new Uint8Array(source))
const buffer = (value: string): ArrayBuffer => fromText(value).buffer

const credential = (id: string, response: object) => ({
  id,
  rawId: buffer(id),
  type: 'public-key',
  response,
  authenticatorAttachment: 'platform',
  getClientExtensionResults: () => ({}),
})
