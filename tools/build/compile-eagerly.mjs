/**
 * Tells V8 that the functions of the opening's chunks are called at once, so that it compiles them while the file arrives,
 * beside the main thread, and not one by one when the first screen is drawn.
 */
import { walk } from 'estree-walker'
import MagicString from 'magic-string'

const hint = '//# allFunctionsCalledOnLoad\n'

/**
 * For files that pages load as they are: a comment at the head. Browsers that don't know it ignore it.
 * https://v8.dev/blog/explicit-compile-hints
 */
export function compileEagerly(chunkNames) {
  return {
    name: 'compile-eagerly',
    renderChunk: (code, { name }) => (chunkNames.includes(name) ? { code: hint + code, map: null } : null),
  }
}

/**
 * For modules that a host bundles: bundlers drop the comment, but keep the parentheses around a function, by which V8 knows one that
 * is called soon. A declaration can't stand in parentheses, so it becomes a variable, at the head of its scope since all of the
 * scope may call it. https://v8.dev/blog/preparser#pife
 */
export function parenthesizeFunctions(chunkNames) {
  return {
    name: 'parenthesize-functions',
    renderChunk(code, { name }) {
      if (!chunkNames.includes(name)) return null
      const text = new MagicString(code)
      walk(this.parse(code), {
        enter(node) {
          for (const declaration of declarationsIn(node)) parenthesize(declaration, text, code)
        },
      })
      return { code: text.toString(), map: null }
    },
  }
}

/** The functions that are declared in a scope, each with the place where the scope begins. */
function declarationsIn(node) {
  const isFunction = /Function/.test(node.type) && node.body.type === 'BlockStatement'
  const scope = node.type === 'Program' ? node.body : isFunction ? node.body.body : []
  const functions = scope.filter(({ type }) => type === 'FunctionDeclaration')
  return functions.map((declared) => ({ declared, head: scope[0].start }))
}

function parenthesize({ declared: { start, end, id }, head }, text, code) {
  const keywords = code.slice(start, id.start).trim()
  text.overwrite(start, id.end, `let ${id.name}=(${keywords}`).appendLeft(end, ');')
  if (start !== head) text.move(start, end, head)
}
