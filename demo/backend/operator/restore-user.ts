/**
 * Restores a user who was removed with wallets, by a transfer of an account (docs/security.md) or by the admin API
 * (docs/operating.md):
 *
 *     node --import tsx demo/backend/operator/restore-user.ts --user did:latchkey:…
 *
 * Their wallets, and the accounts that nobody else has by now, are theirs again. With PGlite, stop the server first.
 */
import { parseArgs } from 'node:util'
import { restoreUser } from '../accounts/removed-users.ts'
import { openInstallation, runTool } from './installation.ts'

async function main(userId: string): Promise<void> {
  const { database, close } = await openInstallation(process.env)
  try {
    const { back, taken } = await restoreUser(database, userId, Date.now())
    console.log(`${userId} is restored, with ${back.join(', ')}`)
    if (taken.length > 0) console.log(`Somebody else has by now: ${taken.join(', ')}`)
  } finally {
    await close()
  }
}

function userOf(): string | undefined {
  try {
    return parseArgs({ options: { user: { type: 'string' } } }).values.user
  } catch {
    return undefined
  }
}

const user = userOf()
if (user) runTool(() => main(user))
else {
  console.error('Usage: restore-user.ts --user <user id>')
  process.exitCode = 2
}
