import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { trash2 } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { Naming } from '../../ui/text/breakable.tsx'
import { useWords } from '../../ui/text/words.tsx'

export interface ConfirmRemovalProps {
  kind: 'account' | 'passkey'
  /** The account as the user knows it: an address, a number, a name. */
  account: string
}
export type ConfirmRemovalAnswer = 'remove' | 'back'

/** Asks before an account or a passkey is removed. */
export const confirmRemoval = defineScreen<ConfirmRemovalProps, ConfirmRemovalAnswer>('confirm-removal', {
  view: ConfirmRemoval,
  size: 'compact',
  back: true,
})

function ConfirmRemoval(props: ConfirmRemovalProps & Answering<ConfirmRemovalAnswer>) {
  const { kind, account, busy, answer } = props
  const t = useWords()
  const given = { busy, answer }
  return (
    <>
      <Body>
        <Hero art={<Circle icon={trash2} tone="warning" />} title={t(`settings.confirm.${kind}`)}>
          <Naming words={t('settings.confirm.text', { account: '{name}' })} name={account} />
        </Hero>
      </Body>
      <Footer>
        <AnswerButton {...given} gives="back" kind="secondary">
          {t('common.cancel')}
        </AnswerButton>
        <AnswerButton {...given} gives="remove" kind="danger" icon={trash2}>
          {t('settings.do.remove')}
        </AnswerButton>
      </Footer>
    </>
  )
}
