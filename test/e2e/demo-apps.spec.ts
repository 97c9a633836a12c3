import { compatibleApps } from './support/apps.ts'
import { expect, test } from './support/demo.ts'

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
