/**
 * Which files the vault's approvals are made of: what is needed until a message is signed, which frame and window share; and what only
 * others need, by what it is loaded for. Few files, because each is compressed by itself.
 */
import path from 'node:path'
import { root } from './program.mjs'

const sources = path.join(root, 'src')
const file = (name) => path.join(sources, name)
const first = 'first-approval'
/** The program of the frame; it is no part of what the window shares with it. */
const frame = 'vault/approval/main.ts'
const untilSigned = ['vault/approval/surface.tsx', 'vault/approval/sign/flow.ts']

/** Rollup's `manualChunks`. */
export function approvalChunks() {
  let plan
  return (id, { getModuleInfo }) => {
    plan ??= planned((module) => getModuleInfo(module)?.importedIds ?? [])
    return plan.has(id) ? first : undefined
  }
}

function planned(importsOf) {
  const plan = new Set()
  const add = (id) => {
    if (plan.has(id)) return
    plan.add(id)
    for (const next of importsOf(id)) add(next)
  }
  for (const module of [...importsOf(file(frame)), ...untilSigned.map(file)]) add(module)
  return plan
}

/** Rollup's `chunkFileNames`: most purposes have a `flow.ts`, so that alone says nothing. */
export function approvalChunkNames({ facadeModuleId, name }) {
  const lazy = facadeModuleId?.startsWith(sources) && name !== first
  const words = lazy ? path.relative(sources, facadeModuleId).replace(/\.tsx?$/, '') : name
  return `${words.replace(/[^\w-]+/g, '-')}-[hash].js`
}
