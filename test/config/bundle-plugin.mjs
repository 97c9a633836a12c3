/**
 * Bundles each browser test with all that it imports when its page asks for it. A page that loads its own hundreds of
 * modules one by one takes longer than most of its tests.
 */
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

/** A Web Test Runner plugin. */
export function bundle(rootDir) {
  const folder = '.cache/browser-tests'
  const outdir = path.join(rootDir, folder)
  const isTest = (file) => /^\/test\/.*\.(test\.tsx?|browser\.ts)$/.test(file)
  return {
    name: 'bundle',
    serverStart() {
      fs.rmSync(outdir, { recursive: true, force: true })
    },
    async serve({ path: file }) {
      if (!isTest(file)) return undefined
      const name = file
        .slice(1)
        .replaceAll('/', '-')
        .replace(/\.tsx?$/, '')
      await build({
        entryPoints: { [name]: path.join(rootDir, file) },
        outdir,
        chunkNames: `${name}/[name]-[hash]`,
        bundle: true,
        splitting: true,
        // package.json tells bundlers which built files do something when they are imported; these are the sources.
        ignoreAnnotations: true,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        sourcemap: 'linked',
        // What the test server itself serves.
        external: ['/__*'],
        tsconfig: path.join(rootDir, 'tsconfig.json'),
        define: {
          'process.env.NODE_ENV': '"development"',
          'process.env.LATCHKEY_SLOWNESS': JSON.stringify(process.env.LATCHKEY_SLOWNESS ?? ''),
          'process.env.LATCHKEY_SOAK': JSON.stringify(process.env.LATCHKEY_SOAK ?? ''),
        },
        logLevel: 'error',
      })
      return { body: `import '/${folder}/${name}.js'\n`, type: 'js' }
    },
  }
}
