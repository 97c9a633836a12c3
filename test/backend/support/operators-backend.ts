/** A backend that runs where a test starts it, as operators stop theirs for a tool, with the tools' own settings. */
import { createBackend } from '../../../demo/backend/server.ts'
import { demoApps } from '../../../demo/backend/settings/demo-apps.ts'
import { createMailbox } from '../../../demo/world/mail/mailbox.ts'
import { everyWayApp } from './embedded-world.ts'
import { apiUrl, createDatabase, type Store, startWorld, vaultOrigin } from './world.ts'

export async function operatorsBackend(store: Store) {
  const database = store.url ? await createDatabase(store.url) : undefined
  const world = await startWorld({ name: store.name }, { moreApps: [everyWayApp] })
  await world.backend.close()
  const { dataDir } = world
  const mailbox = await createMailbox()
  return {
    database,
    dataDir,
    mailbox,
    /** The environment of the tools. */
    env: { LATCHKEY_DATA: dataDir, DATABASE_URL: database?.url ?? '' },
    start: () =>
      createBackend({
        dataDir,
        databaseUrl: database?.url,
        apiUrl,
        vaultOrigin,
        apps: [...demoApps, everyWayApp],
        smtpUrl: mailbox.smtp.url,
        vaultFiles: dataDir,
      }),
    async cleanUp() {
      await mailbox.close()
      await world.cleanUp()
      await database?.drop()
    },
  }
}
