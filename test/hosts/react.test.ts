/** The pages of the Next app, with React alone: rendered by bare Node and hydrated in a browser. The soak runs Next itself. */
import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findChromium } from '../../tools/chromium.mjs'
import { serve } from '../../tools/measure/serve.mjs'
import { appId } from '../../tools/measure/stub-api.mjs'
import { limit } from '../support/limit.ts'
import { pressInPage, text, watch, withProblems } from './journey.ts'
import { unpack } from './project.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
let folder: string
let browser: Browser
beforeAll(async () => {
  const { path: executablePath, args } = findChromium()
  browser = await chromium.launch({ executablePath, args })
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'latchkey-react-'))
  for (const app of ['next', 'react'])
    await fs.cp(path.join(root, 'test/hosts', app), path.join(folder, app), { recursive: true })
  await unpack(folder)
  for (const name of ['react', 'react-dom'])
    await fs.symlink(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), 'dir')
}, limit(120_000))
afterAll(async () => {
  await browser?.close()
  if (folder) await fs.rm(folder, { recursive: true, force: true })
})

/** Bundles one side of the app as a developer's machine does, with React's warnings. */
const bundle = (side: 'client' | 'server', apiUrl: string) =>
  build({
    entryPoints: [path.join(folder, `react/${side}.tsx`)],
    outdir: path.join(folder, side),
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxDev: true,
    ...(side === 'server'
      ? {
          platform: 'node',
          outExtension: { '.js': '.mjs' },
          banner: {
            js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
          },
        }
      : { platform: 'browser' }),
    tsconfigRaw: {},
    define: {
      'process.env.NODE_ENV': '"development"',
      'process.env.NEXT_PUBLIC_APP_ID': JSON.stringify(appId),
      'process.env.NEXT_PUBLIC_API_URL': JSON.stringify(apiUrl),
      'process.env.NEXT_PUBLIC_VAULT_URL': JSON.stringify(apiUrl),
    },
  })

it(
  'a page that Node has rendered hydrates in strict mode without a word, and hears its elements',
  async () => {
    let html = ''
    let problems: string[] = []
    const server = await serve({
      folders: { '/client/': path.join(folder, 'client') },
      pages: {
        '/': () => `<!doctype html><meta charset=utf-8><title>Host</title><link rel=icon href=data:,>
        <div id=app>${html}</div><script type=module src=/client/client.js></script>`,
      },
    })
    try {
      await Promise.all([bundle('client', server.origin), bundle('server', server.origin)])
      const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, 'server/server.mjs')])
      const pages = JSON.parse(stdout)
      html = pages[0]
      expect(html).toContain(`<login-modal app-id="${appId}"`)
      for (const tag of ['<wallet-sign', '<wallet-fund']) expect(pages[1]).toContain(tag)

      const page = await browser.newPage({ reducedMotion: 'reduce' })
      problems = watch(page)
      await page.goto(server.origin)
      await text(page, 'heard').toBe('ready')
      await page.locator('#log-in').click()
      await page.getByLabel('Email address').waitFor()
      await pressInPage(page, 'toggle')
      await text(page, 'heard').toBe('ready close:false')
      await page.locator('#toggle').click()
      await text(page, 'heard').toBe('ready close:false ready')
      await page.locator('#log-in').click()
      await page.getByLabel('Email address').waitFor()
      expect(problems).toEqual([])
    } catch (cause) {
      throw withProblems(cause, problems)
    } finally {
      server.close()
    }
  },
  limit(120_000),
)
