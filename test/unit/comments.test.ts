/** Reads every comment of the project and fails for one that refers to something the repository doesn't have. */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from '@typescript/typescript6'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const commented = ['src', 'elements', 'styles', 'demo', 'tools', 'test']

const files = filesOf('.')
/** Every path of the project, with and without its extension, and every folder. */
const paths = files.flatMap((file) => {
  const folders = file.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))
  return [
    file,
    file.replace(/(\.d)?\.\w+$/, ''),
    file.replace(/\.(test|spec|examples)\.\w+$/, ''),
    ...folders,
  ]
})
/** The same without their first folders: how comments name them. */
const endings = new Set(
  paths.flatMap((each) => each.split('/').map((_, at, parts) => parts.slice(at).join('/'))),
)
const folderNames = new Set(paths.flatMap((each) => each.split('/').slice(0, -1)))
/** What sounds like a folder and is as often two words with a stroke between them. */
const words = new Set([
  'test',
  'text',
  'image',
  'login',
  'wallet',
  'wallets',
  'sign',
  'session',
  'account',
  'code',
])
/** Rooms that the project once had: a path into one of them is still a path. */
const formerFolders = ['core', 'wire', 'flows', 'auth', 'screens', 'chains', 'domain', 'routes']

function filesOf(folder: string): string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name)
    if (entry.isFile()) return [name]
    return entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name) ? filesOf(name) : []
  })
}

interface Comment {
  readonly text: string
  /** Where it begins, counted from the file's start. */
  readonly at: number
}

/** All comments of a source text. What looks like one in a string, a template, a pattern or the text of JSX is none. */
function commentsOf(file: string, text: string): Comment[] {
  const literals = new Map<number, number>()
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node))
      literals.set(node.getStart(), node.end)
    else if (ts.isJsxText(node)) literals.set(node.pos, node.end)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))

  const found: Comment[] = []
  for (let at = 0; at < text.length; ) {
    const end = literals.get(at)
    const comment = end === undefined ? commentAt(text, at) : undefined
    if (comment) found.push({ text: comment, at })
    at = Math.max(end ?? 0, at + (comment?.length ?? 1))
  }
  return found
}

function commentAt(text: string, at: number): string | undefined {
  const [open, close] = text.startsWith('//', at) ? ['//', '\n'] : ['/*', '*/']
  if (!text.startsWith(open, at)) return undefined
  const end = text.indexOf(close, at + open.length)
  return text.slice(at, end < 0 ? text.length : end + (open === '/*' ? close.length : 0))
}

/** What a comment says, in one line. */
const plain = (comment: string) => comment.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')

/** Where a comment says something, however its lines are broken. */
function placeOf(cited: string, comment: string): number {
  const words = cited.split(' ').map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return Math.max(0, comment.search(new RegExp(words.join('[\\s*/]+'))))
}

