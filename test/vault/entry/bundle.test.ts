import { readFile } from 'node:fs/promises'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { limit } from '../../support/limit.ts'

test('the vault’s bundle: size, dependencies, nothing that it must not hold', {
  timeout: limit(60_000),
}, async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['src/vault/entry/main.ts'],
    bundle: true,
    minify: true,
    // Smart accounts and signers of Farcaster are loaded when an app asks for them.
    external: ['*/coinbase-operation.ts', '*/farcaster.ts'],
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
    metafile: true,
  })
  const [file] = outputFiles
  const code = file?.text ?? ''
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  const kib = brotliCompressSync(file?.contents ?? '', quality).length / 1024
  const packages = Object.keys(metafile.inputs)
    .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
    .filter((name) => name !== undefined)
  console.log(
    `Vault bundle: ${kib.toFixed(1)} KiB brotli (at most 80); packages ${[...new Set(packages)].sort().join(', ')}`,
  )
  expect(kib).toBeLessThanOrEqual(80)
  expect(code).not.toMatch(/postMessage\([^)]*["'`]\*["'`]/)
  expect(code).not.toMatch(/console\.|\beval\(|new Function|innerHTML|localStorage|document\.write/)

  const own = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules'))
  expect(
    own.every((path) =>
      /^src\/(vault|lib|ethereum|solana)\/|^src\/protocol\/(frame\/|(limits|status-header)\.ts$)/.test(path),
    ),
  ).toBe(true)
  const imported = new Set<string>()
  for (const path of own)
    for (const [, name = ''] of (await readFile(path, 'utf8')).matchAll(/from '([^.'][^']*)'/g))
      imported.add(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
  expect([...imported].sort()).toEqual([
    '@noble/curves',
    '@noble/hashes',
    '@noble/secp256k1',
    '@scure/base',
    '@scure/bip39',
    'shamir-secret-sharing',
    'valibot',
    'viem',
  ])
})
