/** Requests of other apps to an app whose own page draws the review: what it can’t do, its connected apps, and smart wallets. */
import type { Page } from '@playwright/test'
import { type Address, createPublicClient, type Hex, http, parseEther } from 'viem'
import type { LoginModal } from '../../src/index.ts'
import { limit } from '../support/limit.ts'
import {
  answerOf,
  ask,
  expectSignature,
  friends,
  isOver,
  logInByFriend,
  visitFriend,
} from './support/cross-app.ts'
import { emailOf, expect, test } from './support/demo.ts'
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

test('connected apps: a user disconnects one in their account settings, and its next request is refused @soak', async ({
  page,
  context,
  demo,
}) => {
  await logInByFriend(page, context, demo, { mode, email: emailOf('disconnects') })
  const signed = await ask(page, 'Sign there')
  await (await reviewOf(signed)).press('Sign and continue')
  await expectSignature(page)
  await isOver(signed)

  // A request that is open when the app is disconnected ends with it.
  const open = await ask(page, 'Sign there')
  const review = await reviewOf(open)
  const own = await visitFriend(context, demo, mode)
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
