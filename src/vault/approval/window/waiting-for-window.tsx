import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Spinner } from '../../../ui/feedback/spinner.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { useWords } from '../../../ui/text/words.tsx'

export type WaitingForWindowAnswer = 'show' | 'cancel'

/** While a person decides in the vault's own window. */
export const waitingForWindow = defineScreen<object, WaitingForWindowAnswer>('waiting-for-window', {
  view: WaitingForWindow,
  size: 'compact',
})

function WaitingForWindow({ busy, answer }: Answering<WaitingForWindowAnswer>) {
  const t = useWords()
  useAnnounced(t('approval.waiting.title'))
  return (
    <>
      <Body>
        <Hero art={<Spinner size={40} />} title={t('approval.waiting.title')}>
          {t('approval.waiting.text')}
        </Hero>
      </Body>
      <Footer>
        <Button
          kind="secondary"
          busy={busy === 'show'}
          disabled={busy === 'cancel'}
          onClick={() => answer('show')}
        >
          {t('approval.waiting.show')}
        </Button>
        <Button
          kind="ghost"
          size="medium"
          busy={busy === 'cancel'}
          disabled={busy === 'show'}
          onClick={() => answer('cancel')}
        >
          {t('common.cancel')}
        </Button>
      </Footer>
    </>
  )
}
