/** How this browser's key comes to count for a person. */
import type { PlainObject } from '../../lib/plain.ts'
import { type Bytes, wipe } from '../bytes.ts'
import { recordsOf, type VaultContext } from '../context.ts'
import { VaultError } from '../errors.ts'
import { type DriveAccess, driveKey } from '../recovery/drives/key.ts'
import { isWrongProof, wrongPassword } from '../recovery/errors.ts'
import { proofOf, stretch, verifierOf } from '../recovery/keys.ts'
import { enrol, type RecoveryFactor } from '../server/devices.ts'
import type { VisitCode } from '../server/visits.ts'
import type { Token } from '../token.ts'

/**
 * Enrols this device without asking the user: the server takes a login for one who has no wallet. Throws {@link VaultError}
 * 'enrolment_required' where it takes no login.
 */
export async function enrolSilently(cx: VaultContext, token: Token): Promise<void> {
  await enrol(cx, token, { factor: 'login' })
  const { thumbprint: device } = await cx.device()
  for (const record of await recordsOf(cx, token))
    if (record.device === undefined) await cx.store.put({ ...record, device })
}

/** Enrols this device by a second factor, which is shown where the server wants that. */
export const enrolWithMfa = (cx: VaultContext, token: Token): Promise<void> =>
  enrol(cx, token, { factor: 'mfa' })

/**
 * Enrols this device by the code that was sent for it (`sendEnrolmentCode`). Throws {@link VaultError}, with the code
 * 'invalid_credentials' for a wrong one.
 */
export const enrolWithCode = (cx: VaultContext, token: Token, code: string): Promise<void> =>
  enrol(cx, token, { factor: 'code', code })

/** Enrols this device by a request that another device of the user has approved. */
export const enrolWithApproval = (cx: VaultContext, token: Token, id: string): Promise<void> =>
  enrol(cx, token, { factor: 'device', id })

/** Enrols this device by what one of the vault's passkeys has answered (`beginPasskeyProof`). */
export const enrolWithPasskey = (cx: VaultContext, token: Token, assertion: PlainObject): Promise<void> =>
  enrol(cx, token, { factor: 'passkey', assertion })

/** Enrols this device by an external wallet's signature of the server's message (`composeWalletMessage`). */
export const enrolWithWallet = (
  cx: VaultContext,
  token: Token,
  id: string,
  signature: string,
): Promise<void> => enrol(cx, token, { factor: 'wallet', id, signature })

/** Enrols this device by a fresh login with one of the user's accounts, which the vault's window has run. */
export const enrolWithProvider = (
  cx: VaultContext,
  token: Token,
  { state, code }: VisitCode,
): Promise<void> => enrol(cx, token, { factor: 'provider', state, code })

/** Enrols this device by the password of a root. Throws {@link VaultError} 'invalid_recovery_pin' for a wrong one. */
export async function enrolWithPassword(
  cx: VaultContext,
  token: Token,
  { root, stretching }: RecoveryFactor,
  password: string,
): Promise<void> {
  if (!stretching) throw new VaultError('invalid_request_arguments', 'This wallet has no recovery password')
  let stretched: Bytes | undefined
  try {
    stretched = await stretch(password, stretching)
    await enrol(cx, token, { factor: 'recovery', root, proof: await proofOf(stretched) })
  } catch (cause) {
    throw isWrongProof(cause) ? wrongPassword() : cause
  } finally {
    wipe(stretched)
  }
}

/**
 * Enrols this device by the secret that the person's own drive keeps for a root. Throws {@link VaultError}, 'error' when
 * it is another account's drive.
 */
export async function enrolWithDrive(
  cx: VaultContext,
  token: Token,
  { root, ...place }: RecoveryFactor,
  accessToken: string,
): Promise<void> {
  const access: DriveAccess = { ...place, accessToken }
  const key = await driveKey(cx, token, access)
  try {
    await enrol(cx, token, { factor: 'recovery', root, verifier: await verifierOf(key) })
  } finally {
    wipe(key)
  }
}
