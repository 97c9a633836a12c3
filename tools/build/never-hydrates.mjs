/**
 * Leaves out how React takes over markup that a server has drawn: nobody does that inside a shadow root, and
 * `hydrateRoot` is left out already (lean-react.mjs). But the code behind it hangs on variables and fields that no
 * minifier can know to stay as they are. Here they are written down, and the minifier then drops what depends on them:
 * three kilobytes that every first opening would pay.
 */
const isReactDom = /\/node_modules\/react-dom\/cjs\/react-dom-client\.production\.js$/

/** Nobody but hydration gives them another value. */
const variables = {
  isHydrating: '!1',
  hydrationErrors: 'null',
  hydrationParentFiber: 'null',
  nextHydratableInstance: 'null',
  // Events that wait until the place where they happened is hydrated.
  queuedFocus: 'null',
  queuedDrag: 'null',
  queuedMouse: 'null',
}
const fields = { isDehydrated: '!1', dehydrated: 'null' }
/** What these give when there is nothing to hydrate; they do nothing else. */
const calls = {
  popHydrationState: '!1',
  upgradeHydrationErrorsToRecoverable: 'null',
  getParentHydrationBoundary: 'null',
  getSuspenseInstanceFromFiber: 'null',
  getActivityInstanceFromFiber: 'null',
  markRetryLaneIfNotHydrated: 'void 0',
  retryIfBlockedOn: 'void 0',
  queueIfContinuousEvent: '!1',
  clearIfContinuousEvent: 'void 0',
}
/** They give null as well, but also find where an event happened. */
const nullAfterCall = ['findInstanceBlockingEvent', 'findInstanceBlockingTarget']

export function neverHydrates() {
  return {
    name: 'never-hydrates',
    transform(code, id) {
      if (!isReactDom.test(id)) return null
      if (/\bexports\.hydrateRoot\s*=/.test(code))
        this.error('hydrateRoot is in use: it must not be taken apart')
      const { edits, met } = editsOf(this.parse(code))
      const names = [variables, fields, calls].flatMap(Object.keys).concat(nullAfterCall)
      const missing = names.filter((name) => !met.has(name))
      if (missing.length > 0)
        this.error(`React has changed: tools/build/never-hydrates.mjs finds no ${missing.join(', ')} in it`)
      return { code: edited(code, edits), map: null }
    },
  }
}

function editsOf(tree) {
  const edits = []
  const met = new Set()
  const replace = (node, text, name) => {
    edits.push({ start: node.start, end: node.end, text })
    met.add(name)
  }
  /** @param shadowed names that mean something else inside this function */
  const visit = (node, parent, key, shadowed) => {
    const hidden = /Function/.test(node.type)
      ? new Set([...shadowed, ...node.params.map(({ name }) => name)])
      : shadowed
    const isOurs = ({ type, name }) =>
      type === 'Identifier' && Object.hasOwn(variables, name) && !hidden.has(name)

    // Before its first value is given, or never again.
    if (node.type === 'VariableDeclarator' && isOurs(node.id)) return
    if (node.type === 'AssignmentExpression' && isOurs(node.left))
      return replace(node, variables[node.left.name], node.left.name)
    if (isOurs(node) && !isName(parent, key)) return replace(node, variables[node.name], node.name)

    const { type, property, callee } = node
    if (type === 'MemberExpression' && !node.computed && Object.hasOwn(fields, property.name)) {
      if (isPlain(node.object) && !(parent.type === 'AssignmentExpression' && key === 'left'))
        return replace(node, fields[property.name], property.name)
    }
    if (type === 'CallExpression' && Object.hasOwn(calls, callee.name ?? '') && node.arguments.every(isPlain))
      return replace(node, calls[callee.name], callee.name)
    if (type === 'CallExpression' && nullAfterCall.includes(callee.name)) {
      edits.push(
        { start: node.start, end: node.start, text: '(' },
        { start: node.end, end: node.end, text: ',null)' },
      )
      met.add(callee.name)
    }
    for (const [name, child] of Object.entries(node))
      for (const one of [child].flat()) if (typeof one?.type === 'string') visit(one, node, name, hidden)
  }
  visit(tree, {}, '', new Set())
  return { edits, met }
}

/** A name of a property, not a variable. */
const isName = (parent, key) =>
  !parent.computed &&
  ((parent.type === 'MemberExpression' && key === 'property') ||
    (parent.type === 'Property' && key === 'key'))

/** Leaving it out leaves nothing undone. */
const isPlain = ({ type, object }) =>
  ['Identifier', 'Literal'].includes(type) || (type === 'MemberExpression' && isPlain(object))

const edited = (code, edits) =>
  edits
    .sort((one, other) => other.start - one.start || other.end - one.end)
    .reduce((now, { start, end, text }) => now.slice(0, start) + text + now.slice(end), code)
