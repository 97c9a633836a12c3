/** Several requests at once: one dialog, from the first to the last, in the page and in the vault's own frame. */
import type { Page } from '@playwright/test'
import type { LoginModal } from '../../src/index.ts'
import { approve, frameOf, inDialog } from './support/approval.ts'
import { compatibleApps, open } from './support/apps.ts'
import { emailOf, expect, test } from './support/demo.ts'
import { deviceWithWallet, untilClosed } from './support/embedded.ts'

const modes = [
  ['strict', open],
  ['compatible', compatibleApps[0] ?? ''],
] as const

/** Asks for three signatures at once, and collects what the page hears of its dialogs. */
const askThrice = (page: Page) =>
  page.evaluate(() => {
    const heard: string[] = []
    for (const name of ['lk-open', 'lk-close']) document.addEventListener(name, () => heard.push(name))
    const { kit } = document.querySelector('login-modal') as LoginModal
    const outcome = (text: string) =>
      kit?.signMessage({ message: text }).then(
        ({ signature }) => signature.slice(0, 2),
        ({ code }: { code: string }) => code,
      )
    Object.assign(globalThis, { heard, outcomes: Promise.all(['one', 'two', 'three'].map(outcome)) })
  })
const resultsOf = (page: Page) =>
  page.evaluate(async () => {
    const { heard, outcomes } = globalThis as unknown as { heard: string[]; outcomes: Promise<string[]> }
    return { outcomes: await outcomes, heard }
  })
const place = (page: Page, mode: string, words: string) =>
  (mode === 'strict' ? frameOf(page) : page.getByRole('dialog')).getByText(words, { exact: true })

for (const [mode, app] of modes) {
  test(`requests, ${mode}: three are reviewed in one dialog, which says the place of each${mode === 'strict' ? '' : ' @soak'}`, async ({
    browser,
    demo,
  }) => {
    const { page, context } = await deviceWithWallet(browser, demo, emailOf(`queue-${mode}`), app)
    await askThrice(page)
    for (const [at, words] of ['one', 'two', 'three'].entries()) {
      await expect(place(page, mode, `${at + 1} of 3`)).toBeVisible()
      await inDialog(page, (within) => within.getByText(words, { exact: true }))
      await approve(page)
    }
    expect(await resultsOf(page)).toEqual({ outcomes: ['0x', '0x', '0x'], heard: ['lk-open'] })
    await untilClosed(page)
    expect((await resultsOf(page)).heard).toEqual(['lk-open', 'lk-close'])
    await context.close()
  })

  test(`requests, ${mode}: closing the dialog of the second rejects it and the third @soak`, async ({
    browser,
    demo,
  }) => {
    const { page, context } = await deviceWithWallet(browser, demo, emailOf(`queue-closed-${mode}`), app)
    await askThrice(page)
    await approve(page)
    await expect(place(page, mode, '2 of 3')).toBeVisible()
    await page.keyboard.press('Escape')
    expect((await resultsOf(page)).outcomes).toEqual(['0x', 'unable_to_sign', 'unable_to_sign'])
    await untilClosed(page)
    await context.close()
  })
}
