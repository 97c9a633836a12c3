/** How rollup turns our TypeScript, and every package it uses, into small files for browsers. */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import commonjs from '@rollup/plugin-commonjs'
import nodeResolve from '@rollup/plugin-node-resolve'
import esbuild from 'rollup-plugin-esbuild'
import { minify } from 'terser'
import { closedImports } from './closed-imports.mjs'
import { coinbasePatches } from './coinbase-patches.mjs'
import { noteThirdParty } from './third-party.mjs'
import { walletSdks } from './wallet-sdks.mjs'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The chunks that every first dialog runs, and a page without one doesn't. */
export const openingChunks = ['kit', 'dialog']

const target = 'es2022'

/** What every rollup input that ends up in a browser has in common; `more` sees a chunk before it is made small. */
export const program = (...more) => programOf(more, minified({}, inAscii))

/** The same for modules that a host's bundler goes on with, whose minifier joins statements itself, and does better with what is less worked over. */
export const packagedProgram = () =>
  programOf([], minified({ sequences: false, join_vars: false, lhs_constants: false }))

function programOf(more, small) {
  return {
    plugins: [...reading(), ...more, small, noteThirdParty(root), closedImports()],
    onLog: refuseLooseEnds,
    // What rollup leaves out depends on the order in which modules are read, and the same source must give the same files.
    maxParallelFileOps: 1,
    // Emotion imports it for one function that we don't use; it doesn't say of itself that it can be left out.
    treeshake: {
      moduleSideEffects: (id) => !/\/node_modules\/(hoist-non-react-statics|react-is)\//.test(id),
    },
  }
}

function reading() {
  return [
    production(),
    productionReact(),
    walletSdks(root),
    coinbasePatches(),
    nodeResolve({
      browser: true,
      extensions: ['.mjs', '.js', '.ts', '.tsx'],
      // Set explicitly, or NODE_ENV of the build environment would decide it.
      exportConditions: ['production'],
      // In a browser there is no built-in `events` or `buffer`: the packages of those names are meant.
      preferBuiltins: false,
    }),
    // Some packages say `require` in the midst of a module.
    commonjs({ strictRequires: 'auto', transformMixedEsModules: true }),
    esbuild({ target, sourceMap: false }),
  ]
}

/** Terser takes longer than esbuild, and is two kilobytes better at the first opening. */
function minified(more, format = () => {}) {
  return {
    name: 'minified',
    async renderChunk(code, { name }) {
      const options = {
        module: true,
        ecma: 2020,
        compress: { passes: 4, hoist_funs: true, ...more, ...(assuredChunks.includes(name) && assurances) },
        format: { comments: false, quote_style: 2, ...format(name) },
      }
      return { code: (await minify(code, options)).code ?? code, map: null }
    },
  }
}

/** Holds no code of vendors but React, Emotion and valibot. */
const assuredChunks = ['shell', ...openingChunks]
/**
 * What the minifier may rely on there, which saves 0.4 KiB: reading a property does nothing else, and no function that stands as a
 * property in an object literal, or has neither a name nor `this`, is a constructor.
 */
const assurances = { pure_getters: true, unsafe_methods: true, unsafe_arrows: true }

/**
 * One character outside ASCII is enough for a browser to keep a whole file in twice the memory, and to read it more slowly. A host's
 * bundler writes such characters as it likes.
 */
const inAscii = (name) => ({ ascii_only: assuredChunks.includes(name) })

/** Packages ask for the mode by this name; deciding it here keeps their development halves out. */
function production() {
  return {
    name: 'production',
    transform(code) {
      if (!code.includes('process.env.NODE_ENV')) return null
      return { code: code.replaceAll('process.env.NODE_ENV', '"production"'), map: null }
    },
  }
}

/**
 * The entries of React's packages choose between two files when they run, and ask React's DevTools whether the other one is gone.
 * Here the file is named at once.
 */
function productionReact() {
  return {
    name: 'production-react',
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        if (!/^(react|react-dom|scheduler)(\/[\w-]+)?$/.test(source)) return null
        const entry = await this.resolve(source, importer, { ...options, skipSelf: true })
        if (!entry) return null
        const { dir, name } = path.parse(entry.id)
        const chosen = name === 'index' ? path.basename(dir) : `${path.basename(dir)}-${name}`
        const file = path.join(dir, `cjs/${chosen}.production.js`)
        return fs.existsSync(file) ? { ...entry, id: file } : entry
      },
    },
  }
}

/** An import that stays unresolved would be a runtime dependency; files that need each other break when they load. */
const errors = ['UNRESOLVED_IMPORT', 'MISSING_EXPORT', 'CIRCULAR_CHUNK']

/** Rollup's `onLog`. */
export function refuseLooseEnds(level, log, handle) {
  if (errors.includes(log.code)) return handle('error', log)
  if (log.code === 'MODULE_LEVEL_DIRECTIVE' || log.id?.includes('node_modules')) return
  if (log.code === 'CIRCULAR_DEPENDENCY' && log.ids?.some((id) => id.includes('node_modules'))) return
  handle(level, log)
}
