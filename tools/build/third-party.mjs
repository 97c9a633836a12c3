/** Keeps account of the packages whose code ends up in what we ship. */
import fs from 'node:fs'
import path from 'node:path'

/** Folder of a package -> { name, version, license, folder }. Filled while rollup runs. */
const bundled = new Map()

/** A plugin that notes every package of which a line is left after tree-shaking. */
export function noteThirdParty() {
  return {
    name: 'note-third-party',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const [id, { renderedLength }] of Object.entries(chunk.modules ?? {})) {
          if (renderedLength > 0) note(id)
        }
      }
    },
  }
}

/** All packages noted so far, by name. */
export function thirdParty() {
  return [...bundled.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
}

function note(id) {
  const match = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)
  if (!match || bundled.has(match[1])) return
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(match[1], 'package.json'), 'utf8'))
  bundled.set(match[1], { name, version, license, folder: match[1] })
}
