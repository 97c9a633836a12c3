/** Holds the reading lists of docs/architecture.md and of the README to the imports of the files that they name. */
import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readSources } from './sources.ts'

const read = (file: string) => fs.readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const sources = new Map(readSources(['src', 'elements', 'styles']).map((source) => [source.file, source]))
const page = read('docs/architecture.md')

interface ReadingList {
  readonly title: string
  /** How many files the text promises. */
  readonly count: number
  readonly files: readonly string[]
}

const lists: readonly ReadingList[] = (page.split('\n## Reading lists\n')[1] ?? '')
  .split(/^### /m)
  .slice(1)
  .map((text) => ({
    title: text.slice(0, text.indexOf('\n')),
    count: Number(/: (\d+) files\.$/m.exec(text)?.[1]),
    files: [...text.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file),
  }))

/** The vault is a program of its own: no import leads to where it begins. */
const begins = (file: string, at: number) => at === 0 || file === 'src/vault/entry/main.ts'
const loads = (from: string, to: string) =>
  (sources.get(from)?.imports ?? []).some((one) => one.own && one.kind !== 'type' && one.to === to)

/** What is wrong with a list. */
function problems({ count, files }: Pick<ReadingList, 'count' | 'files'>): string[] {
  const wrongCount = count === files.length ? [] : [`${files.length} files, but the text says ${count}`]
  const wrongFiles = files.flatMap((file, at) => {
    const before = files.slice(0, at)
    if (!sources.has(file)) return [`${file} does not exist`]
    if (before.includes(file)) return [`${file} stands there twice`]
    if (begins(file, at) || before.some((each) => loads(each, file))) return []
    return [`${file} is loaded by no file before it`]
  })
  return [...wrongCount, ...wrongFiles]
}

describe('docs/architecture.md', () => {
  it('lists what to read for a login, a signature and a recovery', () => {
    expect(lists.map(({ title }) => title)).toEqual(['A login', 'A signature', 'A recovery'])
  })

  it.each(lists)('lists for $title files that load each other in that order, and counts them', (list) => {
    expect(problems(list)).toEqual([])
  })

  it('follows a login from the element to fetch', () => {
    const { files = [] } = lists.find(({ title }) => title === 'A login') ?? {}
    expect(files[0]).toBe('elements/login-modal.ts')
    expect(sources.get(files.at(-1) ?? '')?.text).toMatch(/await fetch\(/)
  })

  it('names no file and no folder that is not there', () => {
    const named = [...page.matchAll(/`((?:src|elements|styles|demo|docs|test|tools)\/[\w./-]+)`/g)]
    const missing = named
      .map(([, file = '']) => file)
      .filter((file) => !fs.existsSync(new URL(`../../${file}`, import.meta.url)))
    expect(named.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })
})

describe('the README', () => {
  it('prints the same list for a login', () => {
    const text = /To follow a login by e-mail, read in this order:\n\n([\s\S]+?) \((\d+) files\)\n/.exec(
      read('README.md'),
    )
    const files = [...(text?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
    const login = lists.find(({ title }) => title === 'A login')
    expect({ files, count: Number(text?.[2]) }).toEqual({ files: login?.files, count: login?.count })
  })
})

describe('a reading list', () => {
  it.each([
    ['promises another number of files', { count: 2, files: ['src/kit/kit.ts'] }],
    ['names a file that does not exist', { count: 1, files: ['src/kit/nowhere.ts'] }],
    ['names a file twice', { count: 2, files: ['src/kit/kit.ts', 'src/kit/kit.ts'] }],
    [
      'names a file of which only types are needed',
      { count: 2, files: ['src/kit/login.ts', 'src/kit/api.ts'] },
    ],
    ['names files in the wrong order', { count: 2, files: ['src/kit/features.ts', 'src/kit/kit.ts'] }],
  ])('is refused when it %s', (_, list) => {
    expect(problems(list)).not.toEqual([])
  })
})
