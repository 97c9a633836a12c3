/** How rollup turns our TypeScript, and every package it uses, into small files for browsers. */
import { fileURLToPath } from 'node:url'
import commonjs from '@rollup/plugin-commonjs'
import nodeResolve from '@rollup/plugin-node-resolve'
import esbuild, { minify } from 'rollup-plugin-esbuild'
import { closedImports } from './closed-imports.mjs'
import { coinbasePatches } from './coinbase-patches.mjs'
import { noteThirdParty } from './third-party.mjs'
import { walletConnectPatches } from './wallet-connect-patches.mjs'
import { walletSdks } from './wallet-sdks.mjs'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

const target = 'es2022'

/** What every rollup input that ends up in a browser as it is has in common; `more` sees a chunk before it is made small. */
export const program = (...more) => ({ ...whole, plugins: [...reading(), ...more, small, ...checks()] })

/** The same for modules that a host's bundler goes on with: the host minifies. */
export const packagedProgram = () => ({ ...whole, plugins: [...reading(), ...checks()] })

const whole = {
  onLog: refuseLooseEnds,
  // What rollup leaves out depends on the order in which modules are read, and the same source must give the same files.
  maxParallelFileOps: 1,
}
const checks = () => [noteThirdParty(root), closedImports()]

function reading() {
  return [
    production(),
    walletSdks(root),
    coinbasePatches(),
    walletConnectPatches(),
    nodeResolve({
      browser: true,
      extensions: ['.mjs', '.js', '.ts', '.tsx'],
      // Set explicitly, or NODE_ENV of the build environment would decide it.
      exportConditions: ['production'],
      // In a browser there is no built-in `events` or `buffer`: the packages of those names are meant.
      preferBuiltins: false,
    }),
    // Some packages call `require` in the middle of a module. 'auto' would wrap other modules on a busy machine than on a quiet one.
    commonjs({ strictRequires: true, transformMixedEsModules: true }),
    esbuild({ target }),
  ]
}

/**
 * ASCII alone, esbuild's default: one other character is enough for a browser to keep a whole file in twice the memory, and to read it
 * more slowly.
 */
const small = minify({ target, sourceMap: false, legalComments: 'none', charset: 'ascii' })

/** Packages ask for the mode by this name; deciding it here keeps their development halves out. */
const mode = /\bprocess\.env(?:\.NODE_ENV\b|\[(['"])NODE_ENV\1\])/
function production() {
  return {
    name: 'production',
    transform(code) {
      if (!mode.test(code)) return null
      return { code: code.replaceAll(new RegExp(mode, 'g'), '"production"'), map: null }
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
