import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { Notice } from '../../ui/notice.tsx'
import type { ShownWallet } from '../../ui/wallet-mark.tsx'
import { useWords } from '../../ui/words.tsx'

export interface WalletLoginFailedProps {
  wallet: ShownWallet
}
export type WalletLoginFailedAnswer = 'retry' | 'back'

/** A wallet's extension did not answer as it must. Spec §2 "login-failed screen". */
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

const wallet = { id: 'phantom', name: 'Phantom' }
export const examples = {
  failed: { props: { wallet } },
  retrying: { props: { wallet }, busy: 'retry' },
  'going back': { props: { wallet }, busy: 'back' },
} satisfies Examples<typeof walletLoginFailed>
