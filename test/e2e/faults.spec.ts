import { limit } from '../support/limit.ts'
import { approve, codeBoxes } from './support/approval.ts'
import { keeps, openPage } from './support/apps.ts'
import { emailOf, expect, logIn, test, watchPage } from './support/demo.ts'
import { untilIdle } from './support/idle.ts'

test.describe('in a real page', () => {
  test('a click twice on Submit sends one code @soak', async ({ page, demo }) => {
    const email = emailOf('twice')
    await page.goto(openPage(demo))
    await page.locator('#log-in').click()
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Submit' }).dblclick()
    await codeBoxes(page)
    await untilIdle(page)
    const mails = (await (await fetch(`${demo.inbox}/messages.json`)).json()) as { to: string }[]
    expect(mails.filter(({ to }) => to === email)).toHaveLength(1)
  })

  test('a lost answer of a login is replayed, not acted on twice', async ({ page, demo }) => {
    let calls = 0
    await page.route('**/passwordless/authenticate', async (route) => {
      if (route.request().method() !== 'POST' || ++calls > 1) return route.continue()
      await route.fetch()
      return route.abort('connectionreset')
    })
    await page.goto(openPage(demo))
    await page.locator('#log-in').click()
    await logIn(page, demo, emailOf('lost'))
    await expect(page.locator('#email')).toHaveText(emailOf('lost'))
    expect(calls).toBe(2)
  })

  test('an API that can’t be reached ends in words and a way on @soak', async ({ page, demo }) => {
    await page.route(`${demo.api}/**`, (route) => route.abort())
    await page.goto(openPage(demo))
    await page.locator('#log-in').click()
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
    await page.unroute(`${demo.api}/**`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByLabel('Email address')).toBeVisible()
  })

  test('a vault that is blocked ends in words, a retry that works, and a wallet', async ({ page, demo }) => {
    // Where the vault itself takes the code, nobody without it gets that far.
    await page.clock.install()
    await page.route(`${demo.vault}/**`, (route) => route.abort())
    await page.goto(`${demo.site}/?app=${keeps}`)
    await page.locator('#log-in').click()
    await logIn(page, demo, emailOf('blocked'))
    // A clock that leaps while the code is on its way would end that request instead.
    await expect(page.getByRole('heading', { name: 'Enter confirmation code' })).toBeHidden()
    // Longer than the page waits for a vault: it gives up each of its tries in its turn.
    await expect(async () => {
      await page.clock.fastForward(20_000)
      await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible({
        timeout: limit(1_000),
      })
    }).toPass({ timeout: limit(40_000) })
    // Nobody is in before the wallet is there that the login creates.
    await expect(page.locator('#email')).not.toHaveText(emailOf('blocked'))
    await page.unroute(`${demo.vault}/**`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.locator('#email')).toHaveText(emailOf('blocked'))
    await expect(page.locator('#address')).toHaveText(/^0x/)
  })

  test('blocked storage and cookies still let a person log in and sign @soak', async ({ page, demo }) => {
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('denied', 'SecurityError')
          },
        })
    })
    const problems = watchPage(page)
    // A strict app would ask each of its frames for a code of its own.
    await page.goto(`${demo.site}/?app=${keeps}`)
    await page.locator('#log-in').click()
    await logIn(page, demo, emailOf('private'))
    await expect(page.locator('#address')).toHaveText(/^0x/)
    await page.getByRole('button', { name: 'Sign', exact: true }).click()
    await approve(page)
    await expect(page.locator('#signature')).toHaveText(/^0x/)
    expect(problems).toEqual([])
  })

  test('an element that is taken out and put back goes on where it was @soak', async ({ page, demo }) => {
    await page.goto(openPage(demo))
    await page.locator('#log-in').click()
    await page.getByLabel('Email address').fill(emailOf('moved'))
    await page.evaluate(() => {
      const element = document.querySelector('login-modal') as HTMLElement
      const place = document.createElement('section')
      document.body.prepend(place)
      place.append(element)
    })
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  test('a listener of the host that throws breaks nothing of ours @soak', async ({ page, demo }) => {
    await page.addInitScript(() => {
      for (const type of ['lk-open', 'lk-step', 'lk-login', 'lk-user', 'lk-close', 'lk-ready'])
        document.addEventListener(type, () => {
          throw new Error(`host ${type}`)
        })
    })
    await page.goto(openPage(demo))
    await page.locator('#log-in').click()
    await logIn(page, demo, emailOf('thrower'))
    await expect(page.locator('#address')).toHaveText(/^0x/)
  })

  test('the bundle loaded twice defines its elements once @soak', async ({ page, demo }) => {
    const problems = watchPage(page)
    await page.goto(openPage(demo))
    await page.evaluate(async () => {
      const again = document.createElement('script')
      again.type = 'module'
      const url = (document.querySelector('script[src*=latchkey]') as HTMLScriptElement).getAttribute('src')
      await import(`${url}?again`).catch(() => {})
    })
    await page.locator('#log-in').click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(problems).toEqual([])
  })
})
