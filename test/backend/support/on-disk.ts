/** Backends that keep what they have in a folder of their own, as a server without a database does. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { demoApps } from '../../../demo/backend/settings/demo-apps.ts'
import { scratch } from '../../support/scratch.ts'

/** A folder for all tests of a suite, which is gone after them. */
export function ownFolder(): { readonly path: string } {
  const folder = { path: '' }
  beforeAll(async () => {
    folder.path = await mkdtemp(join(scratch, 'latchkey-store-'))
  })
  afterAll(() => rm(folder.path, { recursive: true, force: true }))
  return folder
}

/** What a backend needs to know that keeps its data there. */
export const settingsIn = (dataDir: string) => ({
  dataDir,
  apiUrl: 'http://localhost:4801',
  apps: demoApps,
  smtpUrl: 'smtp://127.0.0.1:1',
  vaultFiles: dataDir,
})
