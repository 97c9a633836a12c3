/** Requests of other apps to an app whose own page draws the review, and each way in which they are refused. */
import type { Page } from '@playwright/test'
import { type Address, createPublicClient, type Hex, http, parseEther, recoverMessageAddress } from 'viem'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import { answerOf, ask, every, friends, isOver, logInByFriend, noted } from './support/cross-app.ts'
import { emailOf, expect, logIn, test, watchPage } from './support/demo.ts'
import { dialogOf, press, untilClosed } from './support/embedded.ts'
import { newSender, reviewOf } from './support/sending.ts'

const mode = 'compatible'
const { id: friend } = friends.compatible

/** Has the page ask another app by a call of the kit, in a window that opens with it. */
async function askByKit(
  page: Page,
  kind: 'signMessage' | 'sendTransaction',
  input: unknown,
  address: string,
): Promise<{ popup: Page; outcome: Promise<Record<string, string>> }> {
  const opening = page.waitForEvent('popup')
  const outcome = page.evaluate(
    async ([kind, input, address]) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      const call = kit?.crossApp[kind] as (input: unknown, options: object) => Promise<Record<string, string>>
      return call(input, { address }).catch((cause: { code: string }) => ({ code: cause.code }))
    },
    [kind, input, address] as const,
  )
  return { popup: await opening, outcome }
}

test('cross-app request, compatible: the page reviews it in the other app’s name, and its wallet signs @soak', async ({
  page,
  context,
  demo,
}) => {
  const problems = watchPage(page)
  const address = await logInByFriend(page, context, demo, { mode })
  const popup = await ask(page, 'Sign there')
  await expect(popup.locator('#requester')).toHaveText('Every Way', { timeout: limit(20_000) })
  const { screen, press: decide } = await reviewOf(popup)
  await expect(screen).toContainText('Every Way')
  await expect(screen).toContainText(new URL(demo.site).host)
  await decide('Sign and continue')
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })
  const signature = ((await answerOf(page).textContent()) ?? '') as Hex
  const message = await page.locator('#other-message').inputValue()
  expect(await recoverMessageAddress({ message, signature })).toBe(address)
  await isOver(popup)

  const typed = await ask(page, 'Sign typed data there')
  await (await reviewOf(typed)).press('Sign and continue')
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })
  await isOver(typed)
  expect(problems).toEqual([])
})

test('cross-app request, compatible: rejected in the review, on the page, by its window, and by disconnecting @soak', async ({
  page,
  context,
  demo,
}) => {
  await logInByFriend(page, context, demo, { mode })
  const dialog = page.getByRole('dialog')
  const rejected = 'crossApp.signMessage() rejected: unable_to_sign'

  const first = await ask(page, 'Sign there')
  await (await reviewOf(first)).press('Cancel')
  await isOver(first)
  await noted(page, rejected)
  await untilClosed(page)

  const closed = await ask(page, 'Sign there')
  await reviewOf(closed)
  await closed.close()
  await expect(dialog.getByText('User rejected request')).toBeVisible({ timeout: limit(20_000) })
  const [again] = await Promise.all([page.waitForEvent('popup'), press(page, 'Try again')])
  await (await reviewOf(again)).press('Sign and continue')
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })
  await isOver(again)
  await untilClosed(page)

  const left = await ask(page, 'Sign there')
  await reviewOf(left)
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

test('cross-app request, compatible: what the app can’t do is refused in words, and the request stays open for the user @soak', async ({
  page,
  context,
  demo,
}) => {
  const address = await logInByFriend(page, context, demo, { mode })
  // A site that signs in by another's name, and a chain that the other app doesn't have.
  const elsewhere = `bank.example wants you to sign in with your Ethereum account:\n${address}\n\nURI: https://bank.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-11-26T00:00:00.000Z`
  for (const [kind, input] of [
    ['signMessage', elsewhere],
    ['sendTransaction', { to: address, value: '1', chainId: 987_654_321 }],
  ] as const) {
    const { popup, outcome } = await askByKit(page, kind, input, address)
    await expect(popup.locator('#status')).toHaveText('That didn’t work. Please try again.', {
      timeout: limit(30_000),
    })
    await popup.getByRole('button', { name: 'Cancel' }).click()
    await isOver(popup)
    expect(await outcome).toEqual({ code: 'unable_to_sign' })
    await untilClosed(page)
  }
  // A wallet that nobody has, and one of Solana, open no window.
  for (const other of [`0x${'ee'.repeat(20)}`, '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK']) {
    const code = await page.evaluate(async (address) => {
      const { kit } = document.querySelector('login-modal') as LoginModal
      return kit?.crossApp.signMessage('Hello', { address }).catch((cause: { code: string }) => cause.code)
    }, other)
    expect(code).toBe('cross_app_invalid_wallet')
  }
})

