import { useState, useSyncExternalStore } from 'react'
import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { wallet as walletIcon } from '../../../ui/icons/landing.ts'
import { Content } from '../../../ui/layout/content.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'
import { AddressCard } from '../../../ui/wallet/address-card.tsx'
import { WalletRow } from '../../../ui/wallet/wallet-row.tsx'
import {
  type FoundWallet,
  findWallets,
  signWith,
  type WalletOutcome,
  type WalletRefusal,
} from './found-wallets.ts'

export interface WalletProofProps {
  chainType: 'ethereum' | 'solana'
  /** The wallet that is to sign. */
  address: string
  /** Composed by the server, for this device's key. */
  message: string
  /** The outcome of the attempt before; `wrong` if the server refused the signature. */
  error?: WalletRefusal | 'wrong' | undefined
  /** The wallets of this browser, where the screen is not to look for them by itself. */
  wallets?: readonly FoundWallet[] | undefined
}
/** Which wallet is to sign; the window in which it was chosen answers with what that said. */
export type WalletProofAnswer = { wallet: string } | 'back' | WalletOutcome

/** Where an external wallet signs that this device is its owner's. */
export const walletProof = defineScreen<WalletProofProps, WalletProofAnswer>('wallet-proof', {
  view: WalletProof,
  // An error takes the room of a wallet.
  size: ({ error }) => (error ? 'full' : 'compact'),
  back: true,
  perform: (answer, { chainType, address, message }, signal) =>
    typeof answer === 'object' && 'wallet' in answer
      ? signWith(chainType, answer.wallet)(message, address, signal)
      : undefined,
})

function WalletProof(props: WalletProofProps & Answering<WalletProofAnswer>) {
  const { chainType, address, error, busy, answer } = props
  const t = useWords()
  const [source] = useState(() => (props.wallets ? undefined : findWallets(chainType)))
  const here = useSyncExternalStore(source?.subscribe ?? never, source?.get ?? none)
  const wallets = props.wallets ?? here
  const chosen = typeof busy === 'object' && 'wallet' in busy ? busy.wallet : undefined
  const problem = error && busy === undefined ? t(`device.wallet.${error}`) : undefined
  useAnnounced(problem, 'alert')
  return (
    <Body>
      <Hero art={<Circle icon={walletIcon} />} title={t('device.wallet.title')}>
        {t(wallets.length === 0 ? 'device.wallet.none' : 'device.wallet.text')}
      </Hero>
      <AddressCard short address={address} />
      {problem && <Banner tone="danger">{problem}</Banner>}
      <Content>
        {wallets.map((wallet) => (
          <WalletRow
            key={wallet.id}
            wallet={{ ...wallet, recent: false, solana: false, here: true }}
            busy={chosen === wallet.id}
            inert={busy !== undefined && chosen !== wallet.id}
            onClick={() => answer({ wallet: wallet.id })}
          />
        ))}
      </Content>
    </Body>
  )
}

const nothing: readonly FoundWallet[] = []
const none = () => nothing
const never = () => () => {}
