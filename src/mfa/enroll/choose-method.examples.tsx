import type { Examples } from '../../dialog/screen.ts'
import type { ChooseMethodProps, chooseMethod } from './choose-method.tsx'

const none: ChooseMethodProps = {
  offered: ['totp', 'sms', 'passkey'],
  enrolled: [],
  smsIsLogin: false,
  recoveryCodesLeft: 0,
  back: true,
}
const some: ChooseMethodProps = { ...none, enrolled: ['totp'], recoveryCodesLeft: 8, back: false }

export const examples = {
  'nothing enrolled': { props: none },
  'one enrolled': { props: some },
  'all enrolled': { props: { ...some, enrolled: ['totp', 'sms', 'passkey'], recoveryCodesLeft: 0 } },
  'SMS is the login': { props: { ...none, smsIsLogin: true } },
  'enrolled, no longer offered': { props: { ...some, offered: ['passkey'] } },
  failed: { props: { ...some, error: 'Something went wrong.' } },
  enrolling: { props: none, busy: { enroll: 'totp' } },
  removing: { props: some, busy: { remove: 'totp' } },
  'making codes': { props: some, busy: 'codes' },
  'going back': { props: none, busy: 'back' },
} satisfies Examples<typeof chooseMethod>
