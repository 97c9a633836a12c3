import { legalOf } from '../../app/legal.ts'
import { addWords } from '../../copy/copy.ts'
import { connect as words } from '../../copy/en/connect.ts'
import { login } from '../../copy/en/login.ts'
import { walletErrors as failures } from '../../copy/en/wallet-errors.ts'
import type { ExternalWallets, OfferOptions, WalletOffer } from '../../wallets/external/connector.ts'
import { walletLabel } from '../../wallets/registry/registry.ts'
import type { ConnectContext, WalletPurpose } from './context.ts'
import { isRecent } from './list-options.ts'
import { type WalletListProps, walletList } from './wallet-list.tsx'

addWords(words, failures, login)

interface Choosing {
  readonly purpose: WalletPurpose
  readonly options: OfferOptions
  /** What went wrong with the previous choice. */
  readonly error?: string | undefined
}

/**
 * Shows the available wallets until one of them is chosen. A wallet that announces itself late joins the
 * list.
 */
export async function chooseWallet(
  cx: ConnectContext,
  { purpose, options, error }: Choosing,
): Promise<WalletOffer | 'back'> {
  const { stage, config } = cx
  const external = await cx.wallets.external()
  let page: WalletListProps['page'] = 'main'
  for (;;) {
    const offers = await external.offers({ ...options, all: page === 'all' })
    const late = untilFound(external)
    const answer = await Promise.race([
      late.found,
      stage.ask(walletList, {
        purpose,
        page,
        error,
        wallets: offers.map((offer) => listed(cx, offer)),
        connected: cx.session.user.get() ? connectedTo(external) : undefined,
        legal: purpose === 'log-in' ? legalOf(config) : undefined,
      }),
    ]).finally(late.stop)
    if (answer === 'late') continue
    if (answer === 'more') page = 'more'
    else if (answer === 'missing') page = 'all'
    else if (answer !== 'back') {
      const chosen = offers.find(({ id }) => id === answer.wallet)
      if (chosen) return chosen
    } else if (page === 'main') return 'back'
    else page = 'main'
  }
}

function untilFound(external: ExternalWallets) {
  let stop = () => {}
  const found = new Promise<'late'>((resolve) => {
    stop = external.onFound(() => resolve('late'))
  })
  return { found, stop: () => stop() }
}

const listed = ({ recentWallet }: ConnectContext, offer: WalletOffer) => ({
  ...offer.meta,
  name: walletLabel(offer.meta.id, offer.meta.name),
  key: offer.id,
  recent: isRecent(offer, recentWallet),
  solana: offer.chainType === 'solana',
  here: offer.reach !== 'install',
})

const connectedTo = (external: ExternalWallets) =>
  external.connected.get().map(({ address, meta }) => ({ ...meta, address }))
