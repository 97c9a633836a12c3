import { useMemo } from 'react'
import { isolated } from '../../styles/tokens.ts'
import { type Answering, defineScreen } from '../dialog/screen.ts'
import { AnswerButton } from '../ui/actions/button.tsx'
import { MethodIcon } from '../ui/brand/method-icon.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { trash2 } from '../ui/icons/lucide.ts'
import { Hero } from '../ui/layout/hero.tsx'
import { Circle } from '../ui/layout/hero-art.tsx'
import { Body, Footer, Note } from '../ui/layout/layout.tsx'
import { useAnnounced } from '../ui/panel/use-announced.ts'
import { breakable } from '../ui/text/breakable.tsx'
import { useWords } from '../ui/text/words.tsx'
import { AddressCard } from '../ui/wallet/address-card.tsx'
import { Details } from '../ui/wallet/detail-row.tsx'

/** What can be done with one thing that a person has. */
export type EntryAction =
  | 'email'
  | 'sms'
  | 'remove'
  | 'rename'
  | 'recovery'
  | 'export'
  | 'end'
  | 'end-others'
  | 'remove-device'
  | 'stop-permission'
  | 'disconnect-app'

export interface EntryProps {
  /** As {@link Shown.icon}. */
  icon: string
  title: string
  text?: string | undefined
  /** Shown in full. */
  address?: string | undefined
  facts: readonly (readonly [label: string, value: string])[]
  /** Nothing, for what can only be looked at. */
  actions: readonly EntryAction[]
  /** The outcome of an action. */
  note?: string | undefined
  /** The attempt before has failed. */
  error?: string | undefined
}
export type EntryAnswer = EntryAction | 'back'

/** The user loses something by these, once they have confirmed it: filled red belongs to that confirmation. */
const destructive: ReadonlySet<EntryAction> = new Set([
  ...(['remove', 'remove-device', 'stop-permission', 'disconnect-app'] as const),
])

/** One thing that a person has, in detail, with what can be done about it. */
export const entry = defineScreen<EntryProps, EntryAnswer>('account-entry', {
  view: Entry,
  size: 'compact',
  back: true,
})

function Entry(props: EntryProps & Answering<EntryAnswer>) {
  const { icon, title, text, address, facts, actions, note, busy, answer } = props
  const t = useWords()
  const error = busy === undefined ? props.error : undefined
  useAnnounced(error, 'alert')
  const name = useMemo(() => breakable(title), [title])
  const art = icon.startsWith('M') ? icon : <MethodIcon icon={icon} label={title} size={28} />
  const rows = facts.map(
    ([label, value]) =>
      [
        label,
        <bdi key={label} css={isolated}>
          {value}
        </bdi>,
      ] as const,
  )
  return (
    <>
      <Body>
        <Hero art={<Circle icon={art} />} title={name}>
          {text}
        </Hero>
        {address && <AddressCard address={address} />}
        {rows.length > 0 && <Details rows={rows} />}
      </Body>
      {(error || actions.length > 0) && (
        <Footer>
          {error && <Banner tone="danger">{error}</Banner>}
          {actions.map((action) => (
            <AnswerButton
              key={action}
              {...(destructive.has(action) ? { kind: 'caution', icon: trash2 } : { kind: 'secondary' })}
              gives={action}
              busy={busy}
              answer={answer}
            >
              {t(`settings.do.${action}`)}
            </AnswerButton>
          ))}
          {note && actions.length > 0 && <Note>{note}</Note>}
        </Footer>
      )}
    </>
  )
}
