import { recoverMessageAddress } from 'viem'
import { limit } from '../support/limit.ts'
import { approve, inDialog } from './support/approval.ts'
import { answerOf, ask, every, friends, isOver, logInByFriend, noted } from './support/cross-app.ts'
import { emailOf, expect, logIn, test, watchPage } from './support/demo.ts'

const friend = friends.strict.id

test('cross-app request: the other app names who asks, and its wallet signs a message', async ({
  page,
  context,
  demo,
}) => {
  const problems = watchPage(page)
  const address = await logInByFriend(page, context, demo)
  const popup = await ask(page, 'Sign there')
  await expect(popup.locator('#requester')).toHaveText('Every Way', { timeout: limit(20_000) })
  await expect(popup.locator('#origin')).toHaveText(demo.site)
  const app = await inDialog(popup, (place) => place.getByText('Every Way'))
  await expect(app).toBeVisible()
  await approve(popup)
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })
  const signature = ((await answerOf(page).textContent()) ?? '') as `0x${string}`
  const message = await page.locator('#other-message').inputValue()
  expect(await recoverMessageAddress({ message, signature })).toBe(address)
  await isOver(popup)
  expect(problems).toEqual([])
})

test('cross-app request: typed data and a transaction are reviewed in the vault’s window @soak', async ({
  page,
  context,
  demo,
}) => {
  const address = await logInByFriend(page, context, demo)
  const typed = await ask(page, 'Sign typed data there')
  await approve(typed)
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })
  await isOver(typed)

  const [node] = Object.values(demo.chains)
  test.skip(!node, 'This machine has no chain')
  const balance = {
    jsonrpc: '2.0',
    id: 1,
    method: 'anvil_setBalance',
    params: [address, '0xde0b6b3a7640000'],
  }
  const headers = { 'content-type': 'application/json' }
  await fetch(node ?? '', { method: 'POST', headers, body: JSON.stringify(balance) })
  const sending = await ask(page, 'Send 0.01 ETH from there')
  await approve(sending, 'Approve')
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{64}$/, { timeout: limit(60_000) })
  await isOver(sending)
})

test('cross-app request: rejected, canceled, closed and disconnected @soak', async ({
  page,
  context,
  demo,
}) => {
  await logInByFriend(page, context, demo)
  const rejected = await ask(page, 'Sign there')
  await (await inDialog(rejected, (place) => place.getByRole('button', { name: 'Cancel' }))).click()
  await isOver(rejected)
  await noted(page, 'crossApp.signMessage() rejected: unable_to_sign')

  const closed = await ask(page, 'Sign there')
  await expect(closed.locator('#origin')).toHaveText(demo.site, { timeout: limit(20_000) })
  await closed.close()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('User rejected request')).toBeVisible({ timeout: limit(20_000) })
  const [again] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('button', { name: 'Try again' }).click(),
  ])
  await approve(again)
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })

  const left = await ask(page, 'Sign there')
  // The vault's dialog is in front of the page.
  await (await inDialog(left, (place) => place.getByRole('button', { name: 'Cancel' }))).waitFor()
  const id = new URL(left.url()).searchParams.get('request_id') ?? ''
  const url = await left.evaluate(
    async ([id, appId]) => {
      const login = document.querySelector('login-modal') as unknown as {
        kit: { crossApp: { decline(asked: object, options: object): Promise<string> } }
      }
      return login.kit.crossApp.decline({ id, appId }, { disconnect: true })
    },
    [id, every],
  )
  await left.goto(url).catch(() => {})
  await isOver(left)
  // The token is gone, so the user logs in there first.
  const login = await ask(page, 'Sign there')
  await expect(login.getByRole('button', { name: 'Allow' })).toBeVisible({ timeout: limit(20_000) })
})

test('cross-app request: for another account it is refused in words, and goes on with the right one @soak', async ({
  page,
  context,
  demo,
}) => {
  await logInByFriend(page, context, demo)
  // The same browser, where another user is logged in at the other app by now.
  const other = await context.newPage()
  await other.goto(`${demo.site}/?app=${friend}`)
  await expect(other.locator('#status')).toHaveText('You are logged in.', { timeout: limit(20_000) })
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
  await logIn(popup, demo, emailOf('friend'))
  await approve(popup)
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })
})

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
  await expect(answerOf(page)).toHaveText(/^0x[\da-f]{130}$/, { timeout: limit(30_000) })
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
