import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { AnswerButton } from '../../ui/actions/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { monitorSmartphone } from '../../ui/icons/lucide.ts'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle, Outcome } from '../../ui/layout/hero-art.tsx'
import { Body, Footer } from '../../ui/layout/layout.tsx'
import { useAnnounced } from '../../ui/panel/use-announced.ts'
import { useWords } from '../../ui/text/words.tsx'
import { AddressCard } from '../../ui/wallet/address-card.tsx'

export interface OnlyBrowserProps {
  address: string
  /** The wallet has just been created. */
  isNew: boolean
  /** The app wants a proof before the creation is over. */
  required: boolean
  /** Whether the app offers a recovery password. */
  password: boolean
  /** The attempt before has failed. */
  error?: string | undefined
}
export type OnlyBrowserAnswer = 'passkey' | 'password' | 'not-now'

/** Tells a user that their wallet lives in this browser alone, and offers what would bring it to another. */
export const onlyBrowser = defineScreen<OnlyBrowserProps, OnlyBrowserAnswer>('only-browser', {
  view: OnlyBrowser,
  // The address stays in sight beside a failure.
  size: ({ error, required }) => (error === undefined || required ? 'compact' : 'full'),
  closable: ({ required }) => !required,
})

function OnlyBrowser(props: OnlyBrowserProps & Answering<OnlyBrowserAnswer>) {
  const { address, isNew, required, password, error, busy, answer } = props
  const t = useWords()
  const problem = busy === undefined ? error : undefined
  useAnnounced(problem, 'alert')
  const given = { busy, answer }
  return (
    <>
      <Body>
        <Hero
          art={isNew ? <Outcome is="success" /> : <Circle icon={monitorSmartphone} tone="warning" />}
          title={t(isNew ? 'device.only.new' : 'device.only.title')}
        >
          {t(password ? 'device.only.text' : 'device.only.passkeyText')}
        </Hero>
        <AddressCard short address={address} />
      </Body>
      <Footer>
        {problem && <Banner tone="danger">{problem}</Banner>}
        <AnswerButton {...given} gives="passkey">
          {t('device.only.passkey')}
        </AnswerButton>
        {password && (
          <AnswerButton {...given} gives="password" kind="secondary">
            {t('device.only.password')}
          </AnswerButton>
        )}
        {!required && (
          <AnswerButton {...given} gives="not-now" kind="ghost" size="medium">
            {t('device.only.later')}
          </AnswerButton>
        )}
      </Footer>
    </>
  )
}
