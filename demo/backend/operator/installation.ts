import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadSecrets, type Secrets, secretsFile } from '../secrets/secrets.ts'
import { readDatabaseSettings } from '../settings/database.ts'
import { type OpenDatabase, openDatabase } from '../store/database.ts'
import { checkFingerprint } from '../store/fingerprint.ts'

export interface Installation extends OpenDatabase {
  secrets: Secrets
  dataDir: string
  /** Whether the secrets are in a file of that folder, and not in the environment. */
  inFile: boolean
}

/**
 * Opens what a server has been running on, for the operator's tools. They read `LATCHKEY_DATA`, `LATCHKEY_SECRETS` and
 * `DATABASE_URL` as main.ts does. A PGlite folder is one process's: its server has to be stopped first.
 * @throws Error that says what is missing
 */
export async function openInstallation(env: NodeJS.ProcessEnv): Promise<Installation> {
  const dataDir = resolve(env.LATCHKEY_DATA ?? '.latchkey')
  const inFile = env.LATCHKEY_SECRETS === undefined
  if (inFile && !existsSync(secretsFile(dataDir)))
    throw new Error(`There are no secrets in ${dataDir}. Set LATCHKEY_DATA or LATCHKEY_SECRETS.`)
  if (!env.DATABASE_URL && !existsSync(join(dataDir, 'database')))
    throw new Error(`There is no database in ${dataDir}. Set LATCHKEY_DATA or DATABASE_URL.`)
  const secrets = await loadSecrets(dataDir, env.LATCHKEY_SECRETS)
  const store = await openDatabase({
    dataDir,
    databaseUrl: env.DATABASE_URL || undefined,
    // A tool may go through whole tables.
    databaseSettings: { queryTimeout: 0, statementTimeout: 0, ...readDatabaseSettings(env) },
    log: (line) => console.error(line),
  })
  try {
    await checkFingerprint(store.database, secrets, { known: true })
  } catch (cause) {
    await store.close()
    throw cause
  }
  return { ...store, secrets, dataDir, inFile }
}

/** Runs a tool to its end; a failure is printed as its message, without a stack trace. */
export function runTool(work: () => Promise<void>): void {
  work().catch((cause: unknown) => {
    console.error(cause instanceof Error ? cause.message : cause)
    if (cause instanceof Error && cause.cause instanceof Error) console.error(cause.cause.message)
    process.exitCode = 1
  })
}
