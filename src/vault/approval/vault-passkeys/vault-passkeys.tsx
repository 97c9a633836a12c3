import { type Answering, defineScreen } from '../../../dialog/screen.ts'
import { AnswerButton } from '../../../ui/actions/button.tsx'
import { Row } from '../../../ui/actions/row.tsx'
import { Icon } from '../../../ui/brand/icon.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { fingerprint, plus } from '../../../ui/icons/lucide.ts'
import { Content } from '../../../ui/layout/content.tsx'
import { Hero } from '../../../ui/layout/hero.tsx'
import { Circle } from '../../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../../ui/layout/layout.tsx'
import { useAnnounced } from '../../../ui/panel/use-announced.ts'
import { breakable } from '../../../ui/text/breakable.tsx'
import { useWords } from '../../../ui/text/words.tsx'

export interface VaultPasskeysProps {
  /** `createdAt` in milliseconds since the epoch. */
  passkeys: readonly { readonly id: string; readonly name: string; readonly createdAt: number }[]
  /** The attempt before has failed. */
  failed: boolean
}
export type VaultPasskeysAnswer = { remove: string } | 'add' | 'close'

/** The vault's own passkeys of a user. */
export const vaultPasskeys = defineScreen<VaultPasskeysProps, VaultPasskeysAnswer>('vault-passkeys', {
  view: VaultPasskeys,
})

function VaultPasskeys({
  passkeys,
  failed,
  busy,
  answer,
}: VaultPasskeysProps & Answering<VaultPasskeysAnswer>) {
  const t = useWords()
  const problem = failed && !busy ? t('devices.passkeys.failed') : undefined
  useAnnounced(problem, 'alert')
  const removing = typeof busy === 'object' ? busy.remove : undefined
  return (
    <>
      <Body>
        <Hero art={<Circle icon={fingerprint} />} title={t('devices.passkeys.title')}>
          {t(passkeys.length === 0 ? 'devices.passkeys.none' : 'devices.passkeys.text')}
        </Hero>
        <Content>
          {passkeys.map(({ id, name, createdAt }) => (
            <Row
              key={id}
              icon={<Icon path={fingerprint} size={24} stroke={1.75} />}
              label={name}
              detail={breakable(t('devices.passkeys.added', { date: dates.format(createdAt) }))}
              busy={removing === id}
              inert={busy !== undefined && removing !== id}
              onClick={() => answer({ remove: id })}
            />
          ))}
          <Row
            icon={<Icon path={plus} size={24} stroke={1.75} />}
            label={t('devices.passkeys.add')}
            busy={busy === 'add'}
            inert={busy !== undefined && busy !== 'add'}
            onClick={() => answer('add')}
          />
        </Content>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <AnswerButton gives="close" busy={busy} answer={answer} kind="secondary">
          {t('devices.passkeys.done')}
        </AnswerButton>
      </Footer>
    </>
  )
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
