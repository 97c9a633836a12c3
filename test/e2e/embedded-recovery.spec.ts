/** A wallet that outlives its device, whatever way back its person has chosen. */
import { keeps } from './support/apps.ts'
import { emailOf, expect, test } from './support/demo.ts'
import {
  addressesOf,
  anotherDevice,
  changeTo,
  createBy,
  type Device,
  directionsOf,
  type Known,
  type Method,
  methods,
  newDevice,
  recoverAtSecondTry,
  recoverBy,
  signOnEthereum,
  signOnSolana,
  walks,
} from './support/embedded.ts'

for (const [number, walk] of walks.entries())
  test(`both wallets sign on a new device after each change of recovery: ${walk.join(', ')} @soak`, async ({
    demo,
    browser,
  }) => {
    const name = `walker-${number}`
    const email = emailOf(name)
    const begun = await newDevice(browser, demo, email)
    const [ethereum = ''] = await addressesOf(begun.page)
    const solana = await createBy(begun.page, '#create-solana')
    await signOnEthereum(begun.page, ethereum)
    await signOnSolana(begun.page, solana)
    await begun.context.close()

    const known: Known = {}
    const met = new Set<Method>()
    let device: Device | undefined
    for (const [at, method] of walk.entries()) {
      if (device) {
        known[method] = method === 'password' ? `tide&${at}!${name}` : `${name}.${at}`
        await changeTo(device.page, method, known)
        await device.context.close()
      }
      device = await anotherDevice(browser, demo, email)
      const { page } = device
      expect(await addressesOf(page)).toEqual([ethereum, solana])
      const recover = () => (met.has(method) ? recoverBy : recoverAtSecondTry)(page, method, known)
      // Either wallet brings the other one along.
      const signs = [
        (before?: () => Promise<void>) => signOnEthereum(page, ethereum, before),
        (before?: () => Promise<void>) => signOnSolana(page, solana, before),
      ]
      if (at % 2 === 1) signs.reverse()
      await signs[0]?.(recover)
      if (!met.has(method)) await signs[1]?.()
      met.add(method)
    }
    await device?.context.close()
    console.log(`Recovery: ${walk.length} new devices, ${directionsOf(walk).join('; ')}`)
  })

test('the walks go in every direction, in an app that offers every way @soak', async ({ demo }) => {
  const every = methods.flatMap((from) => methods.filter((to) => to !== from).map((to) => `${from} → ${to}`))
  expect(new Set(walks.flatMap(directionsOf))).toEqual(new Set(every))
  expect(demo.apps.map(({ id }) => id)).toContain(keeps)
})
