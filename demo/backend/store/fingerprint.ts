import { eq } from 'drizzle-orm'
import { keyedHash, type Secrets } from '../secrets/secrets.ts'
import type { Database } from './database.ts'
import { installation } from './tables.ts'

/**
 * Other secrets would open none of the sealed rows and follow none of the refresh tokens: better not to start.
 * @param options.known a database that no server has been on yet is refused, too
 * @throws Error
 */
export async function checkFingerprint(
  database: Database,
  secrets: Secrets,
  options?: { known: true },
): Promise<void> {
  const value = keyedHash(secrets, 'fingerprint').toString('base64url')
  if (!options?.known)
    await database.insert(installation).values({ name: 'pepper', value }).onConflictDoNothing()
  const [row] = await database.select().from(installation).where(eq(installation.name, 'pepper'))
  if (!row) throw new Error('No server has ever been started on this database.')
  if (row.value !== value)
    throw new Error(
      'This database was made with other secrets. Use the same LATCHKEY_SECRETS or data folder.',
    )
}
