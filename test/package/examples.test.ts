/** Every `@example` of the public API compiles as a host page's own code would, and every public function and element has one. */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { limit } from '../support/limit.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'latchkey-examples-'))
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

/** Files whose comments are the documentation of the package: what src/index.ts leads to, and clear signing for those who build on it. */
const sources = [
  'src/kit/api.ts',
  'src/login/headless-calls.ts',
  'src/protocol/server/grants.ts',
  'src/clear-signing/index.ts',
  ...['src/kit/api', 'elements'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder))
      .flatMap((name) => (/\.ts$/.test(name) ? [`${folder}/${name}`] : [])),
  ),
]
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

interface Documented {
  readonly file: string
  readonly line: number
  readonly examples: readonly string[]
  /** Text after the comment. */
  readonly declaration: string
}

/** All documentation comments, with their examples as code. */
function readComments(file: string): Documented[] {
  const text = read(file)
  return [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*([^\n]*)/g)].map(
    ({ index, 1: comment = '', 2: declaration = '' }) => {
      const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, ''))
      const [, ...blocks] = `\n${lines.join('\n')}`.split(/\n\s*@example\b/)
      return {
        file,
        line: text.slice(0, index).split('\n').length,
        // An example ends with the next tag.
        examples: blocks.map((block) => (block.split(/\n@\w/)[0] ?? '').trim()),
        declaration,
      }
    },
  )
}
const comments = sources.flatMap(readComments)

test('examples: every one of the public API compiles', { timeout: limit(180_000) }, async () => {
  if (!fs.existsSync(path.join(root, 'dist/types/index.d.ts')))
    throw new Error('dist/ is missing: run npm run build')
  const installed = path.join(scratch, 'node_modules/latchkey')
  fs.cpSync(path.join(root, 'dist/types'), path.join(installed, 'dist/types'), { recursive: true })
  fs.copyFileSync(path.join(root, 'package.json'), path.join(installed, 'package.json'))
  const files: string[] = []
  const places = new Map<string, string>()
  for (const { file, line, examples } of comments)
    for (const [at, example] of examples.entries()) {
      const name = `${file.replace(/\W/g, '-')}-${line}-${at}.ts`
      places.set(name, `${file}:${line}`)
      files.push(name)
      fs.writeFileSync(path.join(scratch, name), `${headerOf(file)}\n${example}\nexport {}\n`)
    }
  // The only name that an example may take for granted.
  fs.writeFileSync(path.join(scratch, 'kit.d.ts'), "declare const kit: import('latchkey').Kit\n")
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    lib: ['es2023', 'dom', 'dom.iterable'],
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
  }
  fs.writeFileSync(
    path.join(scratch, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: [...files, 'kit.d.ts'] }),
  )
  const { stdout } = await run(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc')], {
    cwd: scratch,
  }).catch((error: { stdout: string }) => error)
  const wrong = stdout.replace(/^[\w-]+\.ts/gm, (name) => `${places.get(name)} in ${name}`)
  expect(wrong).toBe('')
  expect(files.length).toBeGreaterThan(40)
})

/** What the package does not export, an example of its own file has all the same. */
function headerOf(file: string): string {
  if (file.startsWith('elements/')) return "import 'latchkey/define'"
  if (file === 'src/protocol/server/grants.ts')
    return "import { createGrantsClient, generateSignerKey } from 'latchkey/grants'"
  if (file !== 'src/clear-signing/index.ts') return ''
  const text = read(file)
  const own = [...text.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name)
  const passedOn = [...text.matchAll(/^export \{([^}]*)\} from/gm)].flatMap(([, list = '']) =>
    list.split(',').flatMap((name) => name.trim() || []),
  )
  const names = [...own, ...passedOn].filter((name) => !name?.startsWith('type '))
  return `import { ${names.join(', ')} } from ${JSON.stringify(path.join(root, file))}`
}

test('examples: every method of the kit, every public function and every element has one', () => {
  const isElement = (declaration: string) => /^export class \w+ extends KitElement/.test(declaration)
  const hasExample = ({ examples }: Documented) => examples.length > 0
  const elements = comments.filter(({ declaration }) => isElement(declaration))
  expect(elements.length).toBeGreaterThan(9)
  const functions = comments.filter(
    ({ file, declaration }) =>
      /^export (?:async )?function (describe|createKit)/.test(declaration) && file !== 'elements/kit-of.ts',
  )
  expect(functions.length).toBeGreaterThan(2)
  const methods = [
    ...methodsOf('Kit', 'src/kit/api.ts'),
    ...methodsOf('KitSolana', 'src/kit/api/solana.ts'),
    ...methodsOf('CrossAppRequests', 'src/kit/api/cross-app.ts'),
    ...methodsOf('KitMfa', 'src/kit/api/mfa.ts'),
  ]
  expect(methods.length).toBeGreaterThan(25)
  const without = [...elements, ...functions, ...methods].filter((each) => !hasExample(each))
  expect(without.map(({ file, line, declaration }) => `${file}:${line} ${declaration}`)).toEqual([])
})

/** The documented methods of one of the kit's interfaces. */
function methodsOf(name: string, source: string): Documented[] {
  const text = read(source)
  const start = text.search(new RegExp(`^export interface ${name}\\b`, 'm'))
  const end = text.indexOf('\n}\n', start)
  const lineOf = (index: number) => text.slice(0, index).split('\n').length
  return comments.filter(
    ({ file, line, declaration }) =>
      file === source && line > lineOf(start) && line < lineOf(end) && /^\w+(<[^(]*>)?\(/.test(declaration),
  )
}
