/**
 * The bundlers of hosts, each set as its users have it for production, and as strict as it can be: side effects count only
 * where the package states them, and every warning is a failure. None of them minifies, since what they are given already is.
 */
import path from 'node:path'
import nodeResolve from '@rollup/plugin-node-resolve'
import * as esbuild from 'esbuild'
import { rollup } from 'rollup'
import * as vite from 'vite'
import webpack from 'webpack'
import type { Host } from './installed.ts'

/** Bundles both pages of a host into `out`, one `<page>.js` each beside its chunks. Rejects with what the bundler says. */
export type Bundler = (host: Host, out: string) => Promise<void>

const refuse = (message: string): never => {
  throw new Error(message)
}

const withVite: Bundler = async ({ folder, entries }, out) => {
  await vite.build({
    root: folder,
    configFile: false,
    logLevel: 'warn',
    base: './',
    customLogger: {
      ...vite.createLogger('warn'),
      warn: refuse,
    },
    build: {
      outDir: out,
      minify: false,
      chunkSizeWarningLimit: 100_000,
      modulePreload: false,
      rolldownOptions: { input: { ...entries }, output: { entryFileNames: '[name].js' } },
    },
  })
}

const withEsbuild: Bundler = async ({ folder, entries }, out) => {
  const { warnings } = await esbuild.build({
    entryPoints: { ...entries },
    outdir: out,
    absWorkingDir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    treeShaking: true,
    logLevel: 'silent',
  })
  if (warnings.length > 0) refuse(warnings.map(({ text }) => text).join('\n'))
}

const withRollup: Bundler = async ({ entries }, out) => {
  const bundle = await rollup({
    input: { ...entries },
    plugins: [nodeResolve({ browser: true })],
    treeshake: 'smallest',
    onLog: (level, { message }) => (level === 'warn' ? refuse(message) : undefined),
  })
  await bundle.write({ dir: out, format: 'es' })
  await bundle.close()
}

const withWebpack: Bundler = ({ folder, entries }, out) =>
  new Promise((resolve, reject) => {
    const settings: webpack.Configuration = {
      mode: 'production',
      context: folder,
      entry: { ...entries },
      devtool: false,
      performance: false,
      output: { path: out, filename: '[name].js', publicPath: 'auto' },
      optimization: { minimize: false },
    }
    webpack(settings, (failure, stats) => {
      if (failure) return reject(failure)
      const said = [...(stats?.compilation.errors ?? []), ...(stats?.compilation.warnings ?? [])]
      if (said.length > 0) return reject(new Error(said.map(({ message }) => message).join('\n')))
      resolve()
    })
  })

/** By the name that people know each of them by. */
export const bundlers: Readonly<Record<string, Bundler>> = {
  Vite: withVite,
  esbuild: withEsbuild,
  webpack: withWebpack,
  rollup: withRollup,
}

/** The folder inside the host that a bundler writes to. */
export const outputOf = ({ folder }: Host, bundler: string) =>
  path.join(folder, `built-${bundler.toLowerCase()}`)
