import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Button } from '../../ui/actions/button.tsx'
import { keyRound } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'

export type LinkPasskeyAnswer = 'create'

/** Says what a passkey is good for, before the browser asks for one. */
export const linkPasskey = defineScreen<object, LinkPasskeyAnswer>('link-passkey', {
  view: LinkPasskey,
  size: 'compact',
})

function LinkPasskey({ busy, answer }: Answering<LinkPasskeyAnswer>) {
  const t = useWords()
  return (
    <>
      <Body>
        <Hero art={<Circle icon={keyRound} />} title={t('account.link.passkey')}>
          {t('account.link.passkeyDetail')}
        </Hero>
      </Body>
      <Footer>
        <Button busy={busy === 'create'} disabled={busy !== undefined} onClick={() => answer('create')}>
          {t('account.link.passkeyCreate')}
        </Button>
      </Footer>
    </>
  )
}
