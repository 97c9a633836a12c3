/** Reads built files: what a module imports, what belongs to it from the start, and how many bytes that is. */
import fs from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { parseAst } from 'rollup/parseAst'

/** The addresses that a module imports: at once, and later by `import()`. */
export function importsOf(file) {
  const tree = parseAst(fs.readFileSync(file, 'utf8'))
  const atOnce = tree.body.flatMap((node) => (node.source ? [node.source.value] : []))
  const later = []
  walk(tree, (node) => {
    if (node.type === 'ImportExpression' && node.source.type === 'Literal') later.push(node.source.value)
  })
  return { atOnce, later }
}

/** The file and all that it imports at once, and they in turn. */
export function closureOf(file, seen = new Set()) {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const address of importsOf(file).atOnce) closureOf(path.resolve(path.dirname(file), address), seen)
  return seen
}

/** Sizes of one file as it lies there, and as servers send it. */
export function sizesOf(file) {
  const bytes = fs.readFileSync(file)
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli(bytes).length }
}

export const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })

function walk(node, visit) {
  if (node === null || typeof node !== 'object') return
  if (typeof node.type === 'string') visit(node)
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value) walk(item, visit)
    else walk(value, visit)
  }
}
