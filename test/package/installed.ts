/** A host project on disk with the packed package in `node_modules` and nothing else, and two pages that use it. */
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** What each page of a host imports, by the page's name. */
export const pages = {
  define: 'latchkey/define',
  element: 'latchkey/elements/login-modal',
} as const

export interface Host {
  /** The project; what a bundler makes of it goes to a folder inside. */
  readonly folder: string
  /** The installed package. */
  readonly installed: string
  /** The modules that bundlers start from, by the page's name. */
  readonly entries: Readonly<Record<string, string>>
  remove(): Promise<void>
}

/** Packs the package as npm publishes it and unpacks it as npm installs it, without asking the network. */
export async function installPackage(): Promise<Host> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'latchkey-host-'))
  const installed = path.join(folder, 'node_modules/latchkey')
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: root })
  const tarball = path.join(folder, JSON.parse(stdout)[0].filename)
  await fs.mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  await fs.rm(tarball)
  await fs.writeFile(
    path.join(folder, 'package.json'),
    '{ "name": "host", "private": true, "type": "module" }',
  )
  const entries = Object.fromEntries(
    Object.keys(pages).map((page) => [page, path.join(folder, `${page}.js`)]),
  )
  for (const [page, specifier] of Object.entries(pages))
    await fs.writeFile(path.join(folder, `${page}.js`), `import '${specifier}'\n`)
  return { folder, installed, entries, remove: () => fs.rm(folder, { recursive: true, force: true }) }
}
