/** Apps made with the frameworks that people use, built from the packed package before the tests begin: each is opened, and somebody logs in. The soak lives with them for longer. */
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findHeadlessShell } from '../../tools/chromium.mjs'
import { type Demo, startDemo } from '../e2e/support/demo.ts'
import { visit } from './journey.ts'
import { preparedApps, servePrepared } from './prepared.ts'

const minute = 60_000

describe('an app made with', () => {
  let browser: Browser
  let demo: Demo
  let stopDemo: () => Promise<void>
  beforeAll(async () => {
    const { path: executablePath, args } = findHeadlessShell()
    const [launched, started] = await Promise.all([chromium.launch({ executablePath, args }), startDemo()])
    browser = launched
    demo = started.demo
    stopDemo = started.stop
  }, 3 * minute)
  afterAll(async () => {
    await browser?.close()
    await stopDemo?.()
  }, minute)

  it.each(preparedApps)(
    '$name gives the tag its settings and hears it in its own way, and somebody logs in',
    async (app) => {
      const served = await servePrepared(app, demo)
      try {
        expect(await visit(browser, served.origin, demo)).toEqual([])
        expect(served.output()).not.toMatch(/error|warn/i)
      } finally {
        await served.close()
      }
    },
    2 * minute,
  )
})
