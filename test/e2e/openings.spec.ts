/** What a page keeps of dialogs that are gone, of a second copy of the bundle, and of elements that come and go. */

import type { CDPSession, Page } from '@playwright/test'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { counted, soak } from '../support/soak.ts'
import { codeBoxes, inDialog } from './support/approval.ts'
import { openPage } from './support/apps.ts'
import { emailOf, expect, logIn, mailedCode, test, watchPage } from './support/demo.ts'
import { untilIdle } from './support/idle.ts'

const openings = soak(20, 1_000)
const mebibyte = 1_048_576

/** Opens the dialog and closes it, as often as that, by the element's own methods. */
const openAndClose = (page: Page, times: number) =>
  page.evaluate(async (count) => {
    const modal = document.querySelector('login-modal') as LoginModal
    const until = async (done: () => boolean) => {
      while (!done()) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const dialog = () => modal.shadowRoot?.querySelector('dialog')
    for (let at = 0; at < count; at++) {
      const login = modal.login().catch(() => {})
      await until(() => Boolean(dialog()?.open && dialog()?.querySelector('input')))
      modal.close()
      await login
      await until(() => !dialog())
    }
  }, times)

/** What is alive after everything that nobody holds is gone. */
async function alive(cdp: CDPSession) {
  for (let round = 0; round < 3; round++) await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners, documents } = await cdp.send('Memory.getDOMCounters')
  return { usedSize, nodes, jsEventListeners, documents }
}

test(`a dialog that was opened and closed ${counted(openings)} times leaves nothing behind @soak`, async ({
  page,
  demo,
}) => {
  test.setTimeout(limit(900_000))
  const problems = watchPage(page)
  await page.goto(openPage(demo))
  await page.waitForFunction(() => customElements.get('login-modal') !== undefined)
  // The demo lists every event of the elements on the page, which is not ours.
  await page.evaluate(() => {
    const trace = document.querySelector('#trace') as HTMLElement
    new MutationObserver(() => {
      while (trace.children.length > 20) trace.lastElementChild?.remove()
    }).observe(trace, { childList: true })
  })
  const cdp = await page.context().newCDPSession(page)
  // The first ones load what a dialog needs, and fill the caches that a page has.
  await openAndClose(page, 20)
  // The first dialog may still be loading files on a busy machine.
  let before = await alive(cdp)
  await expect
    .poll(
      async () => {
        const earlier = before
        before = await alive(cdp)
        return before.nodes === earlier.nodes && before.jsEventListeners === earlier.jsEventListeners
      },
      { timeout: limit(60_000) },
    )
    .toBe(true)
  await openAndClose(page, openings)
  // The last dialog is let go of a moment after it is gone.
  let after = await alive(cdp)
  await expect
    .poll(
      async () => {
        after = await alive(cdp)
        const [listeners, nodes] = [
          after.jsEventListeners - before.jsEventListeners,
          after.nodes - before.nodes,
        ]
        return listeners <= 5 && nodes <= 50 ? 'nothing' : `${listeners} listeners, ${nodes} nodes`
      },
      { timeout: limit(60_000) },
    )
    .toBe('nothing')
  const grown = (after.usedSize - before.usedSize) / mebibyte
  console.log(
    `Openings: ${openings}, heap ${grown.toFixed(3)} MB, listeners ${after.jsEventListeners - before.jsEventListeners}, ` +
      `nodes ${after.nodes - before.nodes}, frames ${after.documents - before.documents}`,
  )
  expect(grown).toBeLessThan(1)
  expect(after.documents).toBe(before.documents)
  expect(problems).toEqual([])
})

test('a second copy of the bundle, and elements defined once more, break nothing: the login comes to its end @soak', async ({
  page,
  demo,
}) => {
  const problems = watchPage(page)
  await page.route('**/another/**', async (route) => {
    const response = await route.fetch({ url: route.request().url().replace('/another/', '/latchkey/') })
    await route.fulfill({ response })
  })
  await page.goto(openPage(demo))
  await page.waitForFunction(() => customElements.get('login-modal') !== undefined)
  await page.evaluate(async () => {
    const copy = '/another/latchkey.js'
    await import(copy)
  })
  // The copy's own parts are loaded now, and find all names taken.
  await untilIdle(page)
  await page.evaluate(() => {
    const fresh = document.querySelector('login-modal')?.cloneNode() as HTMLElement
    document.body.append(fresh)
  })
  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf('two-bundles'))
  await expect(page.locator('#address')).toHaveText(/^0x/)
  expect(problems).toEqual([])
  console.log('Two copies of the bundle: a login and its wallet come to their end')
})

const steps = ['before it opens', 'on the first screen', 'on the code screen'] as const
// Moves of every kind are in test/browser/elements.
for (const step of steps)
  test(`an element that is taken out and put back elsewhere ${step} still logs its person in @soak`, async ({
    page,
    demo,
  }) => {
    const problems = watchPage(page)
    await page.goto(openPage(demo))
    await page.waitForFunction(() => customElements.get('login-modal') !== undefined)
    const move = () =>
      page.evaluate(() => {
        const place = document.createElement('section')
        document.body.prepend(place)
        place.append(document.querySelector('login-modal') as HTMLElement)
      })
    if (step === steps[0]) await move()
    await page.locator('#log-in').click()
    await expect(page.getByLabel('Email address')).toBeVisible()
    if (step === steps[1]) await move()
    const email = emailOf('mover')
    if (step === steps[2]) {
      await page.getByLabel('Email address').fill(email)
      await page.getByRole('button', { name: 'Submit' }).click()
      await codeBoxes(page)
      await move()
      await (await inDialog(page, (place) => place.getByRole('button', { name: 'Back' }))).click()
      await page.getByRole('button', { name: 'Submit' }).waitFor()
      await page.getByLabel('Email address').fill(email)
      await page.getByRole('button', { name: 'Submit' }).click()
      await (await codeBoxes(page)).pressSequentially(await mailedCode(demo, email, 0))
    } else await logIn(page, demo, email)
    await expect(page.locator('#email')).toHaveText(email)
    expect(problems).toEqual([])
    console.log(`An element that moves ${step}: its login comes to its end`)
  })
