/** The check of the build that lets no file out which a host could not resolve. */
import { rollup } from 'rollup'
import { expect, test } from 'vitest'
import { closedImports } from '../../tools/build/closed-imports.mjs'

/** What becomes of a module that holds `code`, beside a module `./later.js`. */
async function emit(code: string): Promise<string> {
  const modules: Record<string, string> = { './entry.js': code, './later.js': 'export const later = 1' }
  const bundle = await rollup({
    input: './entry.js',
    external: /^node:/,
    onLog() {},
    plugins: [
      { name: 'modules', resolveId: (id) => (id in modules ? id : null), load: (id) => modules[id] },
      closedImports(),
    ],
  })
  try {
    return (await bundle.generate({ format: 'es' })).output.map(({ fileName }) => fileName).join(' ')
  } finally {
    await bundle.close()
  }
}

test.each([
  ['a package', "export * from 'ws'", 'import "ws"'],
  ['a package later', "export const ws = () => import('ws')", 'import() "ws"'],
  ['a package by the words of Node', "export const ws = () => require('ws')", 'require "ws"'],
  ['what is only known when it runs', 'export const get = (name) => import(name)', 'import() of an address'],
  [
    'a file that is not there',
    "export const at = new URL('./gone.wasm', import.meta.url)",
    'new URL "./gone.wasm"',
  ],
])('the build fails when a file needs %s', async (_what, code, named) => {
  await expect(emit(code)).rejects.toThrow(`entry.js: ${named}`)
})

test.each([
  ['its own files', "export const more = () => import('./later.js')"],
  ['modules that the place it runs in brings along', "export { readFile } from 'node:fs'"],
  ['a member that is only called so', 'export const own = { require: 1 }; export const other = own.require'],
])('the build lets a file have %s', async (_what, code) => {
  expect(await emit(code)).toContain('entry.js')
})
