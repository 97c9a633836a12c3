import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { all, newName, OAuthClient, type OAuthWorld, startOAuthWorld } from '../support/oauth-world.ts'
import { ProviderBrowser } from '../support/provider-browser.ts'

describe('the providers’ sign-in pages', () => {
  let world: OAuthWorld
  beforeAll(async () => {
    world = await startOAuthWorld({ name: 'PGlite' })
  })
  afterAll(() => world?.stop())

  test.each(all)('%s has a page of its own, which runs nothing and loads nothing', async (provider) => {
    const begun = await new OAuthClient(world).begin(provider)
    const page = await new ProviderBrowser().open(begun.url)
    expect(page.status).toBe(200)
    expect(page.html.toLowerCase()).toContain(`sign in to ${provider}</h1>`)
    expect(page.html).not.toMatch(/<script|<img|@import|url\(/)
    const headers = (await fetch(page.url)).headers
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('what is typed is shown as text, and asked for again when it is no account name', async () => {
    const browser = new ProviderBrowser()
    const page = await browser.open((await new OAuthClient(world).begin('google')).url)
    await expect(browser.answer(page, '<img src=x onerror=alert(1)>')).rejects.toThrow('&#60;img src=x')
    await browser.answer(page, newName())
    await expect(browser.answer(page, newName())).rejects.toThrow('This sign-in is over')
  })
})
