/** Wallets where the browser keeps nothing for frames of other sites. Projects of the configuration say which browser that is. */
import { inWindow } from './support/approval.ts'
import { open } from './support/apps.ts'
import { type Demo, emailOf, expect, test } from './support/demo.ts'
import {
  addressesOf,
  confirmByCode,
  createBy,
  creation,
  kept,
  signOnEthereum,
  signOnSolana,
  untilIn,
  vaultOf,
  visit,
} from './support/embedded.ts'

const elsewhere = (demo: Demo): Demo => ({ ...demo, site: demo.site.replace('localhost', '127.0.0.1') })

test('where frames of other sites keep nothing, wallets are made and sign, and a code brings them back after a reload', async ({
  page,
  context,
  demo,
}) => {
  const email = emailOf('blocked')
  await visit(page, elsewhere(demo), email, open)
  await untilIn(page)
  const [address = ''] = await addressesOf(page)
  await expect(kept(page, demo)).rejects.toThrow()
  await signOnEthereum(page, address)
  const solana = await createBy(page, '#create-solana')
  await page.reload()
  await expect(page.locator('#address')).toHaveText(address)
  // To the server this is another device by now.
  await signOnSolana(page, solana, async () => confirmByCode(await inWindow(page, context), demo, email))
})

test('where frames of other sites keep nothing, a vault that hangs while a wallet is made is loaded anew, and the wallet is there @soak', async ({
  page,
  demo,
}) => {
  let asked = 0
  await page.route(creation, async (route) => {
    if (route.request().method() !== 'POST' || asked++ > 0) return route.continue()
    await route.fetch()
    const busy = () => {
      // Longer than the page waits for a sign of life.
      const end = Date.now() + 9_000
      while (Date.now() < end);
    }
    vaultOf(page, demo)
      .evaluate(busy)
      .catch(() => {})
    await route.abort()
  })
  await visit(page, elsewhere(demo), emailOf('hanging'))
  await untilIn(page)
  expect(asked).toBeGreaterThan(0)
  const [address = ''] = await addressesOf(page)
  await signOnEthereum(page, address)
})
