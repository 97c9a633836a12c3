import { isMobile } from './core/device.ts'
import { limits } from './core/limits.ts'
import type { Stage } from './core/stage.ts'
import { toKitError } from './errors/kit-error.ts'
import { connectOnly } from './flows/connect/connect-only.ts'
import { linkWallet } from './flows/connect/link.ts'
import { rowOf } from './flows/connect/row.ts'
import type { FlowsContext, KitFlows } from './kit-flows.ts'
import type { Services } from './services.ts'
import type { ExternalWallets, WalletOffer } from './wallets/external/connector.ts'
import type { WalletBrowserReturn } from './wire/wallet-browser.ts'

/**
 * Goes on where a page was left for the browser of a wallet (wire 6.4): logs in with that wallet, links it to the
 * session that was taken along, or connects it only. What the link says is the claim of whoever made it: it counts only
 * on a phone, where such links are made, and where that wallet is really here; a session that is here already stays.
 * Resolves when the dialog is there, so that a host's own `login()` joins it or comes after it.
 */
export async function enterWalletBrowser(
  cx: FlowsContext,
  flows: KitFlows,
  returned: WalletBrowserReturn,
): Promise<void> {
  if (!isMobile(cx.page.userAgent)) return
  const services = await cx.services()
  const external = await services.wallets.external()
  const offer = await offerHere(cx, external, returned)
  if (!offer) return
  const shown = goOn(cx, flows, returned, { services, offer })
  shown.catch((cause: unknown) => {
    const error = toKitError(cause)
    // Nobody need hear of the closing of a dialog that they have not asked for.
    if (!exits.has(error.code)) cx.report(error)
  })
}

async function goOn(
  cx: FlowsContext,
  flows: KitFlows,
  returned: WalletBrowserReturn,
  { services, offer }: { services: Services; offer: WalletOffer },
): Promise<unknown> {
  const context = (stage: Stage) => ({ ...cx.context(stage), ...services })
  if (returned.connectOnly)
    return cx.runs.run('connect', {}, (stage) => connectOnly(context(stage), {}, offer))
  const user = cx.user()
  if (user && !user.isGuest) return cx.runs.run('link', {}, (stage) => linkWallet(context(stage), offer))
  return flows.resume({ returned, method: rowOf(offer), disableSignup: false, headless: false }, undefined)
}

const exits: ReadonlySet<string> = new Set([
  ...['exited_auth_flow', 'exited_link_flow', 'generic_connect_wallet_error'],
])

/** The wallet in whose browser the page is; it may announce itself late. */
async function offerHere(
  { clock }: FlowsContext,
  external: ExternalWallets,
  { connector, client }: WalletBrowserReturn,
): Promise<WalletOffer | undefined> {
  const chains = [connector === 'solana_adapter' ? ('solana' as const) : ('ethereum' as const)]
  const over = new AbortController()
  const timer = clock.sleep(limits.walletDetection, over.signal).then(
    () => 'over' as const,
    () => 'over' as const,
  )
  try {
    for (;;) {
      let found = () => {}
      const next = new Promise<'found'>((resolve) => {
        found = () => resolve('found')
      })
      const unhear = external.onFound(() => found())
      const offers = await external.offers({ walletList: [client], chains })
      const offer = offers.find(({ reach }) => reach === 'here')
      const came = offer ?? (await Promise.race([next, timer]))
      unhear()
      if (typeof came === 'object') return came
      if (came === 'over') return undefined
    }
  } finally {
    over.abort()
  }
}
