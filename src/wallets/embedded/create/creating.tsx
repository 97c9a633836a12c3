import { defineScreen } from '../../../dialog/screen.ts'
import { Waiting } from '../../../ui/feedback/waiting.tsx'
import { wallet } from '../../../ui/icons/landing.ts'
import { keyRound } from '../../../ui/icons/lucide.ts'
import { Body } from '../../../ui/layout/layout.tsx'
import { useWords } from '../../../ui/text/words.tsx'

/** While a wallet is being created. */
export const creatingWallet = defineScreen<object, never>('creating-wallet', {
  view: Creating,
  size: 'compact',
})

function Creating() {
  const t = useWords()
  return (
    <Body>
      <Waiting icons={[keyRound, wallet]} title={t('wallet.creating.title')} slow={t('wallet.creating.slow')}>
        {t('wallet.creating.text')}
      </Waiting>
    </Body>
  )
}
