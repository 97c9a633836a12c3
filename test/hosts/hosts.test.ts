/** Apps made with the frameworks that people use, from the packed package: they are type-checked, built, and lived with. */
import fs from 'node:fs'
import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../../tools/chromium.mjs'
import { type Demo, startDemo } from '../e2e/support/demo.ts'
import { apps, buildApp, envOf, serveDeployed, settingsOf } from './apps.ts'
import { walkThrough } from './journey.ts'
import { makeProject, type Project, type Served, serveBy } from './project.ts'

const minutes = 60_000

describe('an app made with', () => {
  let browser: Browser
  let demo: Demo
  let stopDemo: () => Promise<void>
  beforeAll(async () => {
    const { path: executablePath, args } = findChromium()
    const [launched, started] = await Promise.all([chromium.launch({ executablePath, args }), startDemo()])
    browser = launched
    demo = started.demo
    stopDemo = started.stop
  }, 3 * minutes)
  afterAll(async () => {
    await browser?.close()
    await stopDemo?.()
  }, minutes)

  describe.each(apps)('$name', (app) => {
    let project: Project
    let env: Record<string, string>
    beforeAll(async () => {
      project = await makeProject(app.name)
      const settings = settingsOf(demo)
      env = envOf(app, settings)
      await buildApp(app, project, settings)
    }, 15 * minutes)
    afterAll(() => project?.remove(), 2 * minutes)

    it(
      'is accepted by its type checker',
      async () => {
        const { code, output } = await project.run(app.check('.'), env)
        expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
      },
      5 * minutes,
    )

    it(
      'is refused by its type checker where a template is wrong, and nowhere else',
      async () => {
        const { output } = await project.run(app.check('wrong'), env)
        const lines = fs.readFileSync(path.join(project.folder, app.wrong), 'utf8').split('\n')
        const wrong = lines.flatMap((line, at) => (/\bwrong( -->)?$/.test(line) ? [at + 2] : []))
        const refused = new Set([...output.matchAll(app.errorAt)].map(([, line]) => Number(line)))
        expect(
          [...refused].sort((a, b) => a - b),
          output,
        ).toEqual(wrong)
      },
      5 * minutes,
    )

    const { developed } = app.servers ?? {}
    const servers: Record<string, () => Promise<Served>> = {
      'as it is deployed': () => serveDeployed(app, project, env),
      ...(developed && {
        'as it is developed, in strict mode': () => serveBy(project, developed, env),
      }),
    }
    it.each(Object.keys(servers))(
      'logs in, hears its elements wherever they come and go, and signs: %s',
      async (how) => {
        const served = await servers[how]?.()
        if (!served) throw new Error(`There is no server for ${how}`)
        try {
          expect(await walkThrough(browser, served.origin, demo)).toEqual([])
          expect(served.output()).not.toMatch(/error|warn/i)
        } finally {
          await served.close()
        }
      },
      5 * minutes,
    )
  })
})
