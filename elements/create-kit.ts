import { checkIdentity } from '../src/app/identity.ts'
import type { Kit, KitOptions } from '../src/kit/api.ts'
import { createKit as create } from '../src/kit/kit.ts'
import { pageSurface } from './base/page-dialog.ts'
import { takeArrival } from './base/take-arrival.ts'
import { earlyWalletsOf } from './early-wallet.ts'
import { kitOf } from './kit-of.ts'

/**
 * Creates the kit of an app without any element. Elements with the same app id, and those without one, use
 * it; without elements it shows its dialogs in one of its own. A second call with the same app id returns the
 * same kit, with the configuration and words of that call.
 *
 * Throws a `KitError` `invalid_configuration` when the app id or an address is wrong.
 * @example
 * import { createKit } from 'latchkey'
 *
 * const harbor = createKit({ appId: 'cm0000000000000000000harb', apiUrl: 'https://api.example.com' })
 * const user = await harbor.login()
 */
export function createKit(options: KitOptions): Kit {
  let fresh = false
  const kit = kitOf(options.appId, () => {
    fresh = true
    // An app that can't be is not to take what came back in the address.
    checkIdentity(options)
    const returned = takeArrival()
    const made = create(options, {
      makeSurface: () => pageSurface(made),
      early: earlyWalletsOf(options.appId),
      ...(returned && { returned }),
    })
    return made
  })
  if (!fresh) kit.configure(options)
  return kit
}
