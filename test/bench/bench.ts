/**
 * `npm run bench`: figures beside their budgets. `npm run bench -- landing|vault|signing|approval|backend|server|counters|wallet-connect|better-auth` runs one part;
 * without a word all run but better-auth, which npm has to install first, server, which seeds 200,000 users, and counters. Exits 1 when a figure misses its budget.
 */
import { approvalFigures } from './approval.ts'
import { backendFigures } from './backend.ts'
import { betterAuthFigures } from './better-auth.ts'
import { counterFigures } from './counters.ts'
import { type Figure, isMissed, printFigures } from './figures.ts'
import { landingFigures } from './landing.ts'
import { serverFigures } from './server.ts'
import { signingFigures } from './signing.ts'
import { vaultFigures } from './vault.ts'
import { walletConnectFigures } from './wallet-connect.ts'

const parts: Record<string, () => Promise<Figure[]>> = {
  landing: landingFigures,
  vault: vaultFigures,
  signing: signingFigures,
  approval: approvalFigures,
  backend: backendFigures,
  server: serverFigures,
  counters: counterFigures,
  'wallet-connect': walletConnectFigures,
  'better-auth': betterAuthFigures,
}
const usual = Object.keys(parts).filter((name) => !['better-auth', 'server', 'counters'].includes(name))

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !Object.hasOwn(parts, name))
if (unknown.length > 0) {
  console.error(`There is no part "${unknown[0]}". Parts: ${Object.keys(parts).join(', ')}.`)
  process.exit(2)
}

let failed = false
for (const name of asked.length > 0 ? asked : usual) {
  console.log(`\n──── ${name} ────\n`)
  try {
    const figures = (await parts[name]?.()) ?? []
    printFigures(figures)
    failed ||= figures.some(isMissed)
  } catch (cause) {
    console.error(`${name} could not be measured: ${cause instanceof Error ? cause.message : cause}`)
    failed = true
  }
}
process.exit(failed ? 1 : 0)
