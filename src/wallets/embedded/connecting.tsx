import { defineScreen } from '../../dialog/screen.ts'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { smartphone, wallet } from '../../ui/icons/landing.ts'
import { Body } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

/** While a wallet is recovered to this device. */
export const connectingWallet = defineScreen<object, never>('connecting-wallet', {
  view: Connecting,
  size: 'compact',
})

function Connecting() {
  const t = useWords()
  return (
    <Body>
      <Waiting
        icons={[wallet, smartphone]}
        title={t('wallet.connecting.title')}
        slow={t('wallet.connecting.slow')}
      >
        {t('wallet.connecting.text')}
      </Waiting>
    </Body>
  )
}
