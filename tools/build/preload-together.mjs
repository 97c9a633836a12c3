/**
 * Makes a lazy import fetch all its files at once. Without it the browser learns of a chunk's own imports only when the
 * chunk has arrived, one round trip per level: `import('./a.js')` becomes `(import('./b.js').catch(…), import('./a.js'))`.
 */
const ignoreFailure = '.catch(()=>{})'

export function preloadTogether() {
  return {
    name: 'preload-together',
    renderChunk(code, chunk, _options, { chunks }) {
      let result = code
      const here = staticClosure(chunk.fileName, chunks)
      for (const target of chunk.dynamicImports) {
        if (!chunks[target]) continue
        const others = [...staticClosure(target, chunks)].filter((file) => file !== target && !here.has(file))
        if (others.length === 0) continue
        result = replaceImport(result, chunk.fileName, target, others)
      }
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

function replaceImport(code, from, target, others) {
  const wanted = relative(from, target)
  const pattern = /\bimport\((['"])([^'"]+)\1\)/g
  return code.replace(pattern, (whole, _quote, address) => {
    if (address !== wanted) return whole
    const early = others.map((file) => `import('${relative(from, file)}')${ignoreFailure}`)
    return `(${[...early, whole].join(',')})`
  })
}

/** The address of one chunk as another writes it. */
function relative(from, to) {
  const up = from.split('/').slice(0, -1)
  const down = to.split('/')
  while (up.length > 0 && up[0] === down[0]) {
    up.shift()
    down.shift()
  }
  return (up.length === 0 ? './' : '../'.repeat(up.length)) + down.join('/')
}
