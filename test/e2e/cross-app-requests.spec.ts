/** Requests of other apps to an app whose own page, or whose vault, draws the review, and each way in which they are refused. */
import type { Page } from '@playwright/test'
import { type Hex, parseEther, recoverMessageAddress } from 'viem'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { approve, inDialog } from './support/approval.ts'
import {
  answerOf,
  ask,
  every,
  expectSignature,
  isOver,
  logInByFriend,
  noted,
  visitFriend,
} from './support/cross-app.ts'
import { emailOf, expect, logIn, test, watchPage } from './support/demo.ts'
import { press, untilClosed } from './support/embedded.ts'
import { chainOf, modes, reviewOf, soakUnless } from './support/sending.ts'

for (const mode of modes) {
  test(`cross-app request, ${mode}: the other app names who asks, and its wallet signs a message${soakUnless(mode === 'strict')}`, async ({
    page,
    context,
    demo,
  }) => {
    const problems = watchPage(page)
    const address = await logInByFriend(page, context, demo, { mode })
    const popup = await ask(page, 'Sign there')
    await expect(popup.locator('#requester')).toHaveText('Every Way', { timeout: limit(20_000) })
    await expect(popup.locator('#origin')).toHaveText(demo.site)
    const review = await reviewOf(popup)
    await expect(review.screen).toContainText('Every Way')
    await expect(review.screen).toContainText(new URL(demo.site).host)
    await review.press('Sign and continue')
    await expectSignature(page)
    const signature = ((await answerOf(page).textContent()) ?? '') as Hex
    const message = await page.locator('#other-message').inputValue()
    expect(await recoverMessageAddress({ message, signature })).toBe(address)
    await isOver(popup)
    expect(problems).toEqual([])
  })

  test(`cross-app request, ${mode}: typed data is signed and a transaction sent @soak`, async ({
    page,
    context,
    demo,
  }) => {
    const address = (await logInByFriend(page, context, demo, { mode })) as Hex
    const typed = await ask(page, 'Sign typed data there')
    await approve(typed)
    await expectSignature(page)
    await isOver(typed)

    const node = demo.chains[1]
    test.skip(!node, 'This machine has no anvil')
    await chainOf(node ?? '').setBalance({ address, value: parseEther('1') })
    const sending = await ask(page, 'Send 0.01 ETH from there')
    await approve(sending, 'Approve')
    await expect(answerOf(page)).toHaveText(/^0x[\da-f]{64}$/, { timeout: limit(60_000) })
    await isOver(sending)
  })

  test(`cross-app request, ${mode}: rejected in the review, by its window, and by disconnecting @soak`, async ({
    page,
    context,
    demo,
  }) => {
    await logInByFriend(page, context, demo, { mode })
    const toCancel = (popup: Page) =>
      inDialog(popup, (place) => place.getByRole('button', { name: 'Cancel' }))
    const rejected = await ask(page, 'Sign there')
    await (await toCancel(rejected)).click()
    await isOver(rejected)
    await noted(page, 'crossApp.signMessage() rejected: unable_to_sign')
    await untilClosed(page)

    const closed = await ask(page, 'Sign there')
    await (await toCancel(closed)).waitFor()
    await closed.close()
    await expect(page.getByRole('dialog').getByText('User rejected request')).toBeVisible({
      timeout: limit(20_000),
    })
    const [again] = await Promise.all([page.waitForEvent('popup'), press(page, 'Try again')])
    await approve(again)
    await expectSignature(page)
    await isOver(again)
    await untilClosed(page)

    const left = await ask(page, 'Sign there')
    await (await toCancel(left)).waitFor()
    const id = new URL(left.url()).searchParams.get('request_id') ?? ''
    const url = await left.evaluate(
      async ([id, appId]) => {
        const { kit } = document.querySelector('login-modal') as LoginModal
        return (await kit?.crossApp.decline({ id, appId }, { disconnect: true })) ?? ''
      },
      [id, every] as const,
    )
    await left.goto(url).catch(() => {})
    await isOver(left)
    await untilClosed(page)
    // The token is gone, so the user logs in there first.
    const login = await ask(page, 'Sign there')
    await expect(login.getByRole('button', { name: 'Allow' })).toBeVisible({ timeout: limit(20_000) })
  })

  test(`cross-app request, ${mode}: for another account it is refused in words, and goes on with the right one @soak`, async ({
    page,
    context,
    demo,
  }) => {
    const email = emailOf('friend')
    await logInByFriend(page, context, demo, { mode, email })
    // The same browser, where another user is logged in at the other app by now.
    const other = await visitFriend(context, demo, mode)
    await other.locator('#log-out').click()
    await expect(other.locator('#status')).toHaveText('You are logged out.')
    const popup = await ask(page, 'Sign there')
    await popup.getByRole('button', { name: 'Log in' }).click()
    await logIn(popup, demo, emailOf('another'))
    await expect(popup.getByText('This request is for another account of yours.')).toBeVisible({
      timeout: limit(30_000),
    })
    await expect(popup.getByRole('button', { name: 'Review' })).toBeHidden()
    await popup.getByRole('button', { name: 'Not you?' }).click()
    await popup.getByRole('button', { name: 'Log in' }).click()
    await logIn(popup, demo, email)
    await approve(popup)
    await expectSignature(page)
  })
}

