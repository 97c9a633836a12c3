/** How the vault's own window asks the browser for one of the vault's passkeys. */
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { PlainObject } from '../../../lib/plain.ts'

/** `known`: the passkey that would be made is there already. */
export type PasskeyRefusal = 'declined' | 'known' | 'unsupported' | 'other'
export type PasskeyOutcome = { readonly passkey: PlainObject } | { readonly refused: PasskeyRefusal }

/**
 * Asks the browser for a passkey; to be called within a press. Never rejects.
 * @param options as the server has made them: only the browser and the server know what is in them
 */
export async function askBrowser(
  purpose: 'use' | 'create',
  options: PlainObject,
  signal: AbortSignal,
): Promise<PasskeyOutcome> {
  if (!browserSupportsWebAuthn()) return { refused: 'unsupported' }
  const cancel = () => WebAuthnAbortService.cancelCeremony()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const response =
      purpose === 'use'
        ? await startAuthentication({
            optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
          })
        : await startRegistration({
            optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
          })
    // A message takes plain data alone.
    return { passkey: JSON.parse(JSON.stringify(response)) }
  } catch (cause) {
    return { refused: refusalOf(cause) }
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Compared by name, because the classes of these errors differ between browsers. */
function refusalOf(cause: unknown): PasskeyRefusal {
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return 'declined'
  if (name === 'InvalidStateError') return 'known'
  return name === 'NotSupportedError' || name === 'SecurityError' ? 'unsupported' : 'other'
}
