import { approve, codeBoxes, inDialog } from './support/approval.ts'
import { openPage } from './support/apps.ts'
import { emailOf, expect, logIn, mailedCode, test, watchPage } from './support/demo.ts'
import { writeSignIn } from './support/embedded.ts'

// Here everything moves as most people see it.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('from an e-mail address to a signed message, and out again in both tabs', async ({
  page,
  demo,
  context,
}) => {
  const problems = watchPage(page)
  const email = emailOf('ada')
  await page.goto(openPage(demo))
  await expect(page.locator('#status')).toHaveText('You are logged out.')

  const since = Date.now() - 1000
  await page.locator('#log-in').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Submit' }).click()

  const code = await codeBoxes(page)
  const right = await mailedCode(demo, email, since)
  await code.pressSequentially(right === '000000' ? '111111' : '000000')
  await inDialog(page, (place) => place.getByText('Invalid or expired verification code').first())
  await expect(code).toHaveValue('')
  await code.pressSequentially(right)

  await expect(page.getByText('Welcome')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.locator('#email')).toHaveText(email)
  await expect(page.locator('#address')).toHaveText(/^0x[0-9a-fA-F]{40}$/)
  const address = (await page.locator('#address').textContent()) ?? ''

  await page.getByRole('textbox', { name: 'Message' }).fill('Hello, ünïcode 🌍\nsecond line')
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  await inDialog(page, (place) => place.getByText('second line'))
  await approve(page)
  await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/)
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await expect(page.locator('#verdict')).toHaveText(`Valid: signed by ${address}`)

  await page.reload()
  await expect(page.locator('#email')).toHaveText(email)
  const second = await context.newPage()
  await second.goto(openPage(demo))
  await expect(second.locator('#address')).toHaveText(address)

  await second.locator('#log-out').click()
  await expect(second.locator('#status')).toHaveText('You are logged out.')
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  await page.reload()
  await expect(page.locator('#status')).toHaveText('You are logged out.')
  expect(problems).toEqual([])
})

test('a login in one tab is seen in the other @soak', async ({ page, demo, context }) => {
  const other = await context.newPage()
  await other.goto(openPage(demo))
  await page.goto(openPage(demo))
  await page.locator('#log-in').click()
  await logIn(page, demo, emailOf('grace'))
  await expect(page.locator('#email')).toHaveText(emailOf('grace'))
  await expect(other.locator('#email')).toHaveText(emailOf('grace'))
})

test('the wallet is found again on another device, and signs as the same address @soak', async ({
  demo,
  browser,
}) => {
  const addresses: (string | null)[] = []
  for (let device = 0; device < 2; device++) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(openPage(demo))
    await page.locator('#log-in').click()
    await logIn(page, demo, emailOf('joan'))
    await expect(page.locator('#address')).toHaveText(/^0x/)
    await writeSignIn(page)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await approve(page)
    await expect(page.locator('#signature')).toHaveText(/^0x[0-9a-f]{130}$/)
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await expect(page.locator('#verdict')).toHaveText(/^Valid/)
    addresses.push(await page.locator('#address').textContent())
    await context.close()
  }
  expect(addresses[0]).toBe(addresses[1])
})

test.describe('apps with rules of their own', () => {
  const appNamed = (demo: { apps: { id: string; name: string }[] }, part: RegExp) => {
    const app = demo.apps.find(({ id, name }) => part.test(id) || part.test(name))
    if (!app) throw new Error(`The demo has no app like ${part}`)
    return app.id
  }

  test('terms must be accepted, and declining logs out @soak', async ({ page, demo }) => {
    await page.goto(`${demo.site}/?app=${appNamed(demo, /terms/)}`)
    await page.locator('#log-in').click()
    await logIn(page, demo, emailOf('terms'))
    await expect(page.getByRole('heading', { name: 'One last step' })).toBeVisible()
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'One last step' })).toBeVisible()
    await page.getByRole('button', { name: 'No thanks' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.locator('#status')).toHaveText('You are logged out.')
  })

  test('who is not on the allowlist reads the app’s own words @soak', async ({ page, demo }) => {
    await page.goto(`${demo.site}/?app=${appNamed(demo, /invite/)}`)
    await page.locator('#log-in').click()
    await page.getByLabel('Email address').fill(emailOf('stranger'))
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('dialog').getByRole('heading')).not.toHaveText('Enter confirmation code')
    await expect(page.locator('#trace')).toContainText('allowlist_rejected')
  })

  test('nobody is signed up where sign-up is off @soak', async ({ page, demo }) => {
    await page.goto(`${demo.site}/?app=${appNamed(demo, /nosign/)}`)
    await page.locator('#log-in').click()
    await logIn(page, demo, emailOf('new'))
    await expect(
      page.getByText('Please try logging in again or go to the app to create an account.').first(),
    ).toBeVisible()
  })
})
