/**
 * Which files the vault's approvals are made of: what draws, which frame and window share; what the frame needs until a message is
 * signed; and what only others need, by what it is loaded for. Few files, because each is compressed by itself.
 */
import path from 'node:path'
import { root } from './program.mjs'

const sources = path.join(root, 'src')
const file = (name) => path.join(sources, name)
const first = {
  'approval-screens': [
    'vault/approval/surface.tsx',
    'signing/message/sign-message.tsx',
    'copy/en/approval.ts',
    'vault/approval/sign/words.ts',
  ],
  approval: ['vault/approval/main.ts', 'vault/approval/sign/flow.ts'],
}

/** Rollup's `manualChunks`. */
export function approvalChunks() {
  let plan
  return (id, { getModuleInfo }) => {
    plan ??= planChunks((module) => getModuleInfo(module)?.importedIds ?? [])
    return plan.get(id)
  }
}

function planChunks(importsOf) {
  const plan = new Map()
  const assign = (name, id) => {
    if (plan.has(id)) return
    plan.set(id, name)
    for (const next of importsOf(id)) assign(name, next)
  }
  for (const [name, modules] of Object.entries(first))
    for (const module of modules) assign(name, file(module))
  return plan
}

/** Rollup's `chunkFileNames`: most purposes have a `flow.ts`, so that alone says nothing. */
export function approvalChunkNames({ facadeModuleId, name }) {
  const lazy = facadeModuleId?.startsWith(sources) && !(name in first)
  const words = lazy ? path.relative(sources, facadeModuleId).replace(/\.tsx?$/, '') : name
  return `${words.replace(/[^\w-]+/g, '-')}-[hash].js`
}
