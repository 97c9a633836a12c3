/**
 * The apps of this folder as `npm test` opens them: installed and built before it begins, in `.cache/hosts`, and kept for
 * as long as their lock files, their own files and the package are the same. `tools/setup/hosts.mjs` has them prepared.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { fingerprint as packageFingerprint } from '../../tools/setup/dist.mjs'
import { whatDiffers } from '../../tools/setup/packages.mjs'
import { readJson, root } from '../../tools/setup/run.mjs'
import { apps, buildApp, type HostApp, serveDeployed, settingsOf } from './apps.ts'
import { installPackages, projectIn, type Served, serveWith, sourcesOf, unpack } from './project.ts'

const kept = path.join(root, '.cache/hosts')
const folderOf = (app: HostApp) => path.join(kept, app.name)
const stampOf = (app: HostApp) => path.join(kept, `${app.name}.sha256`)

/** What stands in the built files in place of a demo that does not run yet. */
const anyDemo = { api: 'https://api.demo.example', vault: 'https://vault.demo.example' }

/** Those that differ most: a server renders the one, and the compiler of the other has to know custom elements. The soak builds all. */
export const preparedApps = apps.filter(({ name }) => name === 'next' || name === 'vue')

/** Brings what is missing, and says what it brings. */
export async function prepareApps(): Promise<void> {
  for (const app of preparedApps) await prepare(app)
}

async function prepare(app: HostApp): Promise<void> {
  const folder = folderOf(app)
  const lock = readJson(path.join(sourcesOf(app.name), 'package-lock.json'))
  const why = whatDiffers(lock, readJson(path.join(folder, 'node_modules/.package-lock.json')))
  const now = await fingerprint(app)
  if (!why && (await fs.readFile(stampOf(app), 'utf8').catch(() => undefined)) === now) return

  await fs.rm(stampOf(app), { force: true })
  await fs.mkdir(folder, { recursive: true })
  for (const old of await fs.readdir(folder))
    if (old !== 'node_modules') await fs.rm(path.join(folder, old), { recursive: true, force: true })
  await fs.cp(sourcesOf(app.name), folder, { recursive: true })
  if (why) {
    console.log(`Bringing the packages of test/hosts/${app.name} (${why}) …`)
    await installPackages(folder)
  }
  console.log(`Building test/hosts/${app.name} from the packed package …`)
  await fs.rm(path.join(folder, 'node_modules/latchkey'), { recursive: true, force: true })
  await unpack(folder)
  await buildApp(app, projectIn(folder), settingsOf(anyDemo))
  await fs.writeFile(stampOf(app), now)
}

/** A hash over all that an app is built from. */
async function fingerprint(app: HostApp): Promise<string> {
  const hash = createHash('sha256')
    .update(packageFingerprint())
    .update(await fs.readFile(import.meta.filename))
  const files = await fs.readdir(sourcesOf(app.name), { recursive: true, withFileTypes: true })
  const names = files.filter((file) => file.isFile()).map((file) => path.join(file.parentPath, file.name))
  for (const name of [...names.sort(), path.join(root, 'test/hosts/apps.ts')])
    hash
      .update(`${path.relative(root, name)}\0`)
      .update(await fs.readFile(name))
      .update('\0')
  return hash.digest('hex')
}

/** Serves a prepared app to people of this demo. */
export async function servePrepared(app: HostApp, demo: { api: string; vault: string }): Promise<Served> {
  const served = await serveDeployed(app, projectIn(folderOf(app)))
  return serveWith(served, { [anyDemo.api]: demo.api, [anyDemo.vault]: demo.vault })
}
