/** The last step of a build: what describes the other files. Runs once all of them are written. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { importsOf } from '../measure/bundle.mjs'
import { manifestOfElements } from './manifest.mjs'
import { root } from './program.mjs'
import { notice, thirdParty } from './third-party.mjs'

export function finish(out) {
  return {
    name: 'finish',
    writeBundle() {
      copyFrameworkTypes(out)
      write(path.join(out, 'custom-elements.json'), manifestOfElements(root))
      write(
        path.join(out, 'third-party.json'),
        thirdParty().map(({ name, version, license }) => ({ name, version, license })),
      )
      write(path.join(out, 'cdn/preload.json'), filesOfDialog(path.join(out, 'cdn/latchkey.js')))
      write(path.join(out, 'sri.json'), hashes(out))
      // For the repository, which publishes its own copy; the package does not hold this one.
      fs.writeFileSync(path.join(out, 'NOTICE'), notice(root))
    },
  }
}

/** What a framework's checker wants to know, each in a file that only its users load: it imports their framework. */
function copyFrameworkTypes(out) {
  const folder = path.join(root, 'elements/types')
  for (const file of fs.readdirSync(folder)) {
    const text = fs.readFileSync(path.join(folder, file), 'utf8').replace("'../types.ts'", "'./elements.js'")
    fs.writeFileSync(path.join(out, 'types', file), text)
  }
}

/** For a page that opens a dialog at once: what to name in `<link rel="modulepreload">`, relative to latchkey.js. */
const filesOfDialog = (entry) =>
  [...new Set(importsOf(entry).later)].map((address) => address.replace('./', ''))

/** The SHA-384 of every file, in the form that `integrity` takes. */
function hashes(out) {
  const files = fs
    .readdirSync(out, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name !== 'sri.json')
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
  const pairs = files.map((file) => [
    path.relative(out, file).split(path.sep).join('/'),
    `sha384-${createHash('sha384').update(fs.readFileSync(file)).digest('base64')}`,
  ])
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const write = (file, value) => fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
