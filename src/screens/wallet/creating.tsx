import { defineScreen, type Examples } from '../../core/screen.ts'
import { keyRound, wallet } from '../../ui/icons/lucide.ts'
import { Body } from '../../ui/layout.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { useWords } from '../../ui/words.tsx'

/** While a wallet is being made. Spec §4 "Wallet creation". */
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

export const examples = { waiting: { props: {} } } satisfies Examples<typeof creatingWallet>
