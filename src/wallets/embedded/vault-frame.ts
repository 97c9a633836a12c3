import { KitError } from '../../errors/kit-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { type FrameEvent, frameEvents } from '../../protocol/frame/calls.ts'
import { readAnswer } from '../../protocol/frame/messages.ts'
import { walletsLimits } from '../limits.ts'
import type { OpenFrame } from './frame-port.ts'
import { createHeartbeat } from './heartbeat.ts'

/** One life of the vault's frame, from its loading to its end. */
export interface VaultFrame {
  /** Resolves with the vault's first answer; rejects with the reason of the frame's end. */
  readonly ready: Promise<void>
  readonly isReady: boolean
  /** Sends a request; rejects with the vault's error, or with the reason of the frame's end. */
  send(event: FrameEvent, data: object): Promise<object>
  /** Removes the frame from the page; open requests get `error`. */
  end(error: KitError): void
}

/**
 * Loads the vault and watches it, first with the handshake and then with the heartbeat (docs/protocol.md,
 * "Handshake").
 */
export function loadVault({
  url,
  open,
  clock,
  ended,
}: {
  url: string
  open: OpenFrame
  clock: Clock
  ended: () => void
}): VaultFrame {
  const life = new AbortController()
  const { signal } = life
  const waiting = new Map<string, { resolve(data: object): void; reject(error: KitError): void }>()
  let loaded = false
  let isReady = false
  const heartbeat = createHeartbeat(clock, signal)
  let ids = 0

  const port = open(url, {
    loaded() {
      if (isReady) end(crashed('the frame was reloaded'))
      loaded = true
    },
    blocked: (directive) =>
      end(unreachable('vault_unavailable', `blocked by the page's policy: ${directive}`)),
    removed: () => end(crashed('the frame was taken out of the page')),
    // What was on its way never arrives, even once the network is back.
    offline: () => isReady || end(offline()),
    message(raw) {
      const answer = readAnswer(raw)
      const asked = answer && waiting.get(answer.id)
      if (!answer || !asked) return
      heartbeat.heard()
      waiting.delete(answer.id)
      if ('data' in answer) asked.resolve(answer.data)
      else asked.reject(fromVault(answer.error.type, answer.error.message))
    },
  })

  function end(error: KitError): void {
    if (signal.aborted) return
    life.abort(error)
    for (const each of waiting.values()) each.reject(error)
    waiting.clear()
    port.close()
    ended()
  }

  function send(event: FrameEvent, data: object): Promise<object> {
    if (signal.aborted) return Promise.reject(signal.reason)
    const id = `id-${ids++}`
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      port.post({ id, event, data })
    })
  }

  async function handshake(): Promise<void> {
    const answers: Promise<boolean>[] = []
    for (let tries = walletsLimits.vaultHandshakeTries; tries > 0; tries--) {
      if (loaded) answers.push(send(frameEvents.ready, {}).then(() => true))
      const pause = clock.sleep(walletsLimits.vaultHandshakeEvery, signal).then(() => false)
      isReady = await Promise.race([...answers, pause])
      if (isReady) return
    }
    throw unreachable('vault_timeout', 'the frame did not answer')
  }

  /** While a request is open, because the page gets no event when the frame dies. */
  async function watch(): Promise<void> {
    await heartbeat.untilDead(
      () => void send(frameEvents.ready, {}).catch(() => {}),
      () => waiting.size > 0,
    )
    end(crashed('the frame stopped answering'))
  }

  const ready = handshake()
  ready.then(watch).catch((error: KitError) => end(error))
  return {
    ready,
    get isReady() {
      return isReady
    },
    send,
    end,
  }
}

export const unreachable = (code: 'vault_unavailable' | 'vault_timeout', details: string, cause?: unknown) =>
  new KitError(code, 'Cannot connect to wallet proxy', { details, cause, retryable: true })

export const offline = () =>
  new KitError('network_unavailable', 'Cannot connect to wallet proxy', {
    details: 'offline',
    retryable: true,
  })

export const crashed = (details: string) =>
  new KitError('vault_crashed', 'The wallet did not send a response', { details, retryable: true })

/** Types that mean nothing to a program by themselves. */
const codes = new Map([
  ['error', 'unknown_embedded_wallet_error'],
  ['enrolment_required', 'wallet_enrolment_required'],
])

/** What programs are told, in the words of the wire's origin where it has any. */
const messages: Readonly<Record<string, string>> = {
  network_unavailable: "The server can't be reached",
  client_request_timeout: 'Request timed out',
  missing_or_invalid_mfa: 'MFA verification failed, retry.',
  mfa_verification_max_attempts_reached: 'Max MFA verification attempts reached',
  mfa_timeout: 'Timed out waiting for MFA code',
  mfa_canceled: 'MFA canceled',
}
/** The failure of a prompt that has ended without anybody being verified. */
export const mfaFailure = (type: 'mfa_verification_max_attempts_reached' | 'mfa_timeout' | 'mfa_canceled') =>
  fromVault(type, '')

/** The vault's error type is our code; its message is for logs. 'code 429' in it means too many requests. */
export function fromVault(type: string, message: string): KitError {
  const code = codes.get(type) ?? type
  return new KitError(
    message.includes('code 429') ? 'too_many_requests' : code,
    messages[type] ?? "The wallet couldn't complete the request",
    {
      ...(message && { details: message }),
      retryable: true,
    },
  )
}
