/** What somebody gets who installs the package: it needs no other, and every bundler of a host makes working pages of it. */
import fs from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../tools/chromium.mjs'
import { importsOf } from '../../tools/measure/bundle.mjs'
import { serve } from '../../tools/measure/serve.mjs'
import { appId } from '../../tools/measure/stub-api.mjs'
import { limit } from '../support/limit.ts'
import { soaking } from '../support/soak.ts'
import { bundlers, outputOf } from './bundlers.ts'
import { type Host, installPackage, pages } from './installed.ts'

let host: Host
let browser: Browser
beforeAll(async () => {
  const { path: executablePath, args } = findChromium()
  ;[host, browser] = await Promise.all([installPackage(), chromium.launch({ executablePath, args })])
})
afterAll(() => Promise.all([host?.remove(), browser?.close()]))

describe('the packed package', () => {
  it('names no package that would have to be installed with it', () => {
    const manifest = JSON.parse(fs.readFileSync(path.join(host.installed, 'package.json'), 'utf8'))
    const kinds = ['dependencies', 'peerDependencies', 'optionalDependencies']
    expect(kinds.filter((kind) => manifest[kind])).toEqual([])
    expect(manifest.bundledDependencies ?? manifest.bundleDependencies).toBeUndefined()
  })

  it('is alone where it is installed, and no folder above it could provide a package', () => {
    expect(fs.readdirSync(path.join(host.folder, 'node_modules'))).toEqual(['latchkey'])
    expect(fs.existsSync(path.join(host.installed, 'node_modules'))).toBe(false)
    const above = (folder: string): string[] =>
      path.dirname(folder) === folder ? [] : [path.dirname(folder), ...above(path.dirname(folder))]
    const lending = above(host.folder).filter((folder) => fs.existsSync(path.join(folder, 'node_modules')))
    expect(lending).toEqual([])
  })

  it('holds what it needs and none of its sources', () => {
    const files = filesOf(host.installed)
    expect(files).toEqual(
      expect.arrayContaining([
        ...['package.json', 'README.md', 'LICENSE', 'NOTICE', 'dist/index.js', 'dist/define.js'],
        ...['dist/bin/latchkey-recover.js', 'docs/recovery.md'],
      ]),
    )
    const meant = /^(dist\/|package\.json$|README\.md$|LICENSE$|NOTICE$|docs\/[\w-]+\.md$)/
    expect(files.filter((file) => !meant.test(file))).toEqual([])
  })

  it(
    'has no file that imports anything but another of its files, or what Node brings along for its command',
    () => {
      const dist = path.join(host.installed, 'dist')
      const files = filesOf(dist)
      const loose = files
        .filter((file) => file.endsWith('.js'))
        .flatMap((file) => {
          const { atOnce, later } = importsOf(path.join(dist, file))
          const isFine = (address: string) =>
            /^\.{1,2}\//.test(address)
              ? files.includes(path.posix.join(path.posix.dirname(file), address))
              : file.startsWith('bin/') && address.startsWith('node:')
          return [...atOnce, ...later]
            .filter((address) => !isFine(address))
            .map((address) => `${file} → ${address}`)
        })
      expect(loose).toEqual([])
    },
    limit(60_000),
  )
})

/** In short runs the one whose users are most, and the one that is furthest from it. */
const used = soaking ? Object.keys(bundlers) : ['Vite', 'webpack']

describe.each(used)('a host that is built with %s', (name) => {
  beforeAll(() => bundlers[name]?.(host, outputOf(host, name)), limit(240_000))

  it.each(Object.entries(pages))(
    'shows the landing screen, and defines no more than was asked for, on the page “%s”, which imports %s alone',
    async (page) => {
      const server = await serve({
        folders: { '/built/': outputOf(host, name) },
        pages: { '/': (origin) => htmlOf(page, origin) },
      })
      const tab = await browser.newPage()
      const problems: string[] = []
      tab.on('pageerror', (error) => problems.push(error.message))
      tab.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      tab.on('requestfailed', (request) => problems.push(`${request.url()} failed`))
      tab.on(
        'response',
        (response) => response.ok() || problems.push(`${response.url()} is ${response.status()}`),
      )
      try {
        await tab.goto(server.origin)
        await tab
          .getByRole('dialog')
          .getByRole('textbox', { name: 'Email' })
          .waitFor({ timeout: limit(60_000) })
        await tab.waitForLoadState('networkidle')
        expect(problems).toEqual([])
        const tags = elementsOf(host)
        const defined = await tab.evaluate((all) => all.filter((tag) => customElements.get(tag)), tags)
        expect(defined).toEqual(page === 'define' ? tags : ['login-modal'])
      } finally {
        await tab.close()
        server.close()
      }
    },
    limit(90_000),
  )
})

const htmlOf = (page: string, origin: string) => `<!doctype html><meta charset=utf-8><title>Host</title>
  <link rel=icon href=data:,>
  <script type=module src=/built/${page}.js></script>
  <login-modal app-id=${appId} api-url=${origin} open></login-modal>`

/** Every element that the package has an entry for. */
const elementsOf = ({ installed }: Host) =>
  filesOf(path.join(installed, 'dist/elements')).flatMap((file) => /^([\w-]+)\.js$/.exec(file)?.[1] ?? [])

function filesOf(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort()
}
