import type { Examples } from '../../../dialog/screen.ts'
import type { PasswordRecoveryProps, passwordRecovery } from './password-recovery.tsx'

const rest: PasswordRecoveryProps = { address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }

export const examples = {
  rest: { props: rest },
  wrong: { props: { ...rest, error: 'Invalid recovery password, please try again.' } },
  'too many tries': {
    props: { ...rest, error: 'Too many attempts. Please wait an hour, then try again.' },
  },
  'before another one': { props: { ...rest, purpose: 'present' } },
  'wrong, before another one': {
    props: { ...rest, purpose: 'present', error: 'Invalid recovery password, please try again.' },
  },
  'checking, before another one': {
    props: { ...rest, purpose: 'present' },
    busy: { password: 'harbor-lantern-copper-tide' },
  },
  recovering: { props: rest, busy: { password: 'harbor-lantern-copper-tide' } },
  'going back': { props: rest, busy: 'back' },
} satisfies Examples<typeof passwordRecovery>
