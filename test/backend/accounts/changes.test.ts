import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Vault, verdict } from '../support/embedded-world.ts'
import { mfaApp } from '../support/mfa-world.ts'
import { newNumber, type SmsWorld, startSmsWorld } from '../support/sms-world.ts'
import { newAddress, stores } from '../support/world.ts'

describe.each(stores)('changes with a wallet, on $name', (store) => {
  let world: SmsWorld
  beforeAll(async () => {
    world = await startSmsWorld(store, { moreApps: [mfaApp] })
  })
  afterAll(() => world?.stop())

  test('link: pending until an enrolled device approves', async () => {
    const vault = await Vault.open(world, { appId: mfaApp.id })
    await vault.create()
    const page = vault.page()
    const phoneNumber = newNumber()
    await page.post('passwordless_sms/init', { phoneNumber })
    const refused = await page.post('passwordless_sms/link', { phoneNumber, code: page.lastCode(phoneNumber) })
    expect(verdict(refused)).toEqual([403, 'approval_required'])
    const { change } = refused.body.data
    const review = await vault.post(`users/me/changes/${change}/review`)
    expect(review.body).toEqual({})
    const done = await vault.approveChange(change)
    expect(done.body).toEqual({})
    void newAddress
  })
})
