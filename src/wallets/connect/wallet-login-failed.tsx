import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { useWords } from '../../ui/text/words.tsx'
import type { ShownWallet } from '../../ui/wallet/wallet-mark.tsx'

export interface WalletLoginFailedProps {
  wallet: ShownWallet
}

export type WalletLoginFailedAnswer = 'retry' | 'back'

/** A wallet's extension did not answer as it must. */
export const walletLoginFailed = defineScreen<WalletLoginFailedProps, WalletLoginFailedAnswer>(
  'wallet-login-failed',
  { view: WalletLoginFailed, size: 'compact', back: true },
)

function WalletLoginFailed({
  wallet,
  busy,
  answer,
}: WalletLoginFailedProps & Answering<WalletLoginFailedAnswer>) {
  const t = useWords()
  return (
    <Notice
      title={t('connect.loginFailed.title')}
      detail={t('connect.loginFailed.text', { wallet: wallet.name })}
      action={t('common.retry')}
      busy={busy === 'retry'}
      disabled={busy !== undefined}
      onAction={() => answer('retry')}
    />
  )
}

export const wallet = { id: 'phantom', name: 'Phantom' }
