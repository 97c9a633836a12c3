/**
 * Makes a lazy import fetch all its files at once. Without it the browser learns of a chunk's own imports only when the
 * chunk has arrived, one round trip per level: `import('./a.js')` becomes `(import('./b.js').catch(…), import('./a.js'))`.
 * For files that pages load as they are: the bundler of a host sees to it by itself.
 */
import path from 'node:path'

const ignoreFailure = '.catch(()=>{})'

export function preloadTogether() {
  return {
    name: 'preload-together',
    renderChunk(code, { fileName }, _options, { chunks }) {
      const here = staticClosure(fileName, chunks)
      const result = code.replace(/\bimport\((['"])([^'"]+)\1\)/g, (whole, _quote, address) => {
        const target = path.posix.join(path.posix.dirname(fileName), address)
        const others = [...staticClosure(target, chunks)].filter((file) => file !== target && !here.has(file))
        if (others.length === 0) return whole
        const early = others.map((file) => `import('${relative(fileName, file)}')${ignoreFailure}`)
        return `(${[...early, whole].join(',')})`
      })
      return result === code ? null : { code: result, map: null }
    },
  }
}

/** The chunk itself and all that it imports without waiting to be asked. */
function staticClosure(fileName, chunks, seen = new Set()) {
  if (seen.has(fileName) || !chunks[fileName]) return seen
  seen.add(fileName)
  for (const next of chunks[fileName].imports) staticClosure(next, chunks, seen)
  return seen
}

/** The address of one chunk as another writes it. */
function relative(from, to) {
  const address = path.posix.relative(path.posix.dirname(from), to)
  return address.startsWith('.') ? address : `./${address}`
}
