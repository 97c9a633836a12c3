import { recoveryMethods } from '../../protocol/frame/calls.ts'
import { type Bytes, randomBytes, toBase64url, wipe } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import { vaultLimits } from '../limits.ts'
import type { RecoveryRecord, RecoveryRequest } from '../model.ts'
import { newSecret } from '../server/recovery.ts'
import type { Share } from '../shares/envelope.ts'
import type { Token } from '../token.ts'
import { type Drive, driveUnavailable, newFile, readSecret } from './drives/file.ts'
import { googleDrive } from './drives/google-drive.ts'
import { openIcloud } from './drives/open-icloud.ts'
import { passwordKey, proofOf, type Stretching, secretKey, stretch, verifierOf } from './keys.ts'
import { sealPackage } from './package.ts'

/** A recovery method that only waits for the shares. */
export interface PreparedRecovery {
  seal(auth: Share, recovery: Share): Promise<RecoveryRecord>
  /** Zeroes its key. */
  wipe(): void
}

/** A fresh key, and what has to be kept so that it can be made again. */
interface NewKey {
  readonly key: Bytes
  readonly stretching?: Stretching
  readonly kept?: Omit<RecoveryRecord, 'method' | 'package'>
}

/**
 * Does the slow part of a recovery method: stretches the password, puts a secret into the person's drive. No share is
 * needed for it, so none has to be in memory meanwhile. Throws `VaultError`.
 */
export async function prepareRecovery(
  cx: VaultContext,
  token: Token,
  request: RecoveryRequest,
  walletId: string,
): Promise<PreparedRecovery> {
  const { key, stretching, kept } = await makeKey(cx, token, request, walletId)
  const header = { method: request.method, ...(stretching && { stretching }) }
  return {
    seal: async (auth, recovery) => ({
      method: request.method,
      package: await sealPackage(header, key, auth, recovery),
      ...kept,
    }),
    wipe: () => wipe(key),
  }
}

async function makeKey(
  cx: VaultContext,
  token: Token,
  request: RecoveryRequest,
  walletId: string,
): Promise<NewKey> {
  switch (request.method) {
    case recoveryMethods.automatic: {
      const key = randomBytes(vaultLimits.recoveryKeyBits / 8)
      return { key, kept: { key: toBase64url(key) } }
    }
    case recoveryMethods.password:
      return keyFromPassword(cx, token, request.password)
    case recoveryMethods.googleDrive: {
      const { secret, name } = await putSecret(cx, googleDrive(cx, request.accessToken), walletId)
      return keyFromSecret(secret, { fileId: name })
    }
    case recoveryMethods.icloud: {
      if ('secret' in request) return keyFromSecret(request.secret, { recordName: request.recordName })
      const drive = await openIcloud(cx, token, request.accessToken)
      const { secret, name } = await putSecret(cx, drive, walletId)
      return keyFromSecret(secret, { recordName: name })
    }
    case recoveryMethods.ownKey:
      return keyFromSecret(request.key)
  }
}

async function keyFromSecret(secret: string, place: NewKey['kept'] = {}): Promise<NewKey> {
  const key = await secretKey(secret)
  return { key, kept: { ...place, verifier: toBase64url(await verifierOf(key)) } }
}

async function keyFromPassword(cx: VaultContext, token: Token, password: string): Promise<NewKey> {
  const stretching = { iterations: vaultLimits.passwordRounds, salt: randomBytes(16) }
  let stretched: Bytes | undefined
  let evaluation: Bytes | undefined
  try {
    stretched = await stretch(password, stretching)
    const secret = await newSecret(cx, token, await proofOf(stretched))
    evaluation = secret.evaluation
    const key = await passwordKey(stretched, evaluation, stretching.salt)
    const { iterations: rounds, salt } = stretching
    return { key, stretching, kept: { secretId: secret.secretId, salt: toBase64url(salt), rounds } }
  } finally {
    wipe(stretched, evaluation)
  }
}

/** Writes a secret into a drive and reads it back: what the drive has not kept is no recovery method. */
async function putSecret(cx: VaultContext, drive: Drive, walletId: string) {
  const { appId } = cx.settings
  const file = newFile(appId, walletId)
  const name = await drive.write(file)
  if (readSecret(await drive.read(name), appId, walletId) !== file.secret) throw driveUnavailable()
  return { name, secret: file.secret }
}
