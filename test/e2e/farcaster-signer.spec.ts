/** A user lets a key of their vault post for them on Farcaster: approved on their phone, used, and declined. */
import { ed25519 } from '@noble/curves/ed25519.js'
import type { Page } from '@playwright/test'
import { hex } from '@scure/base'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { inDialog } from './support/approval.ts'
import { open, openCompatible } from './support/apps.ts'
import { emailOf, expect, test, watchPage } from './support/demo.ts'
import { deviceWithWallet } from './support/embedded.ts'
import { modes, reviewOf } from './support/sending.ts'

const apps = { compatible: openCompatible, strict: open } as const
const heading = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('heading', { name, exact: true })
/** The link of the code that a phone scans. */
async function codeOf(page: Page): Promise<string> {
  const link = page.locator('[data-qr] a')
  await expect(link).toHaveAttribute('href', /\/farcaster\/phone/, { timeout: limit(30_000) })
  return (await link.getAttribute('href')) ?? ''
}

for (const mode of modes)
  test(`farcaster signer: declined once, approved on the phone, and signs a post, in a ${mode} app @soak`, async ({
    browser,
    demo,
  }) => {
    const { page } = await deviceWithWallet(browser, demo, emailOf(`signer-${mode}`), apps[mode])
    const problems = watchPage(page)
    const phone = await (await browser.newContext()).newPage()
    // A fid that nobody else in this demo has.
    const fid = String(20_000 + Math.floor(Math.random() * 1_000_000))
    const approve = async (uri: string) => {
      await phone.goto(uri)
      await phone.getByLabel('Another fid').fill(fid)
      await phone.getByRole('button', { name: 'Approve', exact: true }).click()
    }

    await expect(page.locator('#farcaster-signer')).toBeHidden()
    await page.evaluate(() => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      void kit?.link('farcaster').catch(() => {})
    })
    await approve(await codeOf(page))
    if (mode === 'strict')
      await (
        await inDialog(page, (within) =>
          within.getByRole('button', { name: /^(Link|Approve|Confirm|Add)/ }).last(),
        )
      ).click()
    await expect(page.locator('#farcaster-signer')).toBeVisible({ timeout: limit(30_000) })
    await expect(page.getByRole('dialog')).toBeHidden({ timeout: limit(20_000) })

    await page.locator('#sign-cast').click()
    await expect(page.locator('#trace')).toContainText('farcasterSigner.sign() rejected: invalid_state')

    await page.locator('#request-signer').click()
    await expect(heading(page, 'Allow posting on Farcaster')).toBeVisible({ timeout: limit(30_000) })
    await phone.goto(await codeOf(page))
    await expect(phone.getByRole('heading', { name: /post for you\?$/ })).toBeVisible()
    await phone.getByRole('button', { name: 'Decline' }).click()
    await expect(heading(page, 'Request rejected')).toBeVisible({ timeout: limit(20_000) })
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
    await approve(await codeOf(page))
    await expect(page.getByText('Successfully connected with Farcaster').first()).toBeVisible({
      timeout: limit(20_000),
    })
    await expect(page.locator('#signer-key')).toHaveText(/^0x[0-9a-f]{64}$/)
    await expect(page.getByRole('dialog')).toBeHidden({ timeout: limit(20_000) })
    const key = (await page.locator('#signer-key').textContent()) ?? ''

    await page.locator('#sign-cast').click()
    const review = await reviewOf(page)
    await expect(review.screen).toContainText('Sign for Farcaster')
    await review.press('Sign and continue')
    await expect(page.locator('#cast-signature')).toHaveText(/^[0-9a-f]{128}$/, { timeout: limit(20_000) })
    const signature = hex.decode((await page.locator('#cast-signature').textContent()) ?? '')
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('High tide at noon.'))
    expect(ed25519.verify(signature, new Uint8Array(digest, 0, 20), hex.decode(key.slice(2)))).toBe(true)
    expect(problems.filter((problem) => !/40[03]/.test(problem))).toEqual([])
  })
