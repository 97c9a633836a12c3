/** Holds the README and docs/ to what they promise: examples that work, and links that lead somewhere. */
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { defaultChains } from '../../src/ethereum/chains.ts'
import { appIdLength } from '../../src/lib/app-id.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')
const docs = fs.readdirSync(path.join(root, 'docs')).map((file) => `docs/${file}`)

describe('the README', () => {
  const readme = read('README.md')

  test('gives app ids that could be app ids in its examples', () => {
    const ids = [...readme.matchAll(/app-id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.filter((id) => id?.length !== appIdLength)).toEqual([])
  })

  test('has example pages that run under the policy that it recommends', () => {
    const scripts = [...readme.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((tag) => !tag.includes('src='))).toEqual([])
  })
})

describe('a link in the README or in docs/', () => {
  /** The names by which the headings of a page are linked, as GitHub makes them. */
  const anchorsOf = (file: string) =>
    [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    )

  test.each(['README.md', ...docs])('leads to a file and a heading that are there, in %s', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:)([^)\s]*)\)/g)].map(([, link = '']) => link)
    const wrong = links.filter((link) => {
      const [to = '', anchor] = link.split('#')
      const target = to ? path.posix.join(path.posix.dirname(file), to) : file
      return (
        !fs.existsSync(path.join(root, target)) ||
        (anchor !== undefined && !anchorsOf(target).includes(anchor))
      )
    })
    expect(wrong).toEqual([])
  })
})

test.each(['README.md', ...docs])(
  '%s: every file and folder of the repository that it names exists',
  (file) => {
    const named = [...read(file).matchAll(/`((?:src|elements|styles|demo|docs|test|tools)\/[\w./-]+)`/g)]
    const missing = named.map(([, name = '']) => name).filter((name) => !fs.existsSync(path.join(root, name)))
    expect(missing).toEqual([])
  },
)

test('docs/elements.md says how many chains an app has that names none', () => {
  expect(read('docs/elements.md')).toContain(`as viem describes them; ${defaultChains.length} by default`)
})

test('docs/protocol.md gives each difference from the wire format’s origin its reason', () => {
  const [, table = ''] = read('docs/protocol.md').split(/^## Differences$/m)
  const rows = [...table.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '))
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.filter((cells) => cells.length !== 4 || cells.some((cell) => cell.trim() === ''))).toEqual([])
})
