/** How this browser's key comes to count for a person. */
import { type Bytes, wipe } from '../bytes.ts'
import { recordsOf, type VaultContext } from '../context.ts'
import { isRefused, VaultError } from '../errors.ts'
import { rootNameOf } from '../keys/address.ts'
import type { RootName } from '../model.ts'
import { type DriveAccess, driveKey } from '../recovery/drives/key.ts'
import { isWrongProof, wrongPassword } from '../recovery/errors.ts'
import { proofOf, stretch, verifierOf } from '../recovery/keys.ts'
import { type EnrolmentOptions, enrol, fetchFactors, type RecoveryFactor } from '../server/devices.ts'
import { withDeviceRoot } from '../shares/device-root.ts'
import { statements } from '../statements.ts'
import type { Token } from '../token.ts'

/**
 * Enrols this device without asking the person: by a share of a root that this browser has held since before devices had
 * keys, or by a login that is enough for the server. Throws {@link VaultError} 'enrolment_required' when neither is.
 */
export async function enrolSilently(cx: VaultContext, token: Token): Promise<void> {
  if (!(await enrolWithShare(cx, token))) await enrol(cx, token, { factor: 'login' })
  const { thumbprint: device } = await cx.device()
  for (const record of await recordsOf(cx, token))
    if (record.device === undefined) await cx.store.put({ ...record, device })
}

/** Whether the server took a signature by a root that only who has this browser's share can put together. */
async function enrolWithShare(cx: VaultContext, token: Token): Promise<boolean> {
  const { thumbprint } = await cx.device()
  for (const root of await rootsHere(cx, token, thumbprint)) {
    try {
      const claim = await withDeviceRoot(cx, token, root, (open, { setId }) => {
        const values = { app: cx.settings.appId, user: token.user, wallet: open.walletId, set: setId }
        const statement = statements.deviceKey({ ...values, thumbprint })
        return open.withKey({ ...root, index: 0 }, (key) => ({ setId, proof: key.prove(statement) }))
      })
      await enrol(cx, token, { factor: 'share', root, ...claim })
      return true
    } catch (cause) {
      if (!isRefused(cause)) throw cause
    }
  }
  return false
}

/** Roots whose share here was not made with this very key, as one that is only being created is: it can't speak for itself. */
async function rootsHere(cx: VaultContext, token: Token, thumbprint: string): Promise<readonly RootName[]> {
  const roots = new Map<string, RootName>()
  for (const { walletId, chainType, address, device } of await recordsOf(cx, token))
    if (device !== thumbprint) roots.set(walletId, rootNameOf(chainType, address))
  return [...roots.values()]
}

/** What the person can prove to have this device enrolled. Throws {@link VaultError}. */
export const enrolmentFactors = (cx: VaultContext, token: Token): Promise<EnrolmentOptions> =>
  fetchFactors(cx, token)

/** Enrols this device by a second factor, which is shown where the server wants that. */
export const enrolWithMfa = (cx: VaultContext, token: Token): Promise<void> =>
  enrol(cx, token, { factor: 'mfa' })

/**
 * Enrols this device by the code that was sent for it (`sendEnrolmentCode`). Throws {@link VaultError}, with the code
 * 'invalid_credentials' for a wrong one.
 */
export const enrolWithCode = (cx: VaultContext, token: Token, code: string): Promise<void> =>
  enrol(cx, token, { factor: 'code', code })

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
