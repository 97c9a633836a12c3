import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { EmailField } from '../../ui/fields/email-field.tsx'
import { LazyPhoneField } from '../../ui/fields/phone-field/lazy.tsx'
import { mail, smartphone } from '../../ui/icons/landing.ts'
import { Content } from '../../ui/layout/content.tsx'
import { Hero } from '../../ui/layout/hero.tsx'
import { Circle } from '../../ui/layout/hero-art.tsx'
import { Body } from '../../ui/layout/layout.tsx'
import { Naming } from '../../ui/text/breakable.tsx'
import { useWords } from '../../ui/text/words.tsx'

export interface EnterAddressProps {
  via: 'email' | 'sms'
  /** The address or number that the new one replaces; without one it is added. */
  old?: string | undefined
  value: string
  error?: string | undefined
  plusAllowed: boolean
  /** Whose numbers need no calling code. */
  country?: string | undefined
  /** The person came from a larger screen. */
  canGoBack?: boolean | undefined
}
export type EnterAddressAnswer = { address: string } | 'back'

/** Where somebody who is logged in types an address or a number to add, or to put in the place of the old one. */
export const enterAddress = defineScreen<EnterAddressProps, EnterAddressAnswer>('enter-address', {
  view: EnterAddress,
  size: 'compact',
  back: ({ canGoBack = false }) => canGoBack,
})

function EnterAddress(props: EnterAddressProps & Answering<EnterAddressAnswer>) {
  const { via, old, value, error, plusAllowed, country, busy, answer } = props
  const t = useWords()
  const field = {
    value,
    error,
    asked: answer,
    busy: busy !== undefined,
    inert: false,
    alone: true,
  }
  const submit = (address: string) => answer({ address })
  return (
    <Body>
      <Hero
        art={<Circle icon={via === 'sms' ? smartphone : mail} />}
        title={t(`account.${old === undefined ? 'link' : 'update'}.${via}`)}
      >
        {old === undefined ? (
          t(`account.link.${via}Detail`)
        ) : (
          <Naming words={t(`account.update.${via}Detail`, { old: '{name}' })} name={old} />
        )}
      </Hero>
      <Content>
        {via === 'email' ? (
          <EmailField {...field} plusAllowed={plusAllowed} onSubmit={submit} />
        ) : (
          <LazyPhoneField {...field} country={country} onSubmit={submit} />
        )}
      </Content>
    </Body>
  )
}
