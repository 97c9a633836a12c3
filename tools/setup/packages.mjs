/** Installs the packages of the lock file when they are missing or other ones are there. No package's script is run. */
import path from 'node:path'
import { readJson, root, run } from './run.mjs'

export async function ensurePackages() {
  const why = whatDiffers(
    readJson(path.join(root, 'package-lock.json')),
    readJson(path.join(root, 'node_modules/.package-lock.json')),
  )
  if (!why) return
  console.log(`Bringing the packages of package-lock.json (${why}). This takes about a minute …`)
  await run(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
}

export const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

/**
 * Compares the lock file with npm's own record of what it installed. Returns a description of the first difference, or
 * undefined. Packages for other platforms are optional and may be absent; npm never installs an extraneous one.
 */
export function whatDiffers(wanted, installed) {
  if (!wanted?.packages)
    throw new Error('package-lock.json is missing or damaged; bring it back from the repository')
  if (!installed?.packages) return 'none are installed'
  for (const [place, { version, optional, devOptional, peer, extraneous }] of Object.entries(
    wanted.packages,
  )) {
    if (place === '' || extraneous) continue
    const found = installed.packages[place]
    const name = place.replace(/^.*node_modules\//, '')
    if (!found && !optional && !devOptional && !peer) return `${name} is missing`
    if (found && found.version !== version) return `${name} is ${found.version}, not ${version}`
  }
  return undefined
}
