/**
 * Refuses emitted code that leads out of the package: a host's bundler, and a browser, could not resolve it. Rollup's own
 * warning covers what it saw as an import; a `require` in a module that also exports passes it by.
 */
import path from 'node:path'

export function closedImports() {
  let isExternal
  return {
    name: 'closed-imports',
    buildStart({ external }) {
      isExternal = external
    },
    generateBundle(_options, bundle) {
      const loose = Object.values(bundle).flatMap(({ type, fileName, code }) => {
        if (type !== 'chunk') return []
        const beside = (address) => path.posix.join(path.posix.dirname(fileName), address)
        const isClosed = (address) =>
          (/^\.{1,2}\//.test(address) && Object.hasOwn(bundle, beside(address))) ||
          isExternal(address, undefined, false)
        return looseImports(this.parse(code), isClosed).map((what) => `${fileName}: ${what}`)
      })
      if (loose.length > 0) this.error(`The package would not be whole without others:\n${loose.join('\n')}`)
    },
  }
}

/** Every import of a module, in the words of its code, whose address is not closed, not known, or left to `require`. */
export function looseImports(tree, isClosed) {
  const found = []
  const importing = (words, source) => {
    if (source.type !== 'Literal') found.push(`${words} of an address that is only known when it runs`)
    else if (!isClosed(source.value)) found.push(`${words} "${source.value}"`)
  }
  walk(tree, (node, key, parent) => {
    if (/^(Import|ExportAll|ExportNamed)Declaration$/.test(node.type) && node.source)
      importing('import', node.source)
    if (node.type === 'ImportExpression') importing('import()', node.source)
    if (isUrlBesideModule(node)) importing('new URL', node.arguments[0])
    if (node.type === 'Identifier' && node.name === 'require' && !isName(key, parent))
      found.push(`require ${JSON.stringify(parent.arguments?.[0]?.value ?? '')}`)
  })
  return found
}

/** `new URL(address, import.meta.url)`, by which bundlers find files that lie beside a module. */
const isUrlBesideModule = ({ type, callee, arguments: [, base] = [] }) =>
  type === 'NewExpression' &&
  callee.name === 'URL' &&
  base?.type === 'MemberExpression' &&
  base.object.type === 'MetaProperty'

/** Whether an identifier is only a name: `a.require`, `{ require: 1 }`, `export { a as require }`. */
const isName = (key, { computed, shorthand }) =>
  /^(exported|imported)$/.test(key) || (/^(property|key)$/.test(key) && !computed && !shorthand)

function walk(node, visit, key, parent) {
  if (typeof node.type === 'string') visit(node, key, parent)
  for (const [name, value] of Object.entries(node)) {
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== null && typeof each === 'object') walk(each, visit, name, node)
  }
}