/** Documents that readers of the repository don't have, by the ways in which they were cited. */
const elsewhere = new RegExp(
  [
    /\b[Ss]pec(?:ification)?(?:\.md)?,? §[\d.]*(?: ?["“][^"”]*["”])?/,
    /\b[Ww]ire(?:\.md)?,? (?:§ ?)?R?\d+(?:\.\d+)*/,
    /\b[Ss]ecurity(?:\.md)?,? (?:§ ?[\d.]+|bar \d+|[TS]\d+)/,
    /\b(?:[Ee]lements|[Ll]ook|toolchain|exemplars)(?:\.md)?,? §? ?\d+(?:\.\d+)*/,
    /(?<![\w`-])[TSR][1-9]\d?(?![\w`-])/,
    /(?<!\b(?:RFC|EIP|ERC|BIP|SLIP|CAIP)[- ]?\d*,? ?)§ ?\d+(?:\.\d+)*/,
    /\bshared\/(?:design|spec|vectors|data|proofs)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/** Headings of a document of the project; `undefined` where there is no such document. */
function headingsOf(file: string): ReadonlySet<string> | undefined {
  if (!files.includes(file)) return undefined
  const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n')
  return new Set(lines.flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []))
}

/** Documents by their names, with the headings that are cited beside them. */
function brokenDocuments(text: string, commentedFile: string): string[] {
  return [...text.matchAll(/(?<![\w/.-])([\w./-]+\.md)\b((?:(?:,| and|, and)? "[^"]+")*)/g)].flatMap(
    ([cited, file = '', quoted = '']) => {
      const beside = path.posix.join(path.posix.dirname(commentedFile), file)
      const name = [file, `docs/${file}`, beside].find((each) => files.includes(each))
      const headings = name === undefined ? undefined : headingsOf(name)
      if (!headings) return [cited]
      const missing = [...quoted.matchAll(/"([^"]+)"/g)].filter(([, heading = '']) => !headings.has(heading))
      return missing.map(([heading]) => `${file}, ${heading}`)
    },
  )
}

/** Paths and names of files that lead nowhere. */
function brokenPaths(text: string, file: string): string[] {
  const own = text
    .replace(/\b[a-z][a-z+.-]*:\/\/\S+/gi, ' ')
    .replace(/(?<![\w/])@[\w-]+\/[\w./-]+/g, ' ')
    .replace(/\{[^}]*\}/g, ' ')
  const found = [...own.matchAll(/(?<![\w/.#@<'"=&?:-])(?:\.{1,2}\/)*[\w-][\w.-]*(?:\/[\w*.-]+)+/g)].map(
    ([one]) => one,
  )
  const names = [...own.matchAll(/(?<![\w/.*-])[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs)\b/g)].map(([one]) => one)
  return [
    ...found.filter((one) => looksLikePath(one) && !leadsSomewhere(one.replace(/[.*]+$/, ''), file)),
    ...names.filter((one) => !endings.has(one)),
  ]
}

function looksLikePath(text: string): boolean {
  const [first = ''] = text.replace(/^(\.{1,2}\/)+/, '').split('/')
  if (/\.(tsx?|mjs)$/.test(text)) return true
  if (/\.(md|js)$/.test(text) || words.has(first)) return false
  return commented.includes(first) || folderNames.has(first) || formerFolders.includes(first)
}

function leadsSomewhere(text: string, file: string): boolean {
  const named = text.replace(/\/$/, '')
  const beside = path.posix.join(path.posix.dirname(file), named)
  return endings.has(named) || endings.has(beside)
}

/** What is wrong with a comment, in the words that it uses. */
function broken(comment: string, file: string): string[] {
  const text = plain(comment)
  const cited = text.match(elsewhere) ?? []
  return [...new Set([...cited, ...brokenDocuments(text, file), ...brokenPaths(text, file)])]
}

describe('a comment', () => {
  it('refers to nothing that the repository does not have', () => {
    const sources = files.filter(
      (file) => /\.(tsx?|mjs)$/.test(file) && commented.some((folder) => file.startsWith(`${folder}/`)),
    )
    expect(sources.length).toBeGreaterThan(100)
    const wrong = sources.flatMap((file) => {
      const text = fs.readFileSync(path.join(root, file), 'utf8')
      const lineOf = (at: number) => text.slice(0, at).split('\n').length
      return commentsOf(file, text).flatMap((comment) =>
        broken(comment.text, file).map((cited) => {
          return `${file}:${lineOf(comment.at + placeOf(cited, comment.text))}  ${cited}`
        }),
      )
    })
    expect(wrong, `${wrong.length} references lead nowhere:\n${wrong.join('\n')}\n`).toEqual([])
  }, 120_000)

  it.each([
    ['a section of a document that is elsewhere', 'Spec §4 "Session": a token'],
    ['a number of it', 'Wire 2.5, and the codes'],
    ['a threat by its number', 'It is used once (security T28).'],
    ['a threat by its number alone', 'Uses up the nonce (S1, T10)'],
    ['a document that is not here', 'See docs/nowhere.md for it.'],
    ['a heading that its document does not have', 'docs/protocol.md, "Nothing of the kind"'],
    ['a file that is not here', 'What core/nowhere says of it.'],
    ['a file by its name', 'It is read by not-here.ts.'],
    ['two lines with a citation across them', '/**\n * It is for wire\n * 7.6 alone.\n */'],
  ])('is refused when it cites %s', (_, text) => {
    expect(broken(text, 'src/index.ts')).not.toEqual([])
  })

  it.each([
    'docs/protocol.md, "Sessions" and "Tokens"',
    'Either application/json or text/plain, and/or nothing.',
    'As in RFC 9449 §4.2, EIP-712 and ES256; see https://example.com/src/nowhere.ts.',
    'Imports of @noble/curves; see elements/define.ts.',
  ])('may say: %s', (text) => {
    expect(broken(text, 'src/index.ts')).toEqual([])
  })

  it('is found everywhere, and nothing else is', () => {
    const text = [
      '/** one */',
      "const a = '// none' // two",
      `const b = \`/* none */ \${/* three */ a}\``,
      'const c = <p>// none {/* four */} {a /* five */}</p>',
      'const d = /\\/\\*none*/ // six',
      '// seven',
    ].join('\n')
    expect(commentsOf('a.tsx', text).map((comment) => comment.text.replace(/[^a-z]/g, ''))).toEqual([
      ...['one', 'two', 'three', 'four', 'five', 'six', 'seven'],
    ])
  })
})
