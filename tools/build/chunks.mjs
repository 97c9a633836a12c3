/**
 * Which modules share a file. A page loads in four steps: the tag's shell, the dialog, the feature that the person chose,
 * and the SDK of a vendor. The files follow these steps, as the imports draw them: no file of a feature is named here.
 */
import path from 'node:path'
import { root } from './program.mjs'

const file = (name) => path.join(root, name)

/** What a page loads before anybody has chosen a way to log in, and what it restores a session with. Everything else is a feature. */
const opening = {
  /** The kit without React: it asks for the app's settings. */
  kit: ['elements/create-kit.ts'],
  /**
   * The view with React, and the flow that shows the landing screen. They are never loaded without each other, and one file is
   * compressed better than two.
   */
  dialog: ['elements/view.tsx', 'src/login/flow.ts'],
  /** What restores a session, or begins one. */
  session: ['src/kit/services/services.ts', 'src/kit/session/follow-session.ts'],
  /** What reads the return of a login that left the page: before anything else, and without what other features share. */
  arrival: ['src/login/redirect/arrive.ts'],
}
/** The modules whose files bring all that the first dialog needs. The kit is first: it asks for the app's settings. */
export const openingModules = [opening.kit, opening.dialog].map(([first]) => file(first))

const isOurs = (id) => !id.startsWith('\0') && !id.includes('/node_modules/')

/** How many characters of unneeded code may be loaded to save a request. */
const requestWorth = 10_000

/** Rollup's `manualChunks` for entries that all need what `shell` needs. */
export function chunksFor(shell) {
  let plan
  return (id, { getModuleInfo, getModuleIds }) => {
    plan ??= planChunks(shell.map(file), { getModuleInfo, ids: [...getModuleIds()] })
    return plan.get(id)
  }
}

/** From the id of a module to the name of its chunk; modules without one are left to rollup. */
function planChunks(shell, graph) {
  const plan = new Map()
  const assign = (name, ids) => {
    for (const id of ids) if (!plan.has(id)) plan.set(id, name)
  }
  const [first, ...others] = shell.map((entry) => closureOf([entry], graph))
  assign(
    'shell',
    [...first].filter((id) => others.every((closure) => closure.has(id))),
  )
  assign('kit', closureOf(opening.kit.map(file), graph))
  assign('dialog', closureOf(opening.dialog.map(file), graph))
  assign('session', closureOf(opening.session.map(file), graph))
  assign('arrival', closureOf(opening.arrival.map(file), graph))
  for (const chunk of mergedChunks(plan, graph)) assign(chunk.name, chunk.ids)
  return plan
}

/**
 * The features' modules. Those that the same lazy imports lead to belong together; of these groups, two become one
 * where it saves more requests than it costs bytes that nobody asked for.
 */
function mergedChunks(plan, graph) {
  const groups = groupsOf(plan, graph)
  for (;;) {
    let best
    for (const [i, one] of groups.entries())
      for (const other of groups.slice(i + 1)) {
        const gain = gainOf(one, other)
        if (gain > (best?.gain ?? 0) && !isBetween(one, other, groups)) best = { gain, one, other }
      }
    if (!best) return groups.filter(({ mergeable }) => mergeable)
    groups.splice(groups.indexOf(best.other), 1)
    groups[groups.indexOf(best.one)] = merge(best.one, best.other)
  }
}

function groupsOf(plan, graph) {
  const isFree = (id) => !plan.has(id)
  const targets = new Set(
    graph.ids.flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []).filter(isFree),
  )
  const needs = new Map()
  for (const target of [...targets].sort())
    for (const id of closureOf([target], graph))
      if (isFree(id)) needs.set(id, [...(needs.get(id) ?? []), target])
  const groups = new Map()
  for (const [id, wanted] of needs) {
    const key = wanted.join('\n')
    if (!groups.has(key)) groups.set(key, { targets: new Set(wanted), ids: [], size: 0 })
    const group = groups.get(key)
    group.ids.push(id)
    group.size += graph.getModuleInfo(id)?.code?.length ?? 0
  }
  return [...groups.values()].map((group) => ({
    ...group,
    name: nameOf(group.ids, graph),
    imports: new Set(group.ids.flatMap((id) => graph.getModuleInfo(id)?.importedIds ?? [])),
    // A vendor's code has its own chunk: how much of it remains is known only later.
    mergeable: group.ids.every(isOurs),
  }))
}

/** How much the pages win that need both, less what those lose that need one of them. */
function gainOf(one, other) {
  if (!one.mergeable || !other.mergeable) return 0
  const both = [...one.targets].filter((target) => other.targets.has(target)).length
  const lost = one.size * (other.targets.size - both) + other.size * (one.targets.size - both)
  return both * requestWorth - lost
}

/** Whether a third group is between the two: then it and the merged one would need each other. */
function isBetween(one, other, groups) {
  const leadsTo = (from, to) => {
    const seen = new Set([from])
    const next = groups.filter((group) => group !== to && group !== from && imports(from, group))
    for (const group of next) {
      if (seen.has(group)) continue
      seen.add(group)
      if (imports(group, to)) return true
      next.push(...groups.filter((each) => !seen.has(each) && each !== to && imports(group, each)))
    }
    return false
  }
  return leadsTo(one, other) || leadsTo(other, one)
}
const imports = (one, other) => one !== other && other.ids.some((id) => one.imports.has(id))

const merge = (one, other) => ({
  targets: new Set([...one.targets, ...other.targets]),
  ids: [...one.ids, ...other.ids],
  size: one.size + other.size,
  name: one.size < other.size ? other.name : one.name,
  imports: new Set([...one.imports, ...other.imports]),
  mergeable: true,
})

/** A chunk is named after its largest module: `login-oauth` for the module `oauth` of the login room. */
function nameOf(ids, graph) {
  const size = (id) => graph.getModuleInfo(id)?.code?.length ?? 0
  const largest = ids.reduce((best, id) => (size(id) > size(best) ? id : best))
  return path
    .relative(root, largest)
    .replace(/^src\//, '')
    .replace(/\.\w+$/, '')
    .replace(/[^\w-]+/g, '-')
}

/** Modules and all that they import at once. */
function closureOf(ids, graph, seen = new Set()) {
  for (const id of ids) {
    if (seen.has(id)) continue
    seen.add(id)
    closureOf(graph.getModuleInfo(id)?.importedIds ?? [], graph, seen)
  }
  return seen
}
