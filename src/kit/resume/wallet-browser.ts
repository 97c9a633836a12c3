import type { Stage } from '../../dialog/stage.ts'
import { toKitError } from '../../errors/kit-error.ts'
import { isMobile } from '../../lib/device.ts'
import type { Login, LoginContext } from '../../login/context.ts'
import { linkWallet } from '../../login/wallet/link-wallet.ts'
import type { WalletBrowserReturn } from '../../protocol/wallet-browser.ts'
import { connectOnly } from '../../wallets/connect/flow.ts'
import { walletMethodName } from '../../wallets/connect/row.ts'
import type { ExternalWallets, WalletOffer } from '../../wallets/external/connector.ts'
import { walletsLimits } from '../../wallets/limits.ts'
import type { KitContext, LoginDialog } from '../context.ts'
import type { Services } from '../services/services.ts'

/** What the page may do with a wallet: log in with it, or link it. */
export interface WalletDialogs extends Pick<LoginDialog, 'resume'> {
  link(method: string, flow: (cx: LoginContext) => Promise<Login>): Promise<unknown>
}

/**
 * Continues where a page was left for a wallet's own browser: logs in with that wallet, links it to the
 * session that came along, or only connects it. The link is only a claim by its author: it counts only on a
 * phone, where such links are made, and if that wallet is really here; an existing session stays. Resolves
 * when the dialog is there, so that a host's own `login()` joins it or follows it; `over` is called when the dialog is gone, or
 * if there is none.
 */
export async function enterWalletBrowser(
  cx: KitContext,
  dialog: WalletDialogs,
  returned: WalletBrowserReturn,
  over: () => void,
): Promise<void> {
  if (!isMobile(cx.page.userAgent)) return over()
  const services = await cx.services()
  const external = await services.wallets.external()
  const offer = await offerHere(cx, external, returned)
  if (!offer) return over()
  const shown = goOn(cx, dialog, returned, { services, offer })
  shown
    .catch((cause: unknown) => {
      const error = toKitError(cause)
      // The closing of a dialog matters only to those who asked for it.
      if (!exits.has(error.code)) cx.report(error)
    })
    .finally(over)
}

async function goOn(
  cx: KitContext,
  { resume, link }: WalletDialogs,
  returned: WalletBrowserReturn,
  { services, offer }: { services: Services; offer: WalletOffer },
): Promise<unknown> {
  const context = (stage: Stage) => ({ ...cx.flow(stage), ...services })
  if (returned.connectOnly)
    return cx.runs.run('connect', {}, (stage) => connectOnly(context(stage), {}, offer))
  const user = cx.user()
  if (user && !user.isGuest) return link('wallet', (linking) => linkWallet(linking, offer))
  return resume(
    { returned, method: walletMethodName(offer), disableSignup: false, headless: false },
    undefined,
  )
}

const exits: ReadonlySet<string> = new Set([
  'exited_auth_flow',
  'exited_link_flow',
  'generic_connect_wallet_error',
])

/** The wallet in whose browser the page is; it may announce itself late. */
async function offerHere(
  { clock }: KitContext,
  external: ExternalWallets,
  { connector, client }: WalletBrowserReturn,
): Promise<WalletOffer | undefined> {
  const chains = [connector === 'solana_adapter' ? ('solana' as const) : ('ethereum' as const)]
  const over = new AbortController()
  const timer = clock.sleep(walletsLimits.walletDetection, over.signal).then(
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
