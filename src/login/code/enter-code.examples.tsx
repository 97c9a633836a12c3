import type { Examples } from '../../dialog/screen.ts'
import type { enterCode } from './enter-code.tsx'

const sent = { to: 'ada@harbor.example', via: 'email', resendIn: 0 } as const

export const examples = {
  empty: { props: sent },
  'resend waiting': { props: { ...sent, resendIn: 30_000 } },
  'wrong code': { props: { ...sent, error: 'Invalid or expired verification code' } },
  'other error': { props: { ...sent, error: 'Issue verifying code' } },
  checking: { props: sent, busy: { code: '491072' } },
  resending: { props: sent, busy: 'resend' },
  'going back': { props: sent, busy: 'back' },
  accepted: { props: { ...sent, accepted: true }, busy: { code: '491072' } },
  sms: { props: { to: '+49 1512 3456789', via: 'sms', resendIn: 30_000 } },
  'for a device': { props: { ...sent, use: 'device', to: 'a•••@harbor.example' } },
  'for a device, wrong': {
    props: {
      ...sent,
      use: 'device',
      to: '*4589',
      via: 'sms',
      resendIn: 30_000,
      error: 'Invalid or expired verification code',
    },
  },
  'for a device, tried too often': {
    props: {
      ...sent,
      use: 'device',
      to: 'a•••@harbor.example',
      error: 'Too many attempts. Please wait an hour, then try again.',
    },
  },
  'longest address': {
    props: {
      ...sent,
      to: 'maximiliane.von-und-zu-hohenfels+newsletter@kundenservice.energieversorgung-oberland.example',
      error:
        'Too many codes were requested for this address in a short time. Wait ten minutes, then ask for a new one.',
    },
  },
} satisfies Examples<typeof enterCode>
