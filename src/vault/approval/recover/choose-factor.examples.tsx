import type { Examples } from '../../../dialog/screen.ts'
import type { chooseFactor } from './choose-factor.tsx'

const factors = [
  { type: 'email', hint: 'a•••@harbor.example' },
  { type: 'sms', hint: '*4589' },
  { type: 'password', hint: '0x71C7…976F' },
] as const

export const examples = {
  several: { props: { factors } },
  chosen: { props: { factors }, busy: { chosen: 1 } },
  'with a second factor': { props: { factors: [{ type: 'mfa' }, ...factors] } },
  'another device first': { props: { factors: [{ type: 'device' }, { type: 'passkey' }, factors[0]] } },
  'every way': {
    props: {
      factors: [
        { type: 'device' },
        { type: 'passkey' },
        { type: 'mfa' },
        { type: 'wallet', hint: '0x71C7…976F' },
        { type: 'provider', provider: 'google', hint: 'a•••@harbor.example' },
        { type: 'provider', provider: 'telegram' },
        ...factors,
      ],
    },
  },
  'going back': { props: { factors }, busy: 'back' },
} satisfies Examples<typeof chooseFactor>
