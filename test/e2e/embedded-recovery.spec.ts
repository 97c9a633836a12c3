/** A wallet that outlives its device, whatever way back its person has chosen. Issue: embedded wallets for keeps. */
import { type Demo, expect, test } from './support/demo.ts'
import {
  addressesOf,
  changeTo,
  createBy,
  type Known,
  keeps,
  type Method,
  methods,
  newDevice,
  recoverAtSecondTry,
  recoverBy,
  signOnEthereum,
  signOnSolana,
} from './support/embedded.ts'
import type { Browser } from '@playwright/test'

/**
 * Between them they go in each of the twelve directions; the second one has to get to its beginning first. What a person
 * brings is another one each time, so that the former can't be what opens the wallet.
 */
const walks: readonly (readonly Method[])[] = [
  ['automatic', 'password', 'automatic', 'google-drive', 'automatic', 'icloud', 'password'],
  ['automatic', 'password', 'google-drive', 'icloud', 'google-drive', 'password', 'icloud', 'automatic'],
]
const directionsOf = (walk: readonly Method[]) => walk.slice(1).map((method, at) => `${walk[at]} → ${method}`)

for (const [number, walk] of walks.entries())
  test(`both wallets sign on a new device after each change of recovery: ${walk.join(', ')}`, async ({
    demo,
    browser,
  }) => {
    test.setTimeout(240_000)
    const email = `walker-${number}@example.com`
    const { page, context } = await newDevice(browser, demo, email)
    const [ethereum = ''] = await addressesOf(page)
    const solana = await createBy(page, '#create-solana')
    await signOnEthereum(page, ethereum)
    await signOnSolana(page, solana)
    const count = await walkOn({ demo, browser, email, walk, ethereum, solana }, page)
    await context.close()
    console.log(`Recovery: ${count} new devices, ${directionsOf(walk).join('; ')}`)
  })

interface Walk {
  demo: Demo
  browser: Browser
  email: string
  walk: readonly Method[]
  ethereum: string
  solana: string
}

/** Changes the way of recovery on each device and goes on to a new one. */
async function walkOn(
  { demo, browser, email, walk, ethereum, solana }: Walk,
  first: Awaited<ReturnType<typeof newDevice>>['page'],
): Promise<number> {
  const known: Known = {}
  const met = new Set<Method>()
  let page = first
  let close = async () => {}
  let devices = 0
  for (const [at, method] of walk.entries()) {
    if (at > 0) {
      known[method] = method === 'password' ? `tïde & ${email} ${at}` : `drive.${at}.${email.split('@')[0]}`
      await changeTo(page, method, known)
      await close()
    }
    const next = await newDevice(browser, demo, email)
    page = next.page
    close = () => next.context.close()
    devices++
    const recover = met.has(method) ? recoverBy : recoverAtSecondTry
    expect(await addressesOf(page)).toEqual([ethereum, solana])
    // Either wallet brings the other one along.
    if (at % 2 === 0) await signOnEthereum(page, ethereum, () => recover(page, method, known))
    else await signOnSolana(page, solana, () => recover(page, method, known))
    if (!met.has(method)) {
      if (at % 2 === 0) await signOnSolana(page, solana)
      else await signOnEthereum(page, ethereum)
    }
    met.add(method)
  }
  await close()
  return devices
}

test('the walks go in every direction, in an app that offers every way', async ({ demo }) => {
  const wanted = methods.flatMap((from) => methods.filter((to) => to !== from).map((to) => `${from} → ${to}`))
  expect(new Set(walks.flatMap(directionsOf))).toEqual(new Set(wanted))
  expect(demo.apps.map(({ id }) => id)).toContain(keeps)
})
