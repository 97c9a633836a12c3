import { and, eq, gt } from 'drizzle-orm'
import { Refusal } from '../../lib/refusal.ts'
import { seal, unseal } from '../../secrets/sealing.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { App } from '../../settings/app.ts'
import type { RecoveryMethod } from '../../settings/names.ts'
import type { Transaction } from '../../store/database.ts'
import { signerOf, type UserSession, type WalletContext } from '../context.ts'
import { recordNames } from '../sealed-names.ts'
import { recoveryChanges, recoverySecrets, walletRoots } from '../tables.ts'

/** What is kept for a recovery method. Each method has its own of the fields after the package. */
export interface RecoveryRecord {
  method: RecoveryMethod
  package: string
  key?: string
  secretId?: string
  salt?: string
  fileId?: string
  recordName?: string
  /** How often a password is stretched. */
  rounds?: number
  /** SHA-256 of what somebody with the recovery key can show. */
  verifierHash?: string
}

/** The columns of a record, sealed. */
export function sealRecord(secrets: Secrets, owner: string, record: RecoveryRecord) {
  const { salt, fileId, recordName, rounds, verifierHash } = record
  const hints = JSON.stringify({ salt, fileId, recordName, rounds, verifierHash })
  return {
    recoveryMethod: record.method,
    sealedRecoveryPackage: seal(secrets, recordNames.package(owner), record.package),
    sealedRecoveryKey: record.key === undefined ? null : seal(secrets, recordNames.key(owner), record.key),
    recoverySecretId: record.secretId ?? null,
    sealedRecoveryHints: hints === '{}' ? null : seal(secrets, recordNames.hints(owner), hints),
  }
}

type RecordColumns = Omit<ReturnType<typeof sealRecord>, 'sealedRecoveryPackage'> & {
  sealedRecoveryPackage: string | null
}
/** What {@link sealRecord} closed. */
export function openRecord(secrets: Secrets, owner: string, row: RecordColumns): RecoveryRecord {
  const open = (place: (owner: string) => string, sealed: string | null) =>
    sealed === null ? undefined : unseal(secrets, place(owner), sealed)
  const hints = JSON.parse(open(recordNames.hints, row.sealedRecoveryHints) ?? '{}') as Pick<
    RecoveryRecord,
    'salt' | 'fileId' | 'recordName' | 'rounds' | 'verifierHash'
  >
  const key = open(recordNames.key, row.sealedRecoveryKey)
  return {
    method: row.recoveryMethod,
    package: open(recordNames.package, row.sealedRecoveryPackage) ?? '',
    ...(key !== undefined && { key }),
    ...(row.recoverySecretId !== null && { secretId: row.recoverySecretId }),
    ...hints,
  }
}

/** @throws Refusal `disallowed_recovery_method` for a way that the app does not offer */
export function requireOffered({ embeddedWallets, vault }: App, method: RecoveryMethod): void {
  const { recoveryOptions, requirePassword, ownKeyRecovery } = embeddedWallets
  const offered =
    method === 'privy' ||
    (method === 'recovery-encryption-key'
      ? // The vault of a strict app takes no secret from a page, so nothing would ever recover the wallet.
        ownKeyRecovery && vault === 'compatible'
      : recoveryOptions.some((each) => each === method)) ||
    (method === 'user-passcode' && requirePassword)
  if (!offered)
    throw new Refusal('disallowed_recovery_method', 'This app does not offer this recovery method.')
}

/** @throws Refusal `disallowed_recovery_method` for the automatic way where the app wants the person's own */
export function requireOwnWay({ embeddedWallets }: App, method: RecoveryMethod): void {
  if (embeddedWallets.requireOwnRecovery && method === 'privy')
    throw new Refusal(
      'disallowed_recovery_method',
      'In this app, the person chooses a recovery method for the wallet.',
    )
}

/**
 * Checks that what a password is combined with is the user's own, young enough not to be swept meanwhile, and unused.
 * @throws Refusal `invalid_data`
 */
export async function requireFreeSecret(
  { limits, clock }: WalletContext,
  tx: Transaction,
  session: UserSession,
  secretId: string | undefined,
): Promise<void> {
  if (secretId === undefined) return
  const { appId, userId } = signerOf(session)
  const [secret] = await tx
    .select({ id: recoverySecrets.id })
    .from(recoverySecrets)
    .where(
      and(
        eq(recoverySecrets.id, secretId),
        eq(recoverySecrets.appId, appId),
        eq(recoverySecrets.userId, userId),
        gt(recoverySecrets.createdAt, clock() - limits.recoverySecretLife),
      ),
    )
    .for('update')
  const uses = await Promise.all([
    tx.$count(walletRoots, eq(walletRoots.recoverySecretId, secretId)),
    tx.$count(recoveryChanges, eq(recoveryChanges.recoverySecretId, secretId)),
  ])
  if (!secret || uses.some((count) => count > 0))
    throw new Refusal('invalid_data', 'Invalid or missing: recovery.secret_id')
}
