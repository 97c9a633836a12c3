/** The custom elements manifest: what the doc comments of the public elements say, for editors and documentation. */
import fs from 'node:fs'
import path from 'node:path'
import { create, ts } from '@custom-elements-manifest/analyzer'
import { publicElements } from './elements.mjs'

/** Returns the manifest of the public elements, its paths pointing at the built files. */
export function manifestOfElements(root) {
  const tags = publicElements(root)
  const modules = sourcesBehind(root, tags).map((file) => {
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    return ts.createSourceFile(file, text, ts.ScriptTarget.ES2015, true)
  })
  const manifest = create({ modules, plugins: [], context: { dev: false, thirdPartyCEMs: [] } })
  const ours = manifest.modules.filter((module) => tags.some((tag) => module.path === `elements/${tag}.ts`))
  const text = JSON.stringify({ ...manifest, modules: ours }, onlyPublic)
  return JSON.parse(text.replace(/"\/?elements\/([\w-]+)\.ts"/g, '"dist/elements/$1.js"'))
}

/** Leaves out what pages can't reach, and the base classes, which are in no file of their own once it is built. */
function onlyPublic(key, value) {
  if (key === 'inheritedFrom' || key === 'superclass') return undefined
  if (key !== 'members') return value
  return value.filter(({ privacy = 'public' }) => privacy === 'public')
}

/** The elements first, then all else in their folder: what they inherit is looked up there. */
function sourcesBehind(root, tags) {
  const first = tags.map((tag) => `elements/${tag}.ts`)
  const all = fs
    .readdirSync(path.join(root, 'elements'), { recursive: true })
    .map((file) => `elements/${file.split(path.sep).join('/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  return [...new Set([...first, ...all.sort()])]
}
