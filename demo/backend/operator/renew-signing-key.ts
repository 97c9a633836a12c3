/**
 * Makes a new key for the tokens of an app:
 *
 *     node --import tsx demo/backend/operator/renew-signing-key.ts --app <app id>
 *
 * Running servers sign with it after `limits.secretsReload`, and the app's key set has it at once. Tokens of the key before
 * stay good until they expire. With PGlite, stop the server first.
 */
import { parseArgs } from 'node:util'
import { createAppKeys } from '../sessions/app-keys.ts'
import { defaultLimits } from '../settings/limits.ts'
import { openInstallation, runTool } from './installation.ts'

async function main(id: string): Promise<void> {
  const { close, ...installation } = await openInstallation(process.env)
  try {
    const keys = createAppKeys({ ...installation, limits: defaultLimits, clock: Date.now })
    console.log(`New signing key of ${id}: ${await keys.renew(id, 'renew-signing-key')}`)
  } finally {
    await close()
  }
}

function appOf(): string | undefined {
  try {
    return parseArgs({ options: { app: { type: 'string' } } }).values.app
  } catch {
    return undefined
  }
}

const app = appOf()
if (app) runTool(() => main(app))
else {
  console.error('Usage: renew-signing-key.ts --app <app id>')
  process.exitCode = 2
}
