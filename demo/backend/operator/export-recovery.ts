/**
 * Writes what this side has of a person's embedded wallets into a file, for `latchkey-recover` (docs/recovery.md):
 *
 *     node --import tsx demo/backend/operator/export-recovery.ts --user did:latchkey:… [--out file.json]
 *
 * With automatic recovery the file alone opens the wallets: keep it like the keys themselves. With the others it still
 * takes the person's password, drive or key. The person sees in their own list of releases that it was made.
 */
import { open, rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { makeRecoveryFile } from '../wallets/recovery/file.ts'
import { openInstallation, runTool } from './installation.ts'

async function main(user: string, out: string): Promise<void> {
  const installation = await openInstallation(process.env)
  try {
    // The file first: nothing is opened, and nothing noted, for one that cannot be written.
    const file = await open(out, 'wx', 0o600)
    try {
      const made = await makeRecoveryFile({ ...installation, clock: Date.now }, user)
      await file.writeFile(`${JSON.stringify(made, undefined, 2)}\n`)
      console.log(`${out}: ${made.roots.length} root(s)`)
    } catch (cause) {
      await rm(out, { force: true })
      throw cause
    } finally {
      await file.close()
    }
  } finally {
    await installation.close()
  }
}

function options(): { user: string; out: string } | undefined {
  try {
    const { user, out } = parseArgs({ options: { user: { type: 'string' }, out: { type: 'string' } } }).values
    return user
      ? { user, out: out ?? `latchkey-recovery-${user.replaceAll(/[^\w-]/g, '-')}.json` }
      : undefined
  } catch {
    return undefined
  }
}

const given = options()
if (given) runTool(() => main(given.user, given.out))
else {
  console.error('Usage: export-recovery.ts --user <user id> [--out <file>]')
  process.exitCode = 2
}
