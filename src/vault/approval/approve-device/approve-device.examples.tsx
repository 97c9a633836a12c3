import type { Examples } from '../../../dialog/screen.ts'
import type { ApproveDeviceProps, approveDevice } from './approve-device.tsx'

const rest: ApproveDeviceProps = {
  name: 'Safari on iPhone',
  place: '203.0.113.0/24',
  createdAt: Date.UTC(2026, 10, 20, 12),
  numbers: ['17', '42', '80'],
  failed: false,
}

export const examples = {
  asking: { props: rest },
  'no place': { props: { ...rest, place: '' } },
  'longest names': {
    props: { ...rest, name: 'Samsung Internet on Android', place: '2001:db8:85a3:8d3:1319:8a2e::/96' },
  },
  approving: { props: rest, busy: { number: '42' } },
  denying: { props: rest, busy: 'deny' },
  failed: { props: { ...rest, failed: true } },
} satisfies Examples<typeof approveDevice>