test('cross-app request, compatible: another user there is refused in words, until the right one is logged in @soak', async ({
  page,
  context,
  demo,
}) => {
  const email = emailOf('compatible-friend')
  await logInByFriend(page, context, demo, { mode, email })
  const other = await context.newPage()
  await other.goto(`${demo.site}/?app=${friend}`)
  await expect(other.locator('#status')).toHaveText('You are logged in.', { timeout: limit(20_000) })
  await other.locator('#log-out').click()
  await expect(other.locator('#status')).toHaveText('You are logged out.')
  const popup = await ask(page, 'Sign there')
  await popup.getByRole('button', { name: 'Log in' }).click()
  await logIn(popup, demo, emailOf('compatible-other'))
  await expect(popup.getByText('This request is for another account of yours.')).toBeVisible({
    timeout: limit(30_000),
  })
  await expect(popup.getByRole('button', { name: 'Review' })).toBeHidden()
  await popup.getByRole('button', { name: 'Not you?' }).click()
  await popup.getByRole('button', { name: 'Log in' }).click()
  await logIn(popup, demo, email)
  await (await reviewOf(popup)).press('Sign and continue')
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })
})

test('connected apps: a user disconnects one in their account settings, and its next request is refused @soak', async ({
  page,
  context,
  demo,
}) => {
  await logInByFriend(page, context, demo, { mode, email: emailOf('disconnects') })
  const signed = await ask(page, 'Sign there')
  await (await reviewOf(signed)).press('Sign and continue')
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })
  await isOver(signed)

  // A request that is open when the app is disconnected ends with it.
  const open = await ask(page, 'Sign there')
  const review = await reviewOf(open)
  const own = await context.newPage()
  await own.goto(`${demo.site}/?app=${friend}`)
  await expect(own.locator('#status')).toHaveText('You are logged in.', { timeout: limit(20_000) })
  await own.locator('#settings').click()
  const section = dialogOf(own).getByRole('region', { name: 'Connected apps' })
  await section.getByRole('button', { name: /^Every Way/ }).click({ timeout: limit(20_000) })
  await expect(dialogOf(own)).toContainText('Every Way knows your wallets here and can ask them to sign.')
  await press(own, 'Disconnect')
  await expect(section).toBeHidden({ timeout: limit(20_000) })
  await review.press('Sign and continue')
  await expect(open.locator('#status')).toContainText('This request is no longer open.', {
    timeout: limit(20_000),
  })
  await open.close()
  await press(page, 'Try again')
  await expect(page.getByRole('dialog').getByText('Transactions require a valid token')).toBeVisible({
    timeout: limit(20_000),
  })
  await expect(answerOf(page)).toHaveText('')
})

test('cross-app request: a smart wallet signs and sends by the same page @soak', async ({
  browser,
  demo,
}) => {
  test.skip(!demo.chains[1], 'This machine has no anvil')
  const email = emailOf('smart-friend')
  const owner = await newSender(browser, demo, mode, { name: 'smart-friend', app: friend })
  const { page: own, context, chain } = owner
  const creating = own.evaluate(async () => {
    const { kit } = document.querySelector('login-modal') as LoginModal
    return (await kit?.createSmartWallet())?.address
  })
  await (await reviewOf(own)).press('Sign and continue')
  const smart = (await creating) as Address
  await untilClosed(own)
  await chain.setBalance({ address: smart, value: parseEther('1') })

  const page = await context.newPage()
  await logInByFriend(page, context, demo, { mode, email })
  const signing = await askByKit(page, 'signMessage', 'Hello from another app', smart)
  const review = await reviewOf(signing.popup)
  await expect(review.screen).toContainText('Every Way')
  await review.press('Sign and continue')
  const { signature } = await signing.outcome
  await isOver(signing.popup)
  const client = createPublicClient({ transport: http(demo.chains[1] ?? '') })
  const signed = { address: smart, signature: signature as Hex }
  expect(await client.verifyMessage({ ...signed, message: 'Hello from another app' })).toBe(true)

  const to = '0x2222222222222222222222222222222222222222'
  const before = await client.getBalance({ address: to })
  const transaction = { to, value: String(parseEther('0.25')), chainId: 1 }
  await untilClosed(page)
  const sending = await askByKit(page, 'sendTransaction', transaction, smart)
  const approval = await reviewOf(sending.popup)
  await expect(approval.screen).toContainText('Every Way')
  await approval.press('Approve')
  const { transactionHash } = await sending.outcome
  expect(transactionHash).toMatch(/^0x[\da-f]{64}$/)
  const receipt = await client.waitForTransactionReceipt({ hash: transactionHash as Hex })
  expect(receipt.status).toBe('success')
  expect((await client.getBalance({ address: to })) - before).toBe(parseEther('0.25'))
})
