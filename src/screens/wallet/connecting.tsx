import { defineScreen, type Examples } from '../../core/screen.ts'
import { smartphone, wallet } from '../../ui/icons/lucide.ts'
import { Body } from '../../ui/layout.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { useWords } from '../../ui/words.tsx'

/** While a wallet is brought to this device. Spec §4 "Embedded wallet connecting". */
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

export const examples = { waiting: { props: {} } } satisfies Examples<typeof connectingWallet>
