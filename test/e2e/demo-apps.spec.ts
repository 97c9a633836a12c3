import { approve, closeReceipt } from './support/approval.ts'
import { compatibleApps, open } from './support/apps.ts'
import { emailOf, expect, test } from './support/demo.ts'
import { dialogOf, newDevice, untilClosed } from './support/embedded.ts'

test('whoever opens the demo reads of every app whether its vault is strict, and can choose the compatible ones', async ({
  page,
  demo,
}) => {
  await page.goto(demo.site)
  const select = page.locator('#app')
  await expect(select.locator('option')).toHaveCount(demo.apps.length)
  const shown = await select.locator('optgroup').evaluateAll((groups) =>
    (groups as HTMLOptGroupElement[]).flatMap((group) =>
      Array.from(group.children, (option) => ({
        id: (option as HTMLOptionElement).value,
        vault: group.label.split(':')[0]?.toLowerCase(),
      })),
    ),
  )
  const byId = (a: { id: string }, b: { id: string }) => a.id.localeCompare(b.id)
  expect(shown.sort(byId)).toEqual(demo.apps.map(({ id, vault }) => ({ id, vault })).sort(byId))

  for (const id of compatibleApps) {
    const { name = '' } = demo.apps.find((app) => app.id === id) ?? {}
    await select.selectOption(name)
    await expect(page).toHaveURL(`${demo.site}/?app=${id}`)
    await expect(select.locator('optgroup[label^="Compatible"] option:checked')).toHaveText(name)
  }
})

test('demo apps: each has a logo of its own and the networks of this machine', async ({ page, demo }) => {
  const logos = new Map<string, string>()
  for (const { id, name } of demo.apps) {
    await page.goto(`${demo.site}/?app=${id}`)
    const logo = await page.locator('#logo').getAttribute('src')
    expect(logo, name).toMatch(/^data:image\/svg/)
    const kind = name.replace(/ \(compatible\)$|^Humans .*/, '')
    if (kind) logos.set(kind, logo ?? '')
    const networks = await page.locator('login-modal').getAttribute('data-networks')
    expect(JSON.parse(networks ?? '{}').solanaRpcUrl, name).toBe(demo.solanaRpcUrl)
  }
  expect(new Set(logos.values()).size).toBe(logos.size)
})

test('demo: its Solana wallet is listed where people log in by a wallet', async ({ page, demo }) => {
  await page.goto(`${demo.site}/?app=latchkey-demo-wallets-012`)
  await page.locator('#log-in').click()
  await page.getByRole('button', { name: 'Continue with a wallet' }).click()
  await expect(dialogOf(page).getByRole('button', { name: /^Demo Solana Wallet/ })).toBeVisible()
})

test('demo: a button sends SOL from the Solana wallet that a user has made @soak', async ({
  browser,
  demo,
}) => {
  const { page, context } = await newDevice(browser, demo, emailOf('sol'), open)
  await page.getByRole('button', { name: 'Create Solana wallet' }).click()
  await expect(page.locator('#solana')).toBeVisible()
  await untilClosed(page)
  await page.getByRole('button', { name: 'Get 1 SOL of play money' }).click()
  await expect(page.locator('#solana-answer')).toContainText('1 SOL more')
  await page.getByRole('button', { name: 'Send 0.01 SOL' }).click()
  await approve(page, 'Approve')
  await expect(page.locator('#solana-answer')).toHaveText(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
  await closeReceipt(page)
  await untilClosed(page)
  await context.close()
})
