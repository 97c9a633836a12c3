/** Holds docs/specification.md to what it says: places that are there, reasons, counts, and a row for each line. */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { specIsThere, specText } from '../errors/spec.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const verdicts = ['as written', 'differs', 'not met', 'not verified']

interface Row {
  readonly line: string
  readonly verdict: string
  readonly where: string
  readonly why: string
}

const text = read('docs/specification.md')
const cellsOf = (line: string) =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())
const rows: readonly Row[] = text.split('\n').flatMap((line) => {
  const [number = '', , verdict = '', where = '', why = ''] = cellsOf(line)
  return /^\d\.(\d+|[a-z])$/.test(number) ? [{ line: number, verdict, where, why }] : []
})
const sectionOf = ({ line }: Row) => line.split('.')[0] ?? ''

describe('the table of the specification', () => {
  test('names in each row a place in the code, in a test or in another document', () => {
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ where }) => !/`|\]\(/.test(where))).toEqual([])
  })

  test('names files that exist, and names that are in them', () => {
    const places = rows.flatMap(({ line, where }) =>
      [...where.matchAll(/`([^`]+)`/g)].map(([, place = '']) => ({ line, place })),
    )
    const missing = places.filter(({ place }) => {
      const [file = '', name] = place.split('#')
      if (!fs.existsSync(path.join(root, file))) return true
      return name !== undefined && !hasName(read(file), name)
    })
    expect(missing).toEqual([])
  })

  test('gives a reason for what is not as written, and for nothing else', () => {
    expect(rows.filter(({ verdict }) => !verdicts.includes(verdict))).toEqual([])
    expect(rows.filter(({ verdict, why }) => (verdict === 'as written') !== (why === ''))).toEqual([])
  })

  test('counts its verdicts right, section by section', () => {
    const counts = text.split('\n').flatMap((line) => {
      const [section = '', ...numbers] = cellsOf(line)
      return /^(\d|all)$/.test(section) ? [[section, ...numbers.map(Number)]] : []
    })
    const sections = [...new Set(rows.map(sectionOf))]
    const counted = [...sections, 'all'].map((section) => {
      const own = rows.filter((row) => section === 'all' || sectionOf(row) === section)
      return [
        section,
        own.length,
        ...verdicts.map((each) => own.filter(({ verdict }) => verdict === each).length),
      ]
    })
    expect(counts).toEqual(counted)
  })

  test.skipIf(!specIsThere)(
    'has a row for each bullet and each row of a table, in their order (skipped where the specification is not beside the repository)',
    () => {
      const expected = linesOf(specText()).flatMap(({ section, lines }) =>
        Array.from({ length: lines }, (_, at) => `${section}.${at + 1}`),
      )
      expect(rows.map(({ line }) => line).filter((line) => /\d$/.test(line))).toEqual(expected)
    },
  )
})

/** Whether a text has the name as a whole, such as a constant, or the key of a text. */
function hasName(source: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w.-])${escaped}(?![\\w-])`).test(source)
}

/** How many lines each section has: bullets of the first level, and rows of tables without their heads. */
function linesOf(spec: string): { section: string; lines: number }[] {
  return spec
    .split(/^## (?=\d)/m)
    .slice(1)
    .map((section) => {
      const bullets = section.match(/^- /gm) ?? []
      const ofTables = section.match(/^\|(?![-| ]+$)/gm) ?? []
      const heads = section.match(/^\|[-| ]+$/gm) ?? []
      return { section: section[0] ?? '', lines: bullets.length + ofTables.length - heads.length }
    })
}
