import type { Examples } from '../../dialog/screen.ts'
import type { allowlistRejected } from './allowlist.tsx'

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
