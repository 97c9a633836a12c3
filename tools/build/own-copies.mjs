/**
 * Gives a module that is loaded late a copy of its own, as it was published, of what it shares with one that is loaded early. Rollup
 * puts a module into one file, with everything that anybody uses of it: what only the late one needs would be loaded early.
 */
import fs from 'node:fs/promises'

const mark = '?copy'
const plain = (id) => id.slice(0, -mark.length)

/** @param copies the end of the importing file's name, and what it imports a copy of; nothing there may have a state to share */
export function ownCopies(copies) {
  return {
    name: 'own-copies',
    // Before those that find what packages mean by their names.
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        if (!importer) return null
        const inCopy = importer.endsWith(mark)
        const wanted = inCopy
          ? source.startsWith('.')
          : Object.entries(copies).some(([by, of]) => importer.endsWith(by) && source === of)
        if (!wanted && !inCopy) return null
        const from = inCopy ? plain(importer) : importer
        const found = await this.resolve(source, from, { ...options, skipSelf: true })
        return found && wanted ? `${found.id}${mark}` : found
      },
    },
    load: (id) => (id.endsWith(mark) ? fs.readFile(plain(id), 'utf8') : null),
  }
}
