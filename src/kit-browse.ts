import { learn } from './copy/copy.ts'
import { walletErrors } from './copy/en/wallet-errors.ts'
import { limits } from './core/limits.ts'
import { toKitError } from './errors/kit-error.ts'
import { walletVerdict } from './errors/wallet-connection.ts'
import { connectOnly } from './flows/connect/connect-only.ts'
import { linkWallet } from './flows/connect/link.ts'
import { settle } from './flows/login/gates.ts'
import type { FlowsContext, KitFlows } from './kit-flows.ts'
import type { Services } from './services.ts'
import type { ExternalWallets, WalletOffer } from './wallets/external/connector.ts'
import type { WalletBrowserReturn } from './wire/wallet-browser.ts'

learn(walletErrors)

/**
 * Goes on where a page was left for the browser of a wallet (wire 6.4): logs in with that wallet, links it to the
 * session that was taken along, or connects it only. What the link says is the claim of whoever made it: it counts only
 * where that wallet is really here, and a session that is here already stays.
 */
export async function enterWalletBrowser(
  cx: FlowsContext,
  flows: KitFlows,
  returned: WalletBrowserReturn,
): Promise<void> {
  const services = await cx.services()
  const external = await services.wallets.external()
  const offer = await offerHere(cx, external, returned)
  if (!offer) return
  try {
    const { token } = returned
    if (token !== undefined && !cx.user())
      await services.session.recover(token).catch((cause: unknown) => tell(cx, services, offer, cause))
    const user = cx.user()
    if (returned.connectOnly)
      await cx.runs.run('connect', {}, (stage) =>
        connectOnly({ ...cx.context(stage), ...services }, {}, offer),
      )
    else if (user && !user.isGuest)
      await cx.runs.run('link', {}, (stage) => linkWallet({ ...cx.context(stage), ...services }, offer))
    else
      await flows.resume(
        { returned, method: offer.meta.id, disableSignup: false, headless: false },
        undefined,
      )
  } catch (cause) {
    const error = toKitError(cause)
    // Nobody need hear of the closing of a dialog that they have not asked for.
    if (!exits.has(error.code)) cx.report(error)
  }
}

/** Somebody who has come here by a link that is no longer good is told so, rather than left before a page that does nothing. */
const tell = (cx: FlowsContext, services: Services, offer: WalletOffer, cause: unknown): Promise<never> =>
  cx.runs.run('link', {}, async (stage) => {
    const error = toKitError(cause)
    await settle({ ...cx.context(stage), ...services }, error, walletVerdict(offer.meta.name)(error))
    throw error
  })

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
