/** Holds what the package promises to those who install it: entries, types, licences, reproducible files. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import * as esbuild from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { version } from '../../src/lib/version.ts'
import { derivePalette } from '../../styles/palette.ts'
import { limit } from '../support/limit.ts'
import { soaking } from '../support/soak.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const dist = path.join(root, 'dist')
const manifest = readJson('package.json')
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-package-'))
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

if (!fs.existsSync(path.join(dist, 'sri.json'))) throw new Error('dist/ is missing: run npm run build')
const built = filesOf(dist)
const elements = built.flatMap((file) => /^elements\/([\w-]+)\.js$/.exec(file)?.[1] ?? [])

function readJson(file: string) {
  return JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))
}
function filesOf(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort()
}

/** Every file that `exports` leads to, with the stars of the element entries filled in. */
function exportTargets(): string[] {
  const targets = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(targets)
  return Object.entries(manifest.exports).flatMap(([name, value]) =>
    targets(value).flatMap((target) => {
      if (!target.includes('*')) return [target]
      return name.startsWith('./elements/') ? elements.map((tag) => target.replaceAll('*', tag)) : []
    }),
  )
}

describe('the package', () => {
  it('has every file that it exports', () => {
    expect(elements).toEqual(expect.arrayContaining(['login-modal', 'wallet-sign']))
    const missing = [...exportTargets(), manifest.types, manifest.customElements].filter(
      (target) => !fs.existsSync(path.join(root, target)),
    )
    expect(missing).toEqual([])
  })
  it('has no two files whose names differ only by case, with or without their hashes', () => {
    const names = [...new Set(built.map((file) => file.replace(/-[\w-]{8}(?=\.)/, '')))]
    const ignoringCase = names.map((name) => name.toLowerCase())
    expect(names.filter((_, at) => ignoringCase.indexOf(ignoringCase[at] ?? '') !== at)).toEqual([])
  })
  it('has the way out, which runs without anything installed', async () => {
    expect(manifest.bin).toEqual({ 'latchkey-recover': './dist/bin/latchkey-recover.js' })
    const tool = path.join(scratch, 'alone', 'latchkey-recover.mjs')
    fs.mkdirSync(path.dirname(tool))
    fs.copyFileSync(path.join(dist, 'bin/latchkey-recover.js'), tool)
    expect(fs.readFileSync(tool, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
    const { stdout } = await run(process.execPath, [tool, '--help'], { cwd: path.dirname(tool), env: {} })
    expect(stdout).toContain('latchkey-recover <file>')
  })
  it('carries its version in its code, and a page that reads it gets nothing else', async () => {
    expect(version).toBe(manifest.version)
    const { outputFiles } = await esbuild.build({
      stdin: { contents: "export { KitError, version } from './index.js'", resolveDir: dist },
      ...{ bundle: true, minify: true, format: 'esm', write: false, logLevel: 'silent' },
    })
    expect(outputFiles.map(({ contents }) => contents.length < 1_500)).toEqual([true])
  })
  it('has no maps, which would be two thirds of it', () => {
    expect(built.filter((file) => file.endsWith('.map'))).toEqual([])
  })
  it('has its types in the modules that declare them, under names that say what they are', () => {
    const declarations = built.filter((file) => file.startsWith('types/'))
    expect(declarations).toContain('types/modules/src/kit/api.d.ts')
    // Npm leaves out folders of this name.
    expect(declarations.filter((file) => file.includes('node_modules'))).toEqual([])
    const api = fs.readFileSync(path.join(dist, 'types/modules/src/kit/api.d.ts'), 'utf8')
    expect(api).toMatch(/^interface Kit\b/m)
    const short = declarations.filter((file) =>
      /^(?:ex|im)port .* as [a-zA-Z]{1,2}\b/m.test(fs.readFileSync(path.join(dist, file), 'utf8')),
    )
    expect(short).toEqual([])
  })
})

/** A compiler beside other work on a slow machine takes long; only a hang is a failure. */
const compilerLimit = limit(180_000)

describe('its entries', () => {
  const entries = ['index.js', 'define.js', 'cdn/latchkey.js', ...elements.map((tag) => `elements/${tag}.js`)]

  it.each(entries)('dist/%s can be imported on a server, and leaves no trace', async (entry) => {
    const script = `
      const before = Reflect.ownKeys(globalThis).length
      await import(${JSON.stringify(pathToFileURL(path.join(dist, entry)).href)})
      if (Reflect.ownKeys(globalThis).length !== before) throw new Error('it left something on globalThis')`
    // Ends by itself only if the import started no timer and opened nothing.
    await run(process.execPath, ['--input-type=module', '-e', script], { timeout: limit(10_000) })
  })

  it(
    'are typed without a package besides',
    async () => {
      const host = `import { createKit } from 'latchkey'
       import 'latchkey/define'
       ${elements.map((tag) => `import 'latchkey/elements/${tag}'`).join('\n')}
       createKit satisfies (options: never) => object
       const modal = document.createElement('login-modal')
       modal.addEventListener('lk-login', (event) => { event.detail.user.id satisfies string })
       modal.login() satisfies Promise<object>`
      expect(await compile('host.ts', host)).toBe('')
    },
    compilerLimit,
  )

  it(
    'are typed in the JSX of React',
    async () => {
      for (const name of ['@types/react', 'csstype'])
        fs.cpSync(path.join(root, 'node_modules', name), path.join(scratch, 'node_modules', name), {
          recursive: true,
        })
      const host = `import type {} from 'latchkey/react'
       export const page = <login-modal app-id="x" inline onlk-login={(event) => { event.detail.user.id satisfies string }} />
       // @ts-expect-error there is no such theme
       export const odd = <login-modal theme="pink" />`
      expect(await compile('host.tsx', host, { jsx: 'react-jsx' })).toBe('')
    },
    compilerLimit,
  )
})

/** What the compiler says of a file of somebody who has installed the package. */
async function compile(file: string, text: string, more: object = {}): Promise<string> {
  const installed = path.join(scratch, 'node_modules/latchkey')
  fs.cpSync(path.join(dist, 'types'), path.join(installed, 'dist/types'), { recursive: true })
  fs.copyFileSync(path.join(root, 'package.json'), path.join(installed, 'package.json'))
  fs.writeFileSync(path.join(scratch, file), text)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    lib: ['es2022', 'dom', 'dom.iterable'],
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    ...more,
  }
  fs.writeFileSync(path.join(scratch, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  const { stdout } = await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc')], {
    cwd: scratch,
  }).catch((error) => error)
  return stdout
}

describe('its files', () => {
  it('are plain ASCII where a CDN serves the first dialog, since one other letter makes a browser keep a whole file in twice the memory', () => {
    const opening = ['latchkey.js', ...readJson('dist/cdn/preload.json')]
    expect(opening).toHaveLength(4)
    for (const file of opening)
      expect(fs.readFileSync(path.join(dist, 'cdn', file), 'latin1'), file).not.toMatch(/[\x80-\xff]/)
  })
  it('have the hashes of sri.json', () => {
    const hash = (file: string) =>
      `sha384-${createHash('sha384')
        .update(fs.readFileSync(path.join(dist, file)))
        .digest('base64')}`
    const files = built.filter((file) => !['sri.json', 'NOTICE'].includes(file))
    expect(Object.fromEntries(files.map((file) => [file, hash(file)]))).toEqual(readJson('dist/sri.json'))
  })
  it.runIf(soaking)(
    'come out the same, byte for byte, when those that are loaded as they are are built again',
    async () => {
      const again = path.join(scratch, 'dist')
      await run(process.execPath, ['node_modules/rollup/dist/bin/rollup', '-c', '--silent'], {
        cwd: root,
        env: { ...process.env, LATCHKEY_DIST: again, LATCHKEY_ONLY: 'served' },
      })
      const rebuilt = filesOf(again).filter((file) => /^(cdn|vault|bin)\//.test(file))
      const bytes = (folder: string, file: string) => fs.readFileSync(path.join(folder, file), 'utf8')
      const isSame = (file: string) => built.includes(file) && bytes(again, file) === bytes(dist, file)
      expect(rebuilt).toContain('cdn/latchkey.js')
      expect(rebuilt.filter((file) => !isSame(file))).toEqual([])
    },
    240_000,
  )
})

describe('its manifest of the elements', () => {
  type Listed = { name: string }[] | undefined
  interface Declared {
    tagName: string
    attributes: Listed
    slots: Listed
    cssProperties: Listed
  }
  const declared: Declared[] = readJson('dist/custom-elements.json')
    .modules.flatMap(({ declarations }: { declarations: Declared[] }) => declarations)
    .filter(({ tagName }: Partial<Declared>) => tagName)
  const namesOf = (list: Listed) => (list ?? []).map(({ name }) => name).sort()
  /** The text of every file of ours that a page is given. */
  const sources = ['elements', 'src', 'styles']
    .flatMap((folder) => filesOf(path.join(root, folder)).map((file) => path.join(root, folder, file)))
    .filter((file) => /(?<!\.d|\.examples)\.tsx?$/.test(file) && !file.includes('/src/vault/'))
    .map((file) => fs.readFileSync(file, 'utf8'))
  const written = (pattern: RegExp) =>
    sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name]) => name ?? ''))

  it('has every element, with the attributes that it observes', async () => {
    expect(declared.map(({ tagName }) => tagName).sort()).toEqual(elements)
    const classes: Record<string, { tag?: string; observedAttributes: string[] }> = await import(
      pathToFileURL(path.join(dist, 'elements.js')).href
    )
    for (const { tagName, attributes } of declared) {
      const real = Object.values(classes).find(({ tag }) => tag === tagName)
      // The direction is left to the browser.
      const followed = [...(real?.observedAttributes ?? []), 'dir'].sort()
      expect([tagName, ...namesOf(attributes)]).toEqual([tagName, ...followed])
    }
  })

  it('has the slots that its screens have, on the element whose screens they are', () => {
    const slots = [...new Set(written(/<slot name="([\w-]+)"/g))].sort()
    expect(slots.length).toBeGreaterThan(0)
    const having = declared.filter((each) => each.slots?.length)
    expect(having.map(({ tagName, slots }) => [tagName, namesOf(slots)])).toEqual([['login-modal', slots]])
  })

  it('has the custom properties that the styles read', () => {
    const tokens = [...Object.keys(derivePalette('#4F56E0', 'light')), 'shadow-1', 'shadow-2', 'shadow-3']
    const read = [...tokens.map((token) => `--lk-${token}`), ...written(/var\((--lk-[\w-]+)[,)]/g)]
    for (const { cssProperties } of declared)
      expect(namesOf(cssProperties)).toEqual([...new Set(read)].sort())
  })
})

describe('code of others', () => {
  const bundled: { name: string; version: string; license: string }[] = readJson('dist/third-party.json')

  it('is under licences that let it be shipped', () => {
    const fine = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'CC0-1.0'])
    const isFine = (license: string) =>
      license
        .replace(/[()]/g, '')
        .split(' AND ')
        .every((all) => all.split(' OR ').some((one) => fine.has(one)))
    expect(bundled.filter(({ license }) => !isFine(license))).toEqual([])
    expect(bundled.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['react', 'shamir-secret-sharing']),
    )
  })
  it('is named in NOTICE with its licence, as the build found it (npm run notice)', () => {
    const notice = fs.readFileSync(path.join(root, 'NOTICE'), 'utf8')
    expect(notice).toBe(fs.readFileSync(path.join(dist, 'NOTICE'), 'utf8'))
    const lines = bundled.map(({ name, version, license }) => `${name} ${version} (${license})`)
    expect(lines.filter((line) => !notice.includes(line))).toEqual([])
  })
  it('is locked without download addresses', () => {
    const lock = fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')
    expect(lock).not.toContain('"resolved"')
  })
})
