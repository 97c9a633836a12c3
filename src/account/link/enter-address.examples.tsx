import type { Examples } from '../../dialog/screen.ts'
import type { EnterAddressProps, enterAddress } from './enter-address.tsx'

const email: EnterAddressProps = { via: 'email', value: '', plusAllowed: true }
const phone: EnterAddressProps = { via: 'sms', value: '', plusAllowed: true, country: 'US' }

export const examples = {
  'link email': { props: email },
  'link email, sending': {
    props: { ...email, value: 'ada@example.com' },
    busy: { address: 'ada@example.com' },
  },
  'link email, refused': {
    props: {
      ...email,
      value: 'ada+new@example.com',
      error: "Please enter a valid email address without a '+'.",
    },
  },
  'link email, from the settings': { props: { ...email, canGoBack: true } },
  'link phone': { props: phone },
  'link phone, sending': { props: { ...phone, value: '+12025550123' }, busy: { address: '+12025550123' } },
  'update email': { props: { ...email, old: 'ada@example.com' } },
  'update email, the same': {
    props: {
      ...email,
      old: 'ada@example.com',
      value: 'ada@example.com',
      error: 'This is your address already.',
    },
  },
  'update email, longest': {
    props: { ...email, old: 'maximiliane.von-der-hohenstein@department.organisation.example' },
  },
  'update phone': { props: { ...phone, old: '+1 202 555 0123' } },
  'update phone, the same': {
    props: { ...phone, old: '+1 202 555 0123', value: '+12025550123', error: 'This is your number already.' },
  },
} satisfies Examples<typeof enterAddress>