test('cross-app request: forged messages, a replay and other openers bring nothing @soak', async ({
  page,
  context,
  demo,
  hostileSite,
}) => {
  await logInByFriend(page, context, demo)
  let address = ''
  context.on('request', (request) => {
    if (request.url().startsWith(`${demo.api}/oauth/transact?`)) address = request.url()
  })
  const popup = await ask(page, 'Sign there')
  await expect(popup.locator('#origin')).toHaveText(demo.site, { timeout: limit(20_000) })
  const forged = { type: 'PRIVY_CROSS_APP_ACTION_RESPONSE', result: `0x${'ee'.repeat(65)}` }
  // From the other app's own page, which is not its API; and from the page to itself.
  await popup.evaluate((message) => window.opener.postMessage(message, '*'), forged)
  await page.evaluate((message) => window.postMessage(message, '*'), forged)
  // To the page of the other app, which takes no messages.
  await popup.evaluate((message) => window.postMessage(message, '*'), forged)
  await expect(page.getByRole('dialog').getByText('Review in Friendly App')).toBeVisible()
  await expect(answerOf(page)).toHaveText('')

  // The same address again, from this page and from another site.
  for (const place of [page.url(), hostileSite.host]) {
    const stranger = await context.newPage()
    await stranger.goto(place)
    const heard = stranger.evaluate(
      () => new Promise((resolve) => window.addEventListener('message', ({ data }) => resolve(data))),
    )
    heard.catch(() => {})
    const [replay] = await Promise.all([
      stranger.waitForEvent('popup'),
      stranger.evaluate((url) => void window.open(url), address),
    ])
    if (place === hostileSite.host) {
      // The message is for the origin that asked, so another opener gets none, and the window closes by itself.
      await isOver(replay)
      expect(await Promise.race([heard, stranger.evaluate(() => 'nothing')])).toBe('nothing')
    } else
      expect(await heard).toEqual({
        type: 'PRIVY_CROSS_APP_ACTION_ERROR',
        error: 'Failed to initialize signature request',
      })
    await stranger.close()
  }

  // The opener leaves for another site before the user signs: that site hears nothing.
  await approve(popup)
  await expectSignature(page)
  const last = await ask(page, 'Sign there')
  await expect(last.locator('#origin')).toHaveText(demo.site, { timeout: limit(20_000) })
  await page.goto(hostileSite.host)
  const heard: unknown[] = []
  await page.exposeFunction('hear', (data: unknown) => void heard.push(data))
  await page.evaluate(() =>
    window.addEventListener('message', ({ data }) =>
      (window as unknown as { hear(data: unknown): void }).hear(data),
    ),
  )
  if (!last.isClosed()) {
    await approve(last)
    await isOver(last)
  }
  expect(heard).toEqual([])
})
