import { brotliCompressSync, constants } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { expect, test } from 'vitest'
import { limit } from '../../support/limit.ts'

const bundle = (minify: boolean, ...plugins: Plugin[]) =>
  build({
    entryPoints: ['src/vault/export/main.ts'],
    bundle: true,
    minify,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    plugins,
    write: false,
    metafile: true,
  })

/** Leaves out what only some people need: it is a file of its own. */
const atOnce: Plugin = {
  name: 'at-once',
  setup: (building) =>
    building.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
}

test('the bundle of the page that shows a key: size, packages, nothing that it must not hold', {
  timeout: limit(60_000),
}, async () => {
  const [loaded, { outputFiles, metafile }] = await Promise.all([bundle(true, atOnce), bundle(true)])
  const code = outputFiles[0]?.text ?? ''
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  const kib = brotliCompressSync(loaded.outputFiles[0]?.contents ?? '', quality).length / 1024
  console.log(`Bundle of the export page: ${kib.toFixed(1)} KiB brotli (at most 51)`)
  // What is shipped is smaller, and held to 48 KiB by `npm run size`: this is another minifier's.
  expect(code.length).toBeGreaterThan(loaded.outputFiles[0]?.text.length ?? 0)
  expect(kib).toBeLessThanOrEqual(51)
  expect(code).not.toMatch(/postMessage\([^)]*["'`]\*["'`]/)
  expect(code).not.toMatch(/console\.|\beval\(|new Function|innerHTML|localStorage|document\.write/)

  // That the person has shown a second factor is what the vault's pages of one tab share there, and nothing else.
  expect(code.match(/sessionStorage/g)).toHaveLength(1)

  const own = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules'))
  expect(
    own.filter(
      (path) =>
        !/^src\/(vault|lib|ethereum|solana)\/|^src\/protocol\/(frame\/|(limits|status-header)\.ts$)/.test(
          path,
        ),
    ),
  ).toEqual([])
  const packages = Object.keys(metafile.inputs).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  )
  expect([...new Set(packages)].sort()).toEqual([
    '@noble/curves',
    '@noble/hashes',
    '@noble/secp256k1',
    '@scure/base',
    '@scure/bip39',
    'shamir-secret-sharing',
    'valibot',
  ])
})

test('it takes the token out of the address before any other module is evaluated', async () => {
  const { outputFiles } = await bundle(false, atOnce)
  const modules = [...(outputFiles[0]?.text ?? '').matchAll(/^\/\/ (\S+\.(?:ts|js))$/gm)].map(
    ([, name]) => name,
  )
  expect(modules.length).toBeGreaterThan(20)
  expect(modules[0]).toBe('src/vault/export/fragment.ts')
})
