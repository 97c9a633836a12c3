/** How `dist/` is made: modules for npm, files for a CDN, the vault's bundle, type declarations. See tools/build/. */
import path from 'node:path'
import { cdnEntry, cdnEntryPlugin } from './tools/build/cdn-entry.mjs'
import { chunkNames, hiddenChunks, kitChunks, openingChunks, vaultChunks } from './tools/build/chunks.mjs'
import { compileEagerly } from './tools/build/compile-eagerly.mjs'
import { publicElements } from './tools/build/elements.mjs'
import { finish } from './tools/build/finish.mjs'
import { preloadTogether } from './tools/build/preload-together.mjs'
import { packagedProgram, program, refuseLooseEnds, root } from './tools/build/program.mjs'
import { declarationFiles, declarations } from './tools/build/types.mjs'
import { vaultManifest } from './tools/build/vault-manifest.mjs'

const out = path.resolve(root, process.env.LATCHKEY_DIST ?? 'dist')

const entries = {
  index: path.join(root, 'src/index.ts'),
  define: path.join(root, 'elements/index.ts'),
  elements: path.join(root, 'elements/all.ts'),
  /** For servers of apps. */
  grants: path.join(root, 'src/protocol/server/grants.ts'),
  ...Object.fromEntries(
    publicElements(root).map((tag) => [`elements/${tag}`, path.join(root, `elements/define/${tag}.ts`)]),
  ),
}
/** Names that a page may import without the elements. */
const publicNames = { version: ['src/lib/version.ts'], errors: ['src/errors/kit-error.ts'] }
/** The vault's page without anything to see is one file, but for what few apps ask of it … */
const hiddenPage = { main: path.join(root, 'src/vault/entry/main.ts') }
/** … the one that shows a key loads what only some people need … */
const exportPage = { export: path.join(root, 'src/vault/export/main.ts') }
/** … and those that draw screens share what draws. */
const approvalPages = {
  approval: path.join(root, 'src/vault/approval/main.ts'),
  window: path.join(root, 'src/vault/approval/window/main.ts'),
  return: path.join(root, 'src/vault/approval/providers/return.ts'),
}
/** The vault's server hands out one folder. */
const inVault = {
  dir: path.join(out, 'vault'),
  entryFileNames: '[name]-[hash].js',
  chunkFileNames: chunkNames('[name]-[hash].js'),
}
const modules = { format: 'es', hoistTransitiveImports: false }

/** For npm: readable modules, which a consumer's bundler goes on with. Maps of them would be two thirds of the package. */
const packaged = {
  input: entries,
  ...packagedProgram(),
  output: {
    ...modules,
    ...kitChunks(['elements/element.ts', 'elements/define.ts'], publicNames),
    dir: out,
    entryFileNames: '[name].js',
    chunkFileNames: chunkNames('chunks/[name].js'),
  },
}

/** What pages load, and people run, as it is. */
const served = [
  {
    input: { latchkey: cdnEntry },
    ...program(cdnEntryPlugin(root), preloadTogether()),
    output: {
      ...modules,
      ...kitChunks(['elements/cdn.ts']),
      dir: path.join(out, 'cdn'),
      entryFileNames: '[name].js',
      plugins: [compileEagerly(openingChunks)],
    },
  },
  {
    input: hiddenPage,
    ...program(vaultManifest()),
    output: { ...modules, ...hiddenChunks(), ...inVault },
  },
  {
    input: exportPage,
    ...program(vaultManifest()),
    output: { ...modules, ...inVault },
  },
  {
    input: approvalPages,
    ...program(vaultManifest()),
    output: { ...modules, ...vaultChunks(), ...inVault },
  },
  {
    input: { 'latchkey-recover': path.join(root, 'src/vault/offline/main.ts') },
    ...program(),
    external: /^node:/,
    output: {
      format: 'es',
      dir: path.join(out, 'bin'),
      entryFileNames: '[name].js',
      banner: '#!/usr/bin/env node',
      inlineDynamicImports: true,
    },
  },
]

const typed = {
  input: entries,
  plugins: [declarations(), finish(out)],
  onLog: refuseLooseEnds,
  output: {
    format: 'es',
    dir: path.join(out, 'types'),
    ...declarationFiles(entries),
  },
}

/** `LATCHKEY_ONLY=served` leaves the rest out: half of the work, for whoever compares two builds. */
export default process.env.LATCHKEY_ONLY === 'served' ? served : [packaged, ...served, typed]
