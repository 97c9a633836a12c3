import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { AddressCard } from '../../ui/address-card.tsx'
import { Button } from '../../ui/button.tsx'
import { Hero } from '../../ui/hero.tsx'
import { Circle } from '../../ui/hero-art.tsx'
import { trash2, triangleAlert } from '../../ui/icons/lucide.ts'
import { Body, Footer } from '../../ui/layout.tsx'
import { useWords } from '../../ui/words.tsx'

export interface LinkConflictProps {
  title: string
  /** The account as the person knows it: an address, a number, a name. */
  account: string
  /** The other account's wallet. It is shown on a page of its own, before anything is deleted. */
  walletAddress?: string | undefined
  page: 'ask' | 'check'
  done?: boolean | undefined
}
export type LinkConflictAnswer = 'transfer' | 'continue' | 'decline' | 'back'

/** An account that belongs to somebody else's login: take it over, and delete that one? Spec §2 "Account transfer". */
export const linkConflict = defineScreen<LinkConflictProps, LinkConflictAnswer>('link-conflict', {
  view: LinkConflict,
  size: 'compact',
  back: ({ page, done = false }) => page === 'check' && !done,
})

function LinkConflict(props: LinkConflictProps & Answering<LinkConflictAnswer>) {
  const { title, account, walletAddress, page, done = false, busy, answer } = props
  const t = useWords()
  const asking = page === 'ask'
  const next = asking && walletAddress ? 'continue' : 'transfer'
  return (
    <>
      <Body>
        <Hero
          art={<Circle icon={triangleAlert} tone="warning" />}
          title={asking ? title : t('account.conflict.check')}
        >
          {asking ? t('account.conflict.question', { account }) : t('account.conflict.checkDetail')}
        </Hero>
        {!asking && walletAddress && <AddressCard address={walletAddress} />}
      </Body>
      <Footer>
        <Button
          kind="secondary"
          busy={busy === 'decline'}
          disabled={done || busy !== undefined}
          onClick={() => answer('decline')}
        >
          {t('account.conflict.decline')}
        </Button>
        <Button
          {...(next === 'transfer' ? { kind: 'danger', icon: trash2 } : { kind: 'primary' })}
          busy={busy === next}
          disabled={busy !== undefined}
          success={done && t('common.success')}
          onClick={() => answer(next)}
        >
          {next === 'transfer' ? t('account.conflict.transfer') : t('common.continue')}
        </Button>
      </Footer>
    </>
  )
}

const asking: LinkConflictProps = {
  title: 'This email address is associated with another account',
  account: 'ada@example.com',
  page: 'ask',
}
const withWallet = { ...asking, walletAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }
export const examples = {
  ask: { props: asking },
  'ask, with a wallet': { props: withWallet },
  check: { props: { ...withWallet, page: 'check' } },
  transferring: { props: { ...withWallet, page: 'check' }, busy: 'transfer' },
  declining: { props: asking, busy: 'decline' },
  done: { props: { ...withWallet, page: 'check', done: true } },
  'longest account': {
    props: { ...asking, account: 'maximiliane.von-der-hohenstein@department.organisation.example' },
  },
} satisfies Examples<typeof linkConflict>
