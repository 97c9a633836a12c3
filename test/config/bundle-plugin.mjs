/**
 * Bundles the browser tests of a folder, with all that they import, when a page asks for the first of them. A page that
 * loads its own hundreds of modules one by one takes longer than most of its tests, and so does a bundle for each test.
 */
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const isTest = (file) => /^test\/(browser\/.+\.test\.tsx?|.+\.browser\.ts)$/.test(file)

/** A Web Test Runner plugin. */
export function bundle(rootDir) {
  const place = '.cache/browser-tests'
  const outdir = path.join(rootDir, place)
  const nameOf = (file) => file.replaceAll('/', '-').replace(/\.tsx?$/, '')
  const bundles = new Map()

  function bundleFolder(folder) {
    const tests = fs
      .readdirSync(path.join(rootDir, folder))
      .map((file) => `${folder}/${file}`)
      .filter(isTest)
    return build({
      entryPoints: Object.fromEntries(tests.map((file) => [nameOf(file), path.join(rootDir, file)])),
      outdir,
      chunkNames: `${nameOf(folder)}/[name]-[hash]`,
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
  }

  return {
    name: 'bundle',
    serverStart() {
      fs.rmSync(outdir, { recursive: true, force: true })
    },
    async serve({ path: address }) {
      const file = address.slice(1)
      if (!isTest(file)) return undefined
      const folder = path.posix.dirname(file)
      if (!bundles.has(folder)) bundles.set(folder, bundleFolder(folder))
      await bundles.get(folder)
      return { body: `import '/${place}/${nameOf(file)}.js'\n`, type: 'js' }
    },
  }
}
