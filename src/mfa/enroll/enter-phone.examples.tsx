import type { Examples } from '../../dialog/screen.ts'
import type { mfaPhone } from './enter-phone.tsx'

const rest = { appName: 'Harbor', value: '' }

export const examples = {
  empty: { props: rest },
  again: { props: { ...rest, value: '+4915123456789' } },
  'another country': { props: { ...rest, country: 'DE' } },
  'not sent': {
    props: {
      ...rest,
      value: '+4915123456789',
      error: 'The text message could not be sent. Check the number, then try again.',
    },
  },
  sending: { props: rest, busy: { phone: '+4915123456789', shown: '+49 1512 3456789' } },
  'going back': { props: rest, busy: 'back' },
  'longest name': {
    props: { ...rest, appName: 'Stadtwerke Oberland Kundenportal und Bonusprogramm für Energie' },
  },
} satisfies Examples<typeof mfaPhone>
