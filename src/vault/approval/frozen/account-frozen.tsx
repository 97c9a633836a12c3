import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { AnswerButton } from '../../../ui/actions/button.tsx'
import { lockKeyhole } from '../../../ui/icons/lucide.ts'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useWords } from '../../../ui/text/words.tsx'

export type AccountFrozenAnswer = 'confirm' | 'cancel'

/** Says that nothing works until the user confirms that it's them, and leads to that. */
export const accountFrozen = defineScreen<object, AccountFrozenAnswer>('account-frozen', {
  view: AccountFrozen,
  size: 'compact',
})

function AccountFrozen({ busy, answer }: Answering<AccountFrozenAnswer>) {
  const t = useWords()
  const given = { busy, answer }
  return (
    <>
      <Body>
        <Hero art={<Circle icon={lockKeyhole} tone="warning" />} title={t('frozen.title')}>
          {t('frozen.text')}
        </Hero>
      </Body>
      <Footer>
        <AnswerButton {...given} gives="confirm">
          {t('frozen.confirm')}
        </AnswerButton>
        <AnswerButton {...given} gives="cancel" kind="ghost" size="medium">
          {t('common.cancel')}
        </AnswerButton>
      </Footer>
    </>
  )
}
