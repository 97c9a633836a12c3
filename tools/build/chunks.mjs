/** Which modules share a file. Few files, each loaded whole by a page that needs a part of it. */
import path from 'node:path'
import { root } from './program.mjs'

/** React and what it draws with: one file, which stays the same, and cached, while ours changes. */
const isReact = (id) => /\/node_modules\/(react|react-dom|@emotion\/[^/]+|@r2wc\/[^/]+)\//.test(id)

/** For npm, where the consumer's bundler divides the rest as it likes. */
export function chunkForPackage(id, { getModuleInfo }) {
  return reactSide(path.join(root, 'elements/view.tsx'), getModuleInfo).has(id) ? 'react' : undefined
}

/** Drawn after the landing screen, of which only the examples name them. */
const laterIcons = path.join(root, 'src/ui/icons/lucide.ts')

/** For pages that load the files as they are: shell, kit, React, the landing, and the later flows as rollup divides them. */
export function chunkForPage(id, { getModuleInfo }) {
  const closure = (file) => closureOf(path.join(root, file), getModuleInfo)
  if (closure('elements/index.ts').has(id)) return 'shell'
  if (closure('elements/create-kit.ts').has(id)) return 'kit'
  if (reactSide(path.join(root, 'elements/view.tsx'), getModuleInfo).has(id)) return 'react'
  if (id === laterIcons) return undefined
  return ['elements/view.tsx', 'src/flows/login/index.ts'].some((file) => closure(file).has(id))
    ? 'landing'
    : undefined
}

/** What of React a module needs, with all that this needs in turn. */
function reactSide(file, getModuleInfo) {
  const all = new Set()
  for (const id of closureOf(file, getModuleInfo)) if (isReact(id)) closureOf(id, getModuleInfo, all)
  return all
}

/** A module and all that it imports at once. */
function closureOf(id, getModuleInfo, seen = new Set()) {
  if (seen.has(id)) return seen
  seen.add(id)
  for (const next of getModuleInfo(id)?.importedIds ?? []) closureOf(next, getModuleInfo, seen)
  return seen
}
