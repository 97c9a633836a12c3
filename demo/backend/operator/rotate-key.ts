/**
 * Changes the key under which shares and other secrets are sealed in the database:
 *
 *     node --import tsx demo/backend/operator/rotate-key.ts
 *     node --import tsx demo/backend/operator/rotate-key.ts --drop-old
 *
 * The first puts a new key in front of the old one into `secrets.json` and seals every value again under it. Servers that
 * run on the same file learn of it by themselves (limits.secretsReload, and at once when they meet a value that they cannot open).
 * If it is interrupted, it continues where it was when it is called again. The second, a minute later at the earliest, seals what
 * was added in between, checks that nothing needs the old key any longer, and deletes it.
 *
 * With `LATCHKEY_SECRETS` the keys are yours to change, in three steps with a restart of all servers after each: add the
 * new key last, put it first, and after both commands here take the old one away.
 */

import { noteTool } from '../audit/audit.ts'
import { sealedColumns } from '../features.ts'
import { newSealingKey, saveSecrets, secretsFile } from '../secrets/secrets.ts'
import { lockFolder } from '../store/folder-lock.ts'
import { users } from '../users/tables.ts'
import { type Installation, openInstallation, runTool } from './installation.ts'
import { countOld, reseal } from './reseal.ts'

/** After so long every server has read the file again, and what it had begun before is written. */
const KNOWN_TO_ALL = 60_000

async function main(dropOld: boolean): Promise<void> {
  const installation = await openInstallation(process.env)
  try {
    if (!installation.inFile) return await rotate(installation, dropOld)
    const unlock = await lockFolder(secretsFile(installation.dataDir))
    try {
      await rotate(installation, dropOld)
    } finally {
      await unlock()
    }
  } finally {
    await installation.close()
  }
}

async function rotate(installation: Installation, dropOld: boolean): Promise<void> {
  const { database, secrets, dataDir, inFile } = installation
  if (secrets.sealingKeys.length === 1) {
    if (dropOld) throw new Error('There is no old key.')
    if (!inFile) throw new Error('LATCHKEY_SECRETS has only one key: put a new one in front of it.')
    secrets.sealingKeys = [{ ...newSealingKey(), since: Date.now() }, ...secrets.sealingKeys]
    await saveSecrets(dataDir, secrets)
    await note(installation, { added: secrets.sealingKeys[0]?.id })
    console.log(`New key ${secrets.sealingKeys[0]?.id}`)
  }
  const [first] = secrets.sealingKeys
  const wait = Math.ceil(((first?.since ?? 0) + KNOWN_TO_ALL - Date.now()) / 1_000)
  if (dropOld && wait > 0)
    throw new Error(`Key ${first?.id} is too new: some server may not know it yet. Try again in ${wait} s.`)

  const { done, unreadable } = await reseal(sealedColumns, database, secrets, (sofar) =>
    console.log(`Sealed again: ${sofar}`),
  )
  for (const where of unreadable) console.error(`No key opens ${where}`)
  console.log(`Values sealed again: ${done}; under key ${first?.id} now: all but ${unreadable.length}`)
  if (unreadable.length > 0) process.exitCode = 1
  if (!dropOld) return
  const left = await countOld(sealedColumns, database, secrets)
  if (left > 0) throw new Error(`${left} values still need another key, so no key was dropped.`)
  const dropped = secrets.sealingKeys.slice(1).map(({ id }) => id)
  if (inFile) await saveSecrets(dataDir, { ...secrets, sealingKeys: secrets.sealingKeys.slice(0, 1) })
  await note(installation, { dropped })
  console.log(inFile ? `Dropped: ${dropped.join(', ')}` : `No longer needed: ${dropped.join(', ')}`)
}

/** The key is that of all apps, so the log of each app that has users says it. */
async function note({ database }: Installation, details: Record<string, unknown>): Promise<void> {
  const apps = await database.selectDistinct({ appId: users.appId }).from(users)
  for (const { appId } of apps)
    await noteTool(database, 'rotate-key', {
      at: Date.now(),
      appId,
      action: 'sealing-key-changed',
      details,
    })
}

const given = process.argv.slice(2)
if (given.some((word) => word !== '--drop-old')) {
  console.error('Usage: rotate-key.ts [--drop-old]')
  process.exitCode = 2
} else runTool(() => main(given.includes('--drop-old')))
