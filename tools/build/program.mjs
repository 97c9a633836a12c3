/** How rollup turns our TypeScript, and every package it uses, into small files for browsers. */
import { fileURLToPath } from 'node:url'
import commonjs from '@rollup/plugin-commonjs'
import nodeResolve from '@rollup/plugin-node-resolve'
import esbuild from 'rollup-plugin-esbuild'
import { minify } from 'terser'
import { inlineLimits } from './inline-limits.mjs'
import { leanReact } from './lean-react.mjs'
import { neverHydrates } from './never-hydrates.mjs'
import { preloadTogether } from './preload-together.mjs'
import { noteThirdParty } from './third-party.mjs'
import { walletSdks } from './wallet-sdks.mjs'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

const target = 'es2022'

/** What every rollup input that ends up in a browser has in common. */
export function program(...more) {
  return {
    plugins: [...plugins(), ...more],
    onLog: refuseLooseEnds,
    // Emotion imports it for one function that we don't use; it doesn't say of itself that it can be left out.
    treeshake: {
      moduleSideEffects: (id) => !/\/node_modules\/(hoist-non-react-statics|react-is)\//.test(id),
    },
  }
}

function plugins() {
  return [
    production(),
    leanReact(root),
    neverHydrates(),
    inlineLimits(root),
    walletSdks(root),
    nodeResolve({
      browser: true,
      extensions: ['.mjs', '.js', '.ts', '.tsx'],
      // Said outright, or NODE_ENV of whoever builds would decide it.
      exportConditions: ['production'],
      // In a browser there is no built-in `events` or `buffer`: the packages of those names are meant.
      preferBuiltins: false,
    }),
    commonjs({ strictRequires: 'auto' }),
    esbuild({ target, sourceMap: false }),
    preloadTogether(),
    small(),
    noteThirdParty(),
  ]
}

/** The smallest form of each piece of code so far: React's is the same in the files for npm and for pages. */
const smallest = new Map()

/** Slower than esbuild, and two kilobytes better: it also drops what a whole file turns out not to need. */
function small() {
  // Functions stand together, and few are taken apart: so brotli finds more that repeats.
  const compress = { passes: 2, hoist_funs: true, inline: 1 }
  const options = { module: true, compress, format: { comments: false } }
  return {
    name: 'small',
    async renderChunk(code) {
      if (!smallest.has(code)) smallest.set(code, (await minify(code, options)).code)
      return { code: smallest.get(code), map: null }
    },
  }
}

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

/** An import that stays unresolved would be a runtime dependency; files that need each other break when they load. */
const errors = ['UNRESOLVED_IMPORT', 'MISSING_EXPORT', 'CIRCULAR_CHUNK']

/** Rollup's `onLog`. */
export function refuseLooseEnds(level, log, handle) {
  if (errors.includes(log.code)) return handle('error', log)
  if (log.code === 'MODULE_LEVEL_DIRECTIVE' || log.id?.includes('node_modules')) return
  if (log.code === 'CIRCULAR_DEPENDENCY' && log.ids?.some((id) => id.includes('node_modules'))) return
  handle(level, log)
}
