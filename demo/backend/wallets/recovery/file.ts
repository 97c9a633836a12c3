import { randomUUID } from 'node:crypto'
import { asc, eq, inArray } from 'drizzle-orm'
import { noteTool } from '../../audit/audit.ts'
import { unseal } from '../../secrets/sealing.ts'
import type { Secrets } from '../../secrets/secrets.ts'
import type { Database } from '../../store/database.ts'
import { users } from '../../users/tables.ts'
import { recoverySecretName, rootOwner } from '../sealed-names.ts'
import { recoverySecrets, shareReleases, walletRoots, wallets } from '../tables.ts'
import { openRecord } from './record.ts'

/** All that this side has for a person's wallets; docs/recovery.md describes it. */
export interface RecoveryFile {
  format: 'latchkey-recovery'
  version: 1
  app: string
  user: string
  madeAt: string
  roots: {
    walletId: string
    wallets: { chainType: string; index: number; address: string }[]
    package: string
    /** Automatic recovery. */
    key?: string
    /** The server's half of a password. */
    passwordSecret?: string
  }[]
}

/**
 * What a person, or a company in their name, needs to rebuild their keys without this server. Noted like any other
 * release, in `share_releases` as the operator's, and in the audit log.
 * @throws Error when there is no such user, or no wallet
 */
export async function makeRecoveryFile(
  { database, secrets, clock }: { database: Database; secrets: Secrets; clock: () => number },
  userId: string,
): Promise<RecoveryFile> {
  const [user] = await database.select().from(users).where(eq(users.id, userId))
  if (!user) throw new Error('There is no such user.')
  const roots = await database
    .select()
    .from(walletRoots)
    .where(eq(walletRoots.userId, userId))
    .orderBy(asc(walletRoots.createdAt))
  if (roots.length === 0) throw new Error('This user has no embedded wallet.')
  const known = await database
    .select()
    .from(wallets)
    .where(eq(wallets.userId, userId))
    .orderBy(asc(wallets.walletIndex), asc(wallets.accountId))
  const at = clock()
  await database.transaction(async (tx) => {
    await tx.insert(shareReleases).values(
      roots.map(({ id: walletId, appId, address }) => ({
        id: randomUUID(),
        at,
        appId,
        userId,
        walletId,
        address,
        sessionId: 'operator',
        what: 'recovery-file' as const,
      })),
    )
    const details = { wallets: roots.map(({ address }) => address) }
    await noteTool(tx, 'export-recovery', {
      at,
      appId: user.appId,
      action: 'operator-export',
      userId,
      details,
    })
  })

  const secretIds = roots.flatMap(({ recoverySecretId: id }) => (id === null ? [] : [id]))
  const halves = await database.select().from(recoverySecrets).where(inArray(recoverySecrets.id, secretIds))
  const passwordSecret = (secretId: string | undefined) => {
    const row = halves.find(({ id }) => id === secretId)
    return row && unseal(secrets, recoverySecretName(row.id), row.sealedSecret)
  }
  return {
    format: 'latchkey-recovery',
    version: 1,
    app: user.appId,
    user: userId,
    madeAt: new Date(at).toISOString(),
    roots: roots.map((root) => {
      const record = openRecord(secrets, rootOwner(root.id), root)
      const half = passwordSecret(record.secretId)
      return {
        walletId: root.id,
        wallets: known
          .filter(({ rootId }) => rootId === root.id)
          .map(({ chainType, walletIndex, address }) => ({ chainType, index: walletIndex, address })),
        package: record.package,
        ...(record.key !== undefined && { key: record.key }),
        ...(half !== undefined && { passwordSecret: half }),
      }
    }),
  }
}
