import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const file = resolve(root, '../shared/spec/product.md')
const rest = resolve(root, '../shared/spec/limits.md')

/** The specification is not part of the repository; a plain checkout does not have it. */
export const specIsThere = existsSync(file)

/** All of the specification. */
export const specText = (): string => [file, rest].map((each) => readFileSync(each, 'utf8')).join('\n')

/** The specification's error catalogue, heading by heading, each as it is written there. */
export function catalogue(): ReadonlyMap<string, string> {
  const [, section = ''] = readFileSync(file, 'utf8').split('## 8. Error catalogue')
  const [own = ''] = section.split('\n# ')
  const blocks = own.split(/^\*\*(.+)\*\*$/m).slice(1)
  return new Map(blocks.flatMap((name, at) => (at % 2 === 0 ? [[name, (blocks[at + 1] ?? '').trim()]] : [])))
}

/** The quoted texts: the words that people or hosts read. */
export const quotes = (block: string): string[] =>
  [...block.matchAll(/(?<!\w)'(.+?)'(?=[\s.,:;)]|$)/gm)].map(([, words = '']) => words)

/** The rows of a table: its two columns. */
export const tableRows = (block: string): [string, string][] =>
  block
    .split('\n')
    .flatMap((line) => {
      const [, left, right] = line.split('|').map((cell) => cell.trim())
      return left && right && !left.startsWith('-') ? [[left, right] as [string, string]] : []
    })
    .slice(1)

/** All source of the kit in one text, which contains what it says to hosts word for word. */
export const source = (): string =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('vault'))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
    .join('\n')
