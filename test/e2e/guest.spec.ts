import { openWindow, pressIn } from './support/approval.ts'
import { emailOf, expect, logIn, test, watchPage } from './support/demo.ts'

const app = 'latchkey-demo-every-00009'

test('a guest is a guest again, and by an e-mail address a user with the same id and wallet', async ({
  page,
  context,
  demo,
}) => {
  const problems = watchPage(page)
  await page.goto(`${demo.site}/?app=${app}&methods=email`)
  await page.locator('#guest').click()
  await expect(page.locator('#status')).toHaveText('You are a guest.')
  await expect(page.locator('#address')).toHaveText(/^0x[0-9a-fA-F]{40}$/)
  const id = (await page.locator('#user-id').textContent()) ?? ''
  const address = (await page.locator('#address').textContent()) ?? ''

  await page.reload()
  await expect(page.locator('#status')).toHaveText('You are a guest.')
  await expect(page.locator('#user-id')).toHaveText(id)
  await page.locator('#guest').click()
  await expect(page.locator('#trace')).toContainText('lk-login')
  await expect(page.locator('#user-id')).toHaveText(id)

  const credential = await page.evaluate((key) => localStorage.getItem(key), `lk:${app}:guest`)
  expect(credential).toMatch(/^[\w-]{43}$/)
  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf('upgraded'))
  // Whoever has the address will be able to log in to what has a wallet: the guest agrees to that in the vault's window.
  const window = await openWindow(page, context)
  await expect(window.getByText(emailOf('upgraded'))).toBeVisible()
  await expect(page.locator('#status')).toHaveText('You are a guest.')
  await pressIn(window, 'Add')
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await expect(page.locator('#user-id')).toHaveText(id)
  await expect(page.locator('#address')).toHaveText(address)
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), `lk:${app}:guest`)).toBeNull()

  // The old credential opens nothing any more.
  const old = await page.request.post(`${demo.api}/api/v1/guest/authenticate`, {
    headers: { 'privy-app-id': app, origin: demo.site },
    data: { guest_credential: credential },
  })
  expect(old.status()).toBe(401)

  await page.reload()
  await expect(page.locator('#email')).toHaveText(emailOf('upgraded'))
  await page.locator('#log-out').click()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf('upgraded'))
  await expect(page.locator('#user-id')).toHaveText(id)
  expect(problems).toEqual([])
})

test('a guest who logs out is gone: the next one is another @soak', async ({ page, demo }) => {
  await page.goto(`${demo.site}/?app=${app}&methods=email`)
  const ids: (string | null)[] = []
  for (let times = 0; times < 2; times++) {
    await page.locator('#guest').click()
    await expect(page.locator('#status')).toHaveText('You are a guest.')
    ids.push(await page.locator('#user-id').textContent())
    await page.locator('#log-out').click()
    await expect(page.locator('#status')).toHaveText('You are logged out.')
  }
  expect(ids[0]).not.toBe(ids[1])
})

test('somebody who is logged in is made no guest @soak', async ({ page, demo }) => {
  await page.goto(`${demo.site}/?app=${app}&methods=email`)
  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf('no-guest'))
  await expect(page.locator('#status')).toHaveText('You are logged in.')
  await page.locator('#guest').click()
  await expect(page.locator('#trace')).toContainText('guest.create() rejected: invalid_state')
})
