import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Row } from '../../ui/actions/row.tsx'
import { Icon } from '../../ui/brand/icon.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { keyRound, shieldCheck } from '../../ui/icons/lucide.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { FactorIcon } from '../method-icon.tsx'
import type { MfaMethod } from '../methods.ts'
import { NotNow } from '../not-now.tsx'

/** A factor, or a recovery code in its place. */
export type Verification = MfaMethod | 'recovery'

export interface ChooseVerificationProps {
  verifications: readonly Verification[]
  error?: string | undefined
  /** Why nothing more can be chosen. */
  blocked?: string | undefined
}
export type ChooseVerificationAnswer = { verify: Verification } | 'not-now'

/** Where somebody with several factors says which one is at hand. */
export const chooseVerification = defineScreen<ChooseVerificationProps, ChooseVerificationAnswer>(
  'mfa-verify',
  {
    view: ChooseVerification,
    size: 'compact',
  },
)

function ChooseVerification(props: ChooseVerificationProps & Answering<ChooseVerificationAnswer>) {
  const { verifications, error, blocked, busy, answer } = props
  const t = useWords()
  const problem = blocked ?? (busy === undefined ? error : undefined)
  useAnnounced(problem, 'alert')
  // What can't be chosen takes the room of the words that say why.
  const offered = blocked === undefined ? verifications : []
  const chosen = typeof busy === 'object' ? busy.verify : undefined
  return (
    <>
      <Body>
        <Hero
          // Where more is listed there is no room for it.
          art={offered.length < 4 && <Circle icon={shieldCheck} />}
          title={t('mfa.verify.title')}
        >
          {blocked === undefined && t('mfa.verify.text')}
        </Hero>
        <Content>
          {offered.map((verification) => (
            <Row
              key={verification}
              icon={
                verification === 'recovery' ? (
                  <Icon path={keyRound} size={24} stroke={1.75} />
                ) : (
                  <FactorIcon method={verification} />
                )
              }
              label={t(verification === 'recovery' ? 'mfa.verify.recovery' : `mfa.${verification}`)}
              busy={chosen === verification}
              inert={busy !== undefined && chosen !== verification}
              onClick={() => answer({ verify: verification })}
            />
          ))}
        </Content>
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <NotNow busy={busy} answer={answer} />
      </Footer>
    </>
  )
}
