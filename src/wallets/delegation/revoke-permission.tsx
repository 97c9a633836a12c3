import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { lockKeyhole } from '../../ui/icons/lucide.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { AddressCard } from '../../ui/wallet/address-card.tsx'
import { Decision } from '../../ui/wallet/request.tsx'

export interface RevokePermissionProps {
  app: string
  /** Wallets with which a server may act now. */
  wallets: readonly string[]
}
export type RevokePermissionAnswer = 'confirm' | 'cancel'

/** Asks whether servers may no longer act with the user's wallets. */
export const revokePermission = defineScreen<RevokePermissionProps, RevokePermissionAnswer>(
  'revoke-permission',
  { view: RevokePermission, size: ({ wallets }) => (wallets.length > 1 ? 'full' : 'compact') },
)

function RevokePermission({
  app,
  wallets,
  busy,
  answer,
}: RevokePermissionProps & Answering<RevokePermissionAnswer>) {
  const t = useWords()
  return (
    <>
      <Body>
        <Hero art={<Circle icon={lockKeyhole} />} title={t('delegation.revoke.title')}>
          {t(wallets.length === 1 ? 'delegation.revoke.text.one' : 'delegation.revoke.text.many', { app })}
        </Hero>
        <Content>
          {wallets.map((address) => (
            <AddressCard key={address} address={address} />
          ))}
        </Content>
      </Body>
      <Footer>
        <Decision
          agree="confirm"
          words={t('delegation.revoke.confirm')}
          busyWords={t('delegation.revoke.busy')}
          cancelWords={t('delegation.revoke.deny')}
          busy={busy}
          answer={answer}
        />
      </Footer>
    </>
  )
}
