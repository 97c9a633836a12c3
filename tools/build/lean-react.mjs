/**
 * Leaves out what nobody uses of React. Its packages are CommonJS, whose exports no bundler drops by itself: here those
 * that neither our sources import nor React's own files touch are taken out, and the minifier then drops what only they
 * needed. Two kilobytes that every first opening would pay.
 */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const files = [
  'react/cjs/react',
  'react-dom/cjs/react-dom',
  'react-dom/cjs/react-dom-client',
  'scheduler/cjs/scheduler',
]
const isLean = new RegExp(`/node_modules/(${files.join('|')})\\.production\\.js$`)
const sources = ['src', 'elements', 'styles']

export function leanReact(root) {
  let used
  const left = new Set()
  return {
    name: 'lean-react',
    transform(code, id) {
      if (!isLean.test(id)) return null
      used ??= new Set([...importedBySources(root), ...touchedByReact()])
      let lean = code
      for (const { expression, start, end } of [...this.parse(code).body].reverse()) {
        const name = exportedName(expression)
        if (!name || used.has(name)) continue
        lean = lean.slice(0, start) + lean.slice(end)
        left.add(name)
      }
      return { code: lean, map: null }
    },
    /** Another package that draws with React is not looked at above: what it wants must not be missing in silence. */
    generateBundle(_options, bundle) {
      for (const { modules = {} } of Object.values(bundle))
        for (const [id, { code }] of Object.entries(modules)) {
          if (!code || !id.includes('/node_modules/') || isLean.test(id)) continue
          const wanted = [...code.matchAll(/\bReact(?:DOM)?\.(\w+)|\b(\w+)\(/g)].map(
            ([, of, called]) => of ?? called,
          )
          const missing = wanted.find((name) => left.has(name))
          if (missing)
            this.error(`${id} uses React's ${missing}, which tools/build/lean-react.mjs leaves out`)
        }
    },
  }
}

/** The name of a statement `exports.name = …`, if it is one and nothing else. */
function exportedName(expression) {
  if (expression?.type !== 'AssignmentExpression' || expression.right.type === 'AssignmentExpression')
    return undefined
  const { object, property, computed } = expression.left
  return object?.name === 'exports' && !computed ? property.name : undefined
}

/** What our modules import from React's packages by name, and what they name of a whole import (`React.name`). */
function* importedBySources(root) {
  for (const folder of sources)
    for (const file of fs.readdirSync(path.join(root, folder), { recursive: true })) {
      if (!/\.tsx?$/.test(file)) continue
      const text = fs.readFileSync(path.join(root, folder, file), 'utf8')
      for (const [, names] of text.matchAll(/import\s+\{([^}]*)\}\s+from\s+'react(?:-dom)?(?:\/[\w-]+)?'/g))
        for (const name of names.split(','))
          yield name
            .trim()
            .replace(/^type\s+/, '')
            .split(/\s/)[0]
      for (const [, name] of text.matchAll(/\bReact(?:DOM)?\.(\w+)/g)) yield name
    }
}

/** What React's files read of one another. */
function* touchedByReact() {
  const require = createRequire(import.meta.url)
  const modules = path.dirname(path.dirname(require.resolve('react/package.json')))
  for (const file of [...files, 'react/cjs/react-jsx-runtime']) {
    const text = fs.readFileSync(path.join(modules, `${file}.production.js`), 'utf8')
    for (const [, name] of text.matchAll(/\b(?:React|ReactDOM|Scheduler)\w*\.(\w+)/g)) yield name
  }
}
