/** Which modules share a file. Few files, each loaded whole by a page that needs a part of it. */
import path from 'node:path'
import { root } from './program.mjs'

/** React and what it draws with: one file, which stays the same, and cached, while ours changes. */
const isReact = (id) =>
  /\/node_modules\/(react|react-dom|scheduler|@emotion\/[^/]+|stylis|@r2wc\/[^/]+)\//.test(id)

/** For npm, where the consumer's bundler divides the rest as it likes. */
export const chunkForPackage = (id) => (isReact(id) ? 'react' : undefined)

/** For pages that load the files as they are: shell, kit, view, and the flows as rollup divides them. */
export function chunkForPage(id, { getModuleInfo }) {
  const { shell, kit, view } = plan(getModuleInfo)
  if (shell.has(id)) return 'shell'
  if (kit.has(id)) return 'kit'
  if (isReact(id)) return 'react'
  return view.has(id) ? 'view' : undefined
}

function plan(getModuleInfo) {
  const closure = (file) => closureOf(path.join(root, file), getModuleInfo)
  const forViews = (id) => /\/(src\/(ui|core)|styles)\//.test(id)
  return {
    shell: closure('elements/index.ts'),
    kit: closure('elements/create-kit.ts'),
    view: new Set([
      ...closure('elements/view.tsx'),
      ...[...closure('src/flows/login/index.ts')].filter(forViews),
    ]),
  }
}

/** A module and all that it imports at once. */
function closureOf(id, getModuleInfo, seen = new Set()) {
  if (seen.has(id)) return seen
  seen.add(id)
  for (const next of getModuleInfo(id)?.importedIds ?? []) closureOf(next, getModuleInfo, seen)
  return seen
}
