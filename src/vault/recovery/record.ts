import { recoveryMethods } from '../../wire/frame/calls.ts'
import { fetchIcloudContainer, newSecret } from '../api/recovery.ts'
import { bounds } from '../bounds.ts'
import { type Bytes, randomBytes, toBase64url, wipe } from '../bytes.ts'
import type { VaultContext } from '../context.ts'
import { type Drive, newFile, noDrive, readSecret } from '../drive/file.ts'
import { googleDrive } from '../drive/google-drive.ts'
import { icloud } from '../drive/icloud.ts'
import type { Share } from '../envelope.ts'
import type { RecoveryRecord, RecoveryWish } from '../model.ts'
import type { Token } from '../token.ts'
import { passwordKey, proofOf, type Stretching, secretKey, stretch } from './keys.ts'
import { sealPackage } from './package.ts'

/** A way of recovery that only waits for the shares. */
export interface PreparedRecovery {
  seal(auth: Share, recovery: Share): Promise<RecoveryRecord>
  /** Zeroes its key. */
  wipe(): void
}

/** A fresh key, and what has to be kept so that it can be made again. */
interface Lock {
  readonly key: Bytes
  readonly stretching?: Stretching
  readonly kept?: Pick<RecoveryRecord, 'key' | 'secretId' | 'salt' | 'fileId' | 'recordName'>
}

/**
 * Does the slow part of a way of recovery: stretches the password, puts a secret into the person's drive. No share is
 * needed for it, so none has to be in memory meanwhile. Throws `VaultError`.
 */
export async function prepareRecovery(
  cx: VaultContext,
  token: Token,
  wish: RecoveryWish,
  walletId: string,
): Promise<PreparedRecovery> {
  const { key, stretching, kept } = await makeLock(cx, token, wish, walletId)
  const header = { method: wish.method, ...(stretching && { stretching }) }
  return {
    seal: async (auth, recovery) => ({
      method: wish.method,
      package: await sealPackage(header, key, auth, recovery),
      ...kept,
    }),
    wipe: () => wipe(key),
  }
}

/**
 * iCloud's token serves one round trip, and the drive knows the next one: a wish that is needed again, because a
 * creation turned out to be an earlier one, goes on with it.
 */
const icloudDrives = new WeakMap<RecoveryWish, Drive>()

async function makeLock(cx: VaultContext, token: Token, wish: RecoveryWish, walletId: string): Promise<Lock> {
  switch (wish.method) {
    case recoveryMethods.automatic: {
      const key = randomBytes(bounds.recoveryKeyBits / 8)
      return { key, kept: { key: toBase64url(key) } }
    }
    case recoveryMethods.password:
      return lockWithPassword(cx, token, wish.password)
    case recoveryMethods.googleDrive: {
      const { secret, name } = await putSecret(cx, googleDrive(cx, wish.accessToken), walletId)
      return { key: await secretKey(secret), kept: { fileId: name } }
    }
    case recoveryMethods.icloud: {
      if ('secret' in wish)
        return { key: await secretKey(wish.secret), kept: { recordName: wish.recordName } }
      const drive =
        icloudDrives.get(wish) ?? icloud(cx, await fetchIcloudContainer(cx, token), wish.accessToken)
      icloudDrives.set(wish, drive)
      const { secret, name } = await putSecret(cx, drive, walletId)
      return { key: await secretKey(secret), kept: { recordName: name } }
    }
    case recoveryMethods.ownKey:
      return { key: await secretKey(wish.key) }
  }
}

async function lockWithPassword(cx: VaultContext, token: Token, password: string): Promise<Lock> {
  const stretching = { iterations: bounds.passwordRounds, salt: randomBytes(16) }
  let stretched: Bytes | undefined
  let evaluation: Bytes | undefined
  try {
    stretched = await stretch(password, stretching)
    const secret = await newSecret(cx, token, await proofOf(stretched))
    evaluation = secret.evaluation
    const key = await passwordKey(stretched, evaluation, stretching.salt)
    return { key, stretching, kept: { secretId: secret.secretId, salt: toBase64url(stretching.salt) } }
  } finally {
    wipe(stretched, evaluation)
  }
}

/** Writes a secret into a drive and reads it back: what the drive has not kept is no way of recovery. */
async function putSecret(cx: VaultContext, drive: Drive, walletId: string) {
  const { appId } = cx.settings
  const file = newFile(appId, walletId)
  const name = await drive.write(file)
  if (readSecret(await drive.read(name), appId, walletId) !== file.secret) throw noDrive()
  return { name, secret: file.secret }
}
