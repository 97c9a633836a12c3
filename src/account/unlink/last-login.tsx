import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { trash2 } from '../../ui/icons/lucide.ts'
import { triangleAlert } from '../../ui/icons/notices.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { Naming } from '../../ui/text/breakable.tsx'
import { useWords } from '../../ui/text/words.tsx'

export interface LastLoginProps {
  app: string
  /** The account as the person knows it: an address, a number, a name. */
  account: string
}
export type LastLoginAnswer = 'keep' | 'remove'

/** Warns somebody who is about to remove the last account with which they can log in here. */
export const lastLogin = defineScreen<LastLoginProps, LastLoginAnswer>('last-login', {
  view: LastLogin,
  size: 'compact',
})

function LastLogin({ app, account, busy, answer }: LastLoginProps & Answering<LastLoginAnswer>) {
  const t = useWords()
  const given = { busy, answer }
  return (
    <>
      <Body>
        <Hero art={<Circle icon={triangleAlert} tone="warning" />} title={t('account.unlink.lastTitle')}>
          <Naming words={t('account.unlink.lastDetail', { account: '{name}', app })} name={account} />
        </Hero>
      </Body>
      <Footer>
        <AnswerButton {...given} gives="keep" kind="secondary">
          {t('account.unlink.keep')}
        </AnswerButton>
        <AnswerButton {...given} gives="remove" kind="danger" icon={trash2}>
          {t('account.unlink.remove')}
        </AnswerButton>
      </Footer>
    </>
  )
}
