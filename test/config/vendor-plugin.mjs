/**
 * Bundles the packages that browser tests import, once per lock file, so that the test server can serve them: some are
 * CommonJS, others are a hundred small files. Our own sources stay one file per module.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build } from 'esbuild'

const require = createRequire(import.meta.url)

/** Packages whose names have to be spelled out for the browser, because they are CommonJS. */
const commonjs = [
  'react',
  'react-dom',
  'react-dom/client',
  'react/jsx-runtime',
  'react/jsx-dev-runtime',
  'axe-core',
  'qrcode/lib/core/qrcode.js',
  'jsqr',
]
const modules = [
  '@emotion/react',
  '@emotion/react/jsx-runtime',
  '@emotion/react/jsx-dev-runtime',
  '@emotion/cache',
  '@emotion/sheet',
  '@r2wc/react-to-web-component',
  'valibot',
  'jose',
  'shamir-secret-sharing',
  '@scure/base',
  '@scure/bip32',
  '@scure/bip39',
  '@scure/bip39/wordlists/english.js',
  '@noble/curves/secp256k1.js',
  '@noble/curves/ed25519.js',
  '@noble/secp256k1',
  '@noble/hashes/hmac.js',
  '@noble/hashes/sha2.js',
  '@noble/hashes/sha3.js',
  '@noble/hashes/utils.js',
]

export function vendor(rootDir) {
  const key = createHash('sha256')
    .update(fs.readFileSync(path.join(rootDir, 'package-lock.json')))
    .update(fs.readFileSync(new URL(import.meta.url)))
    .digest('hex')
    .slice(0, 12)
  const place = `.cache/vendor/${key}`
  return {
    name: 'vendor',
    async serverStart() {
      if (!fs.existsSync(path.join(rootDir, place))) await bundle(rootDir, place)
    },
    resolveImport({ source }) {
      return commonjs.includes(source) || modules.includes(source)
        ? `/${place}/${fileFor(source)}`
        : undefined
    },
  }
}

async function bundle(rootDir, place) {
  console.log('Bundling the packages for browser tests …')
  fs.rmSync(path.join(rootDir, '.cache/vendor'), { recursive: true, force: true })
  const fresh = path.join(rootDir, `.cache/vendor-${process.pid}`)
  const entries = path.join(fresh, 'entries')
  fs.mkdirSync(entries, { recursive: true })
  for (const name of [...commonjs, ...modules])
    fs.writeFileSync(path.join(entries, fileFor(name)), await entryFor(name))
  await build({
    entryPoints: fs.readdirSync(entries).map((file) => path.join(entries, file)),
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir: fresh,
    target: 'es2022',
    platform: 'browser',
    define: { 'process.env.NODE_ENV': '"development"' },
    logLevel: 'error',
  })
  fs.mkdirSync(path.dirname(path.join(rootDir, place)), { recursive: true })
  fs.renameSync(fresh, path.join(rootDir, place))
}

/** A module that hands on all that the package exports. */
async function entryFor(name) {
  const from = JSON.stringify(name)
  if (modules.includes(name)) {
    const hasDefault = 'default' in (await import(name))
    return `export * from ${from}\n${hasDefault ? `export { default } from ${from}\n` : ''}`
  }
  const names = Object.keys(require(name)).filter(
    (key) => key !== 'default' && /^[A-Za-z_$][\w$]*$/.test(key),
  )
  return [
    `import whole from ${from}`,
    ...names.map((key) => `export const ${key} = whole[${JSON.stringify(key)}]`),
    'export default whole\n',
  ].join('\n')
}

const fileFor = (name) => `${name.replace(/[^a-z0-9]+/gi, '_')}.js`
