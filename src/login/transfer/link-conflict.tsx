import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton, Button } from '../../ui/actions/button.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { trash2 } from '../../ui/icons/lucide.ts'
import { triangleAlert } from '../../ui/icons/notices.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { Naming } from '../../ui/text/breakable.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { AddressCard } from '../../ui/wallet/address-card.tsx'

export interface LinkConflictProps {
  title: string
  /** The account as the person knows it: an address, a number, a name. */
  account: string
  /** The other account's wallet, shown on a page of its own before anything is deleted. */
  walletAddress?: string | undefined
  /** All of its wallets, where it has several. */
  walletAddresses?: readonly string[] | undefined
  page: 'ask' | 'check'
  done?: boolean | undefined
}

export type LinkConflictAnswer = 'transfer' | 'continue' | 'decline' | 'back'

/** An account belongs to another user: take it over and delete that user? */
export const linkConflict = defineScreen<LinkConflictProps, LinkConflictAnswer>('link-conflict', {
  view: LinkConflict,
  size: ({ page, walletAddresses = [] }) =>
    page === 'check' && walletAddresses.length > 1 ? 'full' : 'compact',
  back: ({ done = false }) => !done,
})

function LinkConflict(props: LinkConflictProps & Answering<LinkConflictAnswer>) {
  const { title, account, walletAddress, page, done = false, busy, answer } = props
  const { walletAddresses = walletAddress ? [walletAddress] : [] } = props
  const t = useWords()
  const asking = page === 'ask'
  const next = asking && walletAddresses.length > 0 ? 'continue' : 'transfer'
  if (done)
    return (
      <>
        <Success title={t('account.conflict.done')} />
        <Footer>
          <Button success>{t('account.conflict.transfer')}</Button>
        </Footer>
      </>
    )
  return (
    <>
      <Body>
        <Hero
          art={<Circle icon={triangleAlert} tone="warning" />}
          title={asking ? title : t('account.conflict.check')}
        >
          {asking ? (
            <Naming words={t('account.conflict.question', { account: '{name}' })} name={account} />
          ) : (
            t('account.conflict.checkDetail')
          )}
        </Hero>
        {!asking && walletAddresses.length > 0 && (
          <Content>
            {walletAddresses.map((address) => (
              <AddressCard key={address} address={address} />
            ))}
          </Content>
        )}
      </Body>
      <Footer>
        <AnswerButton gives="decline" busy={busy} answer={answer} kind="secondary">
          {t('account.conflict.decline')}
        </AnswerButton>
        <AnswerButton
          {...(next === 'transfer' ? { kind: 'danger', icon: trash2 } : { kind: 'primary' })}
          gives={next}
          busy={busy}
          answer={answer}
        >
          {next === 'transfer' ? t('account.conflict.transfer') : t('common.continue')}
        </AnswerButton>
      </Footer>
    </>
  )
}

export const asking: LinkConflictProps = {
  title: 'This email address is associated with another account',
  account: 'ada@example.com',
  page: 'ask',
}
