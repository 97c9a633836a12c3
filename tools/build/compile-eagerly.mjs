/**
 * Tells V8 that the functions of the opening's chunks are called at once, so that it compiles them while the file arrives,
 * beside the main thread, and not one by one when the first screen is drawn. A comment at the head does it, for files that pages load as
 * they are; browsers that don't know it ignore it. https://v8.dev/blog/explicit-compile-hints
 */
const hint = '//# allFunctionsCalledOnLoad\n'

export function compileEagerly(chunkNames) {
  return {
    name: 'compile-eagerly',
    renderChunk: (code, { name }) => (chunkNames.includes(name) ? { code: hint + code, map: null } : null),
  }
}
