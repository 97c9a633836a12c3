import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { lockKeyhole } from '../../ui/icons/lucide.ts'
import { Notice } from '../../ui/notice.tsx'
import { useWords } from '../../ui/words.tsx'

export interface AllowlistProps {
  title?: string | undefined
  detail?: string | undefined
  buttonText?: string | undefined
  /** Makes the button a link to it. */
  link?: string | undefined
}

/** Somebody whom the app has not invited, in the app's own words where it has some. Spec §2 "Allowlist rejection". */
export const allowlistRejected = defineScreen<AllowlistProps, 'again'>('allowlist', {
  view: Allowlist,
  size: 'compact',
})

function Allowlist({ title, detail, buttonText, link, busy, answer }: AllowlistProps & Answering<'again'>) {
  const t = useWords()
  return (
    <Notice
      icon={lockKeyhole}
      title={title ?? t('gate.allowlist.title')}
      detail={detail ?? t('gate.allowlist.detail')}
      action={buttonText ?? t('gate.allowlist.button')}
      href={link}
      busy={busy === 'again'}
      onAction={() => answer('again')}
    />
  )
}

const own = {
  title: 'Harbor opens in spring',
  detail: 'Leave your address and we write to you when there is a place.',
  buttonText: 'Join the waiting list',
  link: 'https://harbor.example/waiting',
}
export const examples = {
  defaults: { props: {} },
  'own words and link': { props: own },
  busy: { props: {}, busy: 'again' },
  'longest words': {
    props: {
      title: 'Dieses Angebot steht nur eingeladenen Mitgliedern der Genossenschaft offen',
      detail:
        'Ihre Adresse steht noch nicht auf der Liste. Bitten Sie ein Mitglied um eine Einladung oder schreiben Sie uns, dann prüfen wir Ihre Anfrage.',
      buttonText: 'Mit einem anderen Kundenkonto versuchen',
    },
  },
} satisfies Examples<typeof allowlistRejected>
